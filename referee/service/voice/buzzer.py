"""The buzzer of the box: the rhythm of a tone, without its pitch."""

from __future__ import annotations

from typing import Protocol

from hardware.clock import NS_PER_MS
from referee.service.voice.queue import STALE_NS
from referee.service.voice.tones import TONES

LEAST_NS = 40 * NS_PER_MS
"""A shorter beep is no beep; between notes that follow each other there is a gap as well."""
GAP_NS = 40 * NS_PER_MS


class Switch(Protocol):
    """A pin, as `hardware.gpio.open_output` opens it."""

    def on(self) -> None:
        """It sounds."""

    def off(self) -> None:
        """It is silent."""

    def close(self) -> None:
        """Give it back."""


class Buzzer:
    """Plays one rhythm at a time; `step` moves it on."""

    def __init__(self, switch: Switch) -> None:
        """Args: the pin."""
        self._switch: Switch | None = switch
        self._changes: list[tuple[int, bool]] = []
        """When it goes on or off, soonest first."""
        self._priority = 0

    def play(self, tone: str, priority: int, t_ns: int) -> None:
        """Begin a rhythm, unless a more important one sounds."""
        if self._changes and priority < self._priority:
            return
        self._priority = priority
        self._changes = rhythm(tone, t_ns)
        self._set(on=False)
        self.step(t_ns)

    def step(self, now_ns: int) -> None:
        """Switch as the rhythm wants it now. Call it in every round of the loop."""
        on: bool | None = None
        late_ns = 0
        while self._changes and self._changes[0][0] <= now_ns:
            due_ns, on = self._changes.pop(0)
            late_ns = now_ns - due_ns
        if on is not None:
            self._set(on=on and late_ns <= STALE_NS)

    def close(self) -> None:
        """Be silent and give the pin back. Safe to call twice."""
        switch, self._switch = self._switch, None
        if switch is not None:
            switch.off()
            switch.close()

    def _set(self, *, on: bool) -> None:
        if self._switch is not None:
            (self._switch.on if on else self._switch.off)()


def rhythm(tone: str, t_ns: int) -> list[tuple[int, bool]]:
    """When the buzzer goes on and off for a tone."""
    changes = []
    for note in TONES[tone]:
        end_ns = t_ns + max(note.ms * NS_PER_MS, LEAST_NS)
        changes += [(t_ns, True), (end_ns, False)]
        t_ns = end_ns + max(note.rest_ms * NS_PER_MS, GAP_NS)
    return changes
