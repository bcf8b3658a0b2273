"""Where a thing is at any time: smooth movements between a few agreed poses."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
"""A 3 x 3 matrix for points (x, y, 1)."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A place on the table: millimetres from the middle of the view, x right, y towards seat 1."""

    x: float
    y: float
    angle: float = 0.0
    """Clockwise, radians."""
    lift: float = 0.0
    """Height above the table in mm."""
    roll: float = 0.0
    """A card's turn about its short edge: 0 face up, pi face down."""

    def moved(self, dx: float, dy: float, turn: float = 0.0) -> Pose:
        """The same pose elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy, angle=self.angle + turn)

    def ahead(self, distance: float) -> Pose:
        """The pose `distance` mm further in the direction in which it points (up at angle 0)."""
        return self.moved(math.sin(self.angle) * distance, -math.cos(self.angle) * distance)

    def matrix(self, camera_height: float) -> Matrix:
        """From the thing's own millimetres to the table's; things nearer to the camera grow."""
        grow = camera_height / (camera_height - self.lift)
        c, s = math.cos(self.angle) * grow, math.sin(self.angle) * grow
        flat = max(abs(math.cos(self.roll)), 0.04)
        return np.array([[c, -s * flat, self.x], [s, c * flat, self.y], [0, 0, 1]])


@dataclass(frozen=True, slots=True)
class Motion:
    """A thing's poses over time. Before the first and after the last it stands still."""

    times_ns: tuple[int, ...]
    poses: tuple[Pose, ...]
    thrown: bool = False
    """It is let go at full speed and stops at once, instead of slowing down at every stop."""

    @property
    def start_ns(self) -> int:
        """When it starts to move."""
        return self.times_ns[0]

    @property
    def end_ns(self) -> int:
        """When it comes to rest."""
        return self.times_ns[-1]

    @property
    def last(self) -> Pose:
        """Where it comes to rest."""
        return self.poses[-1]

    def at(self, t_ns: int) -> Pose:
        """The pose at a time."""
        i = bisect_right(self.times_ns, t_ns)
        if i == 0:
            return self.poses[0]
        if i == len(self.times_ns):
            return self.poses[-1]
        before, after = self.poses[i - 1], self.poses[i]
        if before is after or before == after:
            return before
        u = (t_ns - self.times_ns[i - 1]) / (self.times_ns[i] - self.times_ns[i - 1])
        share = u**1.5 if self.thrown else u**3 * (10 - 15 * u + 6 * u * u)
        return _between(before, after, share)

    def is_still(self, from_ns: int, to_ns: int) -> bool:
        """It does not move in this stretch of time."""
        first = max(0, bisect_right(self.times_ns, from_ns) - 1)
        last = min(len(self.poses) - 1, bisect_right(self.times_ns, to_ns))
        return all(self.poses[i] == self.poses[first] for i in range(first, last + 1))


def rest_at(pose: Pose, t_ns: int) -> Motion:
    """No movement at all."""
    return Motion((t_ns,), (pose,))


def path(*stops: tuple[int, Pose]) -> Motion:
    """A movement from stop to stop, each with its time; it slows down at every stop."""
    return Motion(tuple(t for t, _ in stops), tuple(pose for _, pose in stops))


def throw(start: tuple[int, Pose], rest: tuple[int, Pose]) -> Motion:
    """A movement that stops at once at its end."""
    return Motion((start[0], rest[0]), (start[1], rest[1]), thrown=True)


def _between(a: Pose, b: Pose, s: float) -> Pose:
    return Pose(
        a.x + (b.x - a.x) * s,
        a.y + (b.y - a.y) * s,
        a.angle + (b.angle - a.angle) * s,
        a.lift + (b.lift - a.lift) * s,
        a.roll + (b.roll - a.roll) * s,
    )
