"""The whole contract between the box and its hardware, on one screen.

The simulated table and the real box are peers: both obey the same tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from referee.rules.events import KERNEL, Observation

Image = NDArray[np.uint8]
"""A picture, BGR, shape (height, width, 3), uint8."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture and when each of its rows saw light.

    Row r integrated light during [t_ns + r * line_ns - exposure_ns, t_ns + r * line_ns].
    Source: the V4L2 drivers of the Pi stamp frame start, which ends the exposure of row 0.
    """

    number: int
    """Counts from 0; a gap is a lost frame."""
    t_ns: int
    """Start of the readout of row 0, monotonic clock."""
    exposure_ns: int
    line_ns: int
    """Readout time of one row; 0 for a global shutter."""
    image: Image
    stamp: str = KERNEL
    """Who took the time: "kernel", "software" or "demo"."""


class Pads(Protocol):
    """Where slaps come from."""

    def observations(self) -> list[Observation]:
        """Slaps and pad watermarks since the last call. Never blocks."""

    def close(self) -> None:
        """Release the pins. Safe to call twice."""


class Camera(Protocol):
    """Where pictures come from."""

    def frames(self) -> list[Frame]:
        """Frames since the last call, oldest first. Never blocks; may be empty."""

    @property
    def is_finished(self) -> bool:
        """No frame will ever come again (end of a film or folder)."""

    def close(self) -> None:
        """Release the camera. Safe to call twice."""


class Display(Protocol):
    """Where verdicts are shown: a bitmap of lit points."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in points."""

    def show(self, picture: Any) -> None:
        """Show a PIL picture of mode "1" and of `size`. Never raises for a lost display."""

    def close(self) -> None:
        """Go dark. Safe to call twice."""
