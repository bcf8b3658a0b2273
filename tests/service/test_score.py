"""The referee's own score: what counts as wrong, what as doubt."""

from dataclasses import dataclass

import pytest

from referee.rules.cards import Card, parse_card
from referee.rules.events import Flip
from referee.rules.verdicts import (
    Doubt,
    FalseSlap,
    IgnoredSlap,
    LateSlap,
    Tie,
    ValidSlap,
    Verdict,
)
from referee.service.report import game_record, percentile, readings
from referee.service.score import score

MS = 1_000_000
T = 5000 * MS


@dataclass(frozen=True)
class Touch:
    touch_ns: int = T
    player: str = "Ann"
    top: Card | None = None
    slappable: bool = True
    first: bool = True


WRONG = Touch(slappable=False, first=False)
SECOND = Touch(first=False)


@pytest.mark.parametrize(
    ("slap", "verdict", "wrong", "doubt"),
    [
        (Touch(), ValidSlap(T, "Ann", "jack", ()), 0, 0),
        (Touch(), FalseSlap(T, "Ann", ()), 1, 0),
        (Touch(), LateSlap(T, "Ann"), 1, 0),
        (Touch(), IgnoredSlap(T, "Ann", "empty_pile"), 1, 0),
        (Touch(), IgnoredSlap(T, "Ann", "not_eligible"), 0, 0),
        (Touch(), Doubt(T, "Ann", 10 * MS), 0, 1),
        (Touch(), Tie(T, ("Ann", "Bo")), 0, 1),
        (SECOND, LateSlap(T, "Ann"), 0, 0),
        (SECOND, ValidSlap(T, "Ann", "jack", ()), 1, 0),
        (SECOND, FalseSlap(T, "Ann", ()), 1, 0),
        (WRONG, FalseSlap(T, "Ann", ()), 0, 0),
        (WRONG, ValidSlap(T, "Ann", "jack", ()), 1, 0),
        (WRONG, ValidSlap(T, "Ann", "jack", (), benefit=True), 0, 1),
        (WRONG, LateSlap(T, "Ann"), 0, 0),
    ],
)
def test_verdict_against_the_truth(slap: Touch, verdict: Verdict, wrong: int, doubt: int) -> None:
    judged = score([slap], [verdict])
    assert (judged.wrong, judged.doubts) == (wrong, doubt)


def test_first_slap_without_any_verdict_is_wrong() -> None:
    assert score([Touch()], []).wrong == 1


def test_verdict_on_another_slap_does_not_count() -> None:
    late = ValidSlap(T + 300 * MS, "Ann", "jack", ())
    assert score([Touch()], [late]).wrong == 1
    other = ValidSlap(T, "Bo", "jack", ())
    assert score([Touch()], [other]).wrong == 1


@dataclass(frozen=True)
class Fallen:
    card: Card
    rest_ns: int
    pile: int = 0


def test_readings_count_unread_and_misread() -> None:
    fallen = [Fallen(parse_card(name), 1000 * MS * k) for k, name in enumerate(("7H", "JS", "QD"))]
    seen = [
        Flip(20 * MS, parse_card("7H")),
        Flip(1020 * MS, parse_card("??")),
        Flip(2010 * MS, parse_card("2D")),
    ]
    assert readings(fallen, seen) == (1, 1)
    assert readings(fallen, seen[:1]) == (2, 0)
    assert readings(fallen[:1], seen[:1]) == (0, 0)


def test_percentile_of_nothing_is_zero() -> None:
    assert percentile([], 0.5) == 0
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2
    assert percentile([3.0, 1.0, 2.0], 0.99) == 3


def test_record_has_every_promised_field() -> None:
    record = game_record(
        game="slapjack",
        players=("Ann", "Bo"),
        winner="Ann",
        flips=3,
        judged=score([Touch()], []),
        unread=0,
        misread=0,
        delays_ms=[80.0],
    )
    assert set(record) >= {
        "game", "players", "winner", "flips", "slaps", "doubts", "wrong_verdicts", "unread",
        "misread", "verdict_delay_ms",
    }  # fmt: skip
    assert record["verdict_delay_ms"] == {"p50": 80.0, "p99": 80.0}
