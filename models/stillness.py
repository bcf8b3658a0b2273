"""Cheap comparisons of small frames: did anything move, did anything change, and since when.

Every frame is shrunk to a quarter; nets run only where something has changed and come to rest.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

SHRINK = 4
"""A small pixel stands for so many by so many."""
LEAST_STEP = 9
"""Grey levels: a smaller change is noise."""
NOISE_STEPS = 5
"""A change must be this many times the usual difference of two frames."""
SPECK_PX = 8
"""Smaller changes (small pixels) do not enlarge the region that is read."""
ARM_PX = 3
"""Small pixels that an arm changes at one side of the picture at least: 6 mm at 2 px/mm. The rest
of it may be as dark as the table."""
HISTORY = 96
"""Small frames kept: 1.6 s at 60 frames/s, and the first one of the spell however long ago: if a
hand stays longer over the pile, the card may have come at any time since."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One frame, small, with the times at which its rows saw light."""

    small: Image
    t_ns: int
    exposure_ns: int
    line_ns: int

    def light_began_ns(self, row: int) -> int:
        """When this row's exposure began."""
        return self.t_ns + row * self.line_ns - self.exposure_ns

    def light_ended_ns(self, row: int) -> int:
        """When this row's exposure ended."""
        return self.t_ns + row * self.line_ns


def shrunk(image: Image) -> Image:
    """The grey small frame of a picture (BGR)."""
    h, w = image.shape[:2]
    size = (max(1, w // SHRINK), max(1, h // SHRINK))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)


def changed(now: Image, before: Image) -> Mask:
    """Where two small frames differ by more than light and noise."""
    difference = cv2.subtract(now, before, dtype=cv2.CV_16S)
    usual = int(np.median(difference[::3, ::3]))
    away = cv2.absdiff(difference, np.full_like(difference, usual))
    noise = float(np.median(away[::3, ::3]))
    step = max(LEAST_STEP, NOISE_STEPS * noise)
    mask = (away > step).astype(np.uint8)
    return cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)).astype(bool)


def reaches_in(where: Mask) -> bool:
    """It comes from outside of the picture, as an arm does; a card lies within."""
    rim = (where[0], where[-1], where[:, 0], where[:, -1])
    return max(int(side.sum()) for side in rim) >= ARM_PX


def share_alike(now: Image, before: Image, where: Mask) -> float:
    """Share of the pixels in `where` that look the same in both small frames."""
    count = int(where.sum())
    if count == 0:
        return 1.0
    return 1 - float(changed(now, before)[where].sum()) / count


def box_of(mask: Mask) -> tuple[int, int, int, int] | None:
    """Left, top, right, bottom of what is set, in full pixels; None if nothing is."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    parts = [stats[i] for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] >= SPECK_PX]
    if not parts:
        return None
    left = min(int(part[cv2.CC_STAT_LEFT]) for part in parts)
    top = min(int(part[cv2.CC_STAT_TOP]) for part in parts)
    right = max(int(part[cv2.CC_STAT_LEFT] + part[cv2.CC_STAT_WIDTH]) for part in parts)
    bottom = max(int(part[cv2.CC_STAT_TOP] + part[cv2.CC_STAT_HEIGHT]) for part in parts)
    return left * SHRINK, top * SHRINK, right * SHRINK, bottom * SHRINK


class History:
    """The last small frames, to find out since when a card lies where it lies."""

    def __init__(self) -> None:
        """Nothing seen yet."""
        self._frames: deque[Seen] = deque()

    def add(self, seen: Seen) -> None:
        """Remember one more frame; the first one stays."""
        self._frames.append(seen)
        if len(self._frames) > HISTORY:
            del self._frames[1]

    def forget_before(self, t_ns: int) -> None:
        """Drop frames older than this, they are answered."""
        while len(self._frames) > 1 and self._frames[0].t_ns < t_ns:
            self._frames.popleft()

    def interval(self, where: Mask, before: Image, after: Image) -> tuple[Seen, Seen]:
        """Last frame that shows `before` in this place, first one from which on it shows `after`.

        A frame in which a hand hides part of the place counts as neither: the interval only gets
        wider.
        """
        frames = [replace(seen, small=_part(seen.small, where)) for seen in self._frames]
        before, after = _part(before, where), _part(after, where)
        where = _part(where, where)
        first = len(frames) - 1
        while first > 0 and share_alike(frames[first - 1].small, after, where) > SAME_AFTER:
            first -= 1
        last = first - 1
        while last > 0 and share_alike(frames[last].small, before, where) < SAME_BEFORE:
            last -= 1
        return frames[max(0, last)], frames[first]


def _part(picture: NDArray[Any], where: Mask) -> NDArray[Any]:
    """The rows and columns around a place: comparing less is faster."""
    rows, columns = np.flatnonzero(where.any(1)), np.flatnonzero(where.any(0))
    if len(rows) == 0:
        return picture
    margin = CONTEXT_PX
    top, left = max(0, rows[0] - margin), max(0, columns[0] - margin)
    return picture[top : rows[-1] + margin, left : columns[-1] + margin]


CONTEXT_PX = 24
"""Small pixels around a place that tell the usual difference of light and noise."""
SAME_AFTER = 0.93
"""Share of a card's place that must look as in the end for the card to lie there."""
SAME_BEFORE = 0.985
"""Share of a card's place that must look as before for the card not to be there yet."""
