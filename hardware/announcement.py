"""What the display is to say: the same few facts for the matrix, the page and the voice."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum


class Motion(Enum):
    """How the picture moves. Nothing blinks faster than 3 times a second."""

    STEADY = "steady"
    FILL = "fill"
    """A wave runs from the icon over the whole width."""
    BLINK = "blink"
    """The whole panel goes dark twice."""
    SWING = "swing"
    """The seats light up in turn."""
    PULSE = "pulse"
    """The icon comes and goes slowly."""
    FALL = "fall"
    """The seat number falls off the bottom."""
    CHASE = "chase"
    """Lights run around the edge."""


class Priority(IntEnum):
    """What may take the display from what."""

    NEWS = 1
    """Good to know."""
    VERDICT = 2
    """Cards move."""
    END = 3
    """Somebody is out, or has won."""
    FAULT = 4
    """The box itself needs help."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """One thing to say."""

    kind: str
    """Kind of the verdict, or "fault"."""
    icon: str
    """Name of an icon in hardware/glyphs/icons.txt."""
    seats: tuple[int, ...] = ()
    """Seat numbers, from 1."""
    fact: str = ""
    """Without words: "+14", "-1"."""
    word32: str = ""
    """One word that fits a matrix of 32 points; empty: none is needed."""
    word64: str = ""
    sentence: str = ""
    """For the terminal, the page and the voice."""
    motion: Motion = Motion.STEADY
    priority: Priority = Priority.NEWS

    def word(self, width_px: int) -> str:
        """The word for a display of this width."""
        return self.word32 if width_px < 64 else self.word64
