"""The real cards of a slap game: who holds what, what lies on the pile, and how it changes."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from hardware.simulated.gestures import PULL_MS, SLIDE_MS
from hardware.simulated.motion import Pose, rest_at
from hardware.simulated.people import MS, Person
from hardware.simulated.snapshot import Cards, Lying
from hardware.simulated.table import MovingCard
from hardware.simulated.truth import PileState, TrueFlip
from hardware.simulated.usual_slaps import Predicate
from referee.rules.cards import Card, deck_of_52

if TYPE_CHECKING:
    from hardware.simulated.world import World

REACH_MS = (150.0, 300.0)
"""From a word of the box to a hand that moves."""
PAY_MS = 600
"""To hand a card over, away from the camera."""


@dataclass(slots=True)
class Laid:
    """A card on the pile."""

    card: Card
    place: Pose
    flip: TrueFlip


class Holdings:
    """Stocks and pile of one table. Methods that move cards return when the hands are gone."""

    def __init__(
        self, world: World, people: dict[str, Person], is_slappable: Predicate, rng: Random
    ) -> None:
        self._world, self.people, self._rng = world, people, rng
        self._is_slappable = is_slappable
        self._buried: list[Card] = []
        """Cards under the pile, the lowest first."""
        self.laid: list[Laid] = []
        """Cards flipped onto the pile, the first one first."""
        self._hands_ns = 0
        """When the last hand that handled the pile is gone."""
        self._deal()
        self.note()

    def _deal(self) -> None:
        """One by one from the dealer's left.

        Source: Slapjack, "Vorbereitung".
        """
        cards = list(deck_of_52())
        self._rng.shuffle(cards)
        names = self._world.players
        first = names.index(self._world.dealer) + 1
        for i, card in enumerate(cards):
            self.people[names[(first + i) % len(names)]].stock.appendleft(card)

    @property
    def pile(self) -> tuple[Card, ...]:
        """What lies on the pile, bottom first."""
        return (*self._buried, *(laid.card for laid in self.laid))

    @property
    def seen_pile(self) -> tuple[Card, ...]:
        """The cards of the pile that were flipped; nobody saw the others."""
        return tuple(laid.card for laid in self.laid)

    def note(self) -> None:
        """Write down what lies on the pile from now on."""
        top = self.laid[-1] if self.laid else None
        state = PileState(
            self._world.now_ns,
            top.card if top else None,
            top.flip.number if top else None,
            self._is_slappable(self.seen_pile) if top else False,
        )
        self._world.truth.states.setdefault(0, []).append(state)

    def lay(self, laid: Laid) -> None:
        """A card has come to rest on the pile."""
        self.laid.append(laid)
        self.note()

    def lay_again(self) -> Laid:
        """The last flipper takes his card back and flips it anew; returns what will lie there."""
        last = self.laid.pop()
        flip, now = last.flip, self._world.now_ns
        done = self._world.gestures.lay_again(
            flip.player, flip.card, 0, last.place, now_ns=now, is_open=False
        )
        again = TrueFlip(
            flip.number,
            flip.card,
            flip.player,
            0,
            done.start_ns,
            done.rest_ns,
            done.hand_gone_ns,
            again=True,
        )
        self._world.truth.flips.append(again)
        self._world.schedule(done.off_ns, self.note)
        return Laid(last.card, done.place, again)

    def pay(self, payer: Person, receiver: Person, n: int) -> int:
        """Cards from the top of one stock go under another.

        Source: Slapjack, "Falsches Schlagen".
        """
        for _ in range(min(n, len(payer.stock))):
            receiver.stock.append(payer.stock.popleft())
        return self._world.now_ns + PAY_MS * MS

    def bury(self, payer: Person, n: int, not_before_ns: int) -> int:
        """Push cards from the top of a stock under the pile.

        Source: Egyptian Ratscrew, "Die Schläge".
        """
        start_ns = max(self._soon(), not_before_ns)
        self._hands_ns = start_ns + n * SLIDE_MS * MS
        self._world.schedule(start_ns, lambda: self._push_under(payer, n))
        return self._hands_ns

    def _push_under(self, payer: Person, n: int) -> None:
        start_ns = self._world.now_ns
        for _ in range(min(n, len(payer.stock))):
            card = payer.stock.popleft()
            self._buried.insert(0, card)
            self._world.gestures.slide_under(payer.name, card, 0, start_ns)
            start_ns += SLIDE_MS * MS

    def take_pile(
        self, winner: Person, n: int, won_ns: int, not_before_ns: int, *, shuffle: bool
    ) -> int:
        """The winner takes what lay there when the pile was won; a later card stays."""
        reach_ns = max(self._soon(), not_before_ns)
        self._hands_ns = reach_ns + PULL_MS * MS
        self._world.schedule(reach_ns, lambda: self._pull(winner, n, won_ns, shuffle=shuffle))
        return self._hands_ns

    def _pull(self, winner: Person, n: int, won_ns: int, *, shuffle: bool) -> None:
        later = sum(laid.flip.rest_ns > won_ns for laid in self.laid)
        keep = min(later, max(0, len(self.pile) - n))
        lower = len(self.laid) - keep
        off_ns, _ = self._world.gestures.take_pile(winner.name, 0, self._world.now_ns, keep)
        winner.stock.extend((*self._buried, *(laid.card for laid in self.laid[:lower])))
        if shuffle:
            cards = list(winner.stock)
            self._rng.shuffle(cards)
            winner.stock = deque(cards)
        self.laid, self._buried = self.laid[lower:], []
        self._world.schedule(off_ns, self.note)

    def give_back(self) -> int:
        """The last flipper takes his card back."""
        if not self.laid:
            return self._world.now_ns
        last = self.laid.pop()
        owner = self.people[last.flip.player]
        reach_ns = self._soon()
        gone_ns = self._world.gestures.take_top(owner.name, last.card, 0, last.place, reach_ns)
        owner.stock.appendleft(last.card)
        self._hands_ns = gone_ns
        self._world.schedule(gone_ns, self.note)
        return gone_ns

    # --- a table that goes on ---

    def at_rest(self, flying: TrueFlip | None) -> Cards:
        """All cards as if every hand were gone; a flying card is back on its stock."""
        stocks = {name: deque(person.stock) for name, person in self.people.items()}
        if flying is not None:
            stocks[flying.player].appendleft(flying.card)
        laid = [Lying(one.card, one.flip.player, one.place) for one in self.laid]
        return Cards(stocks, list(self._buried), laid)

    def lay_as(self, cards: Cards) -> None:
        """Lay all cards like this, at once, before anything happens."""
        now, table = self._world.now_ns, self._world.table
        for name, stock in cards.stocks.items():
            self.people[name].stock = stock
        self._buried, self.laid = cards.buried, []
        for card in reversed(cards.buried):
            place = replace(table.messy_place(self._world.dealer), roll=math.pi)
            table.lay(MovingCard(card, rest_at(place, now), 0, under=True))
        for number, one in enumerate(cards.laid):
            place = one.place or table.messy_place(one.player)
            table.lay(MovingCard(one.card, rest_at(place, now), 0))
            flip = TrueFlip(number, one.card, one.player, 0, now, now, now)
            self._world.truth.flips.append(flip)
            self.laid.append(Laid(one.card, place, flip))
        self.note()

    def _soon(self) -> int:
        """The next hand moves: not at once, and not before the last one is gone."""
        reach_ns = self._world.now_ns + round(self._rng.uniform(*REACH_MS) * MS)
        return max(reach_ns, self._hands_ns)
