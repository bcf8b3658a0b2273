"""A deck taught frame by frame: what is wanted, and what every mishap is called."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.decks import BadDeck
from models.enrol.folder import FolderTeaching, named_pictures
from models.enrol.look import Flaw
from models.enrol.profile import BadProfile
from models.enrol.steps import Said, Step, What
from models.enrol.teaching import Teaching
from referee.rules.cards import RANKS

_spec = importlib.util.spec_from_file_location(
    "models_enrol_cards", Path(__file__).with_name("enrol_cards.py")
)
assert _spec is not None
assert _spec.loader is not None
cards = importlib.util.module_from_spec(_spec)
sys.modules["models_enrol_cards"] = cards
_spec.loader.exec_module(cards)

PLACES = ((210.0, 170.0, 0.2), (190.0, 160.0, 1.1))


def _teaching(checks: int = 4) -> Teaching:
    return Teaching(cards.reader(), "oma", "en", checks=checks)


def _show(teaching: Teaching, image: np.ndarray, frames: int = 4) -> list[Said]:
    """A table that stands still for some frames."""
    dice = np.random.default_rng(int(image.sum()) % 1000)
    said = []
    for _ in range(frames):
        noisy = np.clip(image + dice.normal(0, 1, image.shape), 0, 255).astype(np.uint8)
        said.append(teaching.see(noisy))
    return [one for one in said if one is not None]


def _lay(teaching: Teaching, name: str, place: int = 0) -> list[Said]:
    """A card is laid on the bare table."""
    _show(teaching, cards.bare())
    return _show(teaching, cards.picture((name, *PLACES[place])))


def _with_table() -> Teaching:
    teaching = _teaching()
    assert [one.what for one in _show(teaching, cards.bare())] == [What.CLEARED]
    return teaching


def test_bare_table_comes_first_and_a_card_on_it_is_told() -> None:
    teaching = _teaching()
    assert teaching.ask.step is Step.BARE
    said = _show(teaching, cards.picture(("7S", *PLACES[0])))
    assert [one.what for one in said] == [What.HAND]
    assert [one.what for one in _show(teaching, cards.bare())] == [What.CLEARED]
    assert (teaching.ask.step, teaching.ask.rank) == (Step.LAY, "A")


def test_lens_cap_is_told_once() -> None:
    teaching = _teaching()
    said = _show(teaching, np.zeros((340, 420, 3), np.uint8), 8)
    assert [(one.what, one.flaw) for one in said] == [(What.FLAW, Flaw.DARK)]


def test_card_is_wanted_twice_in_different_places() -> None:
    teaching = _with_table()
    assert [one.what for one in _lay(teaching, "AS")] == [What.TAKEN]
    assert (teaching.ask.step, teaching.ask.rank, teaching.ask.number) == (Step.MOVE, "A", 2)
    assert _lay(teaching, "AS") == [], "it lies where it lay"
    assert [one.what for one in _lay(teaching, "AS", 1)] == [What.TAKEN]
    assert (teaching.ask.step, teaching.ask.rank) == (Step.LAY, "2")
    assert 0.05 < teaching.ask.progress < 0.09


def test_same_card_again_is_refused_and_names_it() -> None:
    teaching = _with_table()
    for place in (0, 1):
        _lay(teaching, "AS", place)
    said = _lay(teaching, "AS", 0)
    assert [(one.what, one.rank, one.other) for one in said] == [(What.SAME_CARD, "2", "A")]


def test_wrong_card_is_refused_unless_somebody_insists() -> None:
    teaching = _with_table()
    said = _lay(teaching, "7H")
    assert [(one.what, one.rank, one.other) for one in said] == [(What.OTHER_RANK, "A", "7")]
    teaching.insist()
    again = _show(teaching, cards.picture(("7H", *PLACES[0])))
    assert [one.what for one in again] == [What.TAKEN]


def test_hand_beside_the_card_is_told() -> None:
    teaching = _with_table()
    seen = cards.picture(("AS", 120.0, 170.0, 0.1))
    cv2.line(seen, (330, 0), (300, 300), (120, 150, 200), 60)
    assert [one.what for one in _show(teaching, seen)] == [What.HAND]


def test_hand_on_a_corner_teaches_nothing() -> None:
    teaching = _with_table()
    _lay(teaching, "AS")
    seen = cards.picture(("AS", 200.0, 170.0, 0.0))
    seen[70:150, 130:200] = (120, 150, 200)
    said = _show(teaching, seen)
    assert said[0].what in (What.FLAW, What.HAND)
    assert teaching.ask.number == 2


def test_card_of_another_size_is_told() -> None:
    teaching = _with_table()
    _lay(teaching, "AS")
    _show(teaching, cards.bare())
    larger = cards.picture(("AS", *PLACES[1]), height_px=cards.HEIGHT_PX * 1.35)
    assert [one.what for one in _show(teaching, larger)] == [What.OTHER_SIZE]


def test_moving_table_teaches_nothing() -> None:
    teaching = _with_table()
    said = []
    for step in range(8):
        seen = cards.picture(("AS", 180.0 + 6 * step, 170.0, 0.1 * step))
        said.append(teaching.see(seen))
    assert said == [None] * 8


def _taught(teaching: Teaching) -> list[Said]:
    said: list[Said] = []
    for number, rank in enumerate(RANKS):
        for place in (0, 1):
            said += _lay(teaching, f"{rank}{'SHDC'[number % 4]}", place)
    return said


def test_whole_deck_is_learned_and_checked() -> None:
    teaching = _with_table()
    said = _taught(teaching)
    assert [one.what for one in said] == [What.TAKEN] * 26
    asked = []
    while teaching.ask.step is Step.CHECK:
        asked.append(teaching.ask.rank)
        said = _lay(teaching, f"{teaching.ask.rank}H", len(asked) % 2)
    assert said[-1].what is What.DONE
    assert len(asked) == 4
    assert asked != sorted(asked, key=RANKS.index), "in another order"
    profile = teaching.profile
    assert profile is not None
    assert len(profile.ranks) >= 52
    assert profile.picture == cards.SIZE
    assert abs(profile.card_height_px - cards.HEIGHT_PX) < 9


def test_deck_that_is_misread_on_the_second_look_is_refused() -> None:
    teaching = _with_table()
    _taught(teaching)
    wanted = teaching.ask.rank
    other = "5" if wanted != "5" else "4"
    first = _lay(teaching, f"{other}H", 0)
    assert [(one.what, one.other) for one in first] == [(What.WRONG, other)]
    second = _lay(teaching, f"{other}H", 1)
    assert second[-1].what is What.REFUSED
    assert teaching.trouble is not None
    assert (teaching.trouble.kind, teaching.trouble.rank) == ("misread", wanted)
    assert teaching.profile is None


def test_no_deck_of_that_language_or_name() -> None:
    with pytest.raises(BadDeck):
        Teaching(cards.reader(), "oma", "xx")
    with pytest.raises(BadProfile):
        Teaching(cards.reader(), "Oma!", "en")


# --- folders --------------------------------------------------------------------------------------


def _folder(tmp_path: Path, looks: int, **swaps: str) -> Path:
    for number, rank in enumerate(RANKS):
        for look in range(looks):
            name = f"{rank}{'SHDC'[number % 4]}"
            shown = swaps.get(f"x{name}_{look}", name)
            turn = 0.3 + 1.1 * look
            seen = cards.picture((shown, 205.0 + 3 * look, 170.0, turn), seed=look)
            cv2.imwrite(str(tmp_path / f"{name}-{look}.png"), seen)
    return tmp_path


def test_folder_of_named_pictures_is_learned(tmp_path: Path) -> None:
    teaching = FolderTeaching(cards.reader(), "oma", "en")
    pictures = named_pictures(_folder(tmp_path, 3))
    assert {(named.rank, named.suit) for named in pictures} >= {("A", "S"), ("10", "H")}
    assert list(teaching.learn(pictures)) == []
    assert teaching.profile is not None
    assert teaching.checked == 13
    assert set(teaching.profile.suits.tolist()) == {0, 1, 2, 3}


def test_folder_with_a_wrong_picture_skips_it_and_names_the_card(tmp_path: Path) -> None:
    teaching = FolderTeaching(cards.reader(), "oma", "en")
    folder = _folder(tmp_path, 2, x8C_0="7D", x8C_1="7D")
    skipped = list(teaching.learn(named_pictures(folder)))
    assert [(one.rank, one.other) for one in skipped] == [("8", "7")] * 2
    assert teaching.trouble is not None
    assert (teaching.trouble.kind, teaching.trouble.rank) == ("missing", "8")
    assert teaching.profile is None


@pytest.mark.parametrize("name", ["IMG_2383", "ace", "11S", "KX", "QS2x"])
def test_name_that_tells_no_card_is_one_sentence(name: str, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / f"{name}.png"), cards.picture(("KS", *PLACES[0])))
    with pytest.raises(BadProfile, match="does not say which card"):
        named_pictures(tmp_path)


@pytest.mark.parametrize(
    ("name", "rank", "suit"),
    [("A-1", "A", "?"), ("10H", "10", "H"), ("k_2", "K", "?"), ("qs 3", "Q", "S"), ("7", "7", "?")],
)
def test_name_tells_the_card(name: str, rank: str, suit: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.png").write_bytes(b"")
    [named] = named_pictures(tmp_path)
    assert (named.rank, named.suit) == (rank, suit)
