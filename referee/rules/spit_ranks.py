"""Spit: which card fits on which."""

from __future__ import annotations

from referee.rules.cards import RANKS, Card

_PLACES = tuple(enumerate(RANKS))

_STEPS = {
    (one, other): min(abs(place - where), len(RANKS) - abs(place - where))
    for place, one in _PLACES
    for where, other in _PLACES
}
"""Two ranks -> the shorter way from one to the other around the circle."""


def rank_steps(one: str, other: str) -> int | None:
    """Steps between two ranks in the circle A 2 3 ... Q K A; None for a joker or an unread card."""
    return _STEPS.get((one, other))


def are_neighbours(one: str, other: str) -> bool:
    """Two ranks follow each other in the circle A 2 3 ... Q K A.

    Source: Spit, "Spielablauf" (Asse sind sowohl hoch als auch niedrig).
    """
    return _STEPS.get((one, other)) == 1


def fits(card: Card, top: Card | None, *, equal_rank: bool) -> bool:
    """The card is one rank above or below the pile's top card.

    Args:
        card: The card that was played.
        top: The pile's top card; None if no card lies there.
        equal_rank: House rule: the same rank may be played, too.

    Source: Spit, "Spielablauf" (einen Wert höher oder niedriger).
    """
    if top is None:
        return False
    return are_neighbours(card.rank, top.rank) or (equal_rank and card.rank == top.rank)


def is_same_card(one: Card, other: Card) -> bool:
    """Both may be the same card: equal ranks, and suits that do not contradict each other."""
    return one.rank == other.rank and (one.suit == other.suit or "?" in (one.suit, other.suit))
