"""People: how fast they are, how they err, and what they hold in their hands."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from random import Random

from referee.rules.cards import Card

MS = 1_000_000
"""Nanoseconds in a millisecond."""

MEAN_MS, SPREAD_MS = 380.0, 72.0
"""Reaction to a known picture: mean and standard deviation (two-choice recognition)."""
TAIL_MS = 45.0
"""Part of the spread that only makes late: the exponential part of the ex-Gaussian."""
FASTEST_MS = 150.0
"""Nobody sees, decides and moves faster."""


@dataclass(frozen=True, slots=True)
class Skill:
    """How good a player is."""

    mean_ms: float = MEAN_MS
    mistake: float = 0.03
    """Chance to take a picture card for a slap card."""
    jumpy: float = 0.006
    """Chance to slap on a mere movement."""
    miss: float = 0.06
    """Chance to overlook a slap card."""
    second: float = 0.08
    """Chance to touch the pad a second time."""


@dataclass(slots=True)
class Person:
    """One simulated player."""

    name: str
    skill: Skill
    stock: deque[Card] = field(default_factory=deque)
    """His own cards, face down; the left one is on top."""
    is_out: bool = False
    """He heard that he is eliminated."""
    hand_down_until_ns: int = 0
    """His slap hand is on the pad until then."""


def reaction_ns(skill: Skill, rng: Random) -> int:
    """Time from seeing a card to touching the pad: an ex-Gaussian."""
    sigma = (SPREAD_MS**2 - TAIL_MS**2) ** 0.5
    ms = rng.gauss(skill.mean_ms - TAIL_MS, sigma) + rng.expovariate(1 / TAIL_MS)
    return round(max(FASTEST_MS, ms) * MS)


def draw_skills(count: int, rng: Random) -> list[Skill]:
    """A family: somebody is quick, somebody is dreamy, somebody is jumpy."""
    pace = [-0.7, 0.9, 0.25, -0.2, 0.6, 0.0, 0.4, -0.4][:count]
    rng.shuffle(pace)
    return [
        Skill(
            mean_ms=MEAN_MS + 50 * p + rng.uniform(-10, 10),
            mistake=0.03 * rng.uniform(0.4, 1.8),
            jumpy=0.006 * rng.uniform(0.3, 2.0),
            miss=max(0.01, 0.06 + 0.05 * p),
            second=0.08 * rng.uniform(0.3, 1.7),
        )
        for p in pace
    ]
