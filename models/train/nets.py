"""The small networks: one finds index corners, two read them, one looks at the cards' middles."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from models import middle
from models.decks import GLYPHS
from models.recognise import CROP
from referee.rules.cards import SUITS

DETECTOR_CHANNELS = 7
"""0 any index, 1 index of the newest card, 2 and 3 cos and sin of "down", 4 and 5 offset in cells,
6 log of the card's height over 150 px."""
READER_SCORES = len(GLYPHS) + len(SUITS) + 1
EMBEDDING = 64
RARE = -4.0
"""First score of a cell: hardly any cell holds an index."""


def _block(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Reader(nn.Module):
    """Index crop (3 x 64 x 48) -> glyph scores, suit scores, embedding, side by side."""

    planes = 3
    """How many of luma and the two colours it looks at."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            _block(self.planes, 16),
            nn.MaxPool2d(2),
            _block(16, 32),
            nn.MaxPool2d(2),
            _block(32, 64),
            _block(64, 80),
            nn.MaxPool2d(2),
        )
        cells = (CROP[0] // 8) * (CROP[1] // 8)
        self.embed = nn.Linear(80 * cells, EMBEDDING)
        self.scores = nn.Linear(EMBEDDING, READER_SCORES)
        self.drop = nn.Dropout(0.2)

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """Scores and embedding of each crop."""
        features = self.features(crops[:, : self.planes]).flatten(1)
        embedding = functional.relu(self.embed(features))
        return torch.cat([self.scores(self.drop(embedding)), embedding], 1)


class Witness(Reader):
    """The second opinion: colour-blind, trained apart."""

    planes = 1


class Middle(nn.Module):
    """Straightened card (3 x 96 x 64) with blank corners -> scores of what its middle shows."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            _block(3, 16, 2),
            _block(16, 32),
            nn.MaxPool2d(2),
            _block(32, 48),
            nn.MaxPool2d(2),
            _block(48, 64),
            nn.MaxPool2d(2),
        )
        cells = (middle.CROP[0] // 16) * (middle.CROP[1] // 16)
        self.embed = nn.Linear(64 * cells, EMBEDDING)
        self.scores = nn.Linear(EMBEDDING, len(middle.MIDDLES))
        self.drop = nn.Dropout(0.2)

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """The scores of each crop."""
        embedding = functional.relu(self.embed(self.features(crops).flatten(1)))
        out: torch.Tensor = self.scores(self.drop(embedding))
        return out


class _Wide(nn.Module):
    """A cheap layer that looks far: depthwise, dilated, with a short cut."""

    def __init__(self, channels: int, reach: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, reach, reach, channels, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = functional.relu(x + self.layers(x))
        return out


class Detector(nn.Module):
    """(luma now, luma now minus before) -> maps at an eighth of the size."""

    def __init__(self, channels: int = 64) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _block(2, 16, 2),
            _block(16, 24, 2),
            _block(24, channels, 2),
            *(_Wide(channels, reach) for reach in (1, 2, 1, 3, 1)),
        )
        self.head = nn.Sequential(
            _block(channels, channels, kernel=1), nn.Conv2d(channels, DETECTOR_CHANNELS, 1)
        )
        last = self.head[1]
        assert isinstance(last, nn.Conv2d)
        assert last.bias is not None
        last.bias.data[:2] = RARE

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The maps."""
        out: torch.Tensor = self.head(self.body(x))
        return out
