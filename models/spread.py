"""Reads every index in a picture, for spreads without a top card and for measuring."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from models.candidates import LOOKS, luma_colour, resized, whole_cells
from models.locate import USUAL_HEIGHT_PX, Spot, find_pairs, find_spots
from models.reader import SCALES, Reader
from models.recognise import Image, Opinion, averaged, index_crop

STEPS = (0.8, 1.0, 1.25)
"""Sizes around the measured one at which corners are looked for."""
SAME = 0.12
"""Corners nearer than this (card heights) are one."""


@dataclass(frozen=True, slots=True)
class IndexReading:
    """One index and what it says."""

    x: float
    y: float
    opinion: Opinion
    score: float


def read_spread(reader: Reader, bgr: Image, *, threshold: float = 0.3) -> list[IndexReading]:
    """Every index in the picture. The cards' size is measured first, from all corners together."""
    height = card_height(reader, bgr)
    if height is None:
        return []
    kept: list[IndexReading] = []
    for step in STEPS:
        factor = USUAL_HEIGHT_PX * step / height
        colour = luma_colour(resized(bgr, factor))
        maps = reader.detector.maps(whole_cells(colour[..., 0]))
        for spot in find_spots(maps, threshold=threshold, most=80):
            reading = _read(reader, colour, spot, USUAL_HEIGHT_PX * step, factor)
            if reading:
                _keep(kept, reading, SAME * height)
    return kept


def card_height(reader: Reader, bgr: Image) -> float | None:
    """Height of the cards in px: where pairs fit best, else what single corners suggest."""
    paired, single = [], []
    for side in SCALES:
        factor = side / max(bgr.shape[:2])
        luma = whole_cells(luma_colour(resized(bgr, factor))[..., 0])
        spots = find_spots(reader.detector.maps(luma), threshold=0.3, most=60)
        single += [(spot.height_px / factor, spot.score) for spot in spots]
        paired += [
            (pair.pose.height_px / factor, pair.first.score * pair.second.score * (1 - pair.fit))
            for pair in find_pairs(spots)
            if pair.fit < 0.5
        ]
    pool = paired if len(paired) >= 2 else single
    if not pool:
        return None
    heights, weights = np.array(pool).T
    order = np.argsort(heights)
    middle = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)
    return float(heights[order][min(int(middle), len(heights) - 1)])


def _read(
    reader: Reader, colour: Image, spot: Spot, height_px: float, factor: float
) -> IndexReading | None:
    crops = [
        index_crop(colour, spot.x, spot.y, spot.down + turn, height_px * size)
        for turn, size in LOOKS
    ]
    opinion = averaged(reader.glyphs.read(crops))
    if opinion.answer == "none":
        return None
    return IndexReading(spot.x / factor, spot.y / factor, opinion, spot.score)


def _keep(kept: list[IndexReading], reading: IndexReading, near_px: float) -> None:
    """Of readings of one index the surest stays."""
    for number, other in enumerate(kept):
        if math.hypot(other.x - reading.x, other.y - reading.y) < near_px:
            if reading.opinion.confidence > other.opinion.confidence:
                kept[number] = reading
            return
    kept.append(reading)
