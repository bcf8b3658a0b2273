"""Every slap of a game: what became of it, and how long after the card it came.

A slap happened in [t - early, t + late], the card came to lie in the same kind of interval. So the
time between them lies in an interval, too; its middle is the best single number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.rules.events import Flip, Slap
from referee.rules.races import SURE_REACTION_NS
from referee.rules.verdicts import (
    CardSeen,
    Doubt,
    FalseSlap,
    IgnoredSlap,
    LateSlap,
    PendingSlap,
    Tie,
    ValidSlap,
    Verdict,
)
from referee.service.statistics.story import Story

BEFORE_NS = 400_000_000
"""A touch so long before a card that was then slapped was meant for it."""

WON, TIED, LATE, FALSE, DOUBT, UNREAD, IGNORED = (
    "won",
    "tied",
    "late",
    "false",
    "doubt",
    "unread",
    "ignored",
)
OUTCOMES: dict[type[Verdict], str] = {
    ValidSlap: WON,
    LateSlap: LATE,
    FalseSlap: FALSE,
    Doubt: DOUBT,
    PendingSlap: UNREAD,
    IgnoredSlap: IGNORED,
}
"""Verdict on one slap -> what became of it."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """Time from the card to the slap: somewhere in [least, most]."""

    least_ns: int
    most_ns: int

    @property
    def middle_ns(self) -> int:
        """The best single number."""
        return (self.least_ns + self.most_ns) // 2

    @property
    def half_ns(self) -> int:
        """It may be so much more or less."""
        return (self.most_ns - self.least_ns + 1) // 2

    @property
    def is_guess(self) -> bool:
        """Surely faster than anybody can react."""
        return self.most_ns < SURE_REACTION_NS


@dataclass(frozen=True, slots=True)
class Touch:
    """One slap that the referee ruled on."""

    t_ns: int
    player: str
    outcome: str
    """`won`, `tied`, `late`, `false`, `doubt`, `unread` or `ignored`."""
    reaction: Reaction | None = None
    """To the card that was being slapped; None if it was not about such a card."""
    was_early: bool = False
    """It surely came before the card that it was meant for."""


@dataclass(frozen=True, slots=True)
class Slapped:
    """A card that was slapped by somebody in time."""

    card: Flip
    verdict: ValidSlap | Tie
    touches: tuple[Touch, ...]
    """Those on this card, in the order in which they were ruled on: the first ones first."""


def touches_of(story: Story) -> tuple[tuple[Touch, ...], tuple[Slapped, ...]]:
    """All slaps in order of time, and all cards that were slapped."""
    flips = {seen.t_ns: seen for seen in story.facts if isinstance(seen, Flip)}
    slaps = {(seen.player, seen.t_ns): seen for seen in story.facts if isinstance(seen, Slap)}
    found: list[Touch] = []
    groups: list[tuple[Flip, ValidSlap | Tie, list[Touch]]] = []
    card: Flip | None = None
    is_won = False
    for verdict in story.verdicts:
        if isinstance(verdict, CardSeen):
            card, is_won = flips.get(verdict.t_ns, card), False
        is_first = isinstance(verdict, ValidSlap | Tie)
        ruled = list(_ruled_on(verdict, card if is_first or is_won else None, slaps))
        if isinstance(verdict, ValidSlap | Tie) and card is not None:
            groups.append((card, verdict, ruled))
            is_won = True
        elif is_won and isinstance(verdict, LateSlap) and groups:
            groups[-1][2].extend(ruled)
        found += ruled
    slapped = tuple(Slapped(flip, verdict, tuple(these)) for flip, verdict, these in groups)
    last_word = {(touch.player, touch.t_ns): touch for touch in found}
    return _with_early(list(last_word.values()), slaps, slapped), slapped


def _ruled_on(
    verdict: Verdict, card: Flip | None, slaps: dict[tuple[str, int], Slap]
) -> Iterator[Touch]:
    """The slaps that a verdict is about."""
    if isinstance(verdict, Tie):
        for player in verdict.players:
            slap = _nearest(slaps, player, verdict.t_ns)
            if slap is not None:
                yield Touch(slap.t_ns, player, TIED, _reaction(slap, card))
        return
    outcome = OUTCOMES.get(type(verdict))
    if outcome is None:
        return
    who: str = verdict.player  # type: ignore[attr-defined]
    slap = slaps.get((who, verdict.t_ns))
    counts = outcome in (WON, LATE) and slap is not None
    yield Touch(verdict.t_ns, who, outcome, _reaction(slap, card) if slap and counts else None)


def _nearest(slaps: dict[tuple[str, int], Slap], player: str, t_ns: int) -> Slap | None:
    """A tie names the time of its first slap only: the others are the nearest of their players."""
    own = [slap for (who, _), slap in slaps.items() if who == player]
    return min(own, key=lambda slap: abs(slap.t_ns - t_ns), default=None)


def _reaction(slap: Slap, card: Flip | None) -> Reaction | None:
    if card is None:
        return None
    return Reaction(
        least_ns=slap.t_ns - slap.early_ns - (card.t_ns + card.late_ns),
        most_ns=slap.t_ns + slap.late_ns - (card.t_ns - card.early_ns),
    )


def _with_early(
    touches: list[Touch], slaps: dict[tuple[str, int], Slap], slapped: tuple[Slapped, ...]
) -> tuple[Touch, ...]:
    """Mark what was meant for a card that did not lie there yet."""
    begins_ns = [one.card.t_ns - one.card.early_ns for one in slapped]

    def is_early(touch: Touch) -> bool:
        slap = slaps.get((touch.player, touch.t_ns))
        if slap is None or touch.outcome not in (FALSE, IGNORED, DOUBT):
            return False
        end_ns = slap.t_ns + slap.late_ns
        return any(0 < begin_ns - end_ns <= BEFORE_NS for begin_ns in begins_ns)

    marked = (
        Touch(each.t_ns, each.player, each.outcome, each.reaction, is_early(each))
        for each in touches
    )
    return tuple(sorted(marked, key=lambda touch: touch.t_ns))
