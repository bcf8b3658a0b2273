"""What the middle of a card shows: pips that can be counted, or a picture.

A witness that knows no letters. An 8 has eight pips and a jack a picture, whatever the typeface, so
the middle tells apart what letters confuse: B and 8, Q and 6, 3 and 2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.decks import ANSWERS
from models.locate import Pose
from models.net import Net
from referee.rules.cards import JOKER_RANK, RANKS

Image = NDArray[np.uint8]
Shares = NDArray[np.float32]

PICTURES = (*RANKS[10:], JOKER_RANK)
"""Ranks whose middle is a picture."""
MIDDLES = (*RANKS[:10], "picture", "none")
"""What the net tells apart, in the order of its scores; "none": not one whole card."""
NO_CARD = MIDDLES.index("none")

CROP = (64, 96)
"""Width and height of a straightened card."""
SPAN = 1.06
"""Width and height of the crop in those of the card: its edges are seen."""
HIDDEN = (0.22, 0.27)
"""Each corner is blanked so far, in widths and heights of the card: no letter is seen."""

FLOOR = 0.03
"""The middle can not rule a rank out for good: some decks print no pips."""


def middle_crop(picture: Image, pose: Pose) -> Image:
    """Cut a whole card upright out of a picture of any number of channels."""
    w, h = CROP
    c, s = math.cos(pose.down), math.sin(pose.down)
    across, along = pose.width_px * SPAN / w, pose.height_px * SPAN / h
    wide, long = np.array([s, -c]) * across, np.array([c, s]) * along
    start = np.array([pose.x, pose.y]) - wide * (w - 1) / 2 - long * (h - 1) / 2
    matrix = np.column_stack([wide, long, start]).astype(np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpAffine(picture, matrix, CROP, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


def seen_part() -> NDArray[np.float32]:
    """1 where a crop shows the middle, 0 in its four corners, shape (h, w)."""
    w, h = CROP
    mask = np.ones((h, w), np.float32)
    x = round(w * (SPAN / 2 - 0.5 + HIDDEN[0]) / SPAN)
    y = round(h * (SPAN / 2 - 0.5 + HIDDEN[1]) / SPAN)
    for rows in (slice(None, y), slice(h - y, None)):
        for columns in (slice(None, x), slice(w - x, None)):
            mask[rows, columns] = 0
    return mask


SEEN_PART = seen_part()


def middle_input(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops (n, h, w, YCrCb) as the net wants them: (n, 3, h, w), free of light and tint."""
    planes = np.ascontiguousarray(crops.transpose(0, 3, 1, 2)).astype(np.float32)
    area = SEEN_PART.sum()
    planes -= (planes * SEEN_PART).sum((2, 3), keepdims=True) / area
    planes *= SEEN_PART
    spread = np.sqrt((planes[:, :1] ** 2).sum((2, 3), keepdims=True) / area) + 4
    return np.asarray(planes / spread, np.float32)


def answers_from_middles(middle: Shares) -> Shares:
    """How well each of decks.ANSWERS goes with what the middle shows, at most 1.

    What is no card to the net says nothing about ranks; answers that name no rank are left alone.

    Args:
        middle: Share of each of MIDDLES.
    """
    fits = np.ones(len(ANSWERS), np.float32)
    for rank in (*RANKS, JOKER_RANK):
        shown = middle[MIDDLES.index("picture" if rank in PICTURES else rank)]
        fits[ANSWERS.index(rank)] = max(FLOOR, min(1.0, float(shown + middle[NO_CARD])))
    return fits


class MiddleReader:
    """The net that looks at the middles of cards."""

    def __init__(self, weights: Path) -> None:
        """Load the net once."""
        self._net = Net(weights)

    def read(self, colour: Image, poses: Sequence[Pose]) -> Shares:
        """Share of each of MIDDLES for these cards of a YCrCb picture, shape (n, 12)."""
        if not poses:
            return np.zeros((0, len(MIDDLES)), np.float32)
        crops = np.stack([middle_crop(colour, pose) for pose in poses])
        scores = self._net(middle_input(crops))
        raised = np.exp(scores - scores.max(1, keepdims=True))
        return np.asarray(raised / raised.sum(1, keepdims=True), np.float32)
