"""The real cards of a game of Spit: stock piles, decks and the two spit piles."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hardware.simulated.motion import Pose, rest_at
from hardware.simulated.snapshot import Record
from hardware.simulated.table import MovingCard
from hardware.simulated.truth import PileState, TrueFlip
from referee.rules.cards import Card, parse_card
from referee.rules.spit_layout import lay_out
from referee.rules.spit_ranks import fits
from referee.rules.spit_stacks import Stack, Stacks, deal_face_down, is_blocked, why_not_moved

if TYPE_CHECKING:
    from hardware.simulated.world import World


@dataclass(frozen=True, slots=True)
class OnPile:
    """A card on a spit pile."""

    card: Card
    place: Pose
    flip: TrueFlip
    from_place: int | None = None
    """The stock pile from which it came; None: from the deck."""


@dataclass(slots=True)
class SpitHolder:
    """One player's cards."""

    name: str
    stacks: Stacks = field(default_factory=lambda: deal_face_down(()))
    deck: deque[Card] = field(default_factory=deque)
    """The left one is on top."""

    def lay_out(self, cards: list[Card]) -> None:
        """Five stock piles, the rest is the deck.

        Source: Spit, "Aufbau".
        """
        sizes = lay_out(len(cards)).stacks
        stacks, at = [], 0
        for size in sizes:
            stacks.append(cards[at : at + size])
            at += size
        self.stacks = deal_face_down(stacks)
        self.deck = deque(cards[at:])

    def all_cards(self) -> list[Card]:
        """Everything he holds."""
        return [*self.deck, *(card for stack in self.stacks.places for card in stack.cards)]

    def playable(self, tops: list[Card | None], *, loosely: bool = False) -> list[tuple[int, int]]:
        """Open cards that fit, as stock pile and spit pile; `loosely`: the ones that nearly do."""
        return [
            (place, pile)
            for place, stack in enumerate(self.stacks.places)
            for pile, top in enumerate(tops)
            if stack.top is not None
            and top is not None
            and fits(stack.top, top, equal_rank=loosely)
            and (not loosely or stack.top.rank == top.rank)
        ]

    def useful_move(self) -> tuple[int, int] | None:
        """A move between the own stock piles that helps to turn up a card.

        Source: Spit, "Spielablauf" 3 and 4.
        """
        places = self.stacks.places
        for source, stack in enumerate(places):
            if not stack.hidden:
                continue
            for target in range(len(places)):
                if why_not_moved(self.stacks, source, target) is None:
                    return source, target
        return self._baring_move()

    def _baring_move(self) -> tuple[int, int] | None:
        """Bare a place for a stock pile that hides cards."""
        places = self.stacks.places
        if not any(stack.hidden for stack in places):
            return None
        for source, stack in enumerate(places):
            for target, other in enumerate(places):
                same = stack.top is not None and other.top is not None
                if same and why_not_moved(self.stacks, source, target) is None:
                    return source, target
        return None

    def is_blocked(self, tops: list[Card | None]) -> bool:
        """Nothing fits and no move helps."""
        return is_blocked(self.stacks, tops, equal_rank=False)

    def take_back(self, card: Card, place: int | None) -> None:
        """A card goes back to where it came from."""
        if place is None:
            self.deck.appendleft(card)
            return
        places = list(self.stacks.places)
        places[place] = places[place].with_card(card)
        self.stacks = replace(self.stacks, places=tuple(places))

    def to_record(self) -> Record:
        """Write them as plain values: each stock pile as its hidden cards' number and its cards."""
        places = [[stack.hidden, *map(str, stack.cards)] for stack in self.stacks.places]
        return {"places": places, "deck": list(map(str, self.deck))}

    def restore(self, record: Record) -> None:
        """Read what `to_record` wrote."""
        self.stacks = Stacks(
            tuple(
                Stack(tuple(map(parse_card, cards)), hidden) for hidden, *cards in record["places"]
            )
        )
        self.deck = deque(map(parse_card, record["deck"]))

    def give_up(self, top: Card | None) -> tuple[Card, int | None]:
        """The card that he must have laid on this top card: an open one that fits, else the deck's.

        Returns:
            The card and its stock pile; None: from the deck.
        """
        fitting = [place for place, _ in self.playable([top])]
        if fitting or not self.deck:
            place = next(iter(fitting), None)
            if place is None:
                place = next(i for i, stack in enumerate(self.stacks.places) if stack.cards)
            card = self.stacks.places[place].cards[-1]
            self.stacks = self.stacks.without(place)
            return card, place
        return self.deck.popleft(), None


class SpitPiles:
    """The two spit piles."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.cards: list[list[OnPile]] = [[], []]
        for pile in (0, 1):
            self.note(pile)

    @property
    def tops(self) -> list[Card | None]:
        """The top cards as everybody sees them."""
        return [pile[-1].card if pile else None for pile in self.cards]

    def note(self, pile: int) -> None:
        """Write down what lies on a pile from now on."""
        top = self.cards[pile][-1] if self.cards[pile] else None
        state = PileState(
            self._world.now_ns,
            top.card if top else None,
            top.flip.number if top else None,
            slappable=False,
        )
        self._world.truth.states.setdefault(pile, []).append(state)

    def land(self, pile: int, laid: OnPile) -> None:
        """A card has come to rest."""
        top = self.tops[pile]
        fitting = None
        if laid.from_place is not None:
            fitting = fits(laid.card, top, equal_rank=False)
        flip = replace(laid.flip, number=len(self._world.truth.flips), fits=fitting)
        self._world.truth.flips.append(flip)
        self.cards[pile].append(replace(laid, flip=flip))
        self.note(pile)

    def lay_again(self, pile: int) -> OnPile:
        """The player of the top card lays it anew; returns what will lie there."""
        last = self.cards[pile].pop()
        flip = last.flip
        done = self._world.gestures.lay_again(
            flip.player,
            last.card,
            pile,
            last.place,
            now_ns=self._world.now_ns,
            is_open=last.from_place is not None,
        )
        again = replace(
            flip,
            number=len(self._world.truth.flips),
            start_ns=done.start_ns,
            rest_ns=done.rest_ns,
            hand_gone_ns=done.hand_gone_ns,
            again=True,
        )
        self._world.truth.flips.append(again)
        self._world.schedule(done.off_ns, lambda: self.note(pile))
        return replace(last, place=done.place, flip=again)

    def lay_as(self, pile: int, laid: OnPile) -> None:
        """A card lies there already when the game goes on."""
        place = laid.place
        moving = MovingCard(laid.card, rest_at(place, self._world.now_ns), pile)
        self._world.table.lay(moving)
        flip = replace(laid.flip, number=len(self._world.truth.flips))
        self._world.truth.flips.append(flip)
        self.put(pile, replace(laid, flip=flip))

    def put(self, pile: int, laid: OnPile) -> None:
        """A card lies on a pile again."""
        self.cards[pile].append(laid)
        self.note(pile)
