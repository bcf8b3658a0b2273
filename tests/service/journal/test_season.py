"""A season of several files reads as one, whatever made the next file take over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from journal_games import BEGUN_MS, begin, new_game, play

from referee.cli import main
from referee.rules.errors import BadLog
from referee.rules.verdicts import Verdict
from referee.service.journal.check import check
from referee.service.journal.journal import Journal
from referee.service.journal.season import SeasonFiles
from referee.service.journal.trouble import JournalError
from referee.service.statistics.book import Book

DAY_MS = 24 * 3_600_000


def _add(path: Path, day: int, *, torn: bool = False) -> list[Verdict]:
    """A game of that day; `torn`: its file is lost in the middle, and another one takes over."""
    journal = Journal.open(path)
    referee, seen = new_game(60, seed=day)
    record = begin(journal, referee, BEGUN_MS + day * DAY_MS)
    said = play(record, referee, seen[:30])
    if torn:
        journal.fall_back(JournalError(journal.path, "disk"))
    said += play(record, referee, seen[30:]) + referee.finish()
    record.end(referee.table, BEGUN_MS + day * DAY_MS + 1)
    journal.close()
    return said


def _tear(path: Path) -> None:
    path.write_bytes(b"no database any more")


@pytest.fixture
def season(path: Path) -> Path:
    """Games 1 to 3 in the first file, the third was handed over; two more in the third file."""
    _add(path, 1)
    _add(path, 2)
    _add(path, 3, torn=True)
    path.with_name("season-2026-3.db").write_bytes(b"")
    _add(path, 4)
    _add(path, 5)
    return path


def test_every_game_of_every_file_is_listed_once(season: Path) -> None:
    # Only the newest file was read: a damaged season seemed to have begun anew.
    files = SeasonFiles(season)
    games = files.games()
    assert [info.begun_ms for info in games] == [BEGUN_MS + n * DAY_MS for n in range(1, 6)]
    numbers = [info.id for info in games]
    assert numbers == [1, 2, 3, 4, 5]
    assert all(info.ended_ms is not None for info in games)
    assert all(found.ok for found in check(files))
    assert len(Book().read(files)[0]) == 5
    files.close()


@pytest.mark.parametrize("name", ["season-2026.db", "season-2026-2.db", "season-2026-3.db"])
def test_any_file_of_the_season_leads_to_all(season: Path, name: str) -> None:
    files = SeasonFiles(season.with_name(name))
    assert len(files.games()) == 5
    assert files.log(3).observations
    files.close()


def test_damaged_file_is_named_and_the_others_are_read(
    season: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _tear(season)
    files = SeasonFiles(season)
    assert [error.path for error in files.broken] == [season]
    assert len(files.games()) == 3
    assert season.name in files.damage()
    files.close()
    assert main(["journal", "list", "--journal", str(season), "--json"]) == 0
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == 3
    assert str(season) in shown.err.replace("\n", "")
    assert main(["stats", str(season), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 3
    assert main(["journal", "check", "--journal", str(season)]) == 1


def test_season_without_any_usable_file_is_an_error(path: Path) -> None:
    with pytest.raises(JournalError):
        SeasonFiles(path)
    _tear(path)
    with pytest.raises(JournalError):
        SeasonFiles(path)


def test_game_that_is_in_no_file_is_an_error(season: Path) -> None:
    files = SeasonFiles(season)
    with pytest.raises(BadLog):
        files.row(6)
    assert files.crops(6) == []
    files.close()


def test_files_that_are_named_one_by_one_are_counted_once(
    season: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    every = [str(each) for each in sorted(season.parent.glob("season-2026*.db"))]
    assert main(["stats", *every, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 5


def test_pictures_are_found_under_the_number_of_their_own_file(path: Path) -> None:
    _add(path, 1)
    _tear(path)
    path.with_name("season-2026-2.db").unlink(missing_ok=True)
    journal = Journal.open(path)
    referee, seen = new_game(20, seed=9)
    record = begin(journal, referee)
    record.crop(f"{record.id}-1-before", b"jpeg")
    play(record, referee, seen)
    journal.close()
    files = SeasonFiles(path)
    (info,) = files.games()
    assert files.number_in_file(info.id) == record.id
    assert files.crop(info.id, f"{record.id}-1-before") == b"jpeg"
    files.close()
