"""The demo: pixels and edges in, verdicts out; nothing of the truth passes to the referee."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.cli import main
from referee.rules.events import DEMO, Flip, Slap
from referee.rules.house_rules import house_rules
from referee.service.demo import DemoGame, Plan
from referee.service.report import readings

SECONDS = 9


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoGame]:
    """The first seconds of a game."""
    log = tmp_path_factory.mktemp("demo") / "game.jsonl"
    demo = DemoGame(Plan(seed=4), house_rules("slapjack"), log=log)
    end_ns = demo.world.now_ns + SECONDS * 1_000_000_000
    for step in demo.steps():
        if step.now_ns >= end_ns:
            break
    demo.close()
    return demo


def test_cards_come_from_pixels_and_none_is_misread(demo: DemoGame) -> None:
    seen = [one for one in demo.referee.log if isinstance(one, Flip)]
    flips = [flip for flip in demo.world.truth.flips if not flip.again]
    assert len(seen) >= 5
    assert readings(flips, seen)[1] == 0


def test_every_true_landing_lies_in_the_interval_of_its_flip(demo: DemoGame) -> None:
    for seen in (one for one in demo.referee.log if isinstance(one, Flip)):
        assert any(
            seen.t_ns - seen.early_ns <= flip.rest_ns <= seen.t_ns + seen.late_ns
            for flip in demo.world.truth.flips
        )


def test_slaps_come_through_mock_pins_and_say_demo(demo: DemoGame) -> None:
    slaps = [one for one in demo.referee.log if isinstance(one, Slap)]
    assert slaps
    assert {slap.stamp for slap in slaps} == {DEMO}
    for slap in slaps:
        true = demo.world.truth.slap_near(slap.player, slap.t_ns)
        assert true is not None
        assert slap.t_ns - slap.early_ns <= true.touch_ns <= slap.t_ns + slap.late_ns


def test_no_verdict_is_wrong_outside_declared_doubt(demo: DemoGame) -> None:
    judged = demo.score()
    assert judged.slaps
    assert judged.wrong == 0


@pytest.mark.parametrize(
    "words",
    [
        ["demo", "--players", "9"],
        ["demo", "--preset", "chess"],
        ["demo", "--set", "tie_ms"],
        ["demo", "--set", "tie_ms=often"],
        ["demo", "--style", "none"],
        ["demo", "--settings", "missing.toml"],
        ["demo", "--fast", "--log", "/dev/null/game.jsonl"],
        ["play", "--camera", "missing.mp4"],
        ["play", "--players", "Ann,Ann"],
        ["play"],
    ],
)
def test_bad_input_is_one_sentence(
    words: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith("referee: ")
    assert shown.err.count("\n") == 1


def test_json_is_one_object(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DemoGame, "steps", lambda self: iter(()))
    assert main(["demo", "--fast", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["game"] == "slapjack"
    assert record["winner"] is None
    assert set(record["verdict_delay_ms"]) == {"p50", "p99"}
