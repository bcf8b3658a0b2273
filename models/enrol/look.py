"""One look at one card that lies alone under the camera: its straightened corners, or a flaw."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from models.candidates import Candidate, luma_colour, read_pairs, resized, whole_cells
from models.enrol.letter import alike, sharpness
from models.locate import (
    DIAGONAL,
    SEEN_PX,
    TWIST,
    Pair,
    Pose,
    Spot,
    find_pairs,
    find_spots,
    wrapped,
)
from models.reader import SCALES, Reader
from models.recognise import SHARP_HEIGHT_PX, Image, index_crop

DARK = 40
"""Grey level: a picture whose lightest parts are darker shows no paper."""
LEAST_CARD_PX = 95.0
"""A smaller card has indices that nobody can tell apart."""
SHARP_BAR = 0.5
"""Less sharp corners teach nothing."""
TWIN_BAR = 0.6
"""The two corners of a card must look as much alike."""
CLEAR_SPOT = 0.5
"""A corner this sure is one even without its twin."""
CROWD_BAR = 0.9
"""A second card this readable is one."""
TRIED_SIZES = 6
"""Of a picture whose scale nobody knows: so many of the likeliest sizes are tried."""


class Flaw(StrEnum):
    """Why a look teaches nothing."""

    DARK = "dark"
    EMPTY = "empty"
    ONE_CORNER = "one corner"
    SMALL = "small"
    BLURRED = "blurred"
    UNLIKE = "unlike"
    """Its two corners do not look alike."""
    CROWDED = "crowded"
    """More than one card."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What one picture of a card teaches."""

    patches: NDArray[np.uint8]
    """Its corners as recognise.index_crop cuts them, YCrCb, shape (n, 64, 48, 3), n 2 or 4."""
    pose: Pose
    """Where the card lies, in the picture's pixels."""
    net: Candidate
    """What the net makes of its corners."""
    sharp: float
    picture: tuple[int, int]
    """Width and height of the whole picture."""


def take_look(reader: Reader, bgr: Image, card_height_px: float | None = None) -> Look | Flaw:
    """Look at the only card in a picture.

    Args:
        reader: Holds the nets; what it reads does not decide anything here.
        bgr: Shape (height, width, 3), uint8.
        card_height_px: If it is known; None: any size.
    """
    if float(np.percentile(bgr[::4, ::4], 99)) < DARK:
        return Flaw.DARK
    if card_height_px is not None:
        return _look_at_size(reader, bgr, card_height_px)
    found = _sizes(reader, bgr)
    if isinstance(found, Flaw):
        return found
    looks = [_look_at_size(reader, bgr, height) for height in found[:TRIED_SIZES]]
    return next((look for look in looks if isinstance(look, Look)), looks[0])


def _look_at_size(reader: Reader, bgr: Image, card_height_px: float) -> Look | Flaw:
    if card_height_px < LEAST_CARD_PX:
        return Flaw.SMALL
    factor = SHARP_HEIGHT_PX / card_height_px
    colour = luma_colour(resized(bgr, factor))
    spots = find_spots(reader.detector.maps(whole_cells(colour[..., 0])))
    pairs = find_pairs(spots, SHARP_HEIGHT_PX)
    read = _readable(reader, colour, pairs)
    if not read:
        return _no_pair(spots)
    best = read[0]
    if any(_is_another_card(other, best) for other in read[1:]):
        return Flaw.CROWDED
    points = [point for card in read if card.pose.is_near(best.pose) for point in card.points]
    patches = np.stack(
        [index_crop(colour, x, y, down, SHARP_HEIGHT_PX) for x, y, down in _apart(points)]
    )
    size = (bgr.shape[1], bgr.shape[0])
    return _judged(Look(patches, best.pose.scaled(1 / factor), best, sharpness(patches), size))


def _judged(look: Look) -> Look | Flaw:
    if look.sharp < SHARP_BAR:
        return Flaw.BLURRED
    if alike(look.patches[:1], look.patches[1:]) < TWIN_BAR:
        return Flaw.UNLIKE
    return look


def _sizes(reader: Reader, bgr: Image) -> list[float] | Flaw:
    """Heights that a card may have at any scale, in the picture's pixels, the likeliest first."""
    sure: list[tuple[float, float]] = []
    likely: list[tuple[float, float]] = []
    seen: list[Spot] = []
    for side in SCALES:
        factor = side / max(bgr.shape[:2])
        colour = luma_colour(resized(bgr, factor))
        spots = find_spots(reader.detector.maps(whole_cells(colour[..., 0])))
        seen += spots
        pairs = [p for p in find_pairs(spots) if SEEN_PX[0] < p.pose.height_px < SEEN_PX[1]]
        cards = _readable(reader, colour, pairs)[:2]
        sure += [(card.worth, card.pose.height_px / factor) for card in cards]
        likely += [(worth, height / factor) for worth, height in _opposite(spots)]
    sizes = [height for some in (sure, likely) for _, height in sorted(some, reverse=True)]
    return sizes or _no_pair(seen)


def _opposite(spots: Sequence[Spot]) -> list[tuple[float, float]]:
    """Two corners that look at each other: how sure they are, and how high their card would be."""
    found = []
    for first, second in combinations(spots, 2):
        height = math.hypot(second.x - first.x, second.y - first.y) / DIAGONAL
        turned = abs(wrapped(first.down - second.down - math.pi))
        if turned < TWIST and SEEN_PX[0] < height < SEEN_PX[1]:
            found.append((first.score * second.score, height))
    return found


def _readable(reader: Reader, colour: Image, pairs: Sequence[Pair]) -> list[Candidate]:
    """Pairs that look like indices, the likeliest first."""
    return sorted(read_pairs(colour, pairs[:8], reader.glyphs), key=lambda card: -card.worth)


def _no_pair(spots: Sequence[Spot]) -> Flaw:
    return Flaw.ONE_CORNER if any(spot.score > CLEAR_SPOT for spot in spots) else Flaw.EMPTY


def _is_another_card(card: Candidate, best: Candidate) -> bool:
    elsewhere = not card.pose.is_near(best.pose, shift=0.35, turn=0.5)
    return elsewhere and card.agree and card.readable >= CROWD_BAR


def _apart(
    points: Sequence[tuple[float, float, float]],
) -> list[tuple[float, float, float]]:
    """Each corner once."""
    kept: list[tuple[float, float, float]] = []
    for point in points:
        if all(np.hypot(point[0] - x, point[1] - y) > 0.1 * SHARP_HEIGHT_PX for x, y, _ in kept):
            kept.append(point)
    return kept[:4]
