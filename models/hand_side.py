"""From which side of the zone a hand came: it hides the edge over which it reaches."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from models.stillness import Mask

EDGE_PX = 2
"""Rows or columns of the small frame that count as its edge."""
LEAST_PX = 12
"""Edge pixels, summed over frames, below which nobody can tell."""
CLEARLY = 2.0
"""One side must be hidden so many times as much as any other."""


class HandSide:
    """Adds up where the edge was hidden since the pile was last at rest."""

    def __init__(self) -> None:
        """Nothing seen yet."""
        self._hidden = dict.fromkeys(("top", "bottom", "left", "right"), 0)

    def note(self, hidden: Mask) -> None:
        """Take one frame: where it differs from the pile at rest.

        An arm may reach over a corner, so the whole edge of the upper half counts for "top", that
        of the left half for "left", and so on.
        """
        edge = np.zeros_like(hidden)
        edge[:EDGE_PX], edge[-EDGE_PX:] = hidden[:EDGE_PX], hidden[-EDGE_PX:]
        edge[:, :EDGE_PX], edge[:, -EDGE_PX:] = hidden[:, :EDGE_PX], hidden[:, -EDGE_PX:]
        rows, columns = edge.shape[0] // 2, edge.shape[1] // 2
        self._hidden["top"] += int(edge[:rows].sum())
        self._hidden["bottom"] += int(edge[rows:].sum())
        self._hidden["left"] += int(edge[:, :columns].sum())
        self._hidden["right"] += int(edge[:, columns:].sum())

    def side(self, among: Iterable[str]) -> str | None:
        """Which of these sides, or None if it is not clear."""
        first, *others = sorted(among, key=lambda name: -self._hidden[name])
        most = self._hidden[first]
        clear = all(most >= CLEARLY * self._hidden[other] for other in others)
        return first if most >= LEAST_PX and clear else None

    def forget(self) -> None:
        """The pile is at rest again."""
        self._hidden = dict.fromkeys(self._hidden, 0)
