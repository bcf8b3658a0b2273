"""`referee replay`: the same verdicts, lanes, photo finish, and its refusals."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from referee.cli import main
from referee.rules.cards import parse_card
from referee.rules.events import Flip, Observation, Slap, VoidSlap, Watermark
from referee.rules.referee import Referee
from referee.service.journal.journal import Journal
from referee.service.log import LogWriter, read_log
from referee.service.race_book import book_of
from referee.service.web.finish_view import file_of

MS = 1_000_000


def test_replay_says_that_nothing_changed(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(log)]) == 0
    shown = capsys.readouterr()
    assert "the same as at the table" in shown.err
    assert "Bo slapped first" in shown.out


def test_log_that_was_changed_by_hand_fails(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen = '"t_ns":2300000000,"seq":0,"player":"Bo"'
    lines = log.read_text()
    assert seen in lines
    log.write_text(lines.replace(seen, seen.replace("2300", "2400")))
    assert main(["replay", str(log)]) == 1
    assert "differs from the table at verdict" in capsys.readouterr().err


def test_photo_finish_is_a_picture_with_both_hands(log: Path, tmp_path: Path) -> None:
    picture = tmp_path / "race.svg"
    assert main(["replay", str(log), "--finish", str(picture)]) == 0
    words = "".join(ElementTree.parse(picture).getroot().itertext())
    assert "Ann" in words
    assert "+300.0 ms ±1.0" in words


@pytest.fixture
def season(log: Path, tmp_path: Path) -> Path:
    """A season with the game of the log, and a short one after it."""
    written = read_log(log)
    path = tmp_path / "season.db"
    journal = Journal.open(path)
    for last in (len(written.observations), 0):
        referee = Referee(
            written.header.game,
            written.header.players,
            written.header.house_rules,
            written.header.start,
            lockout_ms=written.header.lockout_ms,
        )
        record = journal.begin(referee.header, {}, 1)
        for seen in written.observations[:last]:
            record.write(seen, referee.observe(seen))
        record.end(referee.table, 2)
    journal.close()
    return path


def test_game_of_a_season_is_replayed(season: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(season), "--game", "1"]) == 0
    shown = capsys.readouterr()
    assert "the same as at the table" in shown.err
    assert "Bo slapped first" in shown.out
    assert main(["replay", str(season)]) == 0
    assert "Bo slapped first" not in capsys.readouterr().out


def test_game_that_is_not_there_is_refused(
    season: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["replay", str(season), "--game", "9"], ["replay", str(log), "--game", "1"]):
        assert main(words) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_photo_finish_shows_the_game_as_it_was_corrected(tmp_path: Path) -> None:
    # The file was drawn from all that had been said, the page from what stands.
    referee = Referee("slapjack", ("Ann", "Bo"))
    path = tmp_path / "corrected.jsonl"
    writer = LogWriter(path, referee.header)
    seen: list[Observation] = [
        Flip(1000 * MS, parse_card("JS"), early_ns=17 * MS),
        Slap(1300 * MS, "Bo", early_ns=MS),
        Slap(1500 * MS, "Ann", early_ns=MS),
        Watermark(2000 * MS, "pads"),
        Watermark(2000 * MS, "camera"),
        VoidSlap(3000 * MS, "Bo", 1300 * MS),
    ]
    for one in seen:
        writer.write(one, referee.observe(one))
    writer.close()
    referee.finish()
    picture = tmp_path / "race.svg"
    assert main(["replay", str(path), "--finish", str(picture), "--race", "1"]) == 0
    (race,) = book_of(referee.facts, referee.verdicts).races
    assert picture.read_text() == file_of(race.message(), "en")


@pytest.mark.parametrize("options", [["--race", "7"], ["--race", "0"]])
def test_race_that_is_not_there_is_refused(
    log: Path, tmp_path: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "race.svg"
    assert main(["replay", str(log), "--finish", str(picture), *options]) == 2
    assert "no race" in capsys.readouterr().err


def test_missing_log_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "none.jsonl")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
