"""Which of two cards lies on top: its edge is seen inside the other, and it lies free and whole."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from models.candidates import Candidate
from models.locate import Pose

STEPS = 28
"""Points at which each edge of a card is looked at."""
REACH = 0.018
"""How far to both sides of the edge it is looked at, in card heights."""
SEARCH = (-0.02, -0.01, 0.0, 0.01, 0.02)
"""The edge may be off by so much, in card heights: poses are not exact."""
LEAST_POINTS = 8
"""Fewer points inside the other card tell nothing."""
FREE_WEIGHT, COVERED_WEIGHT = 2.0, 2.0
"""What the net's share for "lies free" and the middle's share for "not a whole card" count beside
the logarithm of the edges' ratio."""
CLEAR = 0.4
"""The upper card must be ahead by so much. All were chosen on 399 drawn piles of unseen decks."""

Gray = NDArray[np.uint8]


def top_of(candidates: Sequence[Candidate], luma: Gray) -> tuple[Candidate | None, bool]:
    """The candidate that no other one covers.

    Args:
        candidates: Cards, the likeliest first.
        luma: The picture they were found on, a little smoothed or not at all.

    Returns:
        The top card, and whether that is clear.
    """
    if not candidates:
        return None, False
    best, clear = candidates[0], True
    for other in candidates[1:]:
        ratio = upper(best.pose, other.pose, luma)
        if ratio is None:
            continue
        ahead = math.log(ratio) + FREE_WEIGHT * (best.new - other.new)
        ahead += COVERED_WEIGHT * (other.covered - best.covered)
        if ahead < -CLEAR:
            best, clear = other, True
        elif ahead < CLEAR and other.together.answer != best.together.answer:
            clear = False
    return best, clear


def upper(first: Pose, second: Pose, luma: Gray) -> float | None:
    """How much stronger the edge of `first` is inside `second` than the reverse.

    Returns:
        Above 1 if `first` lies on top; None if they do not overlap enough to tell.
    """
    own, others = edge_within(first, second, luma), edge_within(second, first, luma)
    if own is None or others is None:
        return None
    return (own + 1.0) / (others + 1.0)


def edge_within(card: Pose, other: Pose, luma: Gray) -> float | None:
    """Mean contrast across those parts of a card's edge that lie inside another card."""
    corners = card.corners()
    middle = corners.mean(0)
    contrasts: list[float] = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        share = np.linspace(0.08, 0.92, STEPS)[:, None]
        points = start + (end - start) * share
        inside = points[_inside(points, other)]
        if len(inside) == 0:
            continue
        along = (end - start) / np.linalg.norm(end - start)
        outwards = np.array([along[1], -along[0]])
        if np.dot(outwards, (start + end) / 2 - middle) < 0:
            outwards = -outwards
        contrasts += _contrast(luma, inside, outwards, card.height_px)
    return float(np.mean(contrasts)) if len(contrasts) >= LEAST_POINTS else None


def _contrast(
    luma: Gray, points: NDArray[np.float64], outwards: NDArray[np.float64], height_px: float
) -> list[float]:
    """Contrast at the best of a few parallel lines: the edge is straight, print is not."""
    best: list[float] = []
    for shift in SEARCH:
        base = points + outwards * shift * height_px
        step = outwards * REACH * height_px
        inner, outer = _values(luma, base - step), _values(luma, base + step)
        found = np.abs(inner - outer).tolist()
        if not best or float(np.median(found)) > float(np.median(best)):
            best = found
    return [min(value, 60.0) for value in best]


def _values(luma: Gray, points: NDArray[np.float64]) -> NDArray[np.float32]:
    spots = np.asarray(points, np.float32)[None]
    values = cv2.remap(
        luma, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(values[0], np.float32)


def _inside(points: NDArray[np.float64], card: Pose) -> NDArray[np.bool_]:
    """Which points lie well inside the card."""
    c, s = np.cos(card.down), np.sin(card.down)
    dx, dy = points[:, 0] - card.x, points[:, 1] - card.y
    along, across = np.abs(dx * c + dy * s), np.abs(dx * s - dy * c)
    return np.asarray((along < 0.46 * card.height_px) & (across < 0.46 * card.width_px))
