"""A matrix that comes back: opened anew while it cannot be reached.

A matrix that was open sets itself up again (hardware.display); one that could not even be opened,
because SPI was off or the driver not yet loaded, is opened here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from hardware.display import NoDisplay
from hardware.protocols import Display
from referee.rules.errors import RefereeError
from referee.service.doctor.codes import Code
from referee.service.faults.fault import Symptoms
from referee.service.faults.retry import Retry


class SteadyDisplay:
    """A matrix and whoever can open it."""

    def __init__(
        self,
        open_display: Callable[[], Display],
        width: int = 32,
        *,
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Open it, if it can be had.

        Args:
            open_display: Opens the matrix, or raises.
            width: In points, while there is none.
            now: The monotonic clock.
        """
        self._open = open_display
        self._now = now
        self._retry = Retry()
        self._reason = ""
        self._display: Display = NoDisplay(width)
        self._newest: Any = None
        self._is_closed = False
        self._is_open = False
        self._try(now())

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in points."""
        return self._display.size

    def show(self, picture: Any) -> None:
        """Show a picture, now or as soon as there is a matrix."""
        self._newest = picture
        self._display.show(picture)

    def symptoms(self, now_ns: int) -> Symptoms:
        """What is wrong with it now; tries again if it is time."""
        if not self._is_open and not self._is_closed:
            self._try(now_ns)
        if not self._is_open:
            return {(Code.NO_DISPLAY, None): self._reason}
        return lost_display(self._display)

    def close(self) -> None:
        """Go dark. Safe to call twice."""
        self._is_closed = True
        self._display.close()

    def _try(self, now_ns: int) -> None:
        if not self._retry.is_due(now_ns):
            return
        try:
            self._display = self._open()
        except RefereeError as error:
            self._reason = str(error)
            return
        self._is_open = True
        if self._newest is not None and self._newest.size == self._display.size:
            self._display.show(self._newest)


def lost_display(display: Display) -> Symptoms:
    """A display that knows whether its last writing failed: hardware.display.MatrixDisplay."""
    if getattr(display, "is_lost", False):
        return {(Code.NO_DISPLAY, None): "writing to it failed"}
    return {}
