"""A game that a power cut interrupted: the same books, and what becomes of waiting slaps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee.rules.errors import BadLog
from referee.rules.events import Observation, TableAnswer, Tick
from referee.rules.referee import Referee, referee_of
from referee.rules.verdicts import Verdict
from referee.service.journal.clock import Sitting
from referee.service.journal.store import Entry, GameRow
from referee.service.log import Log

NOTICES = ("hold", "late_event", "ask_table")
"""They tell when something arrived, not what happened: a replay may say them at other moments."""


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game without an end."""

    row: GameRow
    entries: tuple[Entry, ...]
    log: Log

    @property
    def id(self) -> int:
        """Its number."""
        return self.row.id

    @property
    def said(self) -> tuple[Verdict, ...]:
        """Every verdict that was shown, notices too, in order."""
        return self.log.verdicts

    @property
    def box(self) -> dict[str, Any]:
        """{"demo", "stamp", "deck", "boot", "version"}."""
        box: dict[str, Any] = json.loads(self.row.box)
        return box

    @property
    def last_ns(self) -> int:
        """The newest event time in it."""
        return max((seen.t_ns for seen in self.log.observations), default=0)

    def note(self, kind: str) -> dict[str, Any] | None:
        """The newest note of a kind, such as "table"."""
        for entry in reversed(self.entries):
            if entry.what == "note":
                record = json.loads(entry.record)
                if kind in record:
                    found: dict[str, Any] = record[kind]
                    return found
        return None

    @property
    def sitting(self) -> Sitting:
        """The last boot in which it was played."""
        note = self.note("sitting")
        if note is None:
            return Sitting(str(self.box.get("boot", "")))
        return Sitting(str(note["boot"]), int(note["offset_ns"]))

    def replayed(self) -> Referee:
        """A referee in the state in which the power cut found it.

        Raises:
            BadLog: It would say something else than was shown.
        """
        header = self.log.header
        referee = referee_of(header)
        again = [verdict for seen in self.log.observations for verdict in referee.observe(seen)]
        same = _binding(again) == _binding(self.said)
        if not same and self.row.ended_ms is not None:
            same = _binding(again + referee.finish()) == _binding(self.said)
        if not same:
            raise BadLog(f"game {self.id} cannot go on: its replay gives other verdicts")
        return referee


def after_power_cut(referee: Referee, now_ns: int) -> list[Observation]:
    """What to tell a replayed referee first: slaps that nobody ruled on are a let.

    The camera may have missed a card before them, so no later promise of it may settle them.
    Nobody pays; the table can still award the pile.

    Args:
        referee: From `OpenGame.replayed`.
        now_ns: The monotonic clock; the box moves it to event time like every stamp.
    """
    if not referee.waiting:
        return []
    return [Tick(now_ns), TableAnswer(now_ns, "let")]


def _binding(said: Sequence[Verdict]) -> list[Verdict]:
    return [verdict for verdict in said if verdict.kind not in NOTICES]
