"""Event time goes on after a power cut, although the computer's clock began anew.

A game's times are nanoseconds of CLOCK_MONOTONIC of the boot in which it began. A later boot's
clock starts near 0; its stamps are moved so that they follow the last one of the game.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from referee.rules.events import Observation

BOOT_FILE = Path("/proc/sys/kernel/random/boot_id")
PAUSE_NS = 1_000_000_000
"""Event time between the last entry and the game's going on: more than a slap can be held
without being told so (referee.rules.holds), so that it is clear that nothing followed it."""

Seen = TypeVar("Seen", bound=Observation)


def boot_id() -> str:
    """Names this boot of the computer; "" if it has no name."""
    try:
        return BOOT_FILE.read_text(encoding="ascii").strip()
    except OSError:
        return ""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A stretch of a game in one boot of the computer."""

    boot: str
    offset_ns: int = 0
    """What is added to the stamps of this boot."""

    def after(self, last_ns: int, boot: str, now_ns: int) -> Sitting:
        """The sitting that follows this one.

        Args:
            last_ns: Event time of the last entry.
            boot: In which boot it goes on; "" is unlike every boot.
            now_ns: The monotonic clock of that boot.

        Returns:
            The same offset if the clock simply went on, else one with which event time goes on
            `PAUSE_NS` after the last entry.
        """
        went_on = boot == self.boot != "" and now_ns + self.offset_ns >= last_ns + PAUSE_NS
        return Sitting(boot, self.offset_ns if went_on else last_ns + PAUSE_NS - now_ns)


def moved(seen: Seen, offset_ns: int) -> Seen:
    """An observation in event time. What a ruling refers to is event time already."""
    return replace(seen, t_ns=seen.t_ns + offset_ns) if offset_ns else seen
