"""How late a pad is: taps of a grounded probe on its foil against the pad's own edges. Pure.

The foil lies on the pad and is wired to an input with a pull-up; the probe is wired to ground. So a
tap gives two kernel stamps: the contact, which is the truth, and the edge of the pad.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from hardware.clock import NS_PER_MS, NS_PER_S
from referee.rules.errors import RefereeError
from referee.rules.events import DEMO, KERNEL

QUIET_NS = 150 * NS_PER_MS
"""Contacts closer than this to the one before are the same tap: a probe that bounces."""
EARLY_NS = 10 * NS_PER_MS
"""A pad feels a probe that is still in the air: 5 mm at 1 m/s come before the contact."""
LATE_NS = 280 * NS_PER_MS
"""The slowest chip, asleep, needs 220 ms."""
FEWEST_TAPS = 50
WANTED_TAPS = 100
TAIL = 0.01
"""Of the taps, at each end, that may lie outside [fastest, slowest]."""
COMPETITION_SPREAD_NS = 6 * NS_PER_MS
HOME_SPREAD_NS = 20 * NS_PER_MS
"""With more, a third of all slaps by four players would be ties."""
IDLE_CORRELATION = 0.2
"""A chip that falls asleep answers later after a pause: its latency depends on the past."""
SHORT_IDLE_NS, LONG_IDLE_NS = 1 * NS_PER_S, 3 * NS_PER_S
FEWEST_OF_EACH = 5
"""Taps soon after the one before, and taps after a pause: else sleep could not show."""
MOST_MISSED = 0.05


class BadTaps(RefereeError, ValueError):
    """Taps from which nothing can be learnt."""


class Accuracy(StrEnum):
    """What a pad is good for."""

    COMPETITION = "competition"
    HOME = "home"
    DEMO = "demo"


class Reason(StrEnum):
    """Why a pad is not good for more."""

    STAMP = "stamp"
    """No kernel time stamps."""
    SPREAD = "spread"
    IDLE = "idle"
    """Latency depends on the time since the last touch."""
    UNTRIED = "untried"
    """Too few taps after a pause, or too few soon after another."""
    MISSED = "missed"
    """Taps that the pad did not feel."""


@dataclass(frozen=True, slots=True)
class Tap:
    """One tap that the pad felt."""

    contact_ns: int
    edge_ns: int
    idle_ns: int | None
    """Since the tap before; None for the first."""

    @property
    def latency_ns(self) -> int:
        """From the contact to the edge."""
        return self.edge_ns - self.contact_ns


@dataclass(frozen=True, slots=True)
class Taps:
    """All taps on one pad."""

    felt: tuple[Tap, ...]
    missed: int = 0
    """Contacts without an edge."""
    phantom: int = 0
    """Edges without a contact."""


@dataclass(frozen=True, slots=True)
class PadLatency:
    """How late one pad is."""

    fastest_ns: int
    slowest_ns: int
    median_ns: int
    taps: int
    missed: int
    idle_correlation: float
    """Rank correlation of latency and idle time, -1 to 1."""
    is_idle_tried: bool = True
    """There were enough taps after pauses, and enough soon after another."""

    @property
    def spread_ns(self) -> int:
        """What two equal slaps may differ by."""
        return self.slowest_ns - self.fastest_ns


def first_contacts(contacts_ns: Sequence[int]) -> list[int]:
    """The first contact of each tap; the rest is the probe's bounce."""
    firsts, newest_ns = [], None
    for t_ns in sorted(contacts_ns):
        if newest_ns is None or t_ns - newest_ns > QUIET_NS:
            firsts.append(t_ns)
        newest_ns = t_ns
    return firsts


def pair_taps(contacts_ns: Sequence[int], edges_ns: Sequence[int]) -> Taps:
    """Find the pad's first edge of each tap.

    Args:
        contacts_ns: Every contact of the probe, bounces included, in any order.
        edges_ns: Every active edge of the pad, chatter included, in any order.
    """
    edges, felt, missed, claimed = sorted(edges_ns), [], 0, 0
    firsts = first_contacts(contacts_ns)
    for number, contact_ns in enumerate(firsts):
        near = [t for t in edges if contact_ns - EARLY_NS <= t <= contact_ns + LATE_NS]
        claimed += len(near)
        idle_ns = contact_ns - firsts[number - 1] if number else None
        if near:
            felt.append(Tap(contact_ns, near[0], idle_ns))
        else:
            missed += 1
    return Taps(tuple(felt), missed, max(0, len(edges) - claimed))


def latency_of(taps: Taps) -> PadLatency:
    """The latency of a pad.

    Raises:
        BadTaps: Too few taps, or the pad or the foil is not wired.
    """
    if not taps.felt and taps.missed:
        raise BadTaps(
            f"{taps.missed} taps and no edge of the pad, expected one for each "
            "(is the pad's output on its pin? wiring/pins.toml)"
        )
    if len(taps.felt) < FEWEST_TAPS:
        raise BadTaps(
            f"only {len(taps.felt)} taps that the pad felt, expected at least {FEWEST_TAPS} "
            f"(go on to {WANTED_TAPS})"
        )
    ordered = sorted(tap.latency_ns for tap in taps.felt)
    last = len(ordered) - 1
    return PadLatency(
        fastest_ns=ordered[math.floor(TAIL * last)],
        slowest_ns=ordered[math.ceil((1 - TAIL) * last)],
        median_ns=ordered[last // 2],
        taps=len(ordered),
        missed=taps.missed,
        idle_correlation=round(idle_correlation(taps.felt), 3),
        is_idle_tried=_is_idle_tried(taps.felt),
    )


def idle_correlation(taps: Sequence[Tap]) -> float:
    """Rank correlation (Spearman) of latency and idle time; 0 if one of them never differs."""
    pairs = [(tap.idle_ns, tap.latency_ns) for tap in taps if tap.idle_ns is not None]
    if len({idle for idle, _ in pairs}) < 2 or len({late for _, late in pairs}) < 2:
        return 0.0
    idle, late = (_ranks(values) for values in zip(*pairs, strict=True))
    return float(np.corrcoef(idle, late)[0, 1])


def _ranks(values: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Ranks; equal values share the middle of theirs."""
    array = np.asarray(values, np.int64)
    _, place, count = np.unique(array, return_inverse=True, return_counts=True)
    ends = np.cumsum(count)
    return np.asarray((ends - (count - 1) / 2)[place], np.float64)


def _is_idle_tried(taps: Sequence[Tap]) -> bool:
    idle = [tap.idle_ns for tap in taps if tap.idle_ns is not None]
    soon = sum(t <= SHORT_IDLE_NS for t in idle)
    after_pause = sum(t >= LONG_IDLE_NS for t in idle)
    return min(soon, after_pause) >= FEWEST_OF_EACH


def accuracy_of(latency: PadLatency, stamp: str) -> tuple[Accuracy, tuple[Reason, ...]]:
    """What a pad is good for, and why not for more.

    Competition: kernel stamps, a spread of 6 ms at most, and no memory. Home: 20 ms. Else demo.
    """
    reasons = []
    if stamp != KERNEL:
        reasons.append(Reason.STAMP)
    if latency.spread_ns > COMPETITION_SPREAD_NS:
        reasons.append(Reason.SPREAD)
    if latency.idle_correlation > IDLE_CORRELATION:
        reasons.append(Reason.IDLE)
    if not latency.is_idle_tried:
        reasons.append(Reason.UNTRIED)
    if latency.missed > MOST_MISSED * (latency.taps + latency.missed):
        reasons.append(Reason.MISSED)
    if not reasons:
        return Accuracy.COMPETITION, ()
    is_demo = stamp == DEMO or latency.spread_ns > HOME_SPREAD_NS or Reason.MISSED in reasons
    return (Accuracy.DEMO if is_demo else Accuracy.HOME), tuple(reasons)
