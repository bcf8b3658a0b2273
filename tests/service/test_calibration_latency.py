"""Taps on foil: the latencies that went in come out, and a pad that sleeps is found out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.clock import NS_PER_MS, NS_PER_S
from referee.rules.events import DEMO, KERNEL, SOFTWARE
from referee.service.calibration.latency import (
    COMPETITION_SPREAD_NS,
    HOME_SPREAD_NS,
    LATE_NS,
    QUIET_NS,
    Accuracy,
    BadTaps,
    PadLatency,
    Reason,
    Taps,
    accuracy_of,
    first_contacts,
    idle_correlation,
    latency_of,
    pair_taps,
)

START_NS = 50 * NS_PER_S


def _hand(
    seed: int, fastest_ms: float, slowest_ms: float, *, asleep_ms: float = 0, n: int = 100
) -> tuple[list[int], list[int]]:
    """Contacts with bounce, edges with chatter, pauses of 0.3 to 8 s."""
    rng = np.random.default_rng(seed)
    contacts, edges, t_ns = [], [], START_NS
    for _ in range(n):
        idle_s = float(np.exp(rng.uniform(np.log(0.3), np.log(8))))
        t_ns += round(idle_s * NS_PER_S)
        contacts += [t_ns + k * 900_000 for k in range(rng.integers(1, 4))]
        late_ms = rng.uniform(fastest_ms, slowest_ms) + (asleep_ms if idle_s > 4 else 0)
        edges += [t_ns + round(late_ms * NS_PER_MS) + k * 20_000_000 for k in range(2)]
    return contacts, edges


@given(
    st.integers(0, 2**32),
    st.floats(-5, 40),
    st.floats(0.2, 100),
    st.randoms(use_true_random=False),
)
@settings(max_examples=25, deadline=None)
def test_true_latencies_are_recovered_in_any_order(
    seed: int, fastest_ms: float, spread_ms: float, order: object
) -> None:
    contacts, edges = _hand(seed, fastest_ms, fastest_ms + spread_ms)
    order.shuffle(contacts)  # type: ignore[attr-defined]
    order.shuffle(edges)  # type: ignore[attr-defined]
    found = latency_of(pair_taps(contacts, edges))
    assert found.taps == 100
    assert found.missed == 0
    slack_ms = 0.12 * spread_ms
    assert -0.001 <= found.fastest_ns / NS_PER_MS - fastest_ms <= slack_ms
    assert -0.001 <= fastest_ms + spread_ms - found.slowest_ns / NS_PER_MS <= slack_ms


def test_constant_shift_of_the_clock_changes_nothing() -> None:
    contacts, edges = _hand(1, 9, 12)
    shifted = [[t + 987_654_321 for t in times] for times in (contacts, edges)]
    assert latency_of(pair_taps(*shifted)) == latency_of(pair_taps(contacts, edges))


@pytest.mark.parametrize("seed", range(6))
def test_pad_that_falls_asleep_is_no_competition_pad(seed: int) -> None:
    latency = latency_of(pair_taps(*_hand(seed, 9, 11, asleep_ms=3)))
    assert accuracy_of(latency, KERNEL) == (Accuracy.HOME, (Reason.IDLE,))


def test_pad_without_memory_is_seldom_called_sleepy() -> None:
    sleepy = sum(
        latency_of(pair_taps(*_hand(seed, 9, 12))).idle_correlation > 0.2 for seed in range(100)
    )
    assert sleepy <= 6, "2 % by chance"


def test_correlation_of_ties_is_that_of_middle_ranks() -> None:
    taps = pair_taps([0, NS_PER_S, 2 * NS_PER_S, 4 * NS_PER_S], [5, NS_PER_S + 5, 2 * NS_PER_S + 5])
    assert idle_correlation(taps.felt) == 0.0, "all alike: no memory"


def _latency(spread_ns: int, **changes: object) -> PadLatency:
    values = dict.fromkeys(("missed", "idle_correlation"), 0) | {"taps": 100}
    fields = values | {"fastest_ns": 9_000_000, "median_ns": 9_000_000} | changes
    return PadLatency(slowest_ns=9_000_000 + spread_ns, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("latency", "stamp", "accuracy", "reasons"),
    [
        (_latency(COMPETITION_SPREAD_NS), KERNEL, "competition", ()),
        (_latency(COMPETITION_SPREAD_NS + 1), KERNEL, "home", ("spread",)),
        (_latency(HOME_SPREAD_NS), KERNEL, "home", ("spread",)),
        (_latency(HOME_SPREAD_NS + 1), KERNEL, "demo", ("spread",)),
        (_latency(0, idle_correlation=0.2), KERNEL, "competition", ()),
        (_latency(0, idle_correlation=0.201), KERNEL, "home", ("idle",)),
        (_latency(0, idle_correlation=-0.9), KERNEL, "competition", ()),
        (_latency(0, is_idle_tried=False), KERNEL, "home", ("untried",)),
        (_latency(0, taps=95, missed=5), KERNEL, "competition", ()),
        (_latency(0, taps=94, missed=6), KERNEL, "demo", ("missed",)),
        (_latency(0), SOFTWARE, "home", ("stamp",)),
        (_latency(0), DEMO, "demo", ("stamp",)),
    ],
)
def test_class_of_a_pad_at_its_limits(
    latency: PadLatency, stamp: str, accuracy: str, reasons: tuple[str, ...]
) -> None:
    assert accuracy_of(latency, stamp) == (accuracy, reasons)


def test_bouncing_probe_is_one_tap_until_it_is_quiet() -> None:
    assert first_contacts([0, QUIET_NS, 2 * QUIET_NS]) == [0]
    assert first_contacts([0, QUIET_NS + 1]) == [0, QUIET_NS + 1]


def test_edge_that_comes_too_late_is_a_missed_tap_and_a_phantom() -> None:
    taps = pair_taps([0, 10 * NS_PER_S], [LATE_NS + 1, 10 * NS_PER_S + LATE_NS])
    assert (len(taps.felt), taps.missed, taps.phantom) == (1, 1, 1)


@pytest.mark.parametrize(
    ("taps", "sentence"),
    [
        (Taps((), 70), "is the pad's output on its pin"),
        (Taps(()), "only 0 taps"),
        (pair_taps(*_hand(1, 9, 12, n=49)), "only 49 taps"),
    ],
)
def test_taps_that_teach_nothing_are_refused(taps: Taps, sentence: str) -> None:
    with pytest.raises(BadTaps, match=sentence):
        latency_of(taps)


def test_taps_all_alike_in_pace_are_called_untried() -> None:
    contacts = [START_NS + k * 2 * NS_PER_S for k in range(100)]
    latency = latency_of(pair_taps(contacts, [t + 10_000_000 for t in contacts]))
    assert not latency.is_idle_tried
