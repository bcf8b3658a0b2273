"""Lays cut-out pictures over a picture, in whole numbers and only where they are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.protocols import Image
from hardware.simulated.motion import Matrix

Mask = NDArray[np.uint8]

SHARP_PX = 1.2
"""Movements shorter than this during one exposure leave no blur."""
KERNEL_PX = 9
"""Longest blur in one pass; longer ones are made on a smaller picture."""


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of a picture in pixels, right and bottom not included."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def is_empty(self) -> bool:
        """Nothing to draw."""
        return self.right <= self.left or self.bottom <= self.top

    @property
    def slices(self) -> tuple[slice, slice]:
        """For indexing an image."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def cut(self, other: Region) -> Region:
        """What both have in common."""
        return Region(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )


def covered(to_px: Matrix, width: int, height: int, margin: int = 2) -> Region:
    """The rectangle that a sprite of this size covers."""
    (a, b, c), (d, e, f), (g, h, i) = to_px.tolist()
    xs, ys = [], []
    for x, y in ((0, 0), (width, 0), (width, height), (0, height)):
        depth = g * x + h * y + i
        xs.append((a * x + b * y + c) / depth)
        ys.append((d * x + e * y + f) / depth)
    return Region(
        math.floor(min(xs)) - margin,
        math.floor(min(ys)) - margin,
        math.ceil(max(xs)) + margin,
        math.ceil(max(ys)) + margin,
    )


def warp(
    picture: NDArray[np.uint8], to_px: Matrix, region: Region, blur: tuple[float, float]
) -> NDArray[np.uint8]:
    """A sprite seen by the camera within a region, smeared along `blur` px."""
    length = math.hypot(*blur)
    if length < SHARP_PX:
        return _warp(picture, to_px, region.left, region.top, region, 1)
    shrink = 1
    while length / shrink > KERNEL_PX:
        shrink *= 2
    pad = math.ceil(length / 2 / shrink) * shrink + shrink
    wide = Region(region.left - pad, region.top - pad, region.right + pad, region.bottom + pad)
    small = _warp(picture, to_px, wide.left, wide.top, wide, shrink)
    line = _line(round(blur[0] / shrink), round(blur[1] / shrink))
    small = np.asarray(cv2.filter2D(small, -1, line), np.uint8)
    if shrink > 1:
        size = (small.shape[1] * shrink, small.shape[0] * shrink)
        small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    rows, columns = region.bottom - region.top, region.right - region.left
    return small[pad : pad + rows, pad : pad + columns]


def _warp(
    picture: NDArray[np.uint8], to_px: Matrix, left: int, top: int, region: Region, shrink: int
) -> NDArray[np.uint8]:
    move = np.array([[1 / shrink, 0, -left / shrink], [0, 1 / shrink, -top / shrink], [0, 0, 1]])
    size = (
        math.ceil((region.right - region.left) / shrink),
        math.ceil((region.bottom - region.top) / shrink),
    )
    return np.asarray(cv2.warpPerspective(picture, move @ to_px, size), np.uint8)


@lru_cache(maxsize=512)
def _line(dx: int, dy: int) -> NDArray[np.float32]:
    n = max(3, math.ceil(max(abs(dx), abs(dy))) | 1)
    kernel = np.zeros((n, n), np.float32)
    middle = n // 2
    for share in np.linspace(-0.5, 0.5, 2 * n):
        kernel[round(middle + share * dy), round(middle + share * dx)] += 1
    return np.asarray(kernel / kernel.sum(), np.float32)


def over(below: Image, colours: NDArray[np.uint8], alpha: Mask) -> None:
    """Lay premultiplied colours over an image, in place."""
    rest = cv2.cvtColor(cv2.bitwise_not(alpha), cv2.COLOR_GRAY2BGR)
    dimmed = cv2.multiply(below, rest, scale=1 / 255)
    cv2.add(dimmed, colours, dst=dimmed)
    below[:] = dimmed


def over_alpha(below: Mask, alpha: Mask) -> None:
    """Coverage of two layers together, in place."""
    dimmed = cv2.multiply(below, cv2.bitwise_not(alpha), scale=1 / 255)
    cv2.add(dimmed, alpha, dst=dimmed)
    below[:] = dimmed


def shade(below: Image, shadow: Mask, strength: float) -> None:
    """Darken an image under a shadow, in place."""
    rest = cv2.convertScaleAbs(shadow, alpha=-strength, beta=0)
    rest = cv2.bitwise_not(rest)
    below[:] = cv2.multiply(below, cv2.cvtColor(rest, cv2.COLOR_GRAY2BGR), scale=1 / 255)


def split(bgra: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], Mask]:
    """Colours and coverage apart."""
    return (
        np.asarray(cv2.cvtColor(bgra, cv2.COLOR_BGRA2BGR), np.uint8),
        np.asarray(cv2.extractChannel(bgra, 3), np.uint8),
    )
