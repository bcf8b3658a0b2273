"""Finds the corners of cards and, from pairs of them, whole cards.

A small net marks index corners and the direction in which each index reads. Two corners that look
at each other across one whole card give the card's pose: a card on top of a pile shows both, a
covered card rarely does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.net import Net

INDEX_POINT = (0.105, 0.14)
"""The point that stands for an index: share of the card's width and height from its corner."""

ALONG, ACROSS = 1 - 2 * INDEX_POINT[1], 1 - 2 * INDEX_POINT[0]
"""From one index point to its twin: shares of the card's height and width."""

CELL_PX = 8
"""The net's maps have one cell for so many pixels."""
USUAL_HEIGHT_PX = 150
"""Card height at which the net says 0; it learned 88 to 225 px."""
SEEN_PX = (95, 215)
"""Card heights at which corners are found well."""

WIDTHS = (0.5, 0.9)
"""Width over height of a card as seen, a slanted camera included. Bridge 0.64, poker 0.71."""
BEST_WIDTH = 0.69
TWIST = 0.6
"""How far (radians) two corners of a card may disagree about its direction."""
DIAGONAL = math.hypot(ALONG, ACROSS * BEST_WIDTH)
"""From one index point to its twin, in card heights."""
DIAGONAL_LEAN = math.pi / 2 - math.atan2(ALONG, ACROSS * BEST_WIDTH)
"""Angle between that line and the card's long side."""
SIZE_SLACK = 0.12
"""How far the distance of two corners may miss it, in card heights."""
TURNED = 0.8
"""How far (radians, both corners together) directions may miss that of the line."""
GUESS_SLACK = 0.44
"""How far (log) a pair may miss the net's guess of the card's height."""
LEAST_ALONG_PX = 30
"""No card is smaller."""

Gray = NDArray[np.uint8]
Maps = NDArray[np.float32]


Point = tuple[float, float, float]
"""x, y and direction "down" of an index."""


@dataclass(frozen=True, slots=True)
class Spot:
    """An index corner that was found."""

    x: float
    y: float
    down: float
    """Direction from letter to pip, radians on the picture."""
    score: float
    new: float
    """How surely it belongs to the newest card (in one picture alone: to one that lies free)."""
    height_px: float
    """The net's guess of the card's height."""

    def scaled(self, factor: float) -> Spot:
        """The same corner on a picture of another size."""
        return replace(
            self, x=self.x * factor, y=self.y * factor, height_px=self.height_px * factor
        )


@dataclass(frozen=True, slots=True)
class Pose:
    """A whole card on the picture."""

    x: float
    y: float
    down: float
    """Direction from its top to its bottom edge; a card turned round is the same card."""
    height_px: float
    width_px: float

    def corners(self) -> NDArray[np.float32]:
        """Four corners, clockwise from the top left, shape (4, 2)."""
        c, s = math.cos(self.down), math.sin(self.down)
        long = np.array([c, s]) * self.height_px / 2
        wide = np.array([s, -c]) * self.width_px / 2
        middle = np.array([self.x, self.y])
        return np.array(
            [
                middle - long - wide,
                middle - long + wide,
                middle + long + wide,
                middle + long - wide,
            ],
            np.float32,
        )

    def index_points(self) -> list[Point]:
        """x, y, down of all four corners: top left, its twin, top right, its twin."""
        corners = self.corners()
        points = []
        for own, beside, below in ((0, 1, 3), (2, 3, 1), (1, 0, 2), (3, 2, 0)):
            wide, long = corners[beside] - corners[own], corners[below] - corners[own]
            x, y = corners[own] + wide * INDEX_POINT[0] + long * INDEX_POINT[1]
            points.append((float(x), float(y), math.atan2(float(long[1]), float(long[0]))))
        return points

    def is_near(self, other: Pose, *, shift: float = 0.13, turn: float = 0.3) -> bool:
        """Both are the same card: shift in card heights, turn in radians."""
        away = math.hypot(self.x - other.x, self.y - other.y) / self.height_px
        twist = abs(wrapped(2 * (self.down - other.down))) / 2
        return away < shift and twist < turn

    def scaled(self, factor: float, dx: float = 0.0, dy: float = 0.0) -> Pose:
        """The same card on a picture scaled by `factor` and then shifted."""
        return Pose(
            self.x * factor + dx,
            self.y * factor + dy,
            self.down,
            self.height_px * factor,
            self.width_px * factor,
        )


@dataclass(frozen=True, slots=True)
class Pair:
    """Two corners that fit one card."""

    pose: Pose
    first: Spot
    second: Spot
    fit: float
    """0 is perfect."""
    points: tuple[Point, Point]
    """Where the two indices are: x, y, direction "down"."""

    @property
    def new(self) -> float:
        """How surely it is the newest card."""
        return math.sqrt(self.first.new * self.second.new)


def wrapped(angle: float) -> float:
    """The angle in (-pi, pi]."""
    return (angle + math.pi) % (2 * math.pi) - math.pi


class Detector:
    """The net that marks index corners."""

    def __init__(self, weights: Path) -> None:
        """Load the net once."""
        self._net = Net(weights)

    def maps(self, now: Gray, before: Gray | None = None) -> Maps:
        """Run the net.

        Args:
            now: Luma, both sides multiples of 8 px.
            before: The same place before the newest card came, if there is such a picture.
        """
        x = np.empty((1, 2, *now.shape), np.float32)
        np.subtract(now * np.float32(1 / 64), 2, out=x[0, 0])
        if before is None:
            x[0, 1] = 0
        else:
            np.multiply(
                cv2.subtract(now, before, dtype=cv2.CV_32F), np.float32(1 / 64), out=x[0, 1]
            )
        maps: Maps = self._net(x)[0]
        return maps


def find_spots(maps: Maps, *, threshold: float = 0.25, most: int = 24) -> list[Spot]:
    """Read the corners off the net's maps, the surest first."""
    heat = 1 / (1 + np.exp(-maps[:2]))
    peak = cv2.dilate(heat[0], np.ones((3, 3), np.uint8))
    fresh = cv2.dilate(heat[1], np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat[0] >= peak) & (heat[0] > threshold))
    order = np.argsort(-heat[0][rows, columns])[:most]
    spots = []
    for row, column in zip(rows[order], columns[order], strict=True):
        cos, sin, dx, dy, size = (float(v) for v in maps[2:7, row, column])
        spots.append(
            Spot(
                (column + 0.5 + dx) * CELL_PX,
                (row + 0.5 + dy) * CELL_PX,
                math.atan2(sin, cos),
                float(heat[0][row, column]),
                float(fresh[row, column]),
                USUAL_HEIGHT_PX * math.exp(min(1.0, max(-1.0, size))),
            )
        )
    return spots


def find_pairs(spots: Sequence[Spot], card_height_px: float | None = None) -> list[Pair]:
    """All pairs of corners that fit one card, the best first.

    Args:
        card_height_px: The calibrated height; None: any, but near what the net guesses.
    """
    pairs = []
    for i, first in enumerate(spots):
        for second in spots[i + 1 :]:
            if card_height_px is None:
                pair = _free_pair(first, second)
            else:
                pair = _calibrated_pair(first, second, card_height_px)
            if pair:
                pairs.append(pair)
    return sorted(pairs, key=lambda pair: pair.fit - pair.new)


def _free_pair(first: Spot, second: Spot) -> Pair | None:
    """These two as corners of one card of any size, as far as their directions tell."""
    twist = wrapped(first.down - second.down - math.pi)
    if abs(twist) > TWIST:
        return None
    down = first.down - twist / 2
    dx, dy = second.x - first.x, second.y - first.y
    along = dx * math.cos(down) + dy * math.sin(down)
    across = abs(dx * math.sin(down) - dy * math.cos(down))
    if along < LEAST_ALONG_PX:
        return None
    height, width = along / ALONG, across / ACROSS
    miss = abs(math.log(height / math.sqrt(first.height_px * second.height_px)))
    if not WIDTHS[0] < width / height < WIDTHS[1] or miss > GUESS_SLACK:
        return None
    fit = 0.3 * abs(twist) + abs(width / height - BEST_WIDTH) + 0.5 * miss
    pose = Pose((first.x + second.x) / 2, (first.y + second.y) / 2, down, height, width)
    points = (first.x, first.y, down), (second.x, second.y, down + math.pi)
    return Pair(pose, first, second, fit, points)


def _calibrated_pair(first: Spot, second: Spot, card_height_px: float) -> Pair | None:
    """These two as corners of one card of known size.

    Their distance and the line between them are exact where their own directions are not, so the
    line gives the card's direction, and its middle the card's: errors of the two corners cancel.
    """
    dx, dy = second.x - first.x, second.y - first.y
    miss = abs(math.hypot(dx, dy) / card_height_px - DIAGONAL)
    if miss > SIZE_SLACK:
        return None
    line = math.atan2(dy, dx)
    choices = []
    for left in (True, False):
        lean = DIAGONAL_LEAN if left else -DIAGONAL_LEAN
        for down in (wrapped(line + lean), wrapped(line + lean + math.pi)):
            turned = abs(wrapped(down - first.down)) + abs(wrapped(down + math.pi - second.down))
            choices.append((turned, down, left))
    turned, down, left = min(choices)
    if turned > TURNED:
        return None
    middle = ((first.x + second.x) / 2, (first.y + second.y) / 2)
    pose = Pose(*middle, down, card_height_px, BEST_WIDTH * card_height_px)
    places = pose.index_points()
    points = (places[0], places[1]) if left else (places[2], places[3])
    return Pair(pose, first, second, 0.3 * turned + 2 * miss, points)


def card_from_change(
    now: Gray, before: Gray, card_height_px: float, widths: tuple[float, float] = (0.58, 0.8)
) -> Pose | None:
    """Find the card without the net: the part that changed, if it is a rectangle of card size.

    Works at half size, which costs a quarter and finds as many cards.
    """
    now, before = _halved(now), _halved(before)
    card_height_px /= 2
    smooth_now, smooth_before = (
        cv2.GaussianBlur(now, (5, 5), 1.2),
        cv2.GaussianBlur(before, (5, 5), 1.2),
    )
    ratio = (smooth_now[::8, ::8] + 1.0) / (smooth_before[::8, ::8] + 1.0)
    levelled = cv2.convertScaleAbs(smooth_before, alpha=float(np.median(ratio)))
    change = cv2.absdiff(smooth_now, levelled)
    floor = 5 * float(np.median(change[::4, ::4]))
    best: tuple[float, Pose] | None = None
    for threshold in (max(7.0, floor), max(12.0, floor + 5), max(22.0, floor + 14)):
        for pose in _rectangles(change > threshold, card_height_px):
            aspect = pose.width_px / pose.height_px
            off = abs(pose.height_px / card_height_px - 1)
            if off > 0.12 or not widths[0] * 0.95 < aspect < widths[1] * 1.05:
                continue
            off += max(0.0, widths[0] - aspect, aspect - widths[1])
            if best is None or off < best[0]:
                best = (off, pose)
    return best[1].scaled(2) if best else None


def _halved(luma: Gray) -> Gray:
    size = (luma.shape[1] // 2, luma.shape[0] // 2)
    return np.asarray(cv2.resize(luma, size, interpolation=cv2.INTER_AREA), np.uint8)


def _rectangles(changed: NDArray[np.bool_], card_height_px: float) -> list[Pose]:
    """Rectangles around what changed, with fewer and fewer small pieces."""
    mask = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels, stats, centres = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return []
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    poses = []
    tried: set[tuple[int, ...]] = set()
    for smallest in (0.0015, 0.006, 0.03):
        keep = [
            i
            for i in range(1, count)
            if stats[i, cv2.CC_STAT_AREA] > smallest * card_height_px**2
            and np.hypot(*(centres[i] - centres[largest])) < card_height_px
        ]
        if not keep or tuple(keep) in tried:
            continue
        tried.add(tuple(keep))
        table = np.zeros(count, np.uint8)
        table[keep] = 1
        outlines = cv2.findContours(table[labels], cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[-2]
        points = np.concatenate(outlines)
        (x, y), (w, h), angle = cv2.minAreaRect(points)
        if w > h:
            w, h, angle = h, w, angle + 90
        poses.append(Pose(float(x), float(y), math.radians(angle + 90), float(h), float(w)))
    return poses
