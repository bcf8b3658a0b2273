"""The games of a season: begin one, go on with one, read old ones.

A box always gets a journal. If its file cannot be used, a fresh one beside it takes over; if none
can be written, the game is played unrecorded and the journal tries again now and then.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from referee.rules.errors import BadLog, RefereeError
from referee.rules.record import Header, header_to_record
from referee.service.journal.clock import Sitting
from referee.service.journal.names import fresh, newest, remove, season_file
from referee.service.journal.record import GameRecord
from referee.service.journal.resume import OpenGame
from referee.service.journal.rows import GameInfo, info_from, log_from
from referee.service.journal.store import Entry, GameRow, Store
from referee.service.journal.trouble import JournalError, Trouble
from referee.service.log import Log

__all__ = ["GameInfo", "Journal", "season_file"]

log = logging.getLogger(__name__)

Done = TypeVar("Done")

SITTING = "sitting"
"""Kind of the note that says in which boot a game goes on."""


class Journal:
    """The journal of one season."""

    def __init__(self, path: Path, store: Store | None, trouble: Trouble | None = None) -> None:
        """Use `open` or `open_read_only`."""
        self.store = store
        self.trouble = trouble
        """What is wrong; None: nothing. It stays until a game was kept without it."""
        self._wanted = path
        self._playing: GameRecord | None = None
        self._closed = False

    @classmethod
    def open(cls, path: Path) -> Journal:
        """Open for writing.

        Args:
            path: The season's file; the newest file beside it that took over, if there is one.

        Raises:
            JournalInUse: Another box writes it. Everything else is told by `trouble`.
        """
        used = newest(path)
        try:
            return cls(used, Store.open(used))
        except JournalError as error:
            journal = cls(path, None)
            journal.fall_back(error)
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
        self._closed = True
        if self.store is not None:
            self.store.close()
            self.store = None

    # --- playing ---

    def begin(self, header: Header, box: Mapping[str, Any], begun_ms: int) -> GameRecord:
        """Begin a game; one that was open is ended by that.

        Args:
            header: Of the referee.
            box: {"demo", "stamp", "deck", "boot", "version"}.
            begun_ms: Unix time.
        """
        if self.store is None:
            self.try_again()
        row = GameRow(
            id=(self.attempt(Store.newest) or 0) + 1,
            begun_ms=begun_ms,
            ended_ms=None,
            header=_json(header_to_record(header)),
            box=_json(dict(box)),
            winner=None,
            placing=None,
        )
        self._playing = record = GameRecord(self, row)
        self.attempt(record.hand_over)
        return record

    def open_game(self) -> OpenGame | None:
        """The newest game, if it was never ended: a power cut interrupted it.

        A game that cannot be gone on with is named in `trouble`.
        """
        return self.attempt(self._open_game)

    def go_on(self, game: OpenGame, sitting: Sitting) -> GameRecord:
        """Go on with an open game.

        Args:
            game: From `open_game`.
            sitting: The boot in which it goes on and what is added to its stamps.
        """
        self._playing = record = GameRecord(self, game.row, game.entries)
        record.note(SITTING, {"boot": sitting.boot, "offset_ns": sitting.offset_ns})
        return record

    def _open_game(self, store: Store) -> OpenGame | None:
        games = store.games()
        if not games or games[-1].ended_ms is not None:
            return None
        row = games[-1]
        entries = store.entries(row.id)
        try:
            game = OpenGame(row, tuple(entries), log_from(row, entries, store.path))
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
        return [info_from(row, self.path) for row in self._reading().games()]

    def log(self, game: int) -> Log:
        """A game as referee.service.log reads it from a file.

        Raises:
            BadLog: There is no such game, or it cannot be read.
            JournalError: The file is damaged.
        """
        return log_from(self.row(game), self.entries(game), self.path)

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
            self.fall_back(error)
            return None

    def fall_back(self, error: JournalError) -> None:
        """Leave a file that cannot be used and go on in a fresh one beside it."""
        if self.store is not None:
            self.store.close()
            self.store = None
        self._wanted = error.path
        self._take(fresh(self._wanted))
        self._tell(Trouble(error, self.store.path if self.store else None))

    def _tell(self, trouble: Trouble) -> None:
        self.trouble = trouble
        log.warning("%s (%s)", trouble.sentence(), trouble.detail)

    def try_again(self) -> None:
        """No file could be written: perhaps one can be by now."""
        if self._closed:
            return
        self._take(self._wanted)
        if self.store is None:
            self._take(fresh(self._wanted))
        if self.store is not None:
            log.warning("recording again: %s", self.store.path)
            self.trouble = None

    def left(self, record: GameRecord, *, ended: bool) -> None:
        """A game that was written is closed."""
        if self._playing is record:
            self._playing = None
        if ended and self.trouble is not None and self.trouble.is_recording:
            self.trouble = None

    def _take(self, path: Path) -> None:
        """Use a file, if it can be opened and takes the game that is being played."""
        is_new = not path.exists()
        store = None
        try:
            store = Store.open(path)
            if self._playing is not None:
                self._playing.hand_over(store)
        except RefereeError as error:
            log.debug("%s", error)
            if store is not None:
                store.close()
            if is_new:
                remove(path)
            return
        self.store = store


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
