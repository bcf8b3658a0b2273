"""From which side of the zone a hand came: it hides the edge over which it reaches."""

from __future__ import annotations

from models.stillness import Mask

EDGE_PX = 2
"""Rows or columns of the small frame that count as its edge."""
LEAST_PX = 12
"""Edge pixels, summed over frames, below which nobody can tell."""
CLEARLY = 2.0
"""One side must be hidden so many times as much as any other."""


class HandSide:
    """Adds up which edges were hidden since the pile was last at rest."""

    def __init__(self) -> None:
        """Nothing seen yet."""
        self._hidden = dict.fromkeys(("top", "bottom", "left", "right"), 0)

    def note(self, hidden: Mask) -> None:
        """Take one frame: where it differs from the pile at rest."""
        self._hidden["top"] += int(hidden[:EDGE_PX].sum())
        self._hidden["bottom"] += int(hidden[-EDGE_PX:].sum())
        self._hidden["left"] += int(hidden[:, :EDGE_PX].sum())
        self._hidden["right"] += int(hidden[:, -EDGE_PX:].sum())

    def side(self) -> str | None:
        """The side, or None if it is not clear."""
        first, second = sorted(self._hidden, key=lambda name: -self._hidden[name])[:2]
        most, next_most = self._hidden[first], self._hidden[second]
        return first if most >= LEAST_PX and most >= CLEARLY * next_most else None

    def forget(self) -> None:
        """The pile is at rest again."""
        self._hidden = dict.fromkeys(self._hidden, 0)
