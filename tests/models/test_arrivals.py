"""Second opinions and second looks at the same corner."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.agreement import is_other, lay_there
from models.arrivals import Arrival, Arrivals, Attempt
from models.candidates import Candidate, lone, seconded
from models.locate import Pose, Spot
from models.reader import Reader, is_sure
from models.recognise import Opinion
from referee.rules.cards import Card

_spec = importlib.util.spec_from_file_location(
    "models_table_too", Path(__file__).with_name("table.py")
)
assert _spec is not None
assert _spec.loader is not None
tables = importlib.util.module_from_spec(_spec)
sys.modules["models_table_too"] = tables
_spec.loader.exec_module(tables)

POSE = Pose(100, 100, np.pi / 2, 120, 84)


def _pair(*shares: float, name: str = "7S") -> Candidate:
    opinions = tuple(tables.opinion(name, share) for share in shares)
    return Candidate(POSE, tuple(POSE.index_points()[:2]), opinions, 0.9)


def _said(*looks: tuple[float, float]) -> str:
    attempts = [Attempt((_pair(*look),), None, (), None) for look in looks]
    arrivals = Arrivals(Reader.__new__(Reader))
    return arrivals.decide(attempts, []).kind


def test_one_blurred_look_at_a_corner_does_not_make_a_card_unread() -> None:
    assert _said((0.99, 0.99), (0.99, 0.5)) == "card"


@pytest.mark.parametrize("looks", [((0.99, 0.2), (0.99, 0.99)), ((0.3, 0.3), (0.99, 0.99))])
def test_one_lucky_look_is_no_answer(looks: tuple[tuple[float, float], ...]) -> None:
    assert _said(*looks) != "card"


@pytest.mark.parametrize(("share", "sharp", "kind"), [(0.85, 0.9, "card"), (0.85, 0.3, "hand")])
def test_letters_out_of_focus_must_be_surer(share: float, sharp: float, kind: str) -> None:
    pair = replace(_pair(share, share), sharpness=sharp)
    arrivals = Arrivals(Reader.__new__(Reader))
    attempts = [Attempt((pair,), None, (), None)] * 2
    assert arrivals.decide(attempts, []).kind == kind
    sure = replace(_pair(0.99, 0.99), sharpness=sharp)
    assert arrivals.decide([Attempt((sure,), None, (), None)] * 2, []).kind == "card"


def test_changed_area_that_seconds_a_pair_twice_makes_up_for_a_little_doubt() -> None:
    pair = _pair(0.9, 0.75)
    arrivals = Arrivals(Reader.__new__(Reader))
    alone, seconded_twice = Attempt((pair,), None, (), None), Attempt((pair,), pair, (), None)
    doubtful = _pair(0.35, 0.35)
    assert arrivals.decide([seconded_twice] * 2, []).kind == "card"
    assert arrivals.decide([alone], []).kind != "card"
    for change in (None, doubtful):
        attempt = Attempt((doubtful,), change, (), None)
        assert arrivals.decide([attempt] * 2, []).kind != "card"


class _Witness:
    """Says the same of every corner."""

    def __init__(self, name: str) -> None:
        self._name = name

    def read(self, crops: list[np.ndarray]) -> list[Opinion]:
        """As models.recognise.GlyphReader.read."""
        return [tables.opinion(self._name) for _ in crops]


@pytest.mark.parametrize(("name", "sure"), [("7S", True), ("9S", False)])
def test_a_witness_that_contradicts_takes_the_certainty(name: str, sure: bool) -> None:
    table = np.zeros((240, 240, 3), np.uint8)
    (both,) = seconded(table, [_pair(0.99, 0.99)], _Witness(name))  # type: ignore[arg-type]
    assert is_sure(both) == sure
    assert [voice.answer for voice in both.voices[0]] == ["7", name[0]]


# --- two cards at once ----------------------------------------------------------------------------

HEIGHT_PX = POSE.height_px


def _corner(x: float, y: float, new: float = 0.9, down: float = 0.0) -> Spot:
    return Spot(x, y, down, 0.9, new, HEIGHT_PX)


def _beside(
    *shares: float, name: str = "KD", new: float = 0.9, pile: tuple[Card, ...] = ()
) -> Arrival:
    """What a sure pair comes to, beside which a lone corner is seen, so surely in each frame."""
    arrivals = Arrivals(Reader.__new__(Reader))
    attempts = [
        Attempt(
            (_pair(0.99, 0.99),),
            None,
            (_corner(190, 30),),
            None,
            (lone(_corner(190, 30, new), tables.opinion(name, share), HEIGHT_PX),),
        )
        for share in shares
    ]
    return arrivals.decide(attempts, pile)


def test_card_beside_which_another_one_landed_is_not_named_alone() -> None:
    assert _beside(0.99, 0.4).kind == "unread"
    assert _beside(0.99).kind == "unread"
    assert _beside(0.99, 0.99, name="back").kind == "unread"


def test_second_card_of_which_one_corner_is_beyond_doubt_is_named_below_the_other() -> None:
    both = _beside(0.99, 0.99)
    assert both.kind == "two"
    assert [card.rank for card in both.cards] == ["K", "7"]


def test_corner_that_names_the_same_card_is_its_own() -> None:
    alone = _beside(0.99, 0.99, name="7S")
    assert (alone.kind, [card.rank for card in alone.cards]) == ("card", ["7"])
    assert _beside(0.99, 0.99, name="7D").kind == "two"


def test_corner_of_the_top_card_that_was_pushed_is_no_second_card() -> None:
    top = (Card("5", "C"), Card("K", "S"))
    assert _beside(0.99, 0.99, new=0.57, pile=top).kind == "card"
    assert _beside(0.99, 0.99, new=0.9, pile=top).kind == "two"
    assert _beside(0.99, 0.99, new=0.57, pile=top[:1]).kind == "two"


def test_corner_that_is_no_part_of_the_card_is_another_card() -> None:
    pair = _pair(0.99, 0.99)
    for x, y, down in POSE.index_points():
        assert not is_other(_corner(x + 0.1 * HEIGHT_PX, y, down=down), pair)
    assert is_other(_corner(190, 30), pair)
    assert not is_other(_corner(190, 30, new=0.3), pair)


def test_corner_that_lay_there_before_was_only_pushed() -> None:
    old = [((190.0, 30.0, 0.0), "K")]
    assert lay_there(_corner(200, 36, down=0.2), old, HEIGHT_PX)
    assert not lay_there(_corner(230, 30), old, HEIGHT_PX)
    assert not lay_there(_corner(190, 30, down=2.0), old, HEIGHT_PX)
