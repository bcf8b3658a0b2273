"""Lays flat cards on a picture in perspective and knows where their corners are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.locate import INDEX_POINT
from models.train.faces import Face

Canvas = NDArray[Any]
Quad = NDArray[Any]
Dice = np.random.Generator

UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
_MARGIN_PX = 10
INDEX_SAMPLES = [(u, v) for u in (0.05, 0.105, 0.16) for v in (0.04, 0.09, 0.14, 0.2)]
"""Where a corner is looked at to see whether something hides it, in shares of the card."""


@dataclass(slots=True)
class Laid:
    """A card on the table."""

    face: Face
    x: float
    y: float
    angle: float
    """Turn in radians, clockwise on the picture."""
    height_px: float
    shadow: float = 0.2
    gloss: float = 0.0
    seed: int = 0

    def quad(self, tilt: NDArray[np.float64]) -> Quad:
        """The four corners on the picture, clockwise from the card's top left."""
        h, w = self.face.bgr.shape[:2]
        width = self.height_px * w / h
        flat = (UNIT - 0.5) * np.array([width, self.height_px], np.float32)
        c, s = math.cos(self.angle), math.sin(self.angle)
        turned = flat @ np.array([[c, s], [-s, c]], np.float32) + np.array([self.x, self.y])
        return moved(turned, tilt)


def moved(points: Quad, matrix: NDArray[Any]) -> Quad:
    """Points through a perspective."""
    shaped = np.asarray(points, np.float64).reshape(1, -1, 2)
    return np.asarray(cv2.perspectiveTransform(shaped, matrix)[0], np.float32)


def draw_tilt(size: int, strength: float, dice: Dice) -> NDArray[np.float64]:
    """A camera that does not look straight down; strength 0.3 is about 30 degrees."""
    half = size / 2
    lean = strength * dice.uniform(-1, 1, 2) / half
    centre = np.array([[1, 0, -half], [0, 1, -half], [0, 0, 1]])
    back = np.array([[1, 0, half], [0, 1, half], [0, 0, 1]])
    squeeze = np.diag([1 - abs(lean[0]) * half * 0.25, 1 - abs(lean[1]) * half * 0.25, 1.0])
    bend = np.array([[1, 0, 0], [0, 1, 0], [lean[0] * 0.5, lean[1] * 0.5, 1]])
    return np.asarray(back @ squeeze @ bend @ centre, np.float64)


def lay(canvas: Canvas, ids: NDArray[np.uint8], card: Laid, quad: Quad, number: int) -> None:
    """Draw a card with its shadow; `ids` gets its number where it is seen."""
    size = np.array([canvas.shape[1], canvas.shape[0]])
    low = np.maximum(np.floor(quad.min(0)).astype(int) - _MARGIN_PX, 0)
    high = np.minimum(np.ceil(quad.max(0)).astype(int) + _MARGIN_PX, size)
    if (high - low).min() < 4:
        return
    dice = np.random.default_rng(card.seed)
    window = (int(high[0] - low[0]), int(high[1] - low[1]))
    colour, outline = _warped(card, quad - low, window)
    region = canvas[low[1] : high[1], low[0] : high[0]]
    if card.shadow > 0:
        region *= 1 - _shadow(outline, card.shadow, dice)
    colour = _worn(colour, card, dice)
    region += (colour - region) * outline[..., None]
    ids[low[1] : high[1], low[0] : high[0]][outline > 0.5] = number


def _warped(card: Laid, quad: Quad, window: tuple[int, int]) -> tuple[Canvas, Canvas]:
    bgr, alpha = card.face.bgr, card.face.alpha
    scale = float(np.linalg.norm(quad[3] - quad[0])) * 1.15 / bgr.shape[0]
    if scale < 1:
        small = (max(8, round(bgr.shape[1] * scale)), max(8, round(bgr.shape[0] * scale)))
        bgr = cv2.resize(bgr, small, interpolation=cv2.INTER_AREA).astype(np.uint8)
        alpha = cv2.resize(alpha, small, interpolation=cv2.INTER_AREA).astype(np.uint8)
    h, w = alpha.shape
    corners = (UNIT * np.array([w, h], np.float32)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    colour = cv2.warpPerspective(bgr, matrix, window, borderMode=cv2.BORDER_REPLICATE)
    outline = cv2.warpPerspective(alpha, matrix, window)
    return np.asarray(colour, np.float32), np.asarray(outline, np.float32) / np.float32(255)


def _shadow(outline: Canvas, strength: float, dice: Dice) -> Canvas:
    shift = np.array([[1, 0, dice.uniform(-4, 4)], [0, 1, dice.uniform(-4, 4)]], np.float32)
    fallen = cv2.warpAffine(outline, shift, (outline.shape[1], outline.shape[0]))
    soft = cv2.GaussianBlur(fallen, (0, 0), dice.uniform(1, 3)).astype(np.float32)
    return (strength * soft)[..., None]


def _worn(colour: Canvas, card: Laid, dice: Dice) -> Canvas:
    """Gloss, dirt and scratches of one card."""
    h, w = colour.shape[:2]
    if card.gloss > 0:
        spot = np.zeros((h, w), np.float32)
        centre = (int(dice.integers(w)), int(dice.integers(h)))
        axes = (int(dice.integers(8, 20 + w // 3)), int(dice.integers(5, 14 + h // 8)))
        cv2.ellipse(spot, centre, axes, float(dice.uniform(0, 180)), 0, 360, 1.0, -1)
        spot = cv2.GaussianBlur(spot, (0, 0), float(dice.uniform(4, 14))).astype(np.float32)
        colour = colour + (255 - colour) * (spot * card.gloss)[..., None]
    if dice.random() < 0.25:
        for _ in range(int(dice.integers(1, 6))):
            start, end = dice.integers(0, [w, h]), dice.integers(0, [w, h])
            shade = float(dice.choice([60.0, 190.0, 250.0]))
            cv2.line(colour, tuple(map(int, start)), tuple(map(int, end)), (shade,) * 3, 1)
    return colour


@dataclass(frozen=True, slots=True)
class Corner:
    """The truth about one index corner."""

    x: float
    y: float
    down: float
    """Direction from the letter to the pip, radians on the picture."""
    height_px: float
    """Height of the card as seen from this corner."""
    glyph: str
    suit: str
    seen: float
    """Share of the index that nothing hides."""
    new: bool
    """Of the newest card (without a before-picture: of a card that nothing covers)."""


def corners_of(
    card: Laid, quad: Quad, number: int, ids: NDArray[np.uint8], *, new: bool
) -> list[Corner]:
    """Where this card's indices are and how much of each is seen."""
    turns = [0, 2, 1, 3] if card.face.four else [0, 2]
    found = []
    for turn in turns:
        unit = _unit_seen_from(turn)
        matrix = cv2.getPerspectiveTransform(unit, quad.astype(np.float32))
        u, v = INDEX_POINT
        point, above, below = moved(np.array([(u, v), (u, v - 0.1), (u, v + 0.1)]), matrix)
        axis = below - above
        spots = np.round(moved(np.array(INDEX_SAMPLES), matrix)).astype(int)
        width, height = ids.shape[1], ids.shape[0]
        hits = [
            0 <= x < width and 0 <= y < height and ids[y, x] == number for x, y in spots.tolist()
        ]
        found.append(
            Corner(
                float(point[0]),
                float(point[1]),
                math.atan2(float(axis[1]), float(axis[0])),
                float(np.linalg.norm(axis)) / 0.2,
                card.face.glyph,
                card.face.suit,
                float(np.mean(hits)),
                new,
            )
        )
    return found


def _unit_seen_from(turn: int) -> Quad:
    """The unit square's corners as (u, v) with the given corner of the card as origin.

    Turns: 0 top left, 2 bottom right (the card turned round), 1 top right, 3 bottom left (these
    two mirror the axes: their index stands upright, u is counted from their own edge).
    """
    sides = {0: (False, False), 2: (True, True), 1: (True, False), 3: (False, True)}
    flip_u, flip_v = sides[turn]
    unit = UNIT.copy()
    if flip_u:
        unit[:, 0] = 1 - unit[:, 0]
    if flip_v:
        unit[:, 1] = 1 - unit[:, 1]
    return unit
