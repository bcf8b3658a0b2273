"""The decks that the simulated table draws."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.simulated.deck import (
    INDEX_TEXT,
    STYLES,
    CardArt,
    DeckStyle,
    Language,
    draw_back,
    draw_deck,
)
from hardware.simulated.letters import LETTERS, BadFont, letter_mask
from referee.rules.cards import Card, deck_of_52, parse_card


def small(art: CardArt) -> np.ndarray:
    return cv2.resize(art.bgr, (40, 60), interpolation=cv2.INTER_AREA).astype(int)


@pytest.mark.parametrize("name", sorted(STYLES))
def test_every_style_has_52_cards_that_look_different(name: str) -> None:
    deck = draw_deck(STYLES[name], "en", height_px=90)
    assert set(deck) == set(deck_of_52())
    pictures = [small(art) for art in deck.values()]
    least = min(np.abs(a - b).max() for a, b in combinations(pictures, 2))
    assert least > 50


def test_the_same_seed_draws_the_same_deck() -> None:
    first = draw_deck(STYLES["family"], "de", 3, 50)
    again = draw_deck(STYLES["family"], "de", 3, 50)
    other = draw_deck(STYLES["family"], "de", 4, 50)
    assert all(np.array_equal(first[card].bgr, again[card].bgr) for card in first)
    assert any(not np.array_equal(first[card].bgr, other[card].bgr) for card in first)


def test_jokers_come_only_when_asked_for() -> None:
    assert Card("X", "R") not in draw_deck(DeckStyle(), height_px=100)
    deck = draw_deck(DeckStyle(), height_px=100, jokers=True)
    assert len(deck) == 54


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_a_court_s_corner_shows_the_letter_of_the_language(
    language: Language,
) -> None:
    deck = draw_deck(DeckStyle(letters="sans"), language, height_px=200)
    for rank in "JQK":
        art = deck[Card(rank, "S")]
        place = art.indices[0]
        shown = _cut(art, place.x, place.y, place.width, place.height)
        scores = {text: _likeness(shown, text) for text in ("J", "Q", "K", "B", "D", "V", "R", "H")}
        assert max(scores, key=lambda text: scores[text]) == INDEX_TEXT[language][rank]


def _cut(art: CardArt, x: float, y: float, w: float, h: float) -> np.ndarray:
    px = art.bgr.shape[0]
    rows = slice(round((y - h / 2) * px), round((y + h / 2) * px))
    columns = slice(round((x - w / 2) * px), round((x + w / 2) * px))
    return 255 - cv2.cvtColor(art.bgr[rows, columns], cv2.COLOR_BGR2GRAY)


def _likeness(shown: np.ndarray, text: str, letters: str = "sans") -> float:
    mask = letter_mask(text, LETTERS[letters], shown.shape[0], 10 * shown.shape[0])
    size = (40, 60)
    a = cv2.resize(shown, size).astype(float).ravel()
    b = cv2.resize(mask, size).astype(float).ravel()
    return float(np.corrcoef(a, b)[0, 1])


def test_four_corners_show_four_letters_upright_and_turned() -> None:
    art = draw_deck(STYLES["family"], "en", height_px=200)[parse_card("7H")]
    assert [place.upside_down for place in art.indices] == [False, True, False, True]
    turned = CardArt(art.card, art.bgr[::-1, ::-1], art.alpha)
    scores = []
    for place in art.indices:
        x, y = (0.7 - place.x, 1 - place.y) if place.upside_down else (place.x, place.y)
        shown = _cut(turned if place.upside_down else art, x, y, place.width, place.height)
        scores.append(_likeness(shown, "7", "bold"))
    assert min(scores) > 0.85


def test_index_height_is_the_share_of_the_card_that_was_asked_for() -> None:
    for share in (0.07, 0.12, 0.2):
        art = draw_deck(DeckStyle(index_height=share), height_px=60)[parse_card("4S")]
        assert art.indices[0].height == pytest.approx(share, rel=0.04)


def test_the_back_shows_no_face() -> None:
    back = draw_back(DeckStyle(), 200)
    assert back.indices == ()
    assert np.abs(back.bgr.astype(int) - back.bgr[::-1, ::-1]).mean() < 40


def test_a_file_that_is_no_font_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "no.ttf"
    path.write_text("nothing")
    with pytest.raises(BadFont, match=r"cannot read the font .*no\.ttf"):
        draw_deck(DeckStyle(font_path=path), height_px=100)
