"""Trains the reader and its witness."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from models.decks import GLYPHS, NONE
from models.recognise import CROP
from models.train.fitting import fit
from models.train.nets import Reader
from referee.rules.cards import SUITS

NONE_SHARE = 0.14
"""Of a batch: places that are no index."""
COVER = 0.82
"""A card across the lower end of a crop begins here, in heights of the crop."""
SUIT_WEIGHT = 0.3
"""What a suit counts beside a glyph."""


def fit_reader(
    shards: Sequence[Path], steps: int, *, net: Reader, learning: float = 3e-3
) -> Reader:
    """Train for so many batches; glyphs are drawn so that no rank is seen more than another.

    Args:
        shards: Where the samples are.
        net: What is trained: a reader or a witness.
        learning: The rate falls from there to 0 along half a cosine.
    """
    crops, labels = _samples(shards, net.planes)
    return fit(
        net,
        crops,
        labels,
        _chances(labels[:, 0]),
        prepared=prepared,
        loss=_loss,
        steps=steps,
        learning=learning,
    )


def _samples(shards: Sequence[Path], planes: int) -> tuple[torch.Tensor, torch.Tensor]:
    """All crops and labels; of the crops only the planes that the net looks at."""
    labels = [np.load(path)["labels"] for path in shards]
    width, height = CROP
    crops = np.empty((sum(map(len, labels)), height, width, planes), np.uint8)
    at = 0
    for path, own in zip(shards, labels, strict=True):
        crops[at : at + len(own)] = np.load(path)["crops"][..., :planes]
        at += len(own)
    return torch.from_numpy(crops), torch.from_numpy(np.concatenate(labels))


def _loss(scores: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, list[float]]:
    glyph, suit = labels.unbind(1)
    glyphs, suits = scores[:, : len(GLYPHS)], scores[:, len(GLYPHS) : len(GLYPHS) + len(SUITS) + 1]
    loss = functional.cross_entropy(glyphs, glyph)
    named = functional.cross_entropy(suits, suit)
    right = [
        loss.item(),
        (glyphs.argmax(1) == glyph).float().mean().item(),
        (suits.argmax(1) == suit).float().mean().item(),
    ]
    return loss + SUIT_WEIGHT * named, right


def _chances(glyphs: torch.Tensor) -> torch.Tensor:
    """How likely each sample is drawn: rare letters more often than they occur, but not evenly."""
    count = torch.bincount(glyphs, minlength=len(GLYPHS)).float().clamp(min=1)
    weight = count.rsqrt()
    share = weight * count
    share[NONE] = 0
    scale = NONE_SHARE / (1 - NONE_SHARE) * share.sum()
    weight[NONE] = scale / count[NONE]
    return weight[glyphs]


def prepared(crops: torch.Tensor) -> torch.Tensor:
    """Crops with another light, tint, blur, noise and cover, as models.recognise gives them."""
    x = relit(crops)
    cover = round(COVER * x.shape[2])
    for i in (torch.rand(len(x)) < 0.1).nonzero()[:, 0].tolist():
        x[i, 0, cover:] = float(torch.randint(0, 255, (1,)))
        x[i, 1:, cover:] = 128
    x = x.clamp(0, 255)
    x = x - x.mean((2, 3), keepdim=True)
    return x / (x[:, :1].std((2, 3), keepdim=True, unbiased=False) + 4)


def relit(crops: torch.Tensor) -> torch.Tensor:
    """Crops (n, h, w, planes) with another light, tint, blur and noise, as (n, planes, h, w)."""
    x = crops.permute(0, 3, 1, 2).float()
    n = len(x)
    gain = torch.rand(n, 1, 1, 1) * 0.6 + 0.7
    x[:, :1] = x[:, :1] * gain + torch.randn(n, 1, 1, 1) * 15
    x[:, 1:] = (x[:, 1:] - 128) * gain * (torch.rand(n, 1, 1, 1) * 0.7 + 0.6) + 128
    soft = torch.rand(n) < 0.15
    if soft.any():
        padded = functional.pad(x[soft], (1, 1, 1, 1), mode="replicate")
        x[soft] = functional.avg_pool2d(padded, 3, 1)
    x[:, :1] += torch.randn(n, 1, *x.shape[2:]) * torch.rand(n, 1, 1, 1) * 8
    return x
