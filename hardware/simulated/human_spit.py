"""Two real people at the simulated Spit table: a key for each stock pile does what it can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.simulated.humans import SHOWN_MS
from hardware.simulated.people import MS
from hardware.simulated.spit_cards import SpitHolder
from hardware.simulated.spit_players import SpitPlayers
from referee.rules.spit_stacks import why_not_moved

if TYPE_CHECKING:
    from hardware.simulated.world import World


class HumanSpitPlayers(SpitPlayers):
    """They turn deck cards, play and touch pads only when keys are pressed."""

    def __init__(self, world: World) -> None:
        self._asked = False
        super().__init__(world)

    def flip_next(self) -> None:
        """ "Spit!": whoever owes a deck card turns it."""
        self._asked = True

    def show_hand(self, player: str) -> None:
        """A pad's key was pressed: a hand comes down on it."""
        now_ns = self._world.now_ns
        self._world.gestures.slap(player, now_ns, now_ns + SHOWN_MS * MS)

    def use(self, player: str, place: int) -> None:
        """A stock pile's key: play its open card if it fits, else move it where that is allowed.

        Args:
            player: Whose stock pile.
            place: From 0, left to right.
        """
        holder = self._holders[player]
        if self._free_ns[player] > self._world.now_ns or place >= len(holder.stacks.places):
            return
        fitting = [pile for own, pile in holder.playable(self._piles.tops) if own == place]
        card = holder.stacks.places[place].top
        if self._playing and card is not None and fitting:
            holder.stacks = holder.stacks.without(place)
            self._carry(holder, card, fitting[0], place)
            self._free_ns[player] = self._world.now_ns
            return
        for target in range(len(holder.stacks.places)):
            if why_not_moved(holder.stacks, place, target) is None:
                holder.stacks = holder.stacks.moved(place, target)
                return

    def lines(self) -> list[str]:
        """What each player has before him: open cards, hidden ones below, the deck."""
        return [_line(holder) for holder in self._holders.values()]

    def _act(self, holder: SpitHolder) -> None:
        owes = holder.name in self._due and holder.name not in self._turning
        if owes and self._asked:
            self._turn_deck_card(holder)
        if self._due <= self._turning:
            self._asked = False

    def _choose(self) -> None:
        """The finisher's key says it."""


def _line(holder: SpitHolder) -> str:
    places = [f"{stack.top or '--'}{'·' * stack.hidden}".ljust(8) for stack in holder.stacks.places]
    return f"{holder.name:<8}" + "".join(places) + f"+{len(holder.deck)}"
