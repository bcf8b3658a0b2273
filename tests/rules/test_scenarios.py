"""Every scenario of tests/scenarios, through Referee.observe, and the command that plays them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from referee.cli import main
from referee.rules.referee import Referee
from referee.rules.scenario import Scenario, read_scenarios
from referee.rules.scenario_play import play_scenario, verdict_notation

FOLDER = Path(__file__).parents[1] / "scenarios"
ALL = [
    scenario
    for name in ("slapjack", "ers", "spit")
    for scenario in read_scenarios(FOLDER / f"{name}.jsonl")
]


@pytest.mark.parametrize("scenario", ALL, ids=lambda scenario: scenario.name)
def test_scenario_gives_the_expected_verdicts(scenario: Scenario) -> None:
    assert play_scenario(scenario).differences == ()


@pytest.mark.parametrize("scenario", ALL, ids=lambda scenario: scenario.name)
def test_scenario_in_any_order_of_arrival_gives_the_same_verdicts(scenario: Scenario) -> None:
    header = scenario.header
    expected = [dict(verdict) for verdict in play_scenario(scenario).got]
    for seed in range(3):
        seen = [observation for _, observation in scenario.observations]
        Random(seed).shuffle(seen)
        referee = Referee(
            header.game, header.players, header.house_rules, header.start, lockout_ms=0
        )
        said = [verdict for observation in seen for verdict in referee.observe(observation)]
        said += referee.finish()
        kinds = {verdict["verdict"] for verdict in expected}
        got = [verdict_notation(verdict) for verdict in said if verdict.kind in kinds]
        assert got == expected


def test_command_on_good_files_prints_the_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "en", "scenarios", str(FOLDER / "slapjack.jsonl")]) == 0
    assert capsys.readouterr().out == "86 passed, 0 failed\n"


def _changed(tmp_path: Path) -> Path:
    line = (FOLDER / "slapjack.jsonl").read_text(encoding="utf-8").splitlines()[4]
    scenario = json.loads(line)
    scenario["expect"][0]["player"] = "B"
    path = tmp_path / "changed.jsonl"
    path.write_text(json.dumps(scenario) + "\n", encoding="utf-8")
    return path


def test_command_on_a_failure_shows_expected_and_got(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--language", "en", "scenarios", str(_changed(tmp_path))]) == 1
    out = capsys.readouterr().out
    assert "sj-007" in out
    assert 'expected valid_slap {"player": "B"' in out
    assert 'got valid_slap {"player": "C"' in out
    assert out.endswith("0 passed, 1 failed\n")


def test_command_with_json_prints_one_object(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scenarios", "--json", str(_changed(tmp_path))]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["passed"], report["failed"]) == (0, 1)
    assert report["failures"][0]["id"] == "sj-007"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "no JSON object"),
        ("3", "a scenario is an object"),
        ('{"id": "x"}', "without the field 'game'"),
        ('{"id": "x", "game": "whist", "players": [], "events": []}', "no such game: 'whist'"),
        (
            '{"id": "x", "game": "slapjack", "players": ["A", "B"], "options": {"burn": 1},'
            ' "initial": {"deal": true}, "events": [], "expect": []}',
            "no such house rule in slapjack: 'burn'",
        ),
        (
            '{"id": "x", "game": "slapjack", "players": ["A"],'
            ' "initial": {"deal": true}, "events": [], "expect": []}',
            "1 players, expected 2 to 8",
        ),
        (
            '{"id": "x", "game": "ers", "players": ["A", "B"], "initial": {"deal": true},'
            ' "events": [{"t_ms": 5, "kind": "slap", "player": "C"}], "expect": []}',
            "'C' does not play",
        ),
    ],
)
def test_command_on_a_bad_line_names_file_and_line(
    text: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text("\n" + text + "\n", encoding="utf-8")
    assert main(["scenarios", str(path)]) == 2
    error = capsys.readouterr().err
    assert f"{path}, line 2: " in error
    assert reason in error
    assert error.count("\n") == 1


def test_command_on_a_missing_file_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scenarios", str(tmp_path / "none.jsonl")]) == 2
    assert "no such file" in capsys.readouterr().err
