"""What lens and sensor make of a table: light, blur, motion, rolling shutter, noise, JPEG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Canvas = NDArray[Any]
Image = NDArray[np.uint8]
Dice = np.random.Generator

_BANK_PX = 1024
_bank: dict[str, Canvas] = {}


@dataclass(frozen=True, slots=True)
class Lens:
    """One camera setting."""

    blur: float
    """Sigma in px."""
    motion: float
    """Path of a point during the exposure, px."""
    motion_angle: float
    noise: float
    """Sigma in grey levels."""
    jpeg: int
    """Quality, or 0 for none."""
    sharpen: float = 0.0
    gamma: float = 1.0
    skew: float = 0.0
    """Rolling shutter: px that a moving table shifts from the first row to the last."""


def draw_lens(
    dice: Dice,
    *,
    blur: tuple[float, float],
    motion: tuple[float, float],
    noise: tuple[float, float],
) -> Lens:
    """A random camera."""
    moves = dice.random() < 0.45
    return Lens(
        blur=float(dice.uniform(*blur)) if dice.random() < 0.8 else float(blur[0]),
        motion=float(dice.uniform(*motion)) if moves else 0.0,
        motion_angle=float(dice.uniform(0, math.pi)),
        noise=float(dice.uniform(*noise)),
        jpeg=int(dice.integers(45, 97)) if dice.random() < 0.7 else 0,
        sharpen=float(dice.uniform(0.2, 1.5)) if dice.random() < 0.3 else 0.0,
        gamma=float(dice.uniform(0.7, 1.4)) if dice.random() < 0.5 else 1.0,
        skew=float(dice.uniform(-6, 6)) if dice.random() < 0.15 else 0.0,
    )


def draw_light(shape: tuple[int, int], dice: Dice, strength: float = 1.0) -> Canvas:
    """Light on the table, per pixel and colour: gradient, lamp spot, a player's shadow."""
    h, w = shape
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    turn = dice.uniform(0, 2 * math.pi)
    along = (xx / w - 0.5) * math.cos(turn) + (yy / h - 0.5) * math.sin(turn)
    light = 1 + strength * dice.uniform(0, 0.4) * along * 2
    if dice.random() < 0.35 * strength:
        x, y, wide = dice.uniform(0, w), dice.uniform(0, h), dice.uniform(0.1, 0.45) * w
        spot = np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * wide * wide))
        light = light + dice.uniform(0.1, 0.7) * spot
    for _ in range(int(dice.random() < 0.4 * strength) + int(dice.random() < 0.15 * strength)):
        edge = dice.uniform(0, 2 * math.pi)
        across = (xx - w / 2) * math.sin(edge) - (yy - h / 2) * math.cos(edge)
        across = (across - dice.uniform(-0.35, 0.35) * w) / dice.uniform(2, 40)
        light = light * (1 - dice.uniform(0.1, 0.5) / (1 + np.exp(np.clip(-across, -50, 50))))
    light = np.maximum(light, 0.12) * dice.uniform(0.45, 1.1)
    tint = np.array([1 + dice.uniform(-0.25, 0.25), 1.0, 1 + dice.uniform(-0.25, 0.25)])
    return np.asarray(light[..., None] * tint, np.float32)


def expose(table: Canvas, light: Canvas, lens: Lens, dice: Dice) -> Image:
    """Take a picture of the table."""
    seen: Canvas = table * light
    if lens.skew:
        seen = _skewed(seen, lens.skew)
    if lens.blur > 0.15:
        seen = cv2.GaussianBlur(seen, (0, 0), lens.blur)
    if lens.motion >= 1.5:
        seen = cv2.filter2D(seen, -1, _streak(lens.motion, lens.motion_angle))
    if lens.gamma != 1.0:
        seen = 255 * np.power(np.clip(seen, 0, 255) / 255, lens.gamma)
    seen = seen + _noise(seen.shape[:2], lens.noise, dice)
    if lens.sharpen:
        soft = cv2.GaussianBlur(seen, (0, 0), 1.2)
        seen = seen + (seen - soft) * lens.sharpen
    picture = np.clip(seen, 0, 255).astype(np.uint8)
    if lens.jpeg:
        coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, lens.jpeg])[1]
        picture = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(picture, np.uint8)


def _streak(length: float, angle: float) -> Canvas:
    side = max(int(length) | 1, 3)
    kernel = np.zeros((side, side), np.float32)
    dx, dy = math.cos(angle) * length / 2, math.sin(angle) * length / 2
    middle = side // 2
    start = (round(middle - dx), round(middle - dy))
    cv2.line(kernel, start, (round(middle + dx), round(middle + dy)), 1.0, 1)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _skewed(seen: Canvas, skew: float) -> Canvas:
    h, w = seen.shape[:2]
    matrix = np.array([[1, skew / h, -skew / 2], [0, 1, 0]], np.float32)
    return cv2.warpAffine(seen, matrix, (w, h), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)


def _noise(shape: tuple[int, int], sigma: float, dice: Dice) -> Canvas:
    """Grey and coloured noise, cut from a bank: drawing it afresh would cost most of the time."""
    if not _bank:
        fixed = np.random.default_rng(1)
        _bank["grey"] = fixed.standard_normal((_BANK_PX, _BANK_PX, 1)).astype(np.float32)
        _bank["colour"] = fixed.standard_normal((_BANK_PX, _BANK_PX, 3)).astype(np.float32)
    h, w = shape
    parts = []
    for name, share in (("grey", 0.8), ("colour", 0.5)):
        y, x = dice.integers(0, [_BANK_PX - h, _BANK_PX - w])
        parts.append(_bank[name][y : y + h, x : x + w] * (sigma * share))
    return parts[0] + parts[1]
