"""What the camera sees before a game: a card in the middle, the mat, sharpness and light. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.protocols import Image
from referee.rules.errors import RefereeError

Floats = NDArray[np.float64]
Point = tuple[float, float]

CARD_MM = {"poker": (63.5, 88.9), "bridge": (57.0, 89.0), "skat": (59.0, 91.0)}
"""Width and height. The simulated table's cards are 88 mm high and count as poker."""
CARD_SHARE = (0.004, 0.45)
"""Of the picture's area."""
CARD_RATIO = (1.2, 1.85)
"""Height to width, also seen a little from the side."""
FILLED = 0.86
"""Of its rectangle that a card covers; a hand or a heap covers less."""
PAPER_PERCENTILE = 70
"""Paper is brighter than print: this percentile of a card is bare paper."""
CLIPPED = 250
REACH_PX = 10
SUBSTEPS = 8
SIDE_SHARE = 0.7
"""Of a side, in the middle, that is looked at: the corners are round."""
SIDE_SAMPLES = 60
LEAST_CONTRAST = 25.0
BORDER_VOTES = 0.35
"""Of the picture's shorter side: how long a side of the mat must be, all its pieces together."""
BORDER_TILT_DEG = 20.0
PILE_REACH_MM = (94.0, 76.0)
"""From the middle of the pile to the sides of its zone: 20 x 15 cm are drawn on the mat."""


class NoCard(RefereeError, ValueError):
    """No card in view."""


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card that lies in view."""

    corners: tuple[Point, Point, Point, Point]
    """In px, clockwise from a corner of a short side."""
    height_px: float
    width_px: float
    edge_px: float
    """Width of its edges, from 10 to 90 % of the contrast: how sharp the picture is."""
    paper: float
    """Grey level of its paper."""
    clipped: float
    """Share of it that is as bright as can be: the lamp mirrors itself."""

    @property
    def middle(self) -> Point:
        """In px."""
        x, y = np.mean(self.corners, axis=0)
        return float(x), float(y)


@dataclass(frozen=True, slots=True)
class CameraView:
    """What was seen."""

    size: tuple[int, int]
    card: CardSeen
    mat: tuple[Point, Point, Point, Point] | None
    """Corners in px, clockwise from the top left; None: its edge is not in view."""
    mm_per_px: float
    zone: tuple[int, int, int, int]
    """Left, top, width, height in px of the part that holds the pile."""
    evenness: float
    """Darkest quarter of the table to the brightest one."""
    flicker: float
    """How much the paper's brightness varies from frame to frame (standard deviation/mean)."""
    frames: int
    tilt: float
    """How far the card's proportions are from the ones it has."""

    @property
    def blur_mm(self) -> float:
        """Width of the edges on the table."""
        return self.card.edge_px * self.mm_per_px

    @property
    def mat_mm(self) -> tuple[float, float] | None:
        """Width and height of the mat."""
        if self.mat is None:
            return None
        return quad_size(self.mat, self.mm_per_px)


def quad_size(corners: Sequence[Point], scale: float) -> tuple[float, float]:
    """Width and height of a quadrangle: means of its opposite sides."""
    sides = [math.dist(corners[i], corners[(i + 1) % 4]) for i in range(4)]
    return (sides[0] + sides[2]) / 2 * scale, (sides[1] + sides[3]) / 2 * scale


def look(images: Sequence[Image], card: str) -> CameraView:
    """Measure a view on the table with one card in the middle.

    Args:
        images: Successive frames.
        card: Format of the deck: a key of `CARD_MM`.

    Raises:
        NoCard: No card in any of them.
    """
    seen = [(image, found) for image in images if (found := find_card(image)) is not None]
    if not seen:
        raise NoCard(
            "no card in view, expected one, face up, alone in the middle of the mat "
            "(is it on white? is a hand above it?)"
        )
    alike = _alike(seen)
    image, middle = alike[len(alike) // 2]
    best = _typical([one for _, one in alike], middle)
    width_mm, height_mm = CARD_MM[card]
    mm_per_px = height_mm / best.height_px
    tilt = abs(best.height_px / best.width_px / (height_mm / width_mm) - 1)
    papers = [one.paper for _, one in alike]
    size = (image.shape[1], image.shape[0])
    return CameraView(
        size=size,
        card=best,
        mat=find_mat(image, best),
        mm_per_px=mm_per_px,
        zone=zone_around(best.middle, mm_per_px, size),
        evenness=evenness(image, best),
        flicker=float(np.std(papers) / np.mean(papers)) if len(papers) > 1 else 0.0,
        frames=len(alike),
        tilt=tilt,
    )


def _alike(seen: Sequence[tuple[Image, CardSeen]]) -> list[tuple[Image, CardSeen]]:
    """Frames in which the card lies where it lies in the last one."""
    last = seen[-1][1].middle
    return [one for one in seen if math.dist(one[1].middle, last) < 3]


def _typical(cards: Sequence[CardSeen], place: CardSeen) -> CardSeen:
    """The medians of all frames, where `place` lies."""

    def median(name: str) -> float:
        return float(np.median([getattr(card, name) for card in cards]))

    return CardSeen(
        place.corners,
        median("height_px"),
        median("width_px"),
        median("edge_px"),
        median("paper"),
        median("clipped"),
    )


def zone_around(
    middle: Point, mm_per_px: float, size: tuple[int, int]
) -> tuple[int, int, int, int]:
    """The part around the pile, as far as it is in the picture: left, top, width, height."""
    reach = [mm / mm_per_px for mm in PILE_REACH_MM]
    left, top = (max(0, math.floor(at - far)) for at, far in zip(middle, reach, strict=True))
    right, bottom = (
        min(most, math.ceil(at + far)) for at, far, most in zip(middle, reach, size, strict=True)
    )
    return left, top, right - left, bottom - top


def find_card(image: Image) -> CardSeen | None:
    """The largest thing in view that is white, and has the shape of a card."""
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    for corners in _white_rectangles(image):
        card = _measured(gray, corners)
        if card is not None:
            return card
    return None


def _white_rectangles(image: Image) -> list[Floats]:
    """Corners of white rectangles of a card's shape, the largest first."""
    value = image.max(axis=2).astype(np.int16)
    colour = value - image.min(axis=2)
    white = np.clip(value - 1.5 * colour, 0, 255).astype(np.uint8)
    white = cv2.medianBlur(white, 5)
    _, mask = cv2.threshold(white, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for outline in outlines:
        area = float(cv2.contourArea(outline))
        (_, sides, _) = box = cv2.minAreaRect(outline)
        if not _is_card_shape(area, sides, image.shape[0] * image.shape[1]):
            continue
        found.append((area, _in_order(np.asarray(cv2.boxPoints(box), np.float64))))
    return [corners for _, corners in sorted(found, key=lambda one: -one[0])]


def _is_card_shape(area: float, sides: Sequence[float], picture: int) -> bool:
    short, long = sorted(sides)
    if short < 20 or not CARD_SHARE[0] <= area / picture <= CARD_SHARE[1]:
        return False
    return CARD_RATIO[0] <= long / short <= CARD_RATIO[1] and area >= FILLED * short * long


def _in_order(corners: Floats) -> Floats:
    """Turned so that the first side is a short one."""
    first, second = np.linalg.norm(np.diff(corners[:3], axis=0), axis=1)
    return corners if first <= second else np.roll(corners, -1, axis=0)


def _measured(gray: NDArray[np.uint8], corners: Floats) -> CardSeen | None:
    """Size and sharpness from the four edges, between the pixels."""
    profiles = [_side_profile(gray, corners, side) for side in range(4)]
    edges = [edge for profile in profiles if (edge := edge_of(profile)) is not None]
    if len(edges) < 4:
        return None
    out = [edge[0] for edge in edges]
    first, second = np.linalg.norm(np.diff(corners[:3], axis=0), axis=1)
    paper, clipped = _paper(gray, corners)
    return CardSeen(
        tuple((float(x), float(y)) for x, y in corners),  # type: ignore[arg-type]
        height_px=float(second + out[0] + out[2]),
        width_px=float(first + out[1] + out[3]),
        edge_px=float(np.median([edge[1] for edge in edges])),
        paper=paper,
        clipped=clipped,
    )


def _side_profile(gray: NDArray[np.uint8], corners: Floats, side: int) -> Floats:
    """Grey levels across a side, from inside to outside: one row a sample along it."""
    a, b = corners[side], corners[(side + 1) % 4]
    outward = (a + b) / 2 - corners.mean(axis=0)
    normal = np.array([a[1] - b[1], b[0] - a[0]]) / np.linalg.norm(b - a)
    normal *= np.sign(normal @ outward)
    along = np.linspace(0.5 - SIDE_SHARE / 2, 0.5 + SIDE_SHARE / 2, SIDE_SAMPLES)
    across = np.arange(-REACH_PX, REACH_PX + 1e-9, 1 / SUBSTEPS)
    points = (a + along[:, None] * (b - a))[:, None] + across[None, :, None] * normal
    maps = np.asarray(points, np.float32)
    levels = cv2.remap(gray, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
    return np.asarray(levels, np.float64)


def edge_of(profile: Floats) -> tuple[float, float] | None:
    """Where an edge is and how wide: (px outward of the middle, px from 10 to 90 %).

    The samples along the edge are first laid on top of each other, so a side that is not quite
    straight does not look blurred.
    """
    mean = np.median(profile, axis=0)
    inside, outside = mean[: 2 * SUBSTEPS].mean(), mean[-2 * SUBSTEPS :].mean()
    if inside - outside < LEAST_CONTRAST:
        return None
    # Averages of a few neighbours: noise would move the crossings.
    groups = profile.reshape(-1, 5, profile.shape[1]).mean(axis=1)
    share = (groups - outside) / (inside - outside)
    crossings = [[_falls_below(line, level) for level in (0.9, 0.5, 0.1)] for line in share]
    whole = np.array([line for line in crossings if None not in line], np.float64)
    if len(whole) < len(crossings) / 2:
        return None
    high, middle, low = (whole / SUBSTEPS - REACH_PX).T
    return float(np.median(middle)), float(np.median(low - high))


def _falls_below(line: Floats, level: float) -> float | None:
    """The last place at which the profile goes through a level, between two samples."""
    above = np.flatnonzero(line >= level)
    if not len(above) or above[-1] + 1 >= len(line):
        return None
    at = int(above[-1])
    return at + float((line[at] - level) / (line[at] - line[at + 1]))


def _paper(gray: NDArray[np.uint8], corners: Floats) -> tuple[float, float]:
    inner = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 0.9
    mask = np.zeros(gray.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.asarray(inner, np.int32), 1)
    levels = gray[mask > 0]
    return float(np.percentile(levels, PAPER_PERCENTILE)), float(np.mean(levels >= CLIPPED))


def evenness(image: Image, card: CardSeen) -> float:
    """The table's brightness in its darkest quarter to that in its brightest, without the card."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    mask = np.ones(gray.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.asarray(card.corners, np.int32), 0)
    h, w = gray.shape
    quarters = [
        np.median(gray[y : y + h // 2, x : x + w // 2][mask[y : y + h // 2, x : x + w // 2] > 0])
        for y in (0, h - h // 2)
        for x in (0, w - w // 2)
    ]
    return float(min(quarters) / max(1.0, max(quarters)))


def find_mat(image: Image, card: CardSeen) -> tuple[Point, Point, Point, Point] | None:
    """The four sides of the mat, or of the zone drawn on it: long straight lines around the card.

    All pieces of a line count together, so pads may lie on it.
    """
    gray = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    edges = cv2.Canny(gray, 20, 60)
    votes = round(BORDER_VOTES * min(image.shape[:2]))
    lines = cv2.HoughLinesWithAccumulator(edges, 1, np.pi / 360, votes)
    if lines is None:
        return None
    sides = _strongest_sides(np.asarray(lines, np.float64).reshape(-1, 3), card)
    if any(side is None for side in sides.values()):
        return None
    left, top, right, bottom = (sides[name] for name in ("left", "top", "right", "bottom"))
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return tuple(_crossing(a, b) for a, b in corners)  # type: ignore[return-value, arg-type]


def _strongest_sides(lines: Floats, card: CardSeen) -> dict[str, Floats | None]:
    """For each side of the card, the line with the most votes that passes it at a distance."""
    sides: dict[str, Floats | None] = dict.fromkeys(("left", "top", "right", "bottom"))
    reach = card.height_px * 0.6
    for line in lines:  # the strongest first
        rho, theta, _ = line
        if rho < 0:
            rho, theta = -rho, theta - np.pi
        tilt = math.degrees(theta)
        away = rho - card.middle[0] * math.cos(theta) - card.middle[1] * math.sin(theta)
        if abs(tilt) <= BORDER_TILT_DEG:
            name = "right" if away > 0 else "left"
        elif abs(tilt - 90) <= BORDER_TILT_DEG:
            name = "bottom" if away > 0 else "top"
        else:
            continue
        if abs(away) > reach and sides[name] is None:
            sides[name] = np.array([rho, theta])
    return sides


def _crossing(a: Floats, b: Floats) -> Point:
    matrix = np.array([[math.cos(t), math.sin(t)] for t in (a[1], b[1])])
    x, y = np.linalg.solve(matrix, np.array([a[0], b[0]]))
    return float(x), float(y)
