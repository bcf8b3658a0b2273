"""The words between somebody who teaches a deck and the box: what is wanted, what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from models.enrol.collect import Trouble
from models.enrol.look import Flaw
from models.locate import Pose


class Step(StrEnum):
    """What is wanted."""

    BARE = "bare"
    """The table without a card."""
    LAY = "lay"
    """This card."""
    MOVE = "move"
    """The same card, in another place."""
    CHECK = "check"
    """This card once more."""
    DONE = "done"
    REFUSED = "refused"


class What(StrEnum):
    """What became of a frame."""

    CLEARED = "cleared"
    TAKEN = "taken"
    FLAW = "flaw"
    HAND = "hand"
    """Something else lies in the picture."""
    OTHER_SIZE = "other size"
    SAME_CARD = "same card"
    """This is a card that was shown before."""
    OTHER_RANK = "other rank"
    """The net is sure that this is another card."""
    RIGHT = "right"
    WRONG = "wrong"
    UNREAD = "unread"
    DONE = "done"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Ask:
    """What is wanted now."""

    step: Step
    rank: str = ""
    number: int = 0
    """Of the look at this card, from 1; of the check, from 1."""
    of: int = 0
    progress: float = 0.0


@dataclass(frozen=True, slots=True)
class Said:
    """What became of a frame."""

    what: What
    rank: str = ""
    """The card that was wanted."""
    other: str = ""
    """The card that it seems to be."""
    flaw: Flaw | None = None
    trouble: Trouble | None = None
    pose: Pose | None = None
