"""Every verdict about a slap says who took its time."""

import pytest

from referee.rules.cards import parse_card
from referee.rules.events import DEMO, KERNEL, SOFTWARE, Flip, Slap, weakest_stamp
from referee.rules.house_rules import house_rules
from referee.rules.position import Deal
from referee.rules.referee import Referee

MS = 1_000_000
ABOUT_SLAPS = ("valid_slap", "false_slap", "late_slap", "ignored_slap", "tie", "doubt")


def stamps_of(stamps: tuple[str, str], gap_ms: int, **options: object) -> dict[str, str]:
    """Kind of verdict -> its stamp, after two slaps at a jack and one at nothing."""
    rules = house_rules("slapjack", options)
    referee = Referee("slapjack", ("Ann", "Bo"), rules, Deal(dealer="Bo"))
    first, second = stamps
    seen = [
        Slap(500 * MS, "Ann", stamp=first),
        Flip(1_000 * MS, parse_card("2H")),
        Flip(2_000 * MS, parse_card("JS"), None, 300 * MS),
        Slap(1_900 * MS, "Ann", 1 * MS, 1 * MS, first),
        Slap((1_900 + gap_ms) * MS, "Bo", 1 * MS, 1 * MS, second),
    ]
    said = [verdict for one in seen for verdict in referee.observe(one)] + referee.finish()
    return {one.kind: one.stamp for one in said if one.kind in ABOUT_SLAPS}  # type: ignore[attr-defined]


@pytest.mark.parametrize("stamp", [KERNEL, SOFTWARE, DEMO])
@pytest.mark.parametrize(("gap_ms", "doubt"), [(50, "benefit"), (0, "benefit"), (0, "let")])
def test_stamp_goes_into_every_verdict_about_a_slap(stamp: str, gap_ms: int, doubt: str) -> None:
    said = stamps_of((stamp, stamp), gap_ms, doubt=doubt)
    assert len(said) >= 2
    assert set(said.values()) == {stamp}


def test_tie_is_trusted_like_its_weakest_slap() -> None:
    assert stamps_of((KERNEL, SOFTWARE), 0)["tie"] == SOFTWARE
    assert weakest_stamp((SOFTWARE, DEMO, KERNEL)) == DEMO
    assert weakest_stamp((KERNEL, "sundial")) == "sundial"
