"""One look at one card: its corners, or the flaw by name."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from models.enrol.collect import Collected, judge
from models.enrol.letter import alike
from models.enrol.look import Flaw, Look, take_look
from models.enrol.own import OwnReader
from models.enrol.teaching import read_again
from referee.rules.cards import RANKS

_spec = importlib.util.spec_from_file_location(
    "models_enrol_cards", Path(__file__).with_name("enrol_cards.py")
)
assert _spec is not None
assert _spec.loader is not None
cards = importlib.util.module_from_spec(_spec)
sys.modules["models_enrol_cards"] = cards
_spec.loader.exec_module(cards)


@pytest.mark.parametrize("height_px", [None, cards.HEIGHT_PX])
def test_two_corners_of_a_card_are_cut_out(height_px: float | None) -> None:
    look = take_look(cards.reader(), cards.picture(("7S", 200, 170, 0.4)), height_px)
    assert isinstance(look, Look)
    assert look.patches.shape == (2, 64, 48, 3)
    assert abs(look.pose.x - 200) < 6
    assert abs(look.pose.y - 170) < 6
    assert look.pose.height_px == pytest.approx(cards.HEIGHT_PX, rel=0.05)
    assert look.picture == cards.SIZE
    assert alike(look.patches[:1], look.patches[1:]) > 0.8


def test_black_picture_is_dark() -> None:
    assert take_look(cards.reader(), np.zeros((340, 420, 3), np.uint8)) is Flaw.DARK


def test_bare_table_is_empty() -> None:
    assert take_look(cards.reader(), cards.bare()) is Flaw.EMPTY


@pytest.mark.parametrize("blur", [3.0, 5.0, 9.0])
def test_blurred_card_teaches_nothing(blur: float) -> None:
    seen = cards.picture(("7S", 200, 170, 0.4), blur=blur)
    assert isinstance(take_look(cards.reader(), seen, cards.HEIGHT_PX), Flaw)


def test_blur_that_leaves_the_corners_is_named() -> None:
    seen = cards.picture(("KH", 200, 170, 0.1), blur=3.0)
    assert take_look(cards.reader(), seen, cards.HEIGHT_PX) is Flaw.BLURRED


def test_small_card_is_too_small() -> None:
    seen = cards.picture(("7S", 200, 170, 0.4), height_px=80, blur=0.4)
    assert take_look(cards.reader(), seen) is Flaw.SMALL


def test_hand_on_a_corner_hides_it() -> None:
    seen = cards.picture(("7S", 200, 170, 0.0))
    seen[70:150, 130:200] = (120, 150, 200)
    assert take_look(cards.reader(), seen, cards.HEIGHT_PX) in (Flaw.ONE_CORNER, Flaw.UNLIKE)


def test_two_cards_are_a_crowd() -> None:
    seen = cards.picture(("7S", 120, 170, 0.0), ("KH", 300, 170, 0.1))
    assert take_look(cards.reader(), seen, cards.HEIGHT_PX) is Flaw.CROWDED


def _taught(style: str = "classic") -> Collected:
    collected = Collected("oma", "en")
    for number, rank in enumerate(RANKS):
        for turn in (0.2, 1.9):
            name = f"{rank}{'SHDC'[number % 4]}"
            seen = cards.picture((name, 210, 170, turn), style=style, seed=number)
            look = take_look(cards.reader(), seen, cards.HEIGHT_PX)
            assert isinstance(look, Look), (rank, turn, look)
            collected.add(look, rank)
    return collected


def test_taught_deck_reads_other_suits_and_places() -> None:
    profile = _taught().profile()
    trouble, nearest = judge(profile, cards.reader())
    assert trouble is None
    assert sorted(nearest) == sorted(RANKS)
    own = OwnReader(profile)
    said = {}
    for rank in RANKS:
        look = take_look(own, cards.picture((f"{rank}D", 205, 168, 3.0)), cards.HEIGHT_PX)
        assert isinstance(look, Look)
        said[rank] = read_again(own, look)
    assert all(answer in (rank, "") for rank, answer in said.items())
    assert sum(answer == rank for rank, answer in said.items()) >= 12
    assert not own.is_other_deck


def test_card_that_was_shown_as_another_is_known_again() -> None:
    collected = Collected("oma", "en")
    for turn in (0.2, 1.9):
        first = take_look(cards.reader(), cards.picture(("7S", 200, 170, turn)), cards.HEIGHT_PX)
        assert isinstance(first, Look)
        collected.add(first, "7")
    same = take_look(cards.reader(), cards.picture(("7S", 220, 165, 1.0)), cards.HEIGHT_PX)
    other = take_look(cards.reader(), cards.picture(("8S", 220, 165, 1.0)), cards.HEIGHT_PX)
    assert isinstance(same, Look)
    assert isinstance(other, Look)
    assert collected.shown_as(same, "8") == "7"
    assert collected.shown_as(same, "7") == ""
    assert collected.shown_as(other, "8") == ""


def test_two_ranks_that_look_alike_are_named() -> None:
    collected = _taught()
    profile = collected.profile()
    nine, six = RANKS.index("9"), RANKS.index("6")
    mixed = profile.patches.copy()
    at = np.flatnonzero(profile.ranks == nine)
    mixed[at[:2]] = profile.patches[profile.ranks == six][:2]
    import dataclasses

    trouble, _ = judge(dataclasses.replace(profile, patches=mixed), cards.reader())
    assert trouble is not None
    assert trouble.kind == "alike"
    assert {trouble.rank, trouble.other} == {"6", "9"}


def test_another_deck_on_the_table_is_noticed() -> None:
    own = OwnReader(_taught("jumbo").profile())
    for rank in RANKS:
        seen = cards.picture((f"{rank}C", 205, 168, 0.5), style="small")
        look = take_look(cards.reader(), seen, cards.HEIGHT_PX)
        if isinstance(look, Look):
            own.glyphs.read(list(look.patches))
    assert own.is_other_deck
