"""Conversions to event time and the probe of the camera's clock."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.clock import (
    EXACT_BELOW_NS,
    NS_PER_MS,
    BadStamp,
    Clock,
    UnknownClock,
    find_clock,
    is_between,
    is_plausible_age,
    ms_to_ns,
    seconds_to_ns,
    us_to_ns,
)

NIGHT_NS = 8 * 3600 * 1_000_000_000


@given(st.integers(0, EXACT_BELOW_NS - 1))
@settings(max_examples=500, deadline=None)
def test_kernel_stamp_survives_the_way_through_float_seconds(t_ns: int) -> None:
    assert seconds_to_ns(t_ns / 1e9) == t_ns


@pytest.mark.parametrize("seconds", [math.nan, math.inf, -math.inf, -0.001])
def test_nonsense_is_no_time(seconds: float) -> None:
    with pytest.raises(BadStamp, match="expected 0 or more"):
        seconds_to_ns(seconds)


def test_settings_and_metadata_become_nanoseconds() -> None:
    assert ms_to_ns(0.2) == 200_000
    assert us_to_ns(4_000) == 4_000_000


def _frames(age_ns: int, ahead_ns: int = 0) -> list[tuple[int, int]]:
    arrivals = [10**12 + 16_666_667 * n for n in range(50)]
    return [(arrived + ahead_ns - age_ns, arrived) for arrived in arrivals]


def test_monotonic_stamps_are_taken_as_they_are() -> None:
    found = find_clock(_frames(30 * NS_PER_MS), boottime_ahead_ns=NIGHT_NS)
    assert found.clock is Clock.MONOTONIC
    assert found.event_ns(123) == 123


def test_boottime_stamps_lose_the_time_asleep() -> None:
    frames = _frames(30 * NS_PER_MS, ahead_ns=NIGHT_NS)
    found = find_clock(frames, boottime_ahead_ns=NIGHT_NS)
    assert found.clock is Clock.BOOTTIME
    assert frames[0][1] - found.event_ns(frames[0][0]) == 30 * NS_PER_MS


def test_without_sleep_both_clocks_are_one() -> None:
    assert find_clock(_frames(30 * NS_PER_MS), boottime_ahead_ns=200).clock is Clock.MONOTONIC


@pytest.mark.parametrize(
    ("age_ns", "ahead_ns", "said"),
    [
        (-1, 0, "fit no clock"),
        (0, 0, "fit no clock"),
        (200 * NS_PER_MS, 0, "frames seem 200 to 200 ms old"),
        (NIGHT_NS, 60 * NS_PER_MS, "fit no clock"),
        (100 * NS_PER_MS, 50 * NS_PER_MS, "both clocks fit"),
    ],
)
def test_stamps_that_fit_no_clock_or_two_are_refused(age_ns: int, ahead_ns: int, said: str) -> None:
    with pytest.raises(UnknownClock, match=said):
        find_clock(_frames(age_ns), boottime_ahead_ns=ahead_ns)


def test_one_frame_from_the_future_spoils_the_probe() -> None:
    frames = [*_frames(30 * NS_PER_MS), (10**13, 10**13 - 1)]
    with pytest.raises(UnknownClock):
        find_clock(frames, boottime_ahead_ns=0)


def test_some_late_frames_of_a_busy_start_do_not_spoil_it() -> None:
    # The card reader is loaded meanwhile: on a busy computer frames came 435 ms late.
    frames = _frames(30 * NS_PER_MS)
    late = [(stamp_ns, at_ns + 400 * NS_PER_MS) for stamp_ns, at_ns in frames[: len(frames) // 2]]
    most = frames[len(frames) // 2 :]
    assert find_clock([*late[:-1], *most], boottime_ahead_ns=0).clock is Clock.MONOTONIC
    with pytest.raises(UnknownClock, match="fit no clock: frames seem 30 to 430 ms old"):
        find_clock([*late, *late, *most[:1]], boottime_ahead_ns=0)


def test_a_handful_of_frames_is_no_probe() -> None:
    with pytest.raises(UnknownClock, match="only 9 frames"):
        find_clock(_frames(NS_PER_MS)[:9], boottime_ahead_ns=0)


@pytest.mark.parametrize(("age_ns", "plausible"), [(0, False), (1, True), (99, True), (100, False)])
def test_age_is_plausible_inside_its_limits_only(age_ns: int, plausible: bool) -> None:
    assert is_plausible_age(age_ns, oldest_ns=100) is plausible


@pytest.mark.parametrize(
    ("stamp_ns", "inside"), [(89, False), (90, True), (150, True), (210, True), (211, False)]
)
def test_stamp_of_our_clock_lies_between_two_looks_at_the_clock(
    stamp_ns: int, inside: bool
) -> None:
    assert is_between(stamp_ns, before_ns=100, after_ns=200, slack_ns=10) is inside
