"""One journal file: rows in, rows out. All that is SQLite is here; every failure has a reason.

Write-ahead log: a reader never waits for the writer. A commit with `sync` is on the disk when it
returns; one without survives the end of the program, but not a power cut.

Source: https://sqlite.org/wal.html, https://sqlite.org/pragma.html#pragma_synchronous.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from referee.service.journal import schema
from referee.service.journal.files import beside, connect, only_writer, reasons, size
from referee.service.journal.trouble import JournalError

CHECKPOINT_PAGES = 4000
"""The write-ahead log is emptied after each game; within one only when it has so many pages."""


class Entry(NamedTuple):
    """A row of `entries`, without game and number."""

    t_ns: int
    what: str
    """"seen", "said" or "note"."""
    record: str
    """JSON."""


class GameRow(NamedTuple):
    """A row of `games`."""

    id: int
    begun_ms: int
    ended_ms: int | None
    header: str
    box: str
    winner: str | None
    placing: str | None


COLUMNS = ", ".join(GameRow._fields)


class Store:
    """An open file."""

    def __init__(self, path: Path, database: sqlite3.Connection, lock: int | None) -> None:
        """Use `open` or `open_read_only`."""
        self.path = path
        self._database = database
        self._lock = lock
        self._sync: bool | None = None

    # --- opening ---

    @classmethod
    def open(cls, path: Path) -> Store:
        """Open a file for writing; make it, or bring it to this version, if need be.

        Raises:
            JournalInUse: Another process writes it.
            JournalError: It cannot be used; its text says why.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(path, "no_folder", error.strerror or "") from error
        lock = only_writer(path)
        try:
            was_cut_off = size(beside(path, "-wal")) > 0
            with reasons(path):
                database = connect(path)
            store = cls(path, database, lock)
        except BaseException:
            os.close(lock)
            raise
        try:
            store._prepare(check=was_cut_off)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def open_read_only(cls, path: Path) -> Store:
        """Open a file to read only; a box may write it meanwhile.

        Raises:
            JournalError: It is not there or cannot be used.
        """
        if not path.is_file():
            raise JournalError(path, "missing")
        ways = ["mode=ro"] if size(beside(path, "-wal")) else ["mode=ro", "immutable=1"]
        for number, way in enumerate(ways, 1):
            try:
                with reasons(path):
                    store = cls(path, connect(path, way), None)
            except JournalError:
                if number == len(ways):
                    raise
                continue
            try:
                version = store._pragma("user_version")
                store._check_version(version)
                if version < schema.SCHEMA:
                    raise JournalError(path, "older")
            except JournalError as error:
                store.close()
                if error.why != "read_only" or number == len(ways):
                    raise
            else:
                return store
        raise AssertionError("the last way returns or raises")

    def close(self) -> None:
        """Give file and lock back. Safe to call twice."""
        with suppress(sqlite3.Error):
            self._database.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _prepare(self, *, check: bool) -> None:
        with reasons(self.path):
            version = self._pragma("user_version")
            is_new = version == 0 and not self._has_tables()
            if not is_new:
                self._check_version(version)  # before anything is changed
            if self._database.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
                raise JournalError(self.path, "disk", "no write-ahead log here")
            self._database.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
            self._database.execute("PRAGMA secure_delete=ON")
            self._database.execute("PRAGMA temp_store=MEMORY")
            self._database.execute("PRAGMA synchronous=FULL")
            if is_new:
                self._create()
            if check and (damage := self.damage()):
                raise JournalError(self.path, "damaged", damage)
            self._migrate(self._pragma("user_version"))

    def _has_tables(self) -> bool:
        return bool(self._one("SELECT count(*) FROM sqlite_master"))

    def _create(self) -> None:
        self._script(
            f"PRAGMA application_id={schema.APPLICATION_ID}; {schema.TABLES}"
            f"PRAGMA user_version={schema.SCHEMA};"
        )

    def _check_version(self, version: int) -> None:
        if self._pragma("application_id") != schema.APPLICATION_ID:
            raise JournalError(self.path, "foreign")
        if version > schema.SCHEMA:
            raise JournalError(self.path, "newer", f"schema {version}, not {schema.SCHEMA}")
        if version < 1:
            raise JournalError(self.path, "damaged", f"schema {version}")

    def _migrate(self, version: int) -> None:
        for old in range(version, schema.SCHEMA):
            self._script(f"{schema.MIGRATIONS[old]} PRAGMA user_version={old + 1};")

    def _script(self, statements: str) -> None:
        """All or nothing."""
        try:
            self._database.executescript(f"BEGIN IMMEDIATE; {statements} COMMIT;")
        except sqlite3.Error:
            self._roll_back()
            raise

    # --- writing ---

    def add_game(self, game: GameRow) -> None:
        """Begin a game; earlier ones that were never ended are ended by that."""
        with self._commit(sync=True) as run:
            run(
                "UPDATE games SET ended_ms = ? WHERE ended_ms IS NULL AND id <> ?",
                (game.begun_ms, game.id),
            )
            run(f"INSERT INTO games ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", game)

    def append(self, game: int, first: int, entries: Iterable[Entry], *, sync: bool) -> None:
        """Append entries.

        Args:
            game: Of which game.
            first: Number of the first one.
            entries: In order.
            sync: They are on the disk when this returns.
        """
        with self._commit(sync=sync) as run:
            for n, entry in enumerate(entries, first):
                run("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", (game, n, *entry))

    def end_game(self, game: int, ended_ms: int, winner: str | None, placing: str | None) -> None:
        """Close a game."""
        with self._commit(sync=True) as run:
            run(
                "UPDATE games SET ended_ms = ?, winner = ?, placing = ? WHERE id = ?",
                (ended_ms, winner, placing, game),
            )

    def add_crop(self, game: int, name: str, jpeg: bytes) -> None:
        """Keep a picture of the pile."""
        with self._commit(sync=False) as run:
            run("INSERT OR REPLACE INTO crops VALUES (?, ?, ?)", (game, name, jpeg))

    def delete_crops(self, game: int | None = None) -> None:
        """Delete the pictures of a game, or all; they are overwritten with zeros."""
        with self._commit(sync=True) as run:
            run("DELETE FROM crops WHERE game = ? OR ? IS NULL", (game, game))
        self.tidy()

    def tidy(self) -> None:
        """Empty the write-ahead log into the file, unless a reader is at it."""
        with reasons(self.path):
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    @contextmanager
    def _commit(self, *, sync: bool) -> Iterator[Any]:
        with reasons(self.path):
            if sync is not self._sync:
                self._database.execute(f"PRAGMA synchronous={'FULL' if sync else 'NORMAL'}")
                self._sync = sync
            try:
                self._database.execute("BEGIN IMMEDIATE")
                yield self._database.execute
                self._database.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        if self._database.in_transaction:
            with suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")

    # --- reading ---

    def games(self) -> list[GameRow]:
        """All games, the oldest first."""
        return [GameRow(*row) for row in self._all(f"SELECT {COLUMNS} FROM games ORDER BY id")]

    def game(self, game: int) -> GameRow | None:
        """One game."""
        rows = self._all(f"SELECT {COLUMNS} FROM games WHERE id = ?", game)
        return GameRow(*rows[0]) if rows else None

    def entries(self, game: int, first: int = 0) -> list[Entry]:
        """The entries of a game from a number on."""
        found = self._all(
            "SELECT t_ns, what, record FROM entries WHERE game = ? AND n >= ? ORDER BY n",
            game,
            first,
        )
        return [Entry(*row) for row in found]

    def count(self, game: int) -> int:
        """How many entries a game has."""
        return int(self._one("SELECT coalesce(max(n) + 1, 0) FROM entries WHERE game = ?", game))

    def newest(self) -> int:
        """The highest number of a game; 0 if there is none."""
        return int(self._one("SELECT coalesce(max(id), 0) FROM games"))

    def crops(self, game: int) -> list[str]:
        """The names of a game's pictures."""
        return [str(row[0]) for row in self._all("SELECT id FROM crops WHERE game = ?", game)]

    def crop(self, game: int, name: str) -> bytes | None:
        """One picture."""
        rows = self._all("SELECT jpeg FROM crops WHERE game = ? AND id = ?", game, name)
        return bytes(rows[0][0]) if rows else None

    def damage(self) -> str:
        """What SQLite finds wrong with the file; empty: nothing."""
        found = str(self._one("PRAGMA quick_check(1)"))
        return "" if found == "ok" else " ".join(found.split())

    def _pragma(self, name: str) -> int:
        return int(self._one(f"PRAGMA {name}"))

    def _one(self, query: str, *values: object) -> Any:
        return self._all(query, *values)[0][0]

    def _all(self, query: str, *values: object) -> list[Any]:
        with reasons(self.path):
            return self._database.execute(query, values).fetchall()
