"""The table top and the light on it."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from hardware.protocols import Image
from hardware.simulated.table import Surface

Floats = NDArray[np.float32]

FULL_LIGHT = 160
"""This value of the light map leaves a colour as it is."""


def draw_surface(kind: Surface, size: tuple[int, int], rng: Generator) -> Image:
    """The bare table top, evenly lit."""
    if kind == "wood":
        picture = _wood(size, rng)
    elif kind == "felt":
        picture = _felt(size, rng)
    else:
        picture = _mat(size, rng)
    return np.clip(picture, 0, 255).astype(np.uint8)


def draw_light(size: tuple[int, int], rng: Generator) -> Image:
    """How bright it is where: a lamp, its fall-off, and the corners' loss in the lens."""
    w, h = size
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    u, v = x / w - 0.5, y / h - 0.5
    side = rng.uniform(0, 2 * math.pi)
    light = 1 + rng.uniform(0.05, 0.2) * (u * math.cos(side) + v * math.sin(side))
    cx, cy = rng.uniform(-0.35, 0.35, 2)
    width = rng.uniform(0.18, 0.4)
    light += rng.uniform(0.05, 0.16) * np.exp(-((u - cx) ** 2 + (v - cy) ** 2) / (2 * width**2))
    light *= 1 - rng.uniform(0.15, 0.35) * (u**2 + v**2)
    light *= rng.uniform(0.84, 0.96)
    warm = np.array([rng.uniform(0.9, 1.0), 1.0, rng.uniform(0.98, 1.06)], np.float32)
    values = np.clip(light[..., None] * warm * FULL_LIGHT, 0, 255)
    return np.asarray(values, np.uint8)


def lit(picture: Image, light: Image) -> Image:
    """A picture under the light."""
    return np.asarray(cv2.multiply(picture, light, scale=1 / FULL_LIGHT), np.uint8)


def _noise(rng: Generator, cells: tuple[int, int], size: tuple[int, int]) -> Floats:
    small = rng.standard_normal((cells[1], cells[0])).astype(np.float32)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_CUBIC), np.float32)


def _wood(size: tuple[int, int], rng: Generator) -> Floats:
    w, h = size
    base = np.array([62, 98, 148], np.float32) * rng.uniform(0.75, 1.2)
    rows = np.arange(h, dtype=np.float32)
    plank = np.floor((rows + rng.uniform(0, 150)) / 150).astype(int)
    tone = rng.uniform(-0.09, 0.09, plank.max() + 1).astype(np.float32)[plank][:, None]
    bend = _noise(rng, (5, 6), size) * 14
    rings = np.sin((rows[:, None] + bend) * 0.32) * 0.035
    grain = (
        _noise(rng, (w // 40, h), size) * 0.045 + _noise(rng, (w // 120 + 2, h // 2), size) * 0.03
    )
    seam = (np.diff(plank, append=plank[-1]) != 0).astype(np.float32)
    seam = cv2.GaussianBlur(seam[:, None], (1, 5), 0.9).reshape(-1, 1) * 0.55
    share = 1 + tone + rings + grain - seam
    return np.asarray(base * share[..., None], np.float32)


def _felt(size: tuple[int, int], rng: Generator) -> Floats:
    hues = ((58, 108, 40), (105, 70, 30), (45, 40, 125))
    base = np.array(hues[rng.integers(len(hues))], np.float32) * rng.uniform(0.8, 1.15)
    fibre = _noise(rng, (size[0] // 2, size[1] // 2), size) * 0.06
    cloud = _noise(rng, (10, 8), size) * 0.03
    return np.asarray(base * (1 + fibre + cloud)[..., None], np.float32)


def _mat(size: tuple[int, int], rng: Generator) -> Floats:
    base = np.array([88, 82, 78], np.float32) * rng.uniform(0.55, 1.35)
    weave = np.indices((size[1], size[0])).sum(0) % 4 < 2
    share = 1 + (weave - 0.5) * 0.05 + _noise(rng, (size[0] // 3, size[1] // 3), size) * 0.035
    picture = np.asarray(base * share[..., None], np.float32)
    inset = 14
    cv2.rectangle(picture, (inset, inset), (size[0] - inset, size[1] - inset),
                  tuple(float(c) for c in base * 1.45), 2)  # fmt: skip
    return picture
