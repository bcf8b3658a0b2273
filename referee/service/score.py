"""How good the referee was: every slap of a simulated game against the truth.

The truth knows which card really lay on top when a hand touched, and who was first. A verdict is
wrong if it gives the pile to the wrong hand, or makes a hand pay that was right, or lets one take
it that was wrong. A doubt or a tie is no mistake: the box said that it does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from referee.rules.cards import Card
from referee.rules.verdicts import (
    Doubt,
    FalseSlap,
    IgnoredSlap,
    LateSlap,
    PendingSlap,
    Tie,
    ValidSlap,
    Verdict,
)

SAME_SLAP_NS = 60_000_000
"""A verdict belongs to the true slap of that player at most so far away: half a lockout."""


class TrueSlap(Protocol):
    """What the simulated table knows of a slap."""

    @property
    def touch_ns(self) -> int:
        """When the hand touched the pad."""

    @property
    def player(self) -> str:
        """Whose hand it was."""

    @property
    def top(self) -> Card | None:
        """The card that lay on top then."""

    @property
    def slappable(self) -> bool:
        """That pile could be slapped."""

    @property
    def first(self) -> bool:
        """Nobody still in the game was faster on it."""


class TrueFlip(Protocol):
    """What the simulated table knows of a flip."""

    @property
    def card(self) -> Card:
        """The card."""

    @property
    def pile(self) -> int:
        """Where it fell."""

    @property
    def rest_ns(self) -> int:
        """When it came to rest."""


@dataclass(frozen=True, slots=True)
class JudgedSlap:
    """One true slap and what the box made of it."""

    slap: TrueSlap
    verdict: Verdict | None
    margin_ms: float | None
    in_doubt: bool
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class Score:
    """A whole game."""

    slaps: tuple[JudgedSlap, ...]

    @property
    def wrong(self) -> int:
        """Wrong verdicts outside declared doubt."""
        return sum(slap.is_wrong for slap in self.slaps)

    @property
    def doubts(self) -> int:
        """Slaps about which the box said that it is not sure."""
        return sum(slap.in_doubt for slap in self.slaps)


def score(slaps: Sequence[TrueSlap], verdicts: Iterable[Verdict]) -> Score:
    """Compare a game's verdicts with the truth.

    Args:
        slaps: Every true touch, any order.
        verdicts: Everything the referee said, in order; the last word on a slap counts.
    """
    said = _by_player(verdicts)
    return Score(tuple(_judge(slap, said) for slap in sorted(slaps, key=lambda one: one.touch_ns)))


RIGHTLY_IGNORED = ("playoff_pending", "not_eligible", "out_of_turn_card", "voided", "game_over")
"""Reasons that the cards on the pile say nothing about."""
SLAP_VERDICTS = (ValidSlap, FalseSlap, LateSlap, PendingSlap, IgnoredSlap, Doubt)


def _by_player(verdicts: Iterable[Verdict]) -> dict[str, list[Verdict]]:
    said: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if isinstance(verdict, SLAP_VERDICTS):
            said.setdefault(verdict.player, []).append(verdict)
        elif isinstance(verdict, Tie):
            for player in verdict.players:
                said.setdefault(player, []).append(verdict)
    return said


def _judge(slap: TrueSlap, said: dict[str, list[Verdict]]) -> JudgedSlap:
    near = [
        verdict
        for verdict in said.get(slap.player, ())
        if abs(verdict.t_ns - slap.touch_ns) <= SAME_SLAP_NS
    ]
    verdict = near[-1] if near else None
    in_doubt = any(
        isinstance(one, Doubt | Tie | PendingSlap) or (isinstance(one, ValidSlap) and one.benefit)
        for one in near
    )
    margin_ns = getattr(verdict, "margin_ns", None)
    return JudgedSlap(
        slap,
        verdict,
        None if margin_ns is None else margin_ns / 1e6,
        in_doubt,
        not in_doubt and _is_wrong(slap, verdict),
    )


def _is_wrong(slap: TrueSlap, verdict: Verdict | None) -> bool:
    """The verdict contradicts the truth."""
    if isinstance(verdict, ValidSlap):
        return not slap.first
    if isinstance(verdict, FalseSlap):
        return slap.slappable
    if isinstance(verdict, IgnoredSlap) and verdict.reason in RIGHTLY_IGNORED:
        return False
    return slap.first
