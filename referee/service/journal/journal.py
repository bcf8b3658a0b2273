"""The games of a season: begin one, go on with one, read old ones.

A box always gets a journal. If its file cannot be used, a fresh one beside it takes over; if none
can be written, the game is played unrecorded and the journal tries again now and then.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from referee.rules.errors import BadLog, RefereeError
from referee.rules.record import (
    Header,
    header_from_record,
    header_to_record,
    observation_from_record,
    verdict_from_record,
)
from referee.service.journal.clock import Sitting
from referee.service.journal.record import GameRecord
from referee.service.journal.resume import OpenGame
from referee.service.journal.store import Entry, GameRow, Store
from referee.service.journal.trouble import JournalError, Trouble
from referee.service.log import Log

log = logging.getLogger(__name__)

Done = TypeVar("Done")

SITTING = "sitting"
"""Kind of the note that says in which boot a game goes on."""
MOST_FILES = 99


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


class Journal:
    """The journal of one season."""

    def __init__(self, path: Path, store: Store | None, trouble: Trouble | None = None) -> None:
        """Use `open` or `open_read_only`."""
        self.store = store
        self.trouble = trouble
        """What is wrong; None: nothing. It stays until a game begins without it."""
        self._wanted = path

    @classmethod
    def open(cls, path: Path) -> Journal:
        """Open for writing.

        Args:
            path: The season's file; the newest file beside it that took over, if there is one.

        Raises:
            JournalInUse: Another box writes it. Everything else is told by `trouble`.
        """
        newest = _newest(path)
        try:
            return cls(newest, Store.open(newest))
        except JournalError as error:
            journal = cls(path, None)
            journal.fall_back(error, lambda store: None, wanted=newest)
            return journal

    @classmethod
    def open_read_only(cls, path: Path) -> Journal:
        """Open to read only, while a box may be writing.

        Raises:
            JournalError: It is not there or cannot be used.
        """
        return cls(path, Store.open_read_only(path))

    @property
    def path(self) -> Path:
        """The file in use."""
        return self.store.path if self.store is not None else self._wanted

    @property
    def is_recording(self) -> bool:
        """There is a file."""
        return self.store is not None

    def close(self) -> None:
        """Give the file back. Safe to call twice."""
        if self.store is not None:
            self.store.close()

    # --- playing ---

    def begin(self, header: Header, box: Mapping[str, Any], begun_ms: int) -> GameRecord:
        """Begin a game; one that was open is ended by that.

        Args:
            header: Of the referee.
            box: {"demo", "stamp", "deck", "boot", "version"}.
            begun_ms: Unix time.
        """
        if self.store is None:
            self.try_again(lambda store: None)
        elif self.trouble is not None and self.trouble.is_recording:
            self.trouble = None
        row = GameRow(
            id=(self.attempt(Store.newest) or 0) + 1,
            begun_ms=begun_ms,
            ended_ms=None,
            header=_json(header_to_record(header)),
            box=_json(dict(box)),
            winner=None,
            placing=None,
        )
        self.attempt(lambda store: store.add_game(row))
        return GameRecord(self, row)

    def open_game(self) -> OpenGame | None:
        """The newest game that was neither ended nor won: a power cut interrupted it.

        A game that cannot be gone on with is named in `trouble`.
        """
        return self.attempt(self._open_game)

    def go_on(self, game: OpenGame, sitting: Sitting) -> GameRecord:
        """Go on with an open game.

        Args:
            game: From `open_game`.
            sitting: The boot in which it goes on and what is added to its stamps.
        """
        record = GameRecord(self, game.row, game.entries)
        record.note(SITTING, {"boot": sitting.boot, "offset_ns": sitting.offset_ns})
        return record

    def _open_game(self, store: Store) -> OpenGame | None:
        games = store.games()
        if not games or games[-1].ended_ms is not None:
            return None
        row = games[-1]
        entries = store.entries(row.id)
        try:
            game = OpenGame(row, tuple(entries), _log(row, entries, store.path))
        except RefereeError as error:
            raise JournalError(store.path, "damaged", str(error)) from error
        try:
            game.replayed()
        except Exception as error:  # other rules than it was played by, or entries are missing
            self._tell(Trouble(JournalError(store.path, "differs", str(error)), store.path))
            return None
        return game

    # --- reading ---

    def games(self) -> list[GameInfo]:
        """All games, the oldest first.

        Raises:
            JournalError: The file is damaged.
        """
        return [_info(row, self.path) for row in self._reading().games()]

    def log(self, game: int) -> Log:
        """A game as referee.service.log reads it from a file.

        Raises:
            BadLog: There is no such game, or it cannot be read.
            JournalError: The file is damaged.
        """
        return _log(self.row(game), self.entries(game), self.path)

    def entries(self, game: int) -> list[Entry]:
        """All entries of a game, notes too, as they stand in the file."""
        return self._reading().entries(game)

    def row(self, game: int) -> GameRow:
        """One game as it stands in the file.

        Raises:
            BadLog: There is no such game.
        """
        row = self._reading().game(game)
        if row is None:
            raise BadLog(
                f"no game {game} in {self.path}, expected one that `referee journal list` names"
            )
        return row

    def crops(self, game: int) -> list[str]:
        """The names of the pictures that are kept of a game."""
        return self._reading().crops(game)

    def crop(self, game: int, name: str) -> bytes | None:
        """One picture, JPEG."""
        return self._reading().crop(game, name)

    def damage(self) -> str:
        """What SQLite finds wrong with the file; empty: nothing."""
        return self._reading().damage()

    def delete_crops(self, game: int | None = None) -> None:
        """Delete the pictures of a game, or all."""
        self.attempt(lambda store: store.delete_crops(game))

    def _reading(self) -> Store:
        if self.store is None:
            raise JournalError(self._wanted, "read_only")
        return self.store

    # --- when a file fails ---

    def attempt(self, action: Callable[[Store], Done]) -> Done | None:
        """Do something with the file, if there is one; a failure lets a fresh file take over."""
        if self.store is None:
            return None
        try:
            return action(self.store)
        except JournalError as error:
            self.fall_back(error, lambda store: None)
            return None

    def fall_back(
        self, error: JournalError, fill: Callable[[Store], None], *, wanted: Path | None = None
    ) -> None:
        """Leave a file that cannot be used and go on in a fresh one beside it.

        Args:
            error: What is wrong with it.
            fill: Writes into the fresh file what it must know.
            wanted: The file, if it was never open.
        """
        if self.store is not None:
            self.store.close()
            self.store = None
        self._wanted = wanted or error.path
        self._take(_fresh(self._wanted), fill)
        self._tell(Trouble(error, self.store.path if self.store else None))

    def _tell(self, trouble: Trouble) -> None:
        self.trouble = trouble
        log.warning("%s (%s)", trouble.sentence(), trouble.detail)

    def try_again(self, fill: Callable[[Store], None]) -> None:
        """No file could be written: perhaps one can be by now."""
        self._take(self._wanted, fill)
        if self.store is None:
            self._take(_fresh(self._wanted), fill)
        if self.store is not None:
            log.warning("recording again: %s", self.store.path)
            self.trouble = None

    def _take(self, path: Path, fill: Callable[[Store], None]) -> None:
        """Use a file, if it can be opened and filled."""
        is_new = not path.exists()
        store = None
        try:
            store = Store.open(path)
            fill(store)
        except RefereeError as error:
            log.debug("%s", error)
            if store is not None:
                store.close()
            if is_new:
                _remove(path)
            return
        self.store = store


def season_file(year: int, environment: Mapping[str, str] = os.environ) -> Path:
    """Where a season is kept: the service's own folder, else the user's."""
    folder = environment.get("STATE_DIRECTORY", "").partition(":")[0]
    home = environment.get("XDG_STATE_HOME") or f"{environment.get('HOME', '')}/.local/state"
    return Path(folder or f"{home}/referee") / f"season-{year}.db"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _numbered(path: Path, number: int) -> Path:
    return path if number == 1 else path.with_stem(f"{path.stem}-{number}")


def _newest(path: Path) -> Path:
    """The last of the files that took over from each other."""
    numbers = [number for _, number in map(_split, path.parent.glob(f"{path.stem}-*{path.suffix}"))]
    return _numbered(path, max((number for number in numbers if number > 1), default=1))


def _fresh(path: Path) -> Path:
    """The first name beside a file that is free."""
    first, number = _split(path)
    while _numbered(first, number).exists() and number < MOST_FILES:
        number += 1
    return _numbered(first, number)


def _split(path: Path) -> tuple[Path, int]:
    """The first file of a family and which of them this is: season-2026-3.db is the third."""
    stem, _, number = path.stem.rpartition("-")
    is_numbered = bool(stem) and number.isdigit() and 1 < int(number) <= MOST_FILES
    return (path.with_stem(stem), int(number)) if is_numbered else (path, 1)


def _remove(path: Path) -> None:
    for ending in ("", "-wal", "-shm", ".lock"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _info(row: GameRow, path: Path) -> GameInfo:
    try:
        header, box = json.loads(row.header), json.loads(row.box)
        placing = None if row.placing is None else tuple(map(str, json.loads(row.placing)))
    except (ValueError, TypeError) as error:
        raise JournalError(path, "damaged", f"game {row.id}") from error
    return GameInfo(row.id, row.begun_ms, row.ended_ms, header, box, row.winner, placing)


def _log(row: GameRow, entries: list[Entry], path: Path) -> Log:
    """Rows -> log, every bad one named."""
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
