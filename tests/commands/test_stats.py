"""`referee stats`: tables, JSON and a plot from a journal or from logs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "service" / "statistics"))

from season_games import simulated

from referee.cli import main
from referee.rules.game import TableView
from referee.service.journal.journal import Journal
from referee.service.log import Log, LogWriter

NAMES = ("Ann", "Bo", "Cleo")
HOUR_MS = 3_600_000
BOX = {"demo": True, "stamp": "demo", "deck": "de", "boot": "x", "version": "0"}


@pytest.fixture(scope="module")
def played() -> list[Log]:
    return [simulated(seed, NAMES) for seed in (1, 2)]


@pytest.fixture
def season(tmp_path: Path, played: list[Log]) -> Path:
    path = tmp_path / "season.db"
    journal = Journal.open(path)
    for number, log in enumerate(played):
        record = journal.begin(log.header, BOX, number * 24 * HOUR_MS)
        for seen in log.observations:
            record.write(seen, ())
        record.end(TableView(NAMES, winner="Ann"), number * 24 * HOUR_MS + HOUR_MS)
    journal.close()
    return path


def test_season_is_printed_with_every_player(
    season: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", str(season)]) == 0
    shown = capsys.readouterr().out
    assert "2 games" in shown
    assert all(name in shown for name in NAMES)


def test_json_has_figures_of_the_chosen_player_only(
    season: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", str(season), "--player", "Bo", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [one["player"] for one in record["players"]] == ["Bo"]
    assert len(record["evenings"]) == 2
    share = record["players"][0]["false_slaps"]
    assert share["low"] <= share["share"] <= share["high"]


def test_logs_are_taken_like_a_journal(
    tmp_path: Path, played: list[Log], season: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = []
    for number, log in enumerate(played):
        paths.append(str(tmp_path / f"{number}.jsonl"))
        writer = LogWriter(Path(paths[-1]), log.header)
        for seen in log.observations:
            writer.write(seen, ())
        writer.close()
    assert main(["stats", *paths, "--json"]) == 0
    from_logs = json.loads(capsys.readouterr().out)
    assert main(["stats", str(season), "--json"]) == 0
    from_journal = json.loads(capsys.readouterr().out)
    assert from_logs["players"] == from_journal["players"]


def test_plot_is_written(season: Path, tmp_path: Path) -> None:
    assert main(["stats", str(season), "--json", "--svg", str(tmp_path / "plot.svg")]) == 0
    assert "<svg" in (tmp_path / "plot.svg").read_text()


def test_bad_input_is_one_sentence(
    season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "noise.db").write_bytes(b"noise" * 1000)
    for words in (
        ["stats", str(season), "--player", "Zoe"],
        ["stats", str(tmp_path / "missing.db")],
        ["stats", str(tmp_path / "missing.jsonl")],
        ["stats", str(tmp_path / "noise.db")],
        ["stats", str(season), "--json", "--svg", str(tmp_path / "no" / "plot.svg")],
    ):
        assert main(words) == 2
        shown = capsys.readouterr().err
        assert shown.startswith("referee: ")
        assert shown.count("\n") == 1


def test_everything_is_said_in_german(season: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        assert main(["--language", "de", "stats", str(season)]) == 0
    finally:
        main(["--language", "en", "--help"])
    assert "Die knappsten Rennen" in capsys.readouterr().out
