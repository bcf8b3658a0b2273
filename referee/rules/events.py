"""What the referee is told: observations with the time at which they happened.

Every observation has an event time `t_ns`, in integer nanoseconds of the monotonic clock, and says
how far it may be wrong: it happened in [t_ns - early_ns, t_ns + late_ns]. Zero widths are exact.
Arrival plays no part. `seq` keeps the order in which one source reported two observations of the
same time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from referee.rules.cards import Card

KERNEL, SOFTWARE, DEMO = "kernel", "software", "demo"
"""Who took a stamp: the kernel's interrupt, a program, or a simulated table."""


STAMPS = (KERNEL, SOFTWARE, DEMO)
"""The most trusted first."""


def weakest_stamp(stamps: Iterable[str]) -> str:
    """Of several stamps the one that is trusted least; an unknown one is not trusted at all."""
    return max(stamps, key=lambda stamp: STAMPS.index(stamp) if stamp in STAMPS else len(STAMPS))


@dataclass(frozen=True, slots=True)
class Observation:
    """Something that happened at the table."""

    kind: ClassVar[str] = ""

    t_ns: int
    """Event time in nanoseconds of the monotonic clock."""
    seq: int = field(default=0, kw_only=True)
    """Which came first, among observations of one kind and time."""


# --- what pads and camera see -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slap(Observation):
    """A palm touched a pad."""

    kind: ClassVar[str] = "slap"

    player: str
    """Whose pad it was."""
    early_ns: int = 0
    """It may have happened this much before `t_ns`."""
    late_ns: int = 0
    """It may have happened this much after `t_ns`."""
    stamp: str = KERNEL
    """Who took the time: `KERNEL`, `SOFTWARE` or `DEMO`."""


@dataclass(frozen=True, slots=True)
class Flip(Observation):
    """A new card lies on the pile: `t_ns` is the first clean frame that shows it."""

    kind: ClassVar[str] = "flip"

    card: Card
    """The card, or `UNREAD`."""
    player: str | None = None
    """Who flipped it, if anybody saw that; None: the player whose turn it is."""
    early_ns: int = 0
    """Time from the last clean frame without the card to `t_ns`."""
    late_ns: int = 0
    pile: int = 0
    """Which pile, for games with two."""
    confidence: float = 1.0
    """Of the reading, 0 to 1. Never used for a rule."""


@dataclass(frozen=True, slots=True)
class Cleared(Observation):
    """The pile is gone: the first clean frame that shows the bare table."""

    kind: ClassVar[str] = "cleared"

    early_ns: int = 0
    late_ns: int = 0
    pile: int = 0


@dataclass(frozen=True, slots=True)
class TakenBack(Observation):
    """A card that nobody could read lay on the pile, and was taken back."""

    kind: ClassVar[str] = "taken_back"

    early_ns: int = 0
    """Time from before it came to `t_ns`, when it was surely gone."""
    pile: int = 0


@dataclass(frozen=True, slots=True)
class Call(Observation):
    """A player called "Slapjack!" (a button at the table)."""

    kind: ClassVar[str] = "call"

    player: str


@dataclass(frozen=True, slots=True)
class Burn(Observation):
    """Burned cards were shown: the first listed went under the pile first, the last lies lowest."""

    kind: ClassVar[str] = "burn"

    player: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Tick(Observation):
    """Nothing happened until now. Timers are events, too."""

    kind: ClassVar[str] = "pass_time"


@dataclass(frozen=True, slots=True)
class Watermark(Observation):
    """A source's promise: no observation of it with event time <= t_ns is still to come."""

    kind: ClassVar[str] = "watermark"

    source: str
    """`"pads"` or `"camera"`."""


# --- Spit ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Play(Observation):
    """Spit: a card from a stock pile went onto a spit pile."""

    kind: ClassVar[str] = "play"

    player: str
    card: Card
    pile: int
    early_ns: int = 0
    late_ns: int = 0


@dataclass(frozen=True, slots=True)
class Move(Observation):
    """Spit: a player moved a top card between his own stock piles, numbered from 1."""

    kind: ClassVar[str] = "move"

    player: str
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class SpitCard(Observation):
    """Spit: a card of the deck was turned onto the player's own spit pile."""

    kind: ClassVar[str] = "spit"

    player: str
    card: Card
    early_ns: int = 0
    late_ns: int = 0


@dataclass(frozen=True, slots=True)
class Stuck(Observation):
    """Spit: "I cannot play"."""

    kind: ClassVar[str] = "stuck"

    player: str


@dataclass(frozen=True, slots=True)
class Choose(Observation):
    """Spit: which pile the finisher takes after the round."""

    kind: ClassVar[str] = "choose"

    player: str
    pile: int


# --- what the table overrules --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ruling(Observation):
    """The table overrules the box. `kind` stays "judge"; `ruling` says which."""

    kind: ClassVar[str] = "judge"
    ruling: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class VoidSlap(Ruling):
    """That slap does not count: finger, back of the hand, wrong hand."""

    ruling: ClassVar[str] = "void_slap"

    player: str
    ref_t_ns: int
    """Event time of the slap."""


@dataclass(frozen=True, slots=True)
class CardIs(Ruling):
    """The camera misread a card, or could not read it."""

    ruling: ClassVar[str] = "card_is"

    card: Card
    ref_t_ns: int
    """Event time of the flip."""


@dataclass(frozen=True, slots=True)
class VoidFlip(Ruling):
    """That flip was against the rules: the card goes back on top of its stock."""

    ruling: ClassVar[str] = "void_flip"

    ref_t_ns: int
    """Event time of the flip."""


@dataclass(frozen=True, slots=True)
class Award(Ruling):
    """The table gives the pile to a player."""

    ruling: ClassVar[str] = "award"

    player: str


@dataclass(frozen=True, slots=True)
class Penalty(Ruling):
    """The table makes a player pay."""

    ruling: ClassVar[str] = "penalty"

    player: str
    to: str
    """A player, `"pile"` or `"pile_bottom"`."""
    n: int


@dataclass(frozen=True, slots=True)
class HiddenCard(Ruling):
    """Cards of a player slipped into the pile unseen."""

    ruling: ClassVar[str] = "hidden_card"

    player: str
    n: int


@dataclass(frozen=True, slots=True)
class Undo(Ruling):
    """The last verdict that moved cards did not happen."""

    ruling: ClassVar[str] = "undo"


@dataclass(frozen=True, slots=True)
class TableAnswer(Ruling):
    """The table's answer to a held slap: was a trigger on top?"""

    ruling: ClassVar[str] = "answer"

    answer: str
    """`"slap"` (a trigger lay there), `"no_slap"` or `"let"` (play on, nobody pays)."""
