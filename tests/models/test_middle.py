"""What the middle of a card says, and what follows from it."""

from __future__ import annotations

import numpy as np
import pytest

from models.agreement import apart, was_there
from models.candidates import Candidate, with_middle
from models.decks import ANSWERS
from models.locate import Pose
from models.middle import (
    CROP,
    HIDDEN,
    MIDDLES,
    SEEN_PART,
    answers_from_middles,
    middle_crop,
    middle_input,
)
from models.overlap import top_of
from models.reader import is_sure
from models.recognise import Opinion
from referee.rules.cards import RANKS

POSE = Pose(160, 150, np.pi / 2, 160, 112)


def _shares(names: tuple[str, ...], **shares: float) -> np.ndarray:
    rest = (1 - sum(shares.values())) / len(names)
    return np.array([rest + shares.get(f"_{name}", 0.0) for name in names], np.float32)


def _middle(name: str, share: float = 0.98) -> np.ndarray:
    return _shares(MIDDLES, **{f"_{name}": share})


def _card(
    pose: Pose = POSE, *, new: float = 0.9, suit: int = 0, points: int = 0, **shares: float
) -> Candidate:
    suits = np.full(5, 0.01, np.float32)
    suits[suit] = 0.96
    opinion = Opinion(_shares(ANSWERS, **shares), suits)
    return Candidate(pose, tuple(pose.index_points()[points : points + 2]), (opinion,) * 2, new)


@pytest.mark.parametrize("turn", [0.0, 0.6, np.pi / 2, 3.0, -2.0])
def test_crop_is_upright_whatever_the_cards_turn(turn: float) -> None:
    pose = Pose(150, 150, turn, 160, 112)
    picture = np.zeros((300, 300, 3), np.uint8)
    top = pose.corners()[:2].mean(0)
    foot = pose.corners()[2:].mean(0)
    mark = np.round(top + (foot - top) * 0.2).astype(int)
    picture[mark[1] - 3 : mark[1] + 4, mark[0] - 3 : mark[0] + 4] = 255
    crop = middle_crop(picture, pose)
    y, x = (axis.mean() for axis in np.nonzero(crop[..., 0] > 128))
    assert (x / CROP[0], y / CROP[1]) == pytest.approx((0.5, 0.22), abs=0.03)


def test_letters_in_the_corners_are_not_seen() -> None:
    dice = np.random.default_rng(1)
    crop = dice.integers(0, 255, (1, CROP[1], CROP[0], 3), dtype=np.uint8)
    other = crop.copy()
    other[:, SEEN_PART == 0] = 7
    assert (middle_input(crop) == middle_input(other)).all()
    hidden = 4 * HIDDEN[0] * HIDDEN[1]
    assert hidden < 1 - SEEN_PART.mean() < hidden + 0.1


def test_light_and_tint_do_not_matter() -> None:
    crop = np.random.default_rng(2).integers(60, 120, (1, CROP[1], CROP[0], 3), dtype=np.uint8)
    seen, brighter = middle_input(crop), middle_input(crop + np.uint8(40))
    assert np.allclose(seen, brighter, atol=1e-3)


@pytest.mark.parametrize("rank", RANKS)
def test_middle_speaks_for_its_rank_and_pictures_for_all_courts(rank: str) -> None:
    shown = "picture" if rank in "JQK" else rank
    fits = dict(zip(ANSWERS, answers_from_middles(_middle(shown)), strict=True))
    against = {answer for answer, fit in fits.items() if fit < 0.1}
    courts = {"J", "Q", "K", "X"}
    assert against == {*RANKS, "X"} - (courts if shown == "picture" else {rank})


def test_middle_that_is_no_whole_card_says_nothing() -> None:
    assert answers_from_middles(_middle("none", 1.0)).min() > 0.99


def test_letters_that_are_confused_are_told_apart_by_the_middle() -> None:
    """A German B that looks like an 8."""
    jack = with_middle(_card(_8=0.7, _J=0.25), _middle("picture"))
    eight = with_middle(_card(_8=0.7, _J=0.25), _middle("8"))
    assert (jack.together.answer, eight.together.answer) == ("J", "8")
    assert is_sure(jack)
    assert is_sure(eight)


def test_contradicted_letters_are_unread() -> None:
    assert not is_sure(with_middle(_card(_8=0.97, _J=0.01), _middle("5")))


def test_letters_beyond_doubt_outweigh_a_deck_that_prints_no_pips() -> None:
    assert is_sure(with_middle(_card(_8=0.9999), _middle("A", 0.9)))


def test_of_two_cards_the_one_whose_middle_is_whole_lies_on_top() -> None:
    below = with_middle(_card(Pose(150, 140, 1.2, 160, 112), _9=0.99), _middle("none"))
    above = with_middle(_card(_4=0.99), _middle("4"))
    luma = np.full((300, 300), 200, np.uint8)
    for pile in ([below, above], [above, below]):
        best, clear = top_of(pile, luma)
        assert best is not None
        assert (best.together.answer, clear) == ("4", True)


# --- pushed cards ---------------------------------------------------------------------------------

FAR = Pose(160, 300, np.pi / 2, 160, 112)


def test_two_cards_differ_and_share_no_corner() -> None:
    assert apart([_card(_9=0.99), _card(FAR, _4=0.99)]) is not None
    assert apart([_card(_9=0.99), _card(FAR, _9=0.99)]) is None
    assert apart([_card(_9=0.99), _card(FAR, _9=0.99, suit=1)]) is not None
    (x, y, _), _ = POSE.index_points()[:2]
    beside = Pose(2 * x - POSE.x, 2 * y - POSE.y, POSE.down, 160, 112)
    assert apart([_card(_9=0.99), _card(beside, _4=0.99)]) is None


def test_covered_card_of_which_one_corner_lay_there_was_pushed() -> None:
    card = with_middle(_card(new=0.4, _9=0.99), _middle("none"))
    (x, y, down), _ = card.points
    old = [((x + 5, y - 4, down), "9")]
    assert was_there(card, old)
    assert not was_there(card, [((x + 20, y - 14, down), "4")])
    assert not was_there(with_middle(_card(new=0.4, _9=0.99), _middle("9")), old)
    assert not was_there(with_middle(_card(new=0.7, _9=0.99), _middle("none")), old)


def test_corner_hardly_moved_lay_there_whatever_it_was_read_as() -> None:
    """Half of it may have been hidden, so that it was misread."""
    old = [((x + 6, y - 4, down), "none") for x, y, down in _card().points]
    assert was_there(_card(new=0.5, _9=0.99), old)
    assert not was_there(_card(new=0.9, _9=0.99), old)
    assert not was_there(_card(new=0.5, _9=0.99), [(old[0][0], "none")])
