"""Rows of a journal as what they mean: a line of the list of games, a log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.rules.errors import BadLog
from referee.rules.record import (
    header_from_record,
    observation_from_record,
    verdict_from_record,
)
from referee.service.journal.store import Entry, GameRow
from referee.service.journal.trouble import JournalError
from referee.service.log import Log


@dataclass(frozen=True, slots=True)
class GameInfo:
    """One line of the list of games."""

    id: int
    begun_ms: int
    """Unix time."""
    ended_ms: int | None
    """None: open, or being played."""
    header: dict[str, Any]
    """As referee.rules.record writes it."""
    box: dict[str, Any]
    """{"demo", "stamp", "deck", "boot", "version"}."""
    winner: str | None
    placing: tuple[str, ...] | None
    """Best first."""

    @property
    def game(self) -> str:
        """Which game."""
        return str(self.header.get("game", "?"))

    @property
    def players(self) -> tuple[str, ...]:
        """In seat order."""
        return tuple(map(str, self.header.get("players", ())))


def info_from(row: GameRow, path: Path) -> GameInfo:
    """Read a row of games.

    Raises:
        JournalError: It is damaged.
    """
    try:
        header, box = json.loads(row.header), json.loads(row.box)
        placing = None if row.placing is None else tuple(map(str, json.loads(row.placing)))
    except (ValueError, TypeError) as error:
        raise JournalError(path, "damaged", f"game {row.id}") from error
    return GameInfo(row.id, row.begun_ms, row.ended_ms, header, box, row.winner, placing)


def log_from(row: GameRow, entries: Sequence[Entry], path: Path) -> Log:
    """Read the rows of a game.

    Raises:
        BadLog: A row is damaged; the text names it.
    """
    number = -1
    try:
        header = header_from_record(json.loads(row.header))
        seen, said = [], []
        for number, entry in enumerate(entries):  # noqa: B007 - the error names it
            if entry.what == "seen":
                seen.append(observation_from_record(json.loads(entry.record)))
            elif entry.what == "said":
                said.append(verdict_from_record(json.loads(entry.record)))
    except (ValueError, TypeError) as error:
        where = "header" if number < 0 else f"entry {number}"
        raise BadLog(f"{path} game {row.id} {where}: {error}") from error
    return Log(header, tuple(seen), tuple(said))
