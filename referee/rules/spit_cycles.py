"""Spit: a game that repeats itself and would never end."""

from __future__ import annotations

from collections import Counter

from referee.rules.cards import Card
from referee.rules.spit_stacks import Stacks
from referee.rules.spit_table import SpitTable
from referee.rules.verdicts import Cycling, Verdict

REPEATS = 3
"""So often the same stock piles must have lain there, with nothing but moves in between."""


class Repetition:
    """Remembers what lay on the table and which rounds were played."""

    def __init__(self) -> None:
        self._moved: Counter[tuple[object, ...]] = Counter()
        self._round: list[object] = []
        self._rounds: set[tuple[object, ...]] = set()

    def after_move(self, table: SpitTable, t_ns: int) -> list[Verdict]:
        """Moves between stock piles that lead nowhere are announced once.

        Source: the box's own.
        """
        key = tuple(_canonical(stacks) for stacks in table.stacks.values())
        self._moved[key] += 1
        return [Cycling(t_ns)] if self._moved[key] == REPEATS else []

    def after_card(self, player: str, card: Card, pile: int) -> None:
        """A card lies on a spit pile for good: nothing of before comes back in this round."""
        self._moved.clear()
        self._round.append((player, card, pile))

    def after_round(self, table: SpitTable, t_ns: int) -> list[Verdict]:
        """The very same round was played before, card by card, with the same cards in hand.

        Source: the box's own.
        """
        held = tuple(table.held(player) for player in table.players)
        key = (held, tuple(self._round))
        self._moved.clear()
        self._round.clear()
        if key in self._rounds:
            return [Cycling(t_ns)]
        self._rounds.add(key)
        return []


def _canonical(stacks: Stacks | int) -> object:
    """Which place a stock pile has does not matter."""
    if not isinstance(stacks, Stacks):
        return stacks
    return tuple(sorted((s.hidden, tuple(map(str, s.cards))) for s in stacks.places))
