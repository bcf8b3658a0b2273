"""Compares the letters of two corners point by point, without any net.

Only the letter is compared: the pip below it and its colour differ from suit to suit.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.recognise import reader_input

Patches = NDArray[np.uint8]
Floats = NDArray[np.float32]

ROWS, COLUMNS = (7, 31), (8, 32)
"""Where the letter is in a corner of 56 x 40 px."""
SHIFT_PX = 2
"""Corners are cut so exactly."""


def letters(patches: Patches) -> Floats:
    """The letters' luma, free of light: shape (n, 24, 24)."""
    planes = reader_input(patches)
    return planes[:, 0, ROWS[0] : ROWS[1], COLUMNS[0] : COLUMNS[1]]


def similarity(patches: Patches, others: Patches) -> Floats:
    """Correlation of letters at the best small shift, -1 to 1: shape (n, m)."""
    return best_correlation(letters(patches), cores(letters(others)))


def cores(window: Floats) -> Floats:
    """What is compared of each letter: its inner part, mean 0, length 1, shape (n, 400)."""
    h, w = window.shape[1:]
    return _unit(window[:, SHIFT_PX : h - SHIFT_PX, SHIFT_PX : w - SHIFT_PX])


def best_correlation(window: Floats, others: Floats) -> Floats:
    """Letters (n, 24, 24) against cores (m, 400), at the best shift: shape (n, m)."""
    h, w = window.shape[1:]
    best = np.full((len(window), len(others)), -1, np.float32)
    steps = range(2 * SHIFT_PX + 1)
    for top in steps:
        for left in steps:
            part = window[:, top : top + h - 2 * SHIFT_PX, left : left + w - 2 * SHIFT_PX]
            np.maximum(best, _unit(part) @ others.T, out=best)
    return best


def _unit(parts: Floats) -> Floats:
    flat = parts.reshape(len(parts), -1)
    flat = flat - flat.mean(1, keepdims=True)
    length = np.linalg.norm(flat, axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(length, 1e-6), np.float32)


def sharpness(patches: Patches) -> float:
    """How steep the letters' edges are: 1 is as steep as these few points allow."""
    lumas = patches[..., 0].astype(np.float32)
    steep = []
    for luma in lumas:
        part = luma[ROWS[0] : ROWS[1], COLUMNS[0] : COLUMNS[1]]
        low, high = np.percentile(part, (3, 90))
        across = cv2.Sobel(part, cv2.CV_32F, 1, 0) / 8
        down = cv2.Sobel(part, cv2.CV_32F, 0, 1) / 8
        slope = np.hypot(across, down)
        steep.append(float(np.percentile(slope, 96)) * 2 / max(float(high - low), 8.0))
    return float(np.median(steep))
