"""Counts of right, wrong and unread answers, with their 95 % intervals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

Z = 1.959963984540054
"""Half width of a 95 % interval in standard deviations."""


@dataclass(slots=True)
class Score:
    """Right, wrong and unread of so many."""

    name: str
    n: int = 0
    right: int = 0
    wrong: int = 0
    false_jacks: int = 0
    """A jack was called where none lay."""
    not_jacks: int = 0
    suits_named: int = 0
    suits_right: int = 0
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(true rank, what was said) of the wrong answers."""

    def add(self, truth: str, said: str | None) -> None:
        """Count one picture.

        Args:
            said: A rank, ranks such as "Q and 9" if several cards were named, None if unread.
        """
        self.n += 1
        self.not_jacks += truth != "J"
        if said is None:
            return
        self.right += said == truth
        self.wrong += said != truth
        if said != truth:
            self.confusion[truth, said] += 1
            self.false_jacks += "J" in said.split(" and ") and truth != "J"

    def add_suit(self, truth: str, said: str) -> None:
        """Count a suit; "?" is not an answer."""
        if said != "?":
            self.suits_named += 1
            self.suits_right += said == truth

    def merge(self, other: Score) -> None:
        """Add another score's counts."""
        for name in ("n", "right", "wrong", "false_jacks", "not_jacks"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.suits_named += other.suits_named
        self.suits_right += other.suits_right
        self.confusion += other.confusion

    def row(self) -> str:
        """A row of a Markdown table."""
        unread = self.n - self.right - self.wrong
        parts = [
            self.name,
            str(self.n),
            percent(self.right, self.n),
            percent(self.wrong, self.n),
            f"{100 * unread / self.n:.1f}" if self.n else "-",
            f"{self.false_jacks} of {self.not_jacks}",
        ]
        return "| " + " | ".join(parts) + " |"


HEADER = (
    "| set | n | right % (95 % interval) | wrong % (95 % interval) | unread % | false jacks |\n"
    "|---|---|---|---|---|---|"
)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """95 % interval of a share. Source: Wilson, 1927, without correction for continuity."""
    if n == 0:
        return 0.0, 1.0
    share = hits / n
    middle = share + Z * Z / (2 * n)
    half = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    scale = 1 + Z * Z / n
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def percent(hits: int, n: int) -> str:
    """A share with its interval, such as "97.3 (93.3-99.0)"."""
    if n == 0:
        return "-"
    low, high = wilson(hits, n)
    return f"{100 * hits / n:.2f} ({100 * low:.2f}-{100 * high:.2f})"


def calibration(answers: Iterable[tuple[float, bool]]) -> list[str]:
    """How often answers of a confidence were right, such as "0.90-0.95: 98.0 (..) of 50"."""
    pairs = list(answers)
    edges = (0.9, 0.95, 0.99, 0.999, 1.01)
    rows = []
    for low, high in pairwise(edges):
        inside = [right for confidence, right in pairs if low <= confidence < high]
        rows.append(f"{low}-{min(high, 1.0)}: {percent(sum(inside), len(inside))} of {len(inside)}")
    return rows


def confusion_table(scores: Sequence[Score]) -> list[str]:
    """Wrong answers as "8 read as J: 2", the most frequent first."""
    total: Counter[tuple[str, str]] = Counter()
    for score in scores:
        total += score.confusion
    return [f"{truth} read as {said}: {count}" for (truth, said), count in total.most_common()]
