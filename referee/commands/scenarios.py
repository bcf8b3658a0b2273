"""`referee scenarios`: play scenario files and compare the verdicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from referee.locale import text
from referee.rules.scenario import read_scenarios
from referee.rules.scenario_play import Outcome, play_scenario


def run(
    files: Annotated[list[Path], typer.Argument(help=text("rules", "Scenario files (.jsonl)."))],
    as_json: Annotated[
        bool, typer.Option("--json", help=text("rules", "Print one JSON object."))
    ] = False,
) -> None:
    """Play every scenario through the referee; exit code 1 if any verdict differs."""
    outcomes = [play_scenario(scenario) for path in files for scenario in read_scenarios(path)]
    failures = [outcome for outcome in outcomes if not outcome.passed]
    if as_json:
        _print_json(len(outcomes), failures)
    else:
        _print_text(len(outcomes), failures)
    if failures:
        raise typer.Exit(1)


def _print_json(played: int, failures: list[Outcome]) -> None:
    report = {
        "passed": played - len(failures),
        "failed": len(failures),
        "failures": [
            {
                "id": failure.scenario.name,
                "title": failure.scenario.title,
                "expected": {
                    "verdicts": list(failure.scenario.expect),
                    "final": failure.scenario.final,
                },
                "got": {"verdicts": list(failure.got), "final": failure.final},
                "differences": list(failure.differences),
            }
            for failure in failures
        ],
    }
    print(json.dumps(report, ensure_ascii=False))


def _print_text(played: int, failures: list[Outcome]) -> None:
    for failure in failures:
        print(f"{failure.scenario.name}  {failure.scenario.title}")
        for line in failure.differences:
            print(f"    {line}")
    passed = text("rules", "{n} passed").format(n=played - len(failures))
    failed = text("rules", "{n} failed").format(n=len(failures))
    print(f"{passed}, {failed}")
