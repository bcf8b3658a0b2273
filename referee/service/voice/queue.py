"""What is heard and what gives way: one sound at a time, never an old one over a newer verdict.

A newer sound of the same or a higher priority stops the one that is heard; one of a lower priority
waits for its end. Whatever is too old is never begun.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardware.clock import NS_PER_MS

STALE_NS = 1_500 * NS_PER_MS
"""A sound that could not begin within this time after its verdict is not begun any more."""
LONGEST_NS = 15_000 * NS_PER_MS
"""No sentence lasts so long: the program hangs."""


@dataclass(frozen=True, slots=True)
class Sound:
    """Commands that sound one after the other: a tone, a sentence."""

    t_ns: int
    """When it was asked for."""
    priority: int
    commands: tuple[tuple[str, ...], ...]


@dataclass(slots=True)
class Queue:
    """Which sound is heard now and which one waits. Starts and stops nothing itself."""

    heard: Sound | None = None
    waiting: Sound | None = None
    began_ns: int = 0

    def take(self, sound: Sound) -> bool:
        """A new sound.

        Returns:
            What is heard now has to stop, and `next` is to be asked.
        """
        if self.heard is not None and sound.priority < self.heard.priority:
            if self.waiting is None or sound.priority >= self.waiting.priority:
                self.waiting = sound
            return False
        self.waiting = sound
        return self.heard is not None

    def next(self, now_ns: int) -> Sound | None:
        """Nothing is heard any more: the sound to begin now, if there is one."""
        sound, self.waiting, self.heard = self.waiting, None, None
        if sound is not None and now_ns - sound.t_ns <= STALE_NS:
            self.heard, self.began_ns = sound, now_ns
        return self.heard

    def hangs(self, now_ns: int) -> bool:
        """What is heard should have ended long ago."""
        return self.heard is not None and now_ns - self.began_ns > LONGEST_NS
