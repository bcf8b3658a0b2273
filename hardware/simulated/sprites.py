"""Cut-out pictures of cards and hands, with their shadows, ready to be laid over a picture."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.protocols import Image
from hardware.simulated.deck import CardArt
from hardware.simulated.ink import Canvas, Colour, Points, arc, mix, points, smooth
from hardware.simulated.motion import Matrix
from hardware.simulated.table import CARD_HEIGHT_MM, HandShape

Mask = NDArray[np.uint8]

CONTACT_BLUR_MM, HIGH_BLUR_MM = 1.3, 6.0
"""Softness of the shadow of a thing on the table, and of one held above it."""
SHADOW_ROOM_MM = 16.0
"""Room around a sprite for its shadow."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A cut-out picture with its own millimetres."""

    bgra: Image
    """Colours already multiplied with the coverage in the fourth channel."""
    contact: Mask
    """Its shadow when it lies on the table."""
    high: Mask
    """Its shadow when it is held above the table."""
    from_px: Matrix
    """From the sprite's pixels to its millimetres."""
    middle_mm: tuple[float, float]
    """A point of it whose movement counts."""


def card_sprite(art: CardArt, blur_px: float) -> Sprite:
    """A card around its own middle; `blur_px` is the softness of the camera's lens."""
    px_per_mm = art.bgr.shape[0] / CARD_HEIGHT_MM
    room = round(SHADOW_ROOM_MM * px_per_mm)
    bgr = cv2.copyMakeBorder(art.bgr, room, room, room, room, cv2.BORDER_REPLICATE)
    alpha = cv2.copyMakeBorder(art.alpha, room, room, room, room, cv2.BORDER_CONSTANT, value=0)
    h, w = alpha.shape
    return _sprite(bgr, alpha, px_per_mm, (w / 2, h / 2), (0.0, 0.0), blur_px)


def _sprite(
    bgr: Image | NDArray[np.generic],
    alpha: Mask | NDArray[np.generic],
    px_per_mm: float,
    origin_px: tuple[float, float],
    middle_mm: tuple[float, float],
    blur_px: float,
) -> Sprite:
    share = np.asarray(alpha)[..., None].astype(np.float32) / 255
    bgra = np.dstack([np.asarray(bgr) * share, np.asarray(alpha)]).astype(np.float32)
    if blur_px > 0.1:
        bgra = np.asarray(cv2.GaussianBlur(bgra, (0, 0), blur_px), np.float32)
    soft = np.rint(bgra).astype(np.uint8)
    solid = np.ascontiguousarray(soft[..., 3])
    scale = 1 / px_per_mm
    from_px = np.array(
        [[scale, 0, -origin_px[0] * scale], [0, scale, -origin_px[1] * scale], [0, 0, 1.0]]
    )
    return Sprite(
        np.ascontiguousarray(soft),
        _blurred(solid, CONTACT_BLUR_MM * px_per_mm),
        _blurred(solid, HIGH_BLUR_MM * px_per_mm),
        from_px,
        middle_mm,
    )


def _blurred(mask: Mask, sigma: float) -> Mask:
    """A soft shadow, made on a quarter of the picture: nobody sees the difference."""
    h, w = mask.shape
    small = cv2.resize(mask, (max(1, w // 4), max(1, h // 4)), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), max(0.3, sigma / 4))
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)


# --- hands ---------------------------------------------------------------------------------------

HAND_BOX_MM = (-75.0, -22.0, 75.0, 340.0)
"""Left, top, right and bottom of a hand's picture; the fingertips are at 0, 0."""
KNUCKLES_MM = (0.0, 60.0)
SKINS: tuple[Colour, ...] = (
    (150, 180, 226), (135, 168, 214), (112, 148, 198), (78, 112, 162), (58, 84, 128),
)  # fmt: skip
SLEEVES: tuple[Colour, ...] = (
    (120, 70, 40), (60, 60, 150), (70, 110, 60), (60, 60, 62), (200, 205, 208), (150, 120, 60),
    (90, 60, 120), (50, 130, 190),
)  # fmt: skip


def hand_sprite(
    shape: HandShape, rng: Random, px_per_mm: float, blur_px: float, seat: int
) -> Sprite:
    """One player's hand with forearm and sleeve, fingers pointing up."""
    left, top, right, bottom = HAND_BOX_MM
    scale = px_per_mm * 2
    size = (round((bottom - top) * scale), round((right - left) * scale), 3)
    skin = SKINS[rng.randrange(len(SKINS))]
    colour, mask = np.full(size, skin, np.uint8), np.zeros(size, np.uint8)
    mirror = -1.0 if rng.random() < 0.5 else 1.0
    canvases = [Canvas(p, scale, -left * scale, -top * scale, mirror) for p in (colour, mask)]
    parts = _flat_parts() if shape == "flat" else _pinch_parts()
    edge = mix(skin, (40, 40, 60), 0.42)
    for line, width in parts:
        canvases[0].stroke(line, edge, width + 1.6)
        canvases[0].stroke(line, skin, width)
        canvases[1].stroke(line, (255, 255, 255), width)
    _nails(canvases[0], shape, mix(skin, (235, 235, 255), 0.45))
    sleeve = SLEEVES[(seat - 1 + rng.randrange(2)) % len(SLEEVES)]
    cuff = points((-36, 232), (36, 232), (46, 345), (-46, 345))
    canvases[0].fill(cuff, sleeve)
    for k in range(4):
        y = 245 + 24 * k
        canvases[0].stroke(smooth([(-34, y), (-8, y + 9), (20, y + 3)], closed=False),
                           mix(sleeve, (0, 0, 0), 0.3), 2.4)  # fmt: skip
    canvases[1].fill(cuff, (255, 255, 255))
    return _shaded(colour, mask, px_per_mm, blur_px)


def _shaded(colour: Image, mask: Image, px_per_mm: float, blur_px: float) -> Sprite:
    """Round the hand by darkening it towards its outline, and shrink it to the camera's scale."""
    left, top, right, bottom = HAND_BOX_MM
    alpha = mask[..., 0]
    depth = _blurred(alpha, 7 * px_per_mm).astype(np.float32) / 255
    lit = colour * (0.62 + 0.42 * np.clip(depth * 1.25 - 0.2, 0, 1))[..., None]
    size = (round((right - left) * px_per_mm), round((bottom - top) * px_per_mm))
    bgr = cv2.resize(np.clip(lit, 0, 255).astype(np.uint8), size, interpolation=cv2.INTER_AREA)
    small = cv2.resize(alpha, size, interpolation=cv2.INTER_AREA)
    origin = (-left * px_per_mm, -top * px_per_mm)
    return _sprite(bgr, small, px_per_mm, origin, KNUCKLES_MM, blur_px)


def _flat_parts() -> list[tuple[Points, float]]:
    """Strokes of an open hand, from the arm to the fingers: line and width in mm."""
    arm = points((0, 180), (0, 360))
    palm = [points((-14, 112), (-8, 160)), points((14, 112), (8, 160)), points((0, 105), (0, 170))]
    fingers = [
        smooth([(29, 112), (35, 78), (40, 36)], closed=False),
        smooth([(11, 100), (14, 55), (17, 12)], closed=False),
        smooth([(-9, 98), (-8, 50), (-6, 6)], closed=False),
        smooth([(-27, 104), (-29, 62), (-29, 20)], closed=False),
    ]
    thumb = smooth([(-22, 150), (-46, 128), (-58, 96)], closed=False)
    return [
        (arm, 60.0),
        (thumb, 20.0),
        *[(line, 54.0) for line in palm],
        *[(line, width) for line, width in zip(fingers, (14.5, 17, 17.5, 17), strict=True)],
    ]


def _pinch_parts() -> list[tuple[Points, float]]:
    """Strokes of a hand that holds a card by its near edge."""
    arm = points((6, 120), (2, 360))
    palm = [points((2, 72), (6, 120)), points((12, 70), (8, 110))]
    curled = [
        smooth([(34, 84), (38, 58), (30, 40)], closed=False),
        smooth([(24, 74), (27, 44), (20, 24)], closed=False),
        smooth([(8, 68), (10, 34), (8, 12)], closed=False),
    ]
    index = smooth([(-10, 68), (-9, 34), (-4, 5)], closed=False)
    thumb = smooth([(-26, 96), (-32, 52), (-14, 10)], closed=False)
    return [
        (arm, 58.0),
        *[(line, 52.0) for line in palm],
        *[(line, 16.0) for line in curled],
        (index, 17.0),
        (thumb, 19.0),
    ]


def _nails(canvas: Canvas, shape: HandShape, colour: Colour) -> None:
    if shape == "flat":
        tips = [(40.5, 33.0), (17.5, 9.0), (-6.0, 3.0), (-29.0, 17.0), (-58.0, 94.0)]
    else:
        tips = [(-13.0, 8.0), (-4.0, 3.0)]
    for x, y in tips:
        canvas.fill(arc(x, y, 4.2, 5.4), colour)
