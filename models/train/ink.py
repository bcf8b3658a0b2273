"""Masks of letters and pips in the size that is asked for."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Mask = NDArray[np.uint8]

_DRAWN_PX = 140
SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@lru_cache(maxsize=16000)
def letters(font: Path, word: str) -> Mask:
    """The word in this font, cut to its ink, about 100 px high. Empty if the font lacks it."""
    face = ImageFont.truetype(str(font), _DRAWN_PX)
    canvas = Image.new("L", (170 * max(1, len(word)) + 80, 300), 0)
    ImageDraw.Draw(canvas).text((60, 60), word, fill=255, font=face)
    box = canvas.getbbox()
    return np.asarray(canvas.crop(box)) if box else np.zeros((0, 0), np.uint8)


def stacked(font: Path, word: str) -> Mask:
    """The word written downwards, letter under letter, as on many jokers."""
    parts = [letters(font, letter) for letter in word]
    width = max(part.shape[1] for part in parts)
    rows = []
    for part in parts:
        row = np.zeros((part.shape[0] + 18, width), np.uint8)
        left = (width - part.shape[1]) // 2
        row[: part.shape[0], left : left + part.shape[1]] = part
        rows.append(row)
    return np.vstack(rows)


def fitted(mask: Mask, height_px: float, width_px: float) -> NDArray[np.float32]:
    """The mask scaled to this size, 0 to 1."""
    size = (max(2, round(width_px)), max(2, round(height_px)))
    small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)


def weighted(mask: Mask, rng: Random) -> Mask:
    """A bolder or thinner form of the same letter, sometimes leaning a little."""
    draw = rng.random()
    edge = rng.choice((3, 5))
    if draw < 0.2:
        wide = cv2.copyMakeBorder(mask, 4, 4, 4, 4, cv2.BORDER_CONSTANT)
        mask = np.asarray(cv2.dilate(wide, _disc(edge)), np.uint8)
    elif draw < 0.3:
        thin = np.asarray(cv2.erode(mask, _disc(3)), np.uint8)
        mask = thin if int(thin.sum()) > 0.45 * int(mask.sum()) else mask
    return mask


def stroked(mask: Mask, px: int, squeeze: float) -> Mask:
    """The letter with its strokes so much wider (thinner below 0), even after it is squeezed."""
    if px == 0:
        return mask
    wide, high = max(1, round(abs(px) / squeeze)), abs(px)
    pen = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, high))
    if px > 0:
        room = cv2.copyMakeBorder(mask, high, high, wide, wide, cv2.BORDER_CONSTANT)
        bold = np.asarray(cv2.dilate(room, pen), np.uint8)
        x, y, w, h = cv2.boundingRect(bold)
        return bold[y : y + h, x : x + w]
    thin = np.asarray(cv2.erode(mask, pen), np.uint8)
    return thin if int(thin.sum()) > 0.45 * int(mask.sum()) else mask


def bent(mask: Mask, bend: float, seed: int) -> Mask:
    """The same letter as another hand would draw it: leaning, its waist higher or lower, its
    strokes a little out of place.

    Args:
        bend: How far points move, in heights of the letter; 0.05 still is the same letter.
        seed: The same seed bends every mask of this size alike.
    """
    dice = np.random.default_rng(seed)
    room = round(0.15 * mask.shape[0])
    wide = cv2.copyMakeBorder(mask, room, room, room, room, cv2.BORDER_CONSTANT)
    h, w = wide.shape
    coarse = dice.normal(0, 1, (2, 4, 4)).astype(np.float32)
    across, down = (cv2.resize(part, (w, h), interpolation=cv2.INTER_CUBIC) for part in coarse)
    rows, columns = np.mgrid[0:h, 0:w].astype(np.float32)
    lean, waist = dice.normal(0, 1.5, 2).astype(np.float32)
    step = np.float32(bend * mask.shape[0])
    middle = (rows - h / 2) / h
    narrow = np.float32(min(1.0, 1.3 * mask.shape[1] / mask.shape[0]))
    x = columns + step * (across * 0.6 + lean * middle) * narrow
    y = rows + step * (down * 0.6 + waist * np.cos(middle * np.float32(np.pi)))
    moved = cv2.remap(wide, x, y, cv2.INTER_LINEAR)
    left, top, width, height = cv2.boundingRect(moved)
    return np.asarray(moved[top : top + height, left : left + width], np.uint8)


def _disc(size: int) -> Mask:
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.uint8)


def pip(suit: str, fonts: list[Path], rng: Random) -> Mask:
    """A pip of this suit: from a font that has the signs, or drawn here."""
    if fonts and rng.random() < 0.6:
        mask = letters(rng.choice(fonts), SUIT_SIGNS[suit])
        if mask.size:
            return mask
    return _drawn_pip(suit, rng.uniform(-1, 1))


def _drawn_pip(suit: str, turn: float) -> Mask:
    """Our own pip; `turn` bends its proportions."""
    m = np.zeros((220, 200), np.uint8)
    if suit == "D":
        _diamond(m, 0.5 + 0.18 * turn)
    elif suit == "H":
        _heart(m, turn)
    elif suit == "S":
        _heart(m, turn)
        m = np.ascontiguousarray(m[::-1])
        _stem(m, turn)
    else:
        radius = round(46 + 7 * turn)
        for x, y in ((100, 58), (54, 122), (146, 122)):
            cv2.circle(m, (x, y), radius, 255, -1, cv2.LINE_AA)
        cv2.circle(m, (100, 100), 26, 255, -1)
        _stem(m, turn)
    ys, xs = np.nonzero(m)
    return np.ascontiguousarray(m[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1])


def _diamond(m: Mask, bend: float) -> None:
    """Four tips; the sides are pulled towards the middle when `bend` is small."""
    middle = np.array((100.0, 110.0))
    tips = np.array([(100.0, 8.0), (184.0, 110.0), (100.0, 212.0), (16.0, 110.0)])
    waist = (tips + np.roll(tips, -1, axis=0)) / 2
    pull = max(0.0, 0.5 - bend)
    waist += (middle - waist) * pull
    outline = np.stack([tips, waist], 1).reshape(-1, 2)
    cv2.fillPoly(m, [outline.round().astype(np.int32)], 255, cv2.LINE_AA)


def _heart(m: Mask, turn: float) -> None:
    t = np.linspace(0, 2 * np.pi, 90)
    x = 16 * np.sin(t) ** 3
    y = -(13 * np.cos(t) - (5 + turn) * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    points = np.stack([100 + x * 5.3, 92 + y * (5.6 + 0.5 * turn)], 1)
    cv2.fillPoly(m, [points.round().astype(np.int32)], 255, cv2.LINE_AA)


def _stem(m: Mask, turn: float) -> None:
    foot = round(30 + 10 * turn)
    points = np.array([(92, 110), (108, 110), (100 + foot, 214), (100 - foot, 214)], np.int32)
    cv2.fillPoly(m, [points], 255, cv2.LINE_AA)
