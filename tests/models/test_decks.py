"""A letter names a rank only in a deck's language."""

import numpy as np
import pytest

from models.decks import ANSWERS, GLYPHS, BadDeck, answer_matrix, answers_from_glyphs


def _seen(**shares: float) -> np.ndarray:
    glyphs = np.zeros((1, len(GLYPHS)), np.float32)
    for glyph, share in shares.items():
        glyphs[0, GLYPHS.index(glyph)] = share
    return glyphs


def _answer(deck: str, glyphs: np.ndarray) -> tuple[str, float]:
    answers = answers_from_glyphs(glyphs, answer_matrix(deck))[0]
    return ANSWERS[int(answers.argmax())], float(answers.max())


@pytest.mark.parametrize(
    ("deck", "glyph", "rank"),
    [
        ("de", "B", "J"),
        ("nl", "B", "J"),
        ("de", "D", "Q"),
        ("fr", "D", "Q"),
        ("fr", "V", "J"),
        ("nl", "V", "Q"),
        ("nl", "H", "K"),
        ("fr", "R", "K"),
        ("fr", "A", "A"),
        ("en", "Q", "Q"),
    ],
)
def test_letter_names_the_rank_of_its_language(deck: str, glyph: str, rank: str) -> None:
    assert _answer(deck, _seen(**{glyph: 1.0})) == (rank, pytest.approx(1.0))


def test_french_one_is_an_ace_like_a() -> None:
    glyphs = _seen(A=0.5)
    glyphs[0, GLYPHS.index("1")] = 0.5
    assert _answer("fr", glyphs) == ("A", pytest.approx(1.0))


def test_foreign_letter_says_nothing_rather_than_a_wrong_rank() -> None:
    glyphs = _seen(B=0.9)
    glyphs[0, GLYPHS.index("8")] = 0.1
    assert _answer("en", glyphs)[0] == "none"


def test_little_foreign_doubt_is_given_back_to_what_the_deck_knows() -> None:
    glyphs = _seen(B=0.2)
    glyphs[0, GLYPHS.index("8")] = 0.8
    assert _answer("en", glyphs) == ("8", pytest.approx(1.0))


def test_unknown_language_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadDeck, match="expected one of en, de, fr, nl"):
        answer_matrix("klingon")
