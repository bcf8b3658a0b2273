"""Reads one straightened index: which glyph, which suit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.decks import ANSWERS, GLYPHS, answer_matrix, answers_from_glyphs
from models.net import Net
from referee.rules.cards import JOKER_RANK, RANKS, SUITS, Card

Image = NDArray[np.uint8]

SUIT_BAR = 0.6
"""A suit less sure than this is not named."""
FLOOR = 1e-4
"""No corner can rule an answer out for good."""

CROP = (48, 64)
"""Width and height of an index crop."""
CROP_SPAN = 0.3733
"""Height of the crop in card heights, 1.5 times what most indices need."""
SHARP_HEIGHT_PX = CROP[1] / CROP_SPAN
"""A card of this height, 171 px, is cut out pixel by pixel."""


def index_crop(picture: Image, x: float, y: float, down: float, card_height_px: float) -> Image:
    """Cut the index at (x, y) upright out of a picture.

    Args:
        picture: Any number of channels.
        down: Direction from letter to pip, radians on the picture.
        card_height_px: Height of the whole card.
    """
    w, h = CROP
    step = card_height_px * CROP_SPAN / h
    c, s = math.cos(down) * step, math.sin(down) * step
    matrix = np.array(
        [[s, c, x - (s * w + c * h) / 2], [-c, s, y - (-c * w + s * h) / 2]], np.float32
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpAffine(picture, matrix, CROP, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


def reader_input(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops (n, h, w, YCrCb) as the reader wants them: (n, 3, h, w), free of light and tint.

    Luma is brought to mean 0 and spread 1; colour is measured from its mean in the same units,
    so that a red letter stays red under any lamp.
    """
    planes = np.ascontiguousarray(crops.transpose(0, 3, 1, 2)).astype(np.float32)
    planes -= planes.mean(axis=(2, 3), keepdims=True)
    spread = planes[:, :1].std(axis=(2, 3), keepdims=True) + 4
    return np.asarray(planes / spread, np.float32)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one or more corners say."""

    answers: NDArray[np.float32]
    """Probability of each of decks.ANSWERS."""
    suits: NDArray[np.float32]
    """Probability of each suit S H D C, then "no suit"."""

    @property
    def answer(self) -> str:
        """The likeliest answer."""
        return ANSWERS[int(self.answers.argmax())]

    @property
    def confidence(self) -> float:
        """Probability of the likeliest answer."""
        return float(self.answers.max())

    @property
    def suit(self) -> str:
        """The likeliest suit, "?" if doubtful or none."""
        best = int(self.suits.argmax())
        return SUITS[best] if best < len(SUITS) and self.suits[best] > SUIT_BAR else "?"

    @property
    def card(self) -> Card | None:
        """The card, if the answer is one."""
        if self.answer == JOKER_RANK:
            return Card(JOKER_RANK, "?")
        return Card(self.answer, self.suit) if self.answer in RANKS else None


def joined(opinions: Sequence[Opinion]) -> Opinion:
    """One opinion from several corners of the same card: their probabilities are multiplied."""
    answers = np.sum([np.log(opinion.answers + FLOOR) for opinion in opinions], axis=0)
    suits = np.sum([np.log(opinion.suits + FLOOR) for opinion in opinions], axis=0)
    return Opinion(_shares(answers), _shares(suits))


def averaged(opinions: Sequence[Opinion]) -> Opinion:
    """One opinion from several looks at the same corner: their mean."""
    return Opinion(
        np.mean([opinion.answers for opinion in opinions], axis=0),
        np.mean([opinion.suits for opinion in opinions], axis=0),
    )


def weighed(opinion: Opinion, fits: NDArray[np.float32]) -> Opinion:
    """The opinion with each answer counted only so far as it fits something else."""
    answers = opinion.answers * fits
    return Opinion(answers / answers.sum(), opinion.suits)


def _shares(logs: NDArray[np.floating]) -> NDArray[np.float32]:
    raised = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), np.float32)


class GlyphReader:
    """The net that reads index crops, with the language of the deck."""

    def __init__(self, weights: Path, deck: str = "en") -> None:
        """Load the net once.

        Raises:
            BadDeck: No such language.
        """
        self._table = answer_matrix(deck)
        self._net = Net(weights)

    def read(self, crops: Sequence[Image]) -> list[Opinion]:
        """Read crops of index_crop from a YCrCb picture, all at once."""
        if not crops:
            return []
        scores = self.scores(crops)
        glyphs = _shares(scores[:, : len(GLYPHS)])
        suits = _shares(scores[:, len(GLYPHS) : len(GLYPHS) + len(SUITS) + 1])
        answers = answers_from_glyphs(glyphs, self._table)
        return [Opinion(a, s) for a, s in zip(answers, suits, strict=True)]

    def scores(self, crops: Sequence[Image]) -> NDArray[np.float32]:
        """Glyph scores, suit scores and embedding of each crop."""
        return self._net(reader_input(np.stack(crops)))
