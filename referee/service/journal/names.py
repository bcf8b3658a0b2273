"""Where a season's file is, and how the files are called that take over from it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

MOST_FILES = 99


def season_file(year: int, environment: Mapping[str, str] = os.environ) -> Path:
    """Where a season is kept: the service's own folder, else the user's."""
    folder = environment.get("STATE_DIRECTORY", "").partition(":")[0]
    home = environment.get("XDG_STATE_HOME") or f"{environment.get('HOME', '')}/.local/state"
    return Path(folder or f"{home}/referee") / f"season-{year}.db"


def _numbered(path: Path, number: int) -> Path:
    return path if number == 1 else path.with_stem(f"{path.stem}-{number}")


def newest(path: Path) -> Path:
    """The last of the files that took over from each other."""
    numbers = [number for _, number in map(_split, path.parent.glob(f"{path.stem}-*{path.suffix}"))]
    return _numbered(path, max((number for number in numbers if number > 1), default=1))


def family(path: Path) -> list[Path]:
    """A season's file and those that took over from it, as far as they exist, the oldest first.

    Args:
        path: Any of them.
    """
    first, _ = _split(path)
    found = [_numbered(first, number) for number in range(1, MOST_FILES + 1)]
    return [each for each in found if each.exists()] or [path]


def fresh(path: Path) -> Path:
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


def remove(path: Path) -> None:
    """Delete a file that could not be begun, and what SQLite put beside it."""
    for ending in ("", "-wal", "-shm", ".lock"):
        with suppress(OSError):
            path.with_name(path.name + ending).unlink(missing_ok=True)
