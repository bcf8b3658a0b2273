"""Draws filled and stroked vector shapes onto a picture, with soft edges."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.protocols import Image

Points = NDArray[np.float64]
"""A polyline, shape (n, 2)."""
Colour = tuple[int, int, int]
"""Blue, green, red."""

SUBPIXEL_BITS = 4
"""OpenCV draws at 1/16 of a pixel."""


def points(*pairs: tuple[float, float]) -> Points:
    """A polyline from pairs of numbers."""
    return np.array(pairs, np.float64)


def smooth(
    corners: Sequence[tuple[float, float]], *, closed: bool = True, steps: int = 8
) -> Points:
    """A soft curve through all corners (Catmull and Rom's spline)."""
    p = np.array(corners, np.float64)
    p = np.vstack([p[-1], p, p[0], p[1]]) if closed else np.vstack([p[0], p, p[-1]])
    t = (np.arange(steps) / steps)[:, None]
    parts = []
    for i in range(1, len(p) - 2):
        a, b, c, d = p[i - 1], p[i], p[i + 1], p[i + 2]
        parts.append(
            0.5
            * (
                2 * b
                + (c - a) * t
                + (2 * a - 5 * b + 4 * c - d) * t**2
                + (3 * b - a - 3 * c + d) * t**3
            )
        )
    if not closed:
        parts.append(p[-1:])
    return np.vstack(parts)


def arc(x: float, y: float, rx: float, ry: float, start: float = 0.0, end: float = 360.0) -> Points:
    """Part of an ellipse; degrees, 0 is right, 90 is down."""
    n = max(6, int(abs(end - start) / 6))
    a = np.radians(np.linspace(start, end, n + 1))
    return np.stack([x + rx * np.cos(a), y + ry * np.sin(a)], 1)


def box(x0: float, y0: float, x1: float, y1: float) -> Points:
    """A rectangle."""
    return points((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def rounded_box(x0: float, y0: float, x1: float, y1: float, radius: float) -> Points:
    """A rectangle with round corners."""
    r = radius
    return np.vstack(
        [
            arc(x1 - r, y0 + r, r, r, -90, 0),
            arc(x1 - r, y1 - r, r, r, 0, 90),
            arc(x0 + r, y1 - r, r, r, 90, 180),
            arc(x0 + r, y0 + r, r, r, 180, 270),
        ]
    )


@dataclass(frozen=True, slots=True)
class Canvas:
    """A picture with its own coordinates: px = origin + scale * point, x mirrored if asked."""

    image: Image
    scale: float
    x_px: float = 0.0
    y_px: float = 0.0
    mirror: float = 1.0
    turn: float = 0.0
    """Turned clockwise around the origin, in radians."""

    def at(
        self, x: float, y: float, scale: float = 1.0, *, mirror: bool = False, turn: float = 0.0
    ) -> Canvas:
        """The same picture seen from another origin."""
        ox, oy = self._to_px(points((x, y)))[0]
        flip = -self.mirror if mirror else self.mirror
        return Canvas(self.image, self.scale * scale, ox, oy, flip, self.turn + turn * self.mirror)

    def fill(self, shape: Points, colour: Colour) -> None:
        """Paint the inside of a closed polyline."""
        cv2.fillPoly(self.image, [self._fixed(shape)], colour, cv2.LINE_AA, SUBPIXEL_BITS)

    def stroke(self, line: Points, colour: Colour, width: float, *, closed: bool = False) -> None:
        """Draw along a polyline."""
        px = max(1, round(width * self.scale))
        cv2.polylines(
            self.image, [self._fixed(line)], closed, colour, px, cv2.LINE_AA, SUBPIXEL_BITS
        )

    def shape(self, shape: Points, colour: Colour, edge: Colour, width: float) -> None:
        """Paint a closed polyline and its edge."""
        self.fill(shape, colour)
        self.stroke(shape, edge, width, closed=True)

    def inside(self, shape: Points, draw: Callable[[Canvas], None]) -> None:
        """Let `draw` paint, but keep only what lies inside a closed polyline."""
        fixed = self._fixed(shape)
        x, y, w, h = cv2.boundingRect((fixed >> SUBPIXEL_BITS).astype(np.int32))
        x0, y0 = max(0, x - 1), max(0, y - 1)
        here = slice(y0, y + h + 2), slice(x0, x + w + 2)
        part = self.image[here]
        if part.size == 0:
            return
        mask = np.zeros(part.shape[:2], np.uint8)
        moved = fixed - np.array([x0, y0], np.int32) * (1 << SUBPIXEL_BITS)
        cv2.fillPoly(mask, [moved], 255, cv2.LINE_AA, SUBPIXEL_BITS)
        scratch = part.copy()
        draw(replace(self, image=scratch, x_px=self.x_px - x0, y_px=self.y_px - y0))
        keep = mask[..., None].astype(np.float32) / 255
        part[:] = np.rint(part * (1 - keep) + scratch * keep).astype(np.uint8)

    def _to_px(self, shape: Points) -> Points:
        c, s = math.cos(self.turn), math.sin(self.turn)
        x = shape[:, 0] * self.mirror
        y = shape[:, 1]
        return np.stack(
            [
                self.x_px + self.scale * (c * x - s * y),
                self.y_px + self.scale * (s * x + c * y),
            ],
            1,
        )

    def _fixed(self, shape: Points) -> NDArray[np.int32]:
        return np.rint(self._to_px(shape) * (1 << SUBPIXEL_BITS)).astype(np.int32)


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """A colour between two."""
    b0, g0, r0 = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return b0, g0, r0


def spots(xs: Iterable[float], ys: Iterable[float]) -> list[tuple[float, float]]:
    """Staggered places for a pattern."""
    columns = list(xs)
    step = (columns[1] - columns[0]) / 2 if len(columns) > 1 else 0.0
    return [(x + (step if row % 2 else 0.0), y) for row, y in enumerate(ys) for x in columns]
