"""Cards and the LED matrix as SVG paths of our own. Pure: words and numbers for the templates."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.cards import JOKER_RANK, Card, parse_card
from referee.rules.errors import BadNotation

INDEX = {
    "en": {"A": "A", "J": "J", "Q": "Q", "K": "K"},
    "de": {"A": "A", "J": "B", "Q": "D", "K": "K"},
    "fr": {"A": "1", "J": "V", "Q": "D", "K": "R"},
    "nl": {"A": "A", "J": "B", "Q": "V", "K": "H"},
}
"""Index letters by the deck's language."""

SUIT_PATHS = {
    "H": "M50 88C22 64 10 49 10 33 10 20 20 11 31 11 39 11 46 15 50 22 54 15 61 11 69 11 80 11 90 "
    "20 90 33 90 49 78 64 50 88Z",
    "D": "M50 6 84 50 50 94 16 50Z",
    "S": "M50 8C56 24 88 40 88 60 88 71 80 78 70 78 63 78 58 75 54 70 55 80 59 87 65 92H35C41 87 "
    "45 80 46 70 42 75 37 78 30 78 20 78 12 71 12 60 12 40 44 24 50 8Z",
    "C": "M50 8C61 8 69 16 69 27 69 33 67 38 63 42 74 39 90 45 90 60 90 71 82 79 71 79 63 79 57 75 "
    "53 68 54 79 58 87 65 92H35C42 87 46 79 47 68 43 75 37 79 29 79 18 79 10 71 10 60 10 45 26 39 "
    "37 42 33 38 31 33 31 27 31 16 39 8 50 8Z",
}
"""Outlines of the suits in a square of 100."""
STAR_PATH = "M50 6 61 38 95 38 68 58 78 91 50 71 22 91 32 58 5 38 39 38Z"


@dataclass(frozen=True, slots=True)
class Face:
    """What is drawn on a card."""

    rank: str
    """The index as this deck writes it; "?" if it is not known."""
    path: str
    """Outline of the suit; empty if it is not known."""
    is_red: bool


def face(notation: str, deck: str = "en") -> Face:
    """How a card looks.

    Args:
        notation: As the rules write it, "JS" or "??".
        deck: Language of the index.
    """
    try:
        card = parse_card(notation)
    except BadNotation:
        card = Card("?", "?")
    if card.rank == JOKER_RANK:
        return Face("★", STAR_PATH, card.suit == "R")
    letters = INDEX.get(deck, INDEX["en"])
    return Face(
        letters.get(card.rank, card.rank), SUIT_PATHS.get(card.suit, ""), card.suit in ("H", "D")
    )


def lit_path(rows: list[str], width: int) -> str:
    """The lit points of a matrix as one path of dots.

    Args:
        rows: One hex string a row; the first bit is the leftmost point.
        width: Points a row.
    """
    dots = []
    for y, row in enumerate(rows):
        bits = int(row or "0", 16)
        digits = 4 * len(row)
        dots += [f"M{x}.5 {y}.5h0" for x in range(width) if bits >> (digits - 1 - x) & 1]
    return "".join(dots)


def unlit_path(width: int, height: int = 8) -> str:
    """All points of a matrix."""
    return "".join(f"M{x}.5 {y}.5h0" for y in range(height) for x in range(width))
