"""A game for other programs, and the command `referee journal`."""

import csv
import io
import json
from pathlib import Path

import pytest
from journal_games import BEGUN_MS, begin, new_game, play

from referee.cli import main
from referee.locale import choose_language
from referee.rules.cards import parse_card
from referee.rules.events import Flip, Watermark
from referee.rules.referee import Referee
from referee.service.journal.export import to_csv
from referee.service.journal.journal import Journal
from referee.service.log import Log, LogWriter, read_log


@pytest.fixture
def season(path: Path) -> Path:
    """A season of two games; the second is open."""
    journal = Journal.open(path)
    for number in (0, 1):
        referee, seen = new_game(150, seed=number)
        record = begin(journal, referee, BEGUN_MS + number * 3_600_000)
        play(record, referee, seen)
        record.note("table", {"cards": 52})
        if number == 0:
            record.end(referee.table, BEGUN_MS + 720_000)
    journal.close()
    return path


def _log(season: Path, game: int) -> Log:
    journal = Journal.open_read_only(season)
    log = journal.log(game)
    journal.close()
    return log


def test_json_lines_are_what_the_log_writer_writes(season: Path, tmp_path: Path) -> None:
    exported, written = tmp_path / "exported.jsonl", tmp_path / "written.jsonl"
    assert main(["journal", "export", "1", "--journal", str(season), "--jsonl", str(exported)]) == 0
    assert read_log(exported) == _log(season, 1)
    referee, seen = new_game(150, seed=0)
    writer = LogWriter(written, referee.header)
    for one in seen:
        writer.write(one, referee.observe(one))
    writer.close()
    assert sorted(exported.read_text().splitlines()) == sorted(written.read_text().splitlines())
    assert main(["replay", str(exported)]) == 0


def test_table_has_a_row_for_every_flip_slap_and_verdict(season: Path, tmp_path: Path) -> None:
    table = tmp_path / "game.csv"
    words = ["export", "1", "--journal", str(season), "--csv", str(table)]
    assert main(["--language", "de", "journal", *words]) == 0
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    log = _log(season, 1)
    told = [one for one in log.observations if not isinstance(one, Watermark)]
    assert len(rows) == len(told) + len(log.verdicts)
    first = next(one for one in told if isinstance(one, Flip))
    row = next(row for row in rows if row["kind"] == "flip")
    assert (row["card"], row["early_ms"], row["seconds"]) == (str(first.card), "17", "0.000000")
    assert any("deckt auf" in row["sentence"] for row in rows)
    choose_language("en")


def test_name_is_never_taken_for_a_formula(journal: Journal) -> None:
    referee = Referee("slapjack", ("=1+1", "@Bo"))
    record = begin(journal, referee)
    seen = [Flip(5, parse_card("7H")), Watermark(9, "pads"), Watermark(9, "camera")]
    play(record, referee, seen)
    rows = list(csv.reader(io.StringIO(to_csv(journal.entries(record.id)))))
    cells = [cell for row in rows for cell in row]
    assert "'=1+1" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "@"))]


def test_list_shows_every_game(season: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "list", "--journal", str(season)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert "slapjack DEMO" in lines[1]
    assert "open" in lines[2]
    assert main(["journal", "list", "--json", "--journal", str(season)]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["id"], one["ended_ms"]) for one in records] == [(1, BEGUN_MS + 720_000), (2, None)]


def test_check_replays_every_game(season: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "check", "--journal", str(season)]) == 0
    assert capsys.readouterr().out.startswith("2 games replay")


def test_check_names_what_is_damaged(season: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = season.read_bytes()
    place = content.index(b'"verdict":"card_seen"')
    season.write_bytes(content[:place] + b'"verdict":"card_eaten' + content[place + 21 :])
    assert main(["journal", "check", "--journal", str(season)]) == 1
    said = capsys.readouterr().out
    assert "Game " in said
    assert "1 games replay" in said


@pytest.mark.parametrize(
    "words",
    [
        ["export"],
        ["export", "7"],
        ["export", "1", "--csv", "/dev/null/game.csv"],
        ["list", "--journal", "missing.db"],
        ["check", "--journal", "/dev/null"],
        ["burn"],
    ],
)
def test_bad_input_is_one_sentence(
    season: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    options = [] if "--journal" in words else ["--journal", str(season)]
    assert main(["journal", *words, *options]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith("referee: ")
    assert shown.err.count("\n") == 1


def test_pictures_are_kept_deleted_and_wiped(journal: Journal) -> None:
    referee, seen = new_game(60)
    record = begin(journal, referee)
    play(record, referee, seen)
    marks = [bytes([65 + number]) * 5000 for number in range(3)]
    for number, jpeg in enumerate(marks):
        record.crop(f"1-{number}-before", jpeg)
    assert sorted(journal.crops(1)) == ["1-0-before", "1-1-before", "1-2-before"]
    assert journal.crop(1, "1-1-before") == marks[1]
    assert journal.crop(1, "none") is None
    record.end(referee.table, BEGUN_MS + 1)
    assert _is_in_a_file(marks[0][:1000], journal.path)
    journal.delete_crops(1)
    assert journal.crops(1) == []
    assert not any(_is_in_a_file(mark[:1000], journal.path) for mark in marks)


def _is_in_a_file(part: bytes, path: Path) -> bool:
    return any(part in file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
