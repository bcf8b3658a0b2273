"""Every race of a game while it runs: the card that was slapped at, and each hand with its outcome.

A race belongs to the card that lay on top when the hands came. It changes when a later hand is
ruled on; it keeps its number. After a correction the book is written anew (`book_of`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from referee.rules.events import Flip, Observation, Slap
from referee.rules.record import to_record
from referee.rules.verdicts import Verdict
from referee.service.photo_finish import Lane

OUTCOMES = {
    "valid_slap": "won",
    "tie": "tie",
    "doubt": "doubt",
    "false_slap": "false",
    "late_slap": "late",
    "ignored_slap": "late",
}
"""Kind of verdict on a slap -> how its lane in the photo finish looks."""
WEIGHT = {"valid_slap": 4, "tie": 4, "doubt": 3, "false_slap": 2}
"""Which verdict a race is shown with, if there are several."""
SLAPS_KEPT = 64
"""A slap is ruled on long before so many more have come."""


@dataclass(slots=True)
class Race:
    """One card and the hands on it."""

    number: int
    card: Flip | None
    """None: a hand came before the first card."""
    lanes: dict[tuple[str, int], Lane] = field(default_factory=dict)
    verdict: Verdict | None = None

    def message(self, before: str = "", after: str = "") -> dict[str, Any]:
        """As the page is told.

        Args:
            before: Name of the picture of the pile before the card; empty: none.
            after: Name of the picture after it.
        """
        lanes = sorted(self.lanes.values(), key=lambda lane: lane.slap.t_ns)
        return {
            "type": "race",
            "id": self.number,
            "card": to_record(self.card) if self.card is not None else None,
            "lanes": [{"slap": to_record(lane.slap), "outcome": lane.outcome} for lane in lanes],
            "verdict": to_record(self.verdict) if self.verdict is not None else None,
            "before": before,
            "after": after,
        }


class RaceBook:
    """Puts slaps and verdicts together."""

    def __init__(self, *, every_slap: bool = False) -> None:
        """Begin a book.

        Args:
            every_slap: Keep all slaps; else only those that can still be ruled on.
        """
        self._every_slap = every_slap
        self._flips: list[Flip] = []
        self._slaps: list[Slap] = []
        self._races: dict[int, Race] = {}
        """Number of the flip, from 1 -> race; 0: before the first card."""

    def take(self, seen: Observation) -> None:
        """Note a card or a hand."""
        if isinstance(seen, Flip):
            at = bisect_right(self._flips, seen.t_ns, key=lambda flip: flip.t_ns)
            self._flips.insert(at, seen)
        elif isinstance(seen, Slap):
            self._slaps.append(seen)
            if not self._every_slap:
                del self._slaps[:-SLAPS_KEPT]

    @property
    def races(self) -> list[Race]:
        """All that have a verdict, in order."""
        found = [race for _, race in sorted(self._races.items())]
        return [race for race in found if race.verdict is not None]

    def hear(self, verdict: Verdict) -> Race | None:
        """Note a verdict.

        Returns:
            The race that it changed.
        """
        outcome = OUTCOMES.get(verdict.kind)
        if outcome is None:
            return None
        number = bisect_right(self._flips, verdict.t_ns, key=lambda flip: flip.t_ns - flip.early_ns)
        card = self._flips[number - 1] if number else None
        race = self._races.setdefault(number, Race(number, card))
        for player in _players(verdict):
            slap = self._slap_of(player, verdict.t_ns, exactly=verdict.kind != "tie")
            if slap is not None:
                race.lanes[player, slap.t_ns] = Lane(slap, outcome)
        weight = WEIGHT.get(verdict.kind, 0)
        if race.verdict is None or weight >= WEIGHT.get(race.verdict.kind, 0):
            race.verdict = verdict if weight else race.verdict
        return race if race.verdict is not None else None

    def _slap_of(self, player: str, t_ns: int, *, exactly: bool) -> Slap | None:
        """The slap that a verdict is about; a tie's is the player's nearest one."""
        own = [slap for slap in self._slaps if slap.player == player]
        same = next((slap for slap in reversed(own) if slap.t_ns == t_ns), None)
        if same is not None or exactly or not own:
            return same
        return min(own, key=lambda slap: abs(slap.t_ns - t_ns))


def book_of(observations: Iterable[Observation], verdicts: Iterable[Verdict]) -> RaceBook:
    """The book of a game as it stands after all corrections."""
    book = RaceBook(every_slap=True)
    for seen in observations:
        book.take(seen)
    for verdict in verdicts:
        book.hear(verdict)
    return book


def _players(verdict: Verdict) -> tuple[str, ...]:
    """Whose slaps a verdict is about."""
    player = getattr(verdict, "player", None)
    return (player,) if player else tuple(getattr(verdict, "players", ()))
