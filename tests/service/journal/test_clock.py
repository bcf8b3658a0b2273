"""Event time after a power cut: it goes on, whatever the computer's clock does."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import parse_card
from referee.rules.events import Flip, Slap, VoidSlap
from referee.service.journal.clock import PAUSE_NS, Sitting, moved

LAST_NS = 500_000_000_000


@pytest.mark.parametrize(
    ("boot", "now_ns", "offset_ns"),
    [
        ("same", LAST_NS + PAUSE_NS, 0),
        ("same", LAST_NS + PAUSE_NS - 1, 1),
        ("same", LAST_NS + 10 * PAUSE_NS, 0),
        ("other", LAST_NS + 10 * PAUSE_NS, -9 * PAUSE_NS),
        ("other", 7_000_000_000, LAST_NS + PAUSE_NS - 7_000_000_000),
        ("", LAST_NS + 10 * PAUSE_NS, -9 * PAUSE_NS),
    ],
)
def test_only_the_same_boot_keeps_its_time_and_only_after_a_pause(
    boot: str, now_ns: int, offset_ns: int
) -> None:
    assert Sitting("same").after(LAST_NS, boot, now_ns) == Sitting(boot, offset_ns)


def test_boot_without_a_name_is_not_taken_for_the_same() -> None:
    assert Sitting("").after(LAST_NS, "", 10**15).offset_ns == LAST_NS + PAUSE_NS - 10**15


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.integers(0, 10**15), st.integers(0, 10**13)),
        max_size=6,
    )
)
def test_time_never_goes_back_over_many_power_cuts(
    sittings: list[tuple[str, int, int]],
) -> None:
    sitting, last_ns = Sitting("a"), 10**12
    for boot, now_ns, played_ns in sittings:
        sitting = sitting.after(last_ns, boot, now_ns)
        first_ns = now_ns + sitting.offset_ns
        assert first_ns >= last_ns + PAUSE_NS
        last_ns = first_ns + played_ns


def test_stamp_is_moved_and_what_it_refers_to_is_not() -> None:
    assert moved(Flip(5, parse_card("JS"), early_ns=3), 100) == Flip(
        105, parse_card("JS"), early_ns=3
    )
    assert moved(VoidSlap(7, "Ann", 3), 100) == VoidSlap(107, "Ann", 3)
    slap = Slap(5, "Ann")
    assert moved(slap, 0) is slap
