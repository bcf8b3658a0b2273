"""Truncated and torn files: at most the end that was not on the disk yet is lost, or the file is
named and a fresh one beside it takes over. A thousand random points, never an exception."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from journal_games import BEGUN_MS, begin, new_game

from referee.rules.verdicts import Verdict
from referee.service.journal.clock import Sitting
from referee.service.journal.journal import Journal

OBSERVATIONS = 120
SECTOR = 512
MEMORY = Path("/dev/shm")
"""A thousand files with a sync each are faster there; what is read back is the same."""


@dataclass(frozen=True)
class State:
    """The files at one moment."""

    folder: Path
    shown: tuple[tuple[int, int], ...]
    """Size of the write-ahead log after each sync, and how many verdicts it then had to keep."""

    def kept_by(self, intact: int) -> int:
        """How many verdicts so many bytes of the write-ahead log must give back."""
        return max((count for size, count in self.shown if size <= intact), default=0)


@dataclass(frozen=True)
class Played:
    """A game that was copied again and again while it was played."""

    states: tuple[State, ...]
    expected: tuple[Verdict, ...]


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A quick place."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        yield Path(name)


@pytest.fixture(scope="module")
def played(folder: Path) -> Played:
    """Two games: one is over and in the file itself, one is open and partly in the log."""
    path = folder / "played" / "season-2026.db"
    journal = Journal.open(path)
    first, seen = new_game(30, seed=2)
    record = begin(journal, first)
    for one in seen:
        record.write(one, first.observe(one))
    record.end(first.table, BEGUN_MS + 1)
    referee, seen = new_game(OBSERVATIONS, seed=3)
    record = begin(journal, referee, BEGUN_MS + 2)
    said: list[Verdict] = []
    shown: list[tuple[int, int]] = []
    states = []
    wal = path.with_name(path.name + "-wal")
    for number, one in enumerate(seen):
        verdicts = referee.observe(one)
        record.write(one, verdicts)
        said += verdicts
        if verdicts:
            shown.append((wal.stat().st_size, len(said)))
        if number % 12 == 11:
            copy = folder / f"state-{number}"
            copy.mkdir()
            for file in (path, wal):
                shutil.copy(file, copy / file.name)
            states.append(State(copy, tuple(shown)))
    journal.close()
    return Played(tuple(states), tuple(said))


def _truncate(file: Path, random: Random) -> int:
    size = random.randrange(file.stat().st_size)
    with file.open("r+b") as bytes_of:
        bytes_of.truncate(size)
    return size


def _tear(file: Path, random: Random) -> int:
    """Some sectors were not written: they hold zeros or what was there before."""
    first = random.randrange(file.stat().st_size // SECTOR)
    content = bytearray(file.read_bytes())
    for sector in range(first, first + random.choice((1, 1, 2, 8))):
        old = random.choice((bytes(SECTOR), random.randbytes(SECTOR), content[:SECTOR]))
        content[sector * SECTOR : (sector + 1) * SECTOR] = old
    file.write_bytes(content)
    return first * SECTOR


def _go_on(path: Path) -> tuple[Journal, int]:
    """What a box does after a power cut; returns how many verdicts came back."""
    journal = Journal.open(path)
    opened = journal.open_game()
    if opened is None:
        referee, seen = new_game(12, seed=4)
        record = begin(journal, referee, BEGUN_MS + 3)
        for one in seen:
            record.write(one, referee.observe(one))
        record.end(referee.table, BEGUN_MS + 4)
        assert journal.log(record.id).verdicts, "the next game is not recorded"
        return journal, 0
    referee = opened.replayed()
    record = journal.go_on(opened, Sitting("second boot"))
    kept = list(opened.said)
    _, seen = new_game(OBSERVATIONS, seed=3)
    for one in seen[-6:]:
        verdicts = referee.observe(one)
        record.write(one, verdicts)
        kept += verdicts
    assert list(journal.log(record.id).verdicts) == kept, "what follows is not recorded"
    return journal, len(opened.said)


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("damage", [_truncate, _tear])
def test_power_cut_in_the_write_ahead_log_loses_only_what_was_not_synced(
    played: Played, folder: Path, damage: object, part: int
) -> None:
    random = Random(f"log {part}")
    for _ in range(75):
        state = random.choice(played.states)
        place = Path(shutil.copytree(state.folder, folder / "torn", dirs_exist_ok=True))
        path = place / "season-2026.db"
        intact = damage(path.with_name(path.name + "-wal"), random)  # type: ignore[operator]
        journal, kept = _go_on(path)
        assert journal.trouble is None
        assert journal.path == path
        assert kept >= state.kept_by(intact)
        said = journal.log(2).verdicts[:kept] if kept else ()
        assert said == played.expected[:kept]
        journal.close()
        shutil.rmtree(place)


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("damage", [_truncate, _tear])
def test_damaged_file_is_named_and_a_fresh_one_takes_over_or_all_is_there(
    played: Played, folder: Path, damage: object, part: int
) -> None:
    random = Random(f"file {part}")
    named = 0
    for _ in range(50):
        state = random.choice(played.states)
        place = Path(shutil.copytree(state.folder, folder / "torn", dirs_exist_ok=True))
        path = place / "season-2026.db"
        wal = path.with_name(path.name + "-wal")
        if random.random() < 0.5:
            wal.unlink()
        damage(path, random)  # type: ignore[operator]
        journal, kept = _go_on(path)
        if journal.trouble is not None or journal.path != path:
            named += 1
            assert journal.path.exists()
        elif kept:
            assert journal.log(2).verdicts[:kept] == played.expected[:kept]
        journal.close()
        shutil.rmtree(place)
    assert named > 4
