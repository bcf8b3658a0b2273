"""Tables to lay cards on: cloth, wood, carpet, felt, paper, clutter. Float pictures, BGR."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Canvas = NDArray[Any]
Dice = np.random.Generator


def background(size: int, dice: Dice) -> Canvas:
    """A square table of this size."""
    makers = (plain, plain, felt, wood, carpet, checks, stripes, blotches)
    canvas = makers[int(dice.integers(len(makers)))](size, dice)
    canvas += _noise(size, 5, dice)[..., None] * dice.uniform(0, 9)
    if dice.random() < 0.3:
        _clutter(canvas, dice)
    return np.clip(canvas, 0, 255)


def _noise(size: int, cells: int, dice: Dice, cells_y: int | None = None) -> Canvas:
    grid = dice.standard_normal((cells_y or cells, cells)).astype(np.float32)
    return cv2.resize(grid, (size, size), interpolation=cv2.INTER_CUBIC).astype(np.float32)


def _colour(dice: Dice, low: float = 15, high: float = 215) -> Canvas:
    grey = dice.uniform(low, high)
    return np.clip(grey + dice.normal(0, dice.choice([6.0, 45.0]), 3), 0, 250).astype(np.float32)


def _filled(size: int, colour: Canvas) -> Canvas:
    return np.broadcast_to(colour, (size, size, 3)).astype(np.float32).copy()


def plain(size: int, dice: Dice) -> Canvas:
    """A smooth table top."""
    return _filled(size, _colour(dice))


def felt(size: int, dice: Dice) -> Canvas:
    """Fine grain, mostly green, blue or red."""
    base = np.array([(45, 95, 40), (110, 60, 30), (40, 35, 110)][int(dice.integers(3))])
    canvas = _filled(size, (base * dice.uniform(0.5, 1.6)).astype(np.float32))
    grain = dice.standard_normal((size, size)).astype(np.float32)
    canvas += (cv2.GaussianBlur(grain, (0, 0), 0.8) * dice.uniform(2, 14))[..., None]
    return canvas


def wood(size: int, dice: Dice) -> Canvas:
    """Long grain, boards with dark joints."""
    tone = np.array((60, 100, 150), np.float32) * np.float32(dice.uniform(0.45, 1.5))
    canvas = _filled(size, tone)
    grain = _noise(size, int(dice.integers(3, 6)), dice, int(dice.integers(40, 120)))
    canvas += grain[..., None] * dice.uniform(3, 22)
    for y in range(int(dice.integers(10, 90)), size, int(dice.integers(50, 160))):
        canvas[y : y + int(dice.integers(1, 3))] *= dice.uniform(0.3, 0.8)
    return canvas if dice.random() < 0.5 else np.ascontiguousarray(canvas.transpose(1, 0, 2))


def carpet(size: int, dice: Dice) -> Canvas:
    """Coarse tufts in several colours."""
    canvas = _filled(size, _colour(dice, 40, 180))
    for cells, strength in ((size // 3, 22), (size // 6, 20), (size // 16, 14)):
        tufts = dice.standard_normal((cells, cells, 3)).astype(np.float32)
        tufts += dice.standard_normal((cells, cells, 1)).astype(np.float32) * 1.5
        grown = cv2.resize(tufts, (size, size), interpolation=cv2.INTER_LINEAR)
        canvas += grown * (strength * dice.uniform(0.1, 1.1))
    return canvas


def checks(size: int, dice: Dice) -> Canvas:
    """A table cloth of squares."""
    step = int(dice.integers(12, 70))
    rows, columns = np.mgrid[0:size, 0:size] // step % 2
    first, second = _colour(dice), _colour(dice)
    share = ((rows + columns) / 2)[..., None]
    return _turned((first * (1 - share) + second * share).astype(np.float32), dice)


def stripes(size: int, dice: Dice) -> Canvas:
    """A woven mat."""
    canvas = _filled(size, _colour(dice))
    at = 0
    while at < size:
        width = int(dice.integers(2, 40))
        canvas[at : at + width] = _colour(dice)
        at += width + int(dice.integers(2, 60))
    return _turned(canvas, dice)


def blotches(size: int, dice: Dice) -> Canvas:
    """Printed cloth: flowers, marble, granite."""
    canvas = _filled(size, _colour(dice))
    for _ in range(int(dice.integers(2, 5))):
        field = _noise(size, int(dice.integers(5, 40)), dice)
        canvas[field > dice.uniform(0.2, 1.2)] = _colour(dice)
    return canvas


def _turned(canvas: Canvas, dice: Dice) -> Canvas:
    size = canvas.shape[0]
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), dice.uniform(0, 180), 1.5)
    return cv2.warpAffine(canvas, turn, (size, size), borderMode=cv2.BORDER_REFLECT).astype(
        np.float32
    )


def _clutter(canvas: Canvas, dice: Dice) -> None:
    """Things that lie about: paper, print, cups, phones."""
    size = canvas.shape[0]
    for _ in range(int(dice.integers(1, 5))):
        x, y, wide, high = (int(v) for v in dice.integers(0, [size, size, size // 2, size // 2]))
        tint = [float(v) for v in _colour(dice, 5, 250)]
        kind = int(dice.integers(4))
        if kind == 0:
            corners = cv2.boxPoints(((x, y), (wide + 8, high + 8), dice.uniform(0, 90)))
            cv2.fillPoly(canvas, [corners.astype(np.int32)], tint, cv2.LINE_AA)
        elif kind == 1:
            cv2.circle(canvas, (x, y), wide // 3 + 6, tint, int(dice.choice([-1, 3])), cv2.LINE_AA)
        elif kind == 2:
            cv2.line(canvas, (x, y), (wide * 2, high * 2), tint, int(dice.integers(1, 9)))
        else:
            word = "".join(chr(int(c)) for c in dice.integers(48, 91, int(dice.integers(2, 9))))
            scale = float(dice.uniform(0.4, 1.8))
            thick = int(dice.integers(1, 4))
            ink = np.zeros((size, size), np.uint8)
            cv2.putText(ink, word, (x, y), int(dice.integers(0, 8)), scale, (255,), thick)
            canvas[ink > 0] = tint
