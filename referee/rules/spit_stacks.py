"""Spit: a player's stock piles, what may be done with them, and when they are blocked.

A stock pile is face-down cards with face-up cards on top of them. At the start one card is face up;
a card is put only on an equal rank or an empty place, and a bared card is turned up. So **the
face-up cards of one stock pile always have the same rank**. That makes the search of "blocked"
short and exact. A card that a move brings to the top without turning it up has the rank of the card
that lay on it, hence no new rank can be played before a face-down card is turned up. And one can be
turned up if, and only if, a stock pile hides cards and

- a place is empty: all face-up cards of that stock pile go there, one after the other; or
- two tops have the same rank: one stock pile's face-up cards go onto the other's. That turns a card
  up, or bares a place, and then the first case holds.

Without an empty place and without two equal tops there is no move at all. tests/rules compare this
with a search through all sequences of moves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.rules.cards import Card
from referee.rules.spit_ranks import fits, is_same_card


@dataclass(frozen=True, slots=True)
class Stack:
    """One stock pile, or the bare place where it lay."""

    cards: tuple[Card, ...] = ()
    """Bottom first."""
    hidden: int = 0
    """How many of them, from the bottom, are face down."""

    @property
    def top(self) -> Card | None:
        """The open card that may be played or moved."""
        return self.cards[-1] if self.cards else None

    def without_top(self) -> Stack:
        """The top card is gone and the next one is turned up.

        Source: Spit, "Spielablauf" 2.
        """
        rest = self.cards[:-1]
        return Stack(rest, min(self.hidden, max(0, len(rest) - 1)))

    def with_card(self, card: Card) -> Stack:
        """One more open card."""
        return Stack((*self.cards, card), self.hidden)


@dataclass(frozen=True, slots=True)
class Stacks:
    """All stock piles of one player whose cards are known."""

    places: tuple[Stack, ...]
    """As laid out; a place stays when its stock pile is gone."""

    def __len__(self) -> int:
        return sum(len(stack.cards) for stack in self.places)

    def find(self, card: Card) -> int | None:
        """The place where this card lies open on top, counted from 0."""
        for place, stack in enumerate(self.places):
            if stack.top is not None and is_same_card(stack.top, card):
                return place
        return None

    def without(self, place: int) -> Stacks:
        """The top card of a place was played."""
        return self._put({place: self.places[place].without_top()})

    def moved(self, source: int, target: int) -> Stacks:
        """A top card went from one place to another."""
        card = self.places[source].cards[-1]
        return self._put(
            {
                source: self.places[source].without_top(),
                target: self.places[target].with_card(card),
            }
        )

    def _put(self, changed: dict[int, Stack]) -> Stacks:
        places = (changed.get(place, stack) for place, stack in enumerate(self.places))
        return replace(self, places=tuple(places))


def deal_face_down(stacks: Iterable[Iterable[Card]]) -> Stacks:
    """Stock piles as they are laid out: only the last card of each is face up.

    The sheet gives the larger stacks as many open as hidden cards, more than they have.

    Source: Spit, "Aufbau" (eine Karte, die offen liegt).
    """
    laid = [tuple(cards) for cards in stacks]
    return Stacks(tuple(Stack(cards, max(0, len(cards) - 1)) for cards in laid))


def why_not_moved(stacks: Stacks, source: int, target: int) -> str | None:
    """A top card may go onto an equal rank or an empty place, and nowhere else.

    Args:
        stacks: The player's stock piles.
        source: Place it comes from, counted from 0.
        target: Place it goes to.

    Returns:
        The reason why it may not; None if it may.

    Source: Spit, "Spielablauf" 3 and 4.
    """
    places = stacks.places
    if not 0 <= source < len(places) or places[source].top is None:
        return "empty_source"
    if not 0 <= target < len(places) or source == target:
        return "rank"
    card, onto = places[source].top, places[target].top
    return None if onto is None or (card and card.rank == onto.rank) else "rank"


def can_play(stacks: Stacks, tops: Iterable[Card | None], *, equal_rank: bool) -> bool:
    """An open card fits on a spit pile."""
    wanted = list(tops)
    return any(
        fits(stack.top, top, equal_rank=equal_rank)
        for stack in stacks.places
        if stack.top is not None
        for top in wanted
    )


def can_turn_up(stacks: Stacks) -> bool:
    """Some sequence of own moves turns up a face-down card.

    Why these few lines are exact stands at the top of this file.

    Source: Spit, "Spielablauf" 3 and 4.
    """
    if not any(stack.hidden for stack in stacks.places):
        return False
    ranks = [stack.top.rank for stack in stacks.places if stack.top is not None]
    return len(ranks) < len(stacks.places) or len(set(ranks)) < len(ranks)


def is_blocked(stacks: Stacks, tops: Iterable[Card | None], *, equal_rank: bool) -> bool:
    """No play, and no sequence of own moves that leads to one. Sliding lone cards does not count.

    Source: Spit, "Spielablauf" (keine Züge mehr).
    """
    return not can_play(stacks, tops, equal_rank=equal_rank) and not can_turn_up(stacks)
