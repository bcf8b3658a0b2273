"""A journal's file as the system sees it: connections, the lock, and why something fails."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.service.journal.trouble import JournalError, JournalInUse

LEAST_FREE_BYTES = 1 << 16
WAIT_S = 1.0
"""For a lock of another program, such as a backup."""

_WHY = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_CANTOPEN: "read_only",
    sqlite3.SQLITE_PERM: "read_only",
    sqlite3.SQLITE_AUTH: "read_only",
    sqlite3.SQLITE_IOERR: "disk",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
}
"""Primary result code -> reason; all others: damaged."""


def connect(path: Path, way: str = "mode=rwc") -> sqlite3.Connection:
    """Open a database; transactions are ours to begin."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{way}",
        uri=True,
        timeout=WAIT_S,
        isolation_level=None,
        check_same_thread=False,
    )


@contextmanager
def reasons(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) or 0
        why = _WHY.get(code & 0xFF, "damaged")
        if code & 0xFF == sqlite3.SQLITE_NOTADB:
            why = "foreign"
        if why == "disk" and _free_bytes(path) < LEAST_FREE_BYTES:
            why = "full"
        raise JournalError(path, why, str(error)) from error


def _free_bytes(path: Path) -> int:
    try:
        return shutil.disk_usage(path.parent).free
    except OSError:
        return 0


def only_writer(path: Path) -> int:
    """Be the only process that writes a file, until the handle is closed or the process ends.

    Raises:
        JournalInUse: Another one is.
        JournalError: There can be no lock.
    """
    # A file of its own: closing another handle of the database would end SQLite's own locks.
    try:
        lock = os.open(beside(path, ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        why = "full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "read_only"
        raise JournalError(path, why, error.strerror or "") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise JournalInUse(path) from error
    return lock


def beside(path: Path, ending: str) -> Path:
    """A file that belongs to a journal, such as its write-ahead log ("-wal")."""
    return path.with_name(path.name + ending)


def size(path: Path) -> int:
    """In bytes; 0 if there is no such file."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
