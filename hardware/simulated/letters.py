"""The letters and numbers in a card's corner, drawn as pen strokes or taken from a font."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as PilImage
from PIL import ImageDraw, ImageFont

from hardware.simulated.ink import SUBPIXEL_BITS, Points, arc, points
from referee.rules.errors import RefereeError

Mask = NDArray[np.uint8]
"""Coverage of each pixel, shape (height, width), 0 to 255."""

WORK_PX = 160
"""Letters are drawn this high, then shrunk."""


class BadFont(RefereeError, ValueError):
    """A font that cannot be read."""


@dataclass(frozen=True, slots=True)
class Letters:
    """How letters look."""

    pen: float = 0.15
    """Width of an upright stroke, in letter heights."""
    contrast: float = 1.0
    """How much thinner lying strokes are than upright ones."""
    width: float = 1.0
    """Breadth against the common shape."""
    serif: float = 0.0
    """Length of the small bars at the ends of the strokes, in letter heights."""
    font: Path | None = None
    """Take the shapes from this font file instead."""
    default_font: bool = False
    """Take the shapes from the font that Pillow brings."""


LETTERS = {
    "sans": Letters(),
    "bold": Letters(pen=0.2, width=1.05),
    "light": Letters(pen=0.105),
    "condensed": Letters(pen=0.16, width=0.68),
    "serif": Letters(pen=0.17, contrast=2.2, serif=0.2),
    "slab": Letters(pen=0.13, contrast=1.15, serif=0.24),
    "roman_condensed": Letters(pen=0.17, contrast=2.4, serif=0.17, width=0.72),
    "aileron": Letters(default_font=True),
}
"""Letter shapes by name."""

# Every letter: its strokes in a box of height 1, and where its strokes end openly (for serifs).
_BOWL_TOP = arc(0.28, 0.245, 0.24, 0.245, -90, 90)
_STROKES: dict[str, tuple[list[Points], list[tuple[float, float]]]] = {
    "A": (
        [points((0, 1), (0.35, 0), (0.7, 1)), points((0.14, 0.66), (0.56, 0.66))],
        [(0, 1), (0.7, 1)],
    ),
    "2": (
        [np.vstack([arc(0.29, 0.28, 0.27, 0.28, 195, 395), points((0.02, 1), (0.58, 1))])],
        [],
    ),
    "3": (
        [
            np.vstack(
                [
                    arc(0.27, 0.25, 0.25, 0.25, 205, 450),
                    arc(0.27, 0.74, 0.29, 0.26, 270, 515),
                ]
            )
        ],
        [],
    ),
    "4": ([points((0.46, 1), (0.46, 0), (0, 0.7), (0.64, 0.7))], [(0.46, 1)]),
    "5": (
        [
            np.vstack(
                [
                    points((0.52, 0), (0.11, 0), (0.07, 0.45)),
                    arc(0.27, 0.68, 0.3, 0.32, 228, 510),
                ]
            )
        ],
        [],
    ),
    "6": (
        [arc(0.3, 0.69, 0.28, 0.31), arc(0.55, 0.69, 0.53, 0.69, 180, 268)],
        [],
    ),
    "7": ([points((0, 0), (0.57, 0), (0.2, 1))], []),
    "8": ([arc(0.3, 0.245, 0.23, 0.245), arc(0.3, 0.745, 0.28, 0.255)], []),
    "9": (
        [arc(0.28, 0.31, 0.28, 0.31), arc(0.03, 0.31, 0.53, 0.69, 0, 88)],
        [],
    ),
    "0": ([arc(0.27, 0.5, 0.27, 0.5)], []),
    "1": ([points((0.0, 0.2), (0.24, 0), (0.24, 1))], [(0.24, 1)]),
    "J": (
        [np.vstack([points((0.44, 0), (0.44, 0.72)), arc(0.22, 0.74, 0.22, 0.26, 0, 165)])],
        [(0.44, 0)],
    ),
    "Q": (
        [arc(0.35, 0.5, 0.34, 0.5), points((0.4, 0.68), (0.72, 1.03))],
        [],
    ),
    "K": (
        [
            points((0, 0), (0, 1)),
            points((0.6, 0), (0.0, 0.6)),
            points((0.19, 0.43), (0.65, 1)),
        ],
        [(0, 0), (0, 1), (0.6, 0), (0.65, 1)],
    ),
    "B": (
        [
            points((0, 0), (0, 1)),
            np.vstack([points((0, 0)), _BOWL_TOP, points((0, 0.49))]),
            np.vstack([points((0, 0.49)), arc(0.3, 0.745, 0.28, 0.255, -90, 90), points((0, 1))]),
        ],
        [(0, 0), (0, 1)],
    ),
    "D": (
        [
            points((0, 0), (0, 1)),
            np.vstack([points((0, 0)), arc(0.25, 0.5, 0.37, 0.5, -90, 90), points((0, 1))]),
        ],
        [(0, 0), (0, 1)],
    ),
    "V": ([points((0, 0), (0.34, 1), (0.68, 0))], [(0, 0), (0.68, 0)]),
    "H": (
        [points((0, 0), (0, 1)), points((0.6, 0), (0.6, 1)), points((0, 0.5), (0.6, 0.5))],
        [(0, 0), (0, 1), (0.6, 0), (0.6, 1)],
    ),
    "R": (
        [
            points((0, 0), (0, 1)),
            np.vstack([points((0, 0)), arc(0.28, 0.26, 0.26, 0.26, -90, 90), points((0, 0.52))]),
            points((0.24, 0.52), (0.6, 1)),
        ],
        [(0, 0), (0, 1), (0.6, 1)],
    ),
}
_TEN_SPACE = 0.14
"""Between the two digits of a ten, in letter heights, on top of the pens."""
_TEN_DIGIT = 0.78
"""Digits of a ten are this much narrower."""


def letter_mask(text: str, letters: Letters, height_px: int, widest_px: int) -> Mask:
    """A rank's letters, `height_px` high and at most `widest_px` wide."""
    if letters.font is not None or letters.default_font:
        mask = _from_font(text, letters)
    else:
        mask = _from_strokes(text, letters)
    width = round(mask.shape[1] * height_px / mask.shape[0])
    size = (max(2, min(width, widest_px)), max(2, height_px))
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)


def _from_strokes(text: str, letters: Letters) -> Mask:
    """Draw upright strokes with the full pen, lying ones thinner: stretch, draw, shrink."""
    squeeze = _TEN_DIGIT if len(text) > 1 else 1.0
    pen = letters.pen * (0.9 if len(text) > 1 else 1.0)
    lines: list[Points] = []
    x = 0.0
    for sign in text:
        strokes, ends = _STROKES[sign]
        scale = letters.width * squeeze
        signs = [*strokes, *_serifs(ends, letters.serif)]
        lines += [stroke * [scale, 1.0] + [x, 0.0] for stroke in signs]
        x = max(float(line[:, 0].max()) for line in lines) + pen + _TEN_SPACE * scale
    return _draw(lines, pen, letters.contrast)


def _serifs(ends: list[tuple[float, float]], length: float) -> list[Points]:
    if length == 0:
        return []
    return [points((x - length / 2, y), (x + length / 2, y)) for x, y in ends]


def _draw(lines: list[Points], pen: float, contrast: float) -> Mask:
    body = 1 - pen / contrast
    scale = np.array([WORK_PX * body, WORK_PX * body * contrast])
    low = np.min([line.min(0) for line in lines], axis=0)
    high = np.max([line.max(0) for line in lines], axis=0)
    thick = max(2, round(pen * WORK_PX))
    size = np.ceil((high - low) * scale).astype(int) + thick + 2
    mask = np.zeros((int(size[1]), int(size[0])), np.uint8)
    for line in lines:
        px = ((line - low) * scale + thick / 2 + 1) * (1 << SUBPIXEL_BITS)
        fixed = [np.rint(px).astype(np.int32)]
        cv2.polylines(mask, fixed, False, 255, thick, cv2.LINE_AA, SUBPIXEL_BITS)
    flat = (mask.shape[1], round(mask.shape[0] / contrast))
    return _trim(np.asarray(cv2.resize(mask, flat, interpolation=cv2.INTER_AREA), np.uint8))


def _from_font(text: str, letters: Letters) -> Mask:
    font = _open_font(letters.font)
    picture = PilImage.new("L", (WORK_PX * 4, WORK_PX * 2), 0)
    ImageDraw.Draw(picture).text((WORK_PX // 2, WORK_PX // 4), text, fill=255, font=font)
    mask = _trim(np.asarray(picture, np.uint8))
    wide = letters.width * (_TEN_DIGIT if len(text) > 1 else 1.0)
    size = (max(2, round(mask.shape[1] * wide)), mask.shape[0])
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)


def _open_font(path: Path | None) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    if path is None:
        return ImageFont.load_default(WORK_PX)
    try:
        return ImageFont.truetype(str(path), WORK_PX)
    except OSError as error:
        raise BadFont(
            f"cannot read the font {path}: expected a TrueType or OpenType file"
        ) from error


def _trim(mask: Mask) -> Mask:
    ys, xs = np.nonzero(mask > 32)
    if len(ys) == 0:
        raise BadFont("the font has no picture for a letter of the cards")
    return mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
