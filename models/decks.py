"""What the corner of a card says: a glyph, and the rank that it names in a deck's language.

A letter alone names no rank: B is Bube in a German deck and boer in a Dutch one, D is Dame, V is
valet in French and vrouw in Dutch. The reader therefore tells glyphs apart, and the deck's
language turns them into ranks.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from referee.rules.cards import JOKER_RANK, RANKS
from referee.rules.errors import RefereeError

GLYPHS = (
    *("A", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"),
    *("J", "Q", "K", "B", "D", "V", "H", "R"),
    *("joker", "back", "none"),
)
"""What the reader tells apart, in the order of its scores."""

JOKER, BACK, NONE = (GLYPHS.index(name) for name in ("joker", "back", "none"))

_PIPS = {rank: rank for rank in RANKS[1:10]}
LANGUAGES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {"A": "A", **_PIPS, "J": "J", "Q": "Q", "K": "K"},
        "de": {"A": "A", **_PIPS, "B": "J", "D": "Q", "K": "K"},
        "fr": {"A": "A", "1": "A", **_PIPS, "V": "J", "D": "Q", "R": "K"},
        "nl": {"A": "A", **_PIPS, "B": "J", "V": "Q", "H": "K"},
    }
)
"""Language of a deck -> glyph -> rank."""

ANSWERS = (*RANKS, JOKER_RANK, "back", "none")
"""What a reading can say, once the language is known."""

TRUSTED_FOREIGN = 0.5
"""If glyphs that the language does not know have more than this share, nothing is said."""


class BadDeck(RefereeError, ValueError):
    """No deck has such index letters."""


def check_language(deck: str) -> str:
    """Return `deck` if it is a known language of index letters.

    Raises:
        BadDeck: It is not.
    """
    if deck not in LANGUAGES:
        raise BadDeck(f"no such deck: {deck!r}, expected one of {', '.join(LANGUAGES)} (--deck en)")
    return deck


def answer_matrix(deck: str) -> NDArray[np.float32]:
    """Sums glyph scores into ANSWERS: shape (glyphs, answers); foreign glyphs add to nothing."""
    table = np.zeros((len(GLYPHS), len(ANSWERS)), np.float32)
    for glyph, rank in LANGUAGES[check_language(deck)].items():
        table[GLYPHS.index(glyph), ANSWERS.index(rank)] = 1
    for glyph, answer in (("joker", JOKER_RANK), ("back", "back"), ("none", "none")):
        table[GLYPHS.index(glyph), ANSWERS.index(answer)] = 1
    return table


def answers_from_glyphs(
    glyphs: NDArray[np.float32], table: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Probabilities of ANSWERS from those of GLYPHS, shape (n, answers).

    What foreign glyphs took is given back to the known ones, unless it is most of it: then the
    deck speaks another language, and the answer is "none".
    """
    known = glyphs @ table
    total = known.sum(axis=1, keepdims=True)
    shared = known / np.maximum(total, 1e-9)
    foreign = (1 - total[:, 0]) > TRUSTED_FOREIGN
    shared[foreign] = known[foreign]
    shared[foreign, -1] += 1 - total[foreign, 0]
    return np.asarray(shared, np.float32)
