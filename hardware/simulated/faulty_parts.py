"""A matrix that does not answer, and a wall clock that steps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from hardware.simulated.faulty import Troubles


class FaultyMatrix:
    """What luma's max7219 is to `hardware.display`: raises while its wire is off."""

    def __init__(self, troubles: Troubles, now: Callable[[], int], width: int = 32) -> None:
        self.width, self.height = width, 8
        self.written = 0
        """Pictures that arrived."""
        self._troubles, self._now = troubles, now

    def display(self, picture: Any) -> None:
        """A picture arrives."""
        self._send()
        self.written += 1

    def data(self, values: list[int]) -> None:
        """Settings arrive."""
        self._send()

    def contrast(self, value: int) -> None:
        """The brightness arrives."""
        self._send()

    def show(self) -> None:
        """Out of its sleep."""
        self._send()

    def _send(self) -> None:
        if self._troubles.now("display_gone", self._now()):
            raise OSError("the simulated matrix does not answer")


@contextmanager
def stepping_wall_clock(troubles: Troubles, now: Callable[[], int]) -> Iterator[None]:
    """Let `time.time` of this process jump forth and back, as a Pi's does that finds the network.

    Args:
        troubles: When it steps, and how far.
        now: The time of the simulated table.
    """
    true_ns = time.time_ns

    def stepped_ns() -> int:
        step = troubles.newest("wall_clock_steps", now())
        return true_ns() + (step.jump_ns * 1000 if step is not None else 0)

    with (
        patch("time.time_ns", stepped_ns),
        patch("time.time", lambda: stepped_ns() / 1e9),
    ):
        yield
