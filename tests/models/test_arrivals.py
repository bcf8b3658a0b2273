"""Second opinions and second looks at the same corner."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from models.arrivals import Arrivals, Attempt
from models.candidates import Candidate, seconded
from models.locate import Pose
from models.reader import Reader, is_sure
from models.recognise import Opinion

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
