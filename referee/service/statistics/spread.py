"""Numbers about many numbers: quantiles and shares, with what is not known about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.scores import wilson


@dataclass(frozen=True, slots=True)
class Spread:
    """A distribution in five numbers, in the unit of its values."""

    n: int
    low: float
    """5 % lie below."""
    quarter: float
    median: float
    three_quarters: float
    high: float
    """5 % lie above."""


def spread(values: Sequence[float]) -> Spread | None:
    """Sum values up; None for no values."""
    if not values:
        return None
    ordered = sorted(values)
    low, quarter, median, three_quarters, high = (
        quantile(ordered, share) for share in (0.05, 0.25, 0.5, 0.75, 0.95)
    )
    return Spread(len(ordered), low, quarter, median, three_quarters, high)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which that share lies, straight between two neighbours.

    Args:
        ordered: At least one value, rising.
        share: 0 to 1.

    Source: Hyndman and Fan 1996, definition 7.
    """
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, and where the true share lies with 95 % certainty."""

    k: int
    n: int

    @property
    def value(self) -> float | None:
        """0 to 1; None if there was nothing to count."""
        return self.k / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float]:
        """Least and most that the true share may be."""
        return wilson(self.k, self.n)
