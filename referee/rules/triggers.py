"""What may be slapped: one function a pattern.

Every function looks at the seen cards of the pile, top last; `bottom` is the card that counts as
the lowest, None if nobody knows it. The top card is read; any other may be unread, and an unread
card equals nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from referee.rules.cards import JOKER_RANK, RANKS, Card
from referee.rules.house_rules import HouseRules
from referee.rules.house_rules_check import TRIGGER_NAMES

Trigger = Callable[[Sequence[Card], Card | None], bool]

_PLACE = {rank: place for place, rank in enumerate(RANKS)}
"""Place of a rank in the circle A-2-...-K-A."""

_NUMBERS = {str(number): number for number in range(2, 10)}
_NUMBERS_WITH_ACE = {**_NUMBERS, "A": 1}

_RANK_NAMES = {
    "jack": "J",
    "king": "K",
    "ace": "A",
    "queen": "Q",
    "joker": JOKER_RANK,
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
}


def is_rank(pile: Sequence[Card], bottom: Card | None, *, rank: str) -> bool:
    """The top card has the agreed rank.

    Source: Slapjack, "Spielablauf" 2 (Einen Buben schlagen); "Häufige Varianten".
    """
    return pile[-1].rank == rank


def is_pair(pile: Sequence[Card], bottom: Card | None) -> bool:
    """The two top cards share a rank.

    Source: Egyptian Ratscrew, "Die Schläge" (Paar); Slapjack, "Häufige Varianten".
    """
    return len(pile) >= 2 and pile[-1].rank == pile[-2].rank


def is_sandwich(pile: Sequence[Card], bottom: Card | None) -> bool:
    """Two cards of one rank with exactly one card between them.

    Source: Egyptian Ratscrew, "Die Schläge" (Sandwich); Slapjack, "Häufige Varianten".
    """
    return len(pile) >= 3 and pile[-1].rank == pile[-3].rank


def is_top_bottom(pile: Sequence[Card], bottom: Card | None) -> bool:
    """The top card has the rank of the very lowest card.

    Source: Egyptian Ratscrew, "Die Schläge" (Oben-unten).
    """
    if bottom is None or (len(pile) == 1 and bottom is pile[0]):
        return False
    return pile[-1].rank == bottom.rank


def is_marriage(pile: Sequence[Card], bottom: Card | None) -> bool:
    """A queen on a king.

    Source: Egyptian Ratscrew, "Das Gewinnen" (eine Hochzeit, eine Dame auf einem König).
    """
    return len(pile) >= 2 and pile[-1].rank == "Q" and pile[-2].rank == "K"


def is_marriage_either(pile: Sequence[Card], bottom: Card | None) -> bool:
    """King and queen, in any order.

    Source: the box's own.
    """
    return len(pile) >= 2 and _are_king_and_queen(pile[-1], pile[-2])


def is_marriage_same_suit(pile: Sequence[Card], bottom: Card | None) -> bool:
    """King and queen of one suit, in any order.

    Source: the box's own.
    """
    return is_marriage_either(pile, bottom) and _share_suit(pile[-2:])


def is_tens(pile: Sequence[Card], bottom: Card | None, *, ace: bool) -> bool:
    """The two top cards are numbers that make ten.

    Source: Egyptian Ratscrew, "Das Gewinnen" (zwei Karten, die zusammen zehn ergeben).
    """
    return len(pile) >= 2 and _make_ten(pile[-1], pile[-2], ace)


def is_ten_sandwich(pile: Sequence[Card], bottom: Card | None, *, ace: bool) -> bool:
    """Two numbers that make ten, with one card between them.

    Source: the box's own.
    """
    return len(pile) >= 3 and _make_ten(pile[-1], pile[-3], ace)


def is_divorce(pile: Sequence[Card], bottom: Card | None) -> bool:
    """King and queen with one card between them.

    Source: the box's own.
    """
    return len(pile) >= 3 and _are_king_and_queen(pile[-1], pile[-3])


def is_run(pile: Sequence[Card], bottom: Card | None, *, length: int) -> bool:
    """Neighbours in the circle of ranks, all up or all down.

    Source: the box's own.
    """
    if len(pile) < length or any(card.rank not in _PLACE for card in pile[-length:]):
        return False
    places = [_PLACE[card.rank] for card in pile[-length:]]
    steps = {(b - a) % len(RANKS) for a, b in pairwise(places)}
    return steps in ({1}, {len(RANKS) - 1})


def is_six_nine(pile: Sequence[Card], bottom: Card | None) -> bool:
    """A six and a nine, in any order.

    Source: the box's own.
    """
    return len(pile) >= 2 and {pile[-1].rank, pile[-2].rank} == {"6", "9"}


def is_four_apart(pile: Sequence[Card], bottom: Card | None) -> bool:
    """Two cards of one rank with two cards between them.

    Source: the box's own.
    """
    return len(pile) >= 4 and pile[-1].rank == pile[-4].rank


def is_flush(pile: Sequence[Card], bottom: Card | None, *, length: int) -> bool:
    """The top cards share a suit.

    Source: the box's own.
    """
    return len(pile) >= length and _share_suit(pile[-length:])


def _are_king_and_queen(one: Card, other: Card) -> bool:
    return {one.rank, other.rank} == {"K", "Q"}


def _make_ten(one: Card, other: Card, ace: bool) -> bool:
    numbers = _NUMBERS_WITH_ACE if ace else _NUMBERS
    return numbers.get(one.rank, 0) + numbers.get(other.rank, 100) == 10


def _share_suit(cards: Sequence[Card]) -> bool:
    return cards[0].suit != "?" and all(card.suit == cards[0].suit for card in cards)


def agreed_triggers(rules: HouseRules) -> tuple[tuple[str, Trigger], ...]:
    """The patterns of a table, in the order in which they are reported."""
    ace = rules.tens_ace == "one"
    patterns: dict[str, Trigger] = {
        **{name: partial(is_rank, rank=rank) for name, rank in _RANK_NAMES.items()},
        "pair": is_pair,
        "sandwich": is_sandwich,
        "top_bottom": is_top_bottom,
        "marriage": is_marriage,
        "marriage_either": is_marriage_either,
        "marriage_same_suit": is_marriage_same_suit,
        "tens": partial(is_tens, ace=ace),
        "ten_sandwich": partial(is_ten_sandwich, ace=ace),
        "divorce": is_divorce,
        "run3": partial(is_run, length=3),
        "run4": partial(is_run, length=4),
        "six_nine": is_six_nine,
        "four_apart": is_four_apart,
        "flush3": partial(is_flush, length=3),
        "flush4": partial(is_flush, length=4),
    }
    return tuple((name, patterns[name]) for name in TRIGGER_NAMES if name in rules.triggers)
