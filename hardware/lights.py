"""Winner's lights at the pads, and a buzzer: for everybody who does not look at the matrix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hardware.clock import NS_PER_MS
from hardware.gpio import close_output, open_lights, open_output

SHINE_NS = 1500 * NS_PER_MS
BEEP_NS = 80 * NS_PER_MS


class Lights:
    """One light a seat, some seats without; and perhaps a buzzer."""

    def __init__(self, pins: Mapping[int, int], factory: Any, *, buzzer: int | None = None) -> None:
        """Open the pins, all dark.

        Args:
            pins: Seat -> pin.
            factory: From hardware.gpio.
            buzzer: Its pin; None: there is none.

        Raises:
            BadPin: A pin cannot be had.
        """
        self._seats = tuple(pins)
        self._board = open_lights(tuple(pins.values()), factory=factory) if pins else None
        self._buzzer = None if buzzer is None else open_output(buzzer, factory=factory)
        self._dark_ns = 0
        self._quiet_ns = 0

    def shine(self, seats: Iterable[int], now_ns: int, *, beeps: bool = False) -> None:
        """Light these seats and no others, for a while."""
        wanted = set(seats)
        if self._board is not None:
            self._board.value = tuple(int(seat in wanted) for seat in self._seats)
        self._dark_ns = now_ns + SHINE_NS
        if beeps and self._buzzer is not None:
            self._buzzer.on()
            self._quiet_ns = now_ns + BEEP_NS

    def pass_time(self, now_ns: int) -> None:
        """Switch off what has shone or sounded long enough. Called in every round of the box."""
        if self._board is not None and now_ns >= self._dark_ns:
            self._board.off()
        if self._buzzer is not None and now_ns >= self._quiet_ns:
            self._buzzer.off()

    def close(self) -> None:
        """Go dark and silent. Safe to call twice."""
        for device in (self._board, self._buzzer):
            if device is not None:
                close_output(device)
