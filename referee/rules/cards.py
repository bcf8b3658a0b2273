"""Cards: rank, suit and their notation ("JS", "10H", "??")."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.errors import BadNotation

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")
JOKER_RANK = "X"
"""Rank of a joker; its suits are "R" (red or coloured) and "B" (black)."""


@dataclass(frozen=True, slots=True)
class Card:
    """One playing card."""

    rank: str
    """One of RANKS, "X" for a joker, "?" if nobody could read it."""
    suit: str
    """One of SUITS, "R" or "B" for a joker, "?" if the suit is not known."""

    def __str__(self) -> str:
        return self.rank + self.suit

    @property
    def is_read(self) -> bool:
        """The rank is known."""
        return self.rank != "?"


UNREAD = Card("?", "?")
"""A card was seen, but not read."""

_CARDS = {
    str(card): card
    for card in [
        *(Card(rank, suit) for rank in RANKS for suit in (*SUITS, "?")),
        Card(JOKER_RANK, "R"),
        Card(JOKER_RANK, "B"),
        Card(JOKER_RANK, "?"),
        UNREAD,
    ]
}


def parse_card(text: str) -> Card:
    """Read a card's notation.

    Args:
        text: Rank and suit, such as "JS" or "10H"; "J?" if only the rank is known; "??" if none.

    Raises:
        BadNotation: No card is written like this.
    """
    card = _CARDS.get(text)
    if card is None:
        raise BadNotation(
            f"no such card: {text!r}, expected a rank A 2 to 10 J Q K and a suit S H D C, "
            'such as "JS" or "10H"'
        )
    return card


def deck_of_52() -> tuple[Card, ...]:
    """All cards of one deck, by suit, then rank."""
    return tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
