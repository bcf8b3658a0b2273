"""Real people at the simulated table: they press keys, the table shows their hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.simulated.people import MS, Person
from hardware.simulated.players import SimulatedPlayers
from hardware.simulated.truth import TrueFlip
from hardware.simulated.usual_slaps import Predicate
from referee.rules.cards import Card

if TYPE_CHECKING:
    from hardware.simulated.world import World

SHOWN_MS = 220
"""How long the hand of a pressed key lies on the pad."""


class HumanPlayers(SimulatedPlayers):
    """They flip when they are asked to and never slap by themselves."""

    def __init__(self, world: World, is_slappable: Predicate) -> None:
        super().__init__(world, is_slappable)
        self._slapping.think = self._leave_it_to_the_keys  # type: ignore[method-assign]
        self._asked = False

    def flip_next(self) -> None:
        """Whoever's turn it is flips his top card."""
        self._asked = True

    def show_hand(self, player: str) -> None:
        """A key was pressed: a hand comes down on that pad."""
        now_ns = self._world.now_ns
        if not self._people[player].is_out:
            self._world.gestures.slap(player, now_ns, now_ns + SHOWN_MS * MS)

    def _leave_it_to_the_keys(self, flip: TrueFlip, pile: tuple[Card, ...]) -> None:
        """Nobody here slaps by himself."""

    def _whose_turn(self) -> Person | None:
        return super()._whose_turn() if self._asked else None

    def _start_flip(self, person: Person, start_ns: int) -> None:
        self._asked = False
        super()._start_flip(person, start_ns)
