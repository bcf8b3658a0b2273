"""Compares the letters of two corners point by point, without any net.

Only the letter is compared: the pip below it and its colour differ from suit to suit.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from models.recognise import reader_input

Patches = NDArray[np.uint8]
Floats = NDArray[np.float32]

ROWS, COLUMNS = (8, 35), (10, 37)
"""Where the letter is in a corner of 64 x 48 px."""
SHIFT_PX = 2
"""Corners are cut so exactly, most of them; more costs time and gains nothing when reading."""
FAR_SHIFT_PX = 4
"""Two corners of one card differ by this at most."""


def letters(patches: Patches) -> Floats:
    """The letters' luma, free of light: shape (n, 27, 27)."""
    planes = reader_input(patches)
    return planes[:, 0, ROWS[0] : ROWS[1], COLUMNS[0] : COLUMNS[1]]


def similarity(patches: Patches, others: Patches, shift_px: int = SHIFT_PX) -> Floats:
    """Correlation of letters at the best small shift, -1 to 1: shape (n, m)."""
    return best_correlation(letters(patches), cores(letters(others), shift_px), shift_px)


def alike(patches: Patches, others: Patches) -> float:
    """How much the letters of two looks are alike, each at its best, even if cut less exactly."""
    return float(np.median(similarity(patches, others, FAR_SHIFT_PX).max(1)))


def cores(window: Floats, shift_px: int = SHIFT_PX) -> Floats:
    """What is compared of each letter: its inner part, mean 0, length 1, one row a letter."""
    h, w = window.shape[1:]
    return _unit(window[:, shift_px : h - shift_px, shift_px : w - shift_px])


def best_correlation(window: Floats, others: Floats, shift_px: int = SHIFT_PX) -> Floats:
    """Letters (n, 27, 27) against cores, at the best shift: shape (n, m)."""
    n, h, w = window.shape
    inner = (h - 2 * shift_px, w - 2 * shift_px)
    shifted = sliding_window_view(window, inner, axis=(1, 2)).reshape(-1, *inner)
    found = _unit(np.ascontiguousarray(shifted)) @ others.T
    return np.asarray(found.reshape(n, -1, len(others)).max(1), np.float32)


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
