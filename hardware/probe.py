"""Lines for measuring a box: a grounded probe on a pad, and a light with its line looped back."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from hardware.edges import Inbox, Line
from hardware.gpio import close_input, close_output, open_input, open_output, stamp_quality
from hardware.pad_settings import PadSettings
from hardware.touch_lines import Chip, TouchLine


class PadProbe:
    """A pad, and the foil on it: both give kernel stamps."""

    def __init__(
        self,
        pad: PadSettings,
        foil: int,
        factory: Any,
        *,
        chip: Chip | None = None,
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Open both lines.

        Args:
            pad: The pad.
            foil: Pin that the foil is wired to; pulled up, so the grounded probe pulls it down.
            factory: From hardware.gpio.
            chip: The pad's touch chip, if its pin is an interrupt line.
            now: The monotonic clock.

        Raises:
            BadPin: A pin cannot be had.
            BadTouchChip: The chip does not answer.
        """
        self.stamp = stamp_quality(factory)
        self._inbox = Inbox(now)
        self._pad = Line(self._inbox, "pad", pad.active_high)
        self._foil = Line(self._inbox, "foil", False)
        self._devices: dict[str, Any] = {}
        with ExitStack() as opened:
            self._devices["pad"] = open_input(
                pad.pin,
                self._pad,
                factory=factory,
                edges="rising" if pad.active_high else "falling",
                active_high=pad.active_high,
            )
            opened.callback(close_input, self._devices["pad"])
            self._devices["foil"] = open_input(
                foil,
                self._foil,
                factory=factory,
                edges="falling",
                active_high=False,
                pulls_up=True,
            )
            opened.callback(close_input, self._devices["foil"])
            if chip is not None:
                chip.set_up()
            self._opened = opened.pop_all()
        self._chip = None
        if chip is not None:
            device = self._devices["pad"]
            self._chip = TouchLine(chip, lambda: bool(device.is_active), now)
            self._pad.woken = self._chip.hear

    @property
    def pad_pin(self) -> Any:
        """gpiozero's pin; a mock pin's `when_changed(ticks, state)` injects an edge."""
        return self._devices["pad"].pin

    @property
    def foil_pin(self) -> Any:
        """See `pad_pin`."""
        return self._devices["foil"].pin

    def take(self) -> tuple[list[int], list[int]]:
        """Contacts of the foil and touches that the pad told, since the last call."""
        contacts, touches = [], []
        for t_ns, line, state, _ in self._inbox.take():
            if not line.is_touch(state):
                continue
            if line is self._foil:
                contacts.append(t_ns)
            elif self._chip is None or self._chip.was_touch(t_ns):
                touches.append(t_ns)
        if self._chip is not None:
            self._chip.serve()
        return contacts, touches

    def close(self) -> None:
        """Release the pins. Safe to call twice."""
        self._opened.close()


class BlinkLine:
    """A light on an output, and an input on the same wire that says when it was switched."""

    def __init__(
        self,
        output: int,
        loop: int,
        factory: Any,
        *,
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Open both pins, the light off.

        Raises:
            BadPin: A pin cannot be had.
        """
        self.stamp = stamp_quality(factory)
        self._inbox = Inbox(now)
        self._line = Line(self._inbox, None, True)
        with ExitStack() as opened:
            self._input = open_input(
                loop, self._line, factory=factory, edges="both", active_high=True
            )
            opened.callback(close_input, self._input)
            self._output = open_output(output, factory=factory)
            opened.callback(close_output, self._output)
            self._opened = opened.pop_all()

    @property
    def loop_pin(self) -> Any:
        """gpiozero's pin of the input."""
        return self._input.pin

    def switch(self, is_on: bool) -> None:
        """Switch the light."""
        self._output.value = is_on

    def take(self) -> list[tuple[int, bool]]:
        """Switches that came back since the last call: (event time, is on)."""
        return [(t_ns, state == 1) for t_ns, _, state, _ in self._inbox.take() if state in (0, 1)]

    def close(self) -> None:
        """Light off, pins released. Safe to call twice."""
        self._opened.close()
