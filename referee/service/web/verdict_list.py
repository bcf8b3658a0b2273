"""The verdicts of a game as they fell, and which of them a correction has struck out. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Record = dict[str, Any]

NOT_AGAIN = ("card_seen", "correction")
"""A correction does not say these again: they stay as they are."""


@dataclass(slots=True)
class VerdictList:
    """Every verdict record in the order in which it was said."""

    records: list[Record] = field(default_factory=list)
    struck: set[int] = field(default_factory=set)
    """Numbers of verdicts that a correction has replaced."""
    again: set[int] = field(default_factory=set)
    """Numbers of verdicts that were said again after a correction."""
    _correction: int = -1
    """Number of the correction that is being said; -1: none."""

    def add(self, n: int, record: Record, seen: Sequence[Record]) -> list[int]:
        """Take a verdict.

        Args:
            n: Its number, from 0.
            record: What `to_record` wrote.
            seen: Observation records so far: they hold what a correction refers to.

        Returns:
            Numbers of older verdicts that it strikes out.
        """
        del self.records[n:]
        self.records.append(record)
        if record["verdict"] == "correction":
            self._correction = n
            return self._strike(n, self._begin_ns(n, record["ruling"], seen))
        if self._correction < 0:
            return []
        if record["t_ns"] >= self.records[self._correction]["t_ns"]:
            self._correction = -1
            return []
        self.again.add(n)
        return self._strike(self._correction, record["t_ns"])

    def _begin_ns(self, n: int, ruling: str, seen: Sequence[Record]) -> int | None:
        """From which event time on the correction changes the game."""
        if ruling == "undo":
            moved = (
                number
                for number in range(n - 1, -1, -1)
                if number not in self.struck and self.records[number].get("cards_moved")
            )
            last = next(moved, None)
            return None if last is None else int(self.records[last]["t_ns"])
        given = [one["ref_t_ns"] for one in seen if one.get("ruling") == ruling]
        return int(given[-1]) if given else None

    def _strike(self, before: int, begin_ns: int | None) -> list[int]:
        if begin_ns is None:
            return []
        hit = [
            number
            for number, record in enumerate(self.records[:before])
            if record["t_ns"] >= begin_ns
            and record["verdict"] not in NOT_AGAIN
            and number not in self.struck
        ]
        self.struck.update(hit)
        return hit
