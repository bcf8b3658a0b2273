"""Games under faults: they end well, and whatever is bad about one is found."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.cli import main
from referee.rules.events import Flip
from referee.rules.verdicts import CardSeen
from referee.service.journal.journal import Journal
from referee.service.soak.full_disk import FullDisk, no_room
from referee.service.soak.game import SoakGame, SoakPlan
from referee.service.soak.judge import GameResult, judge
from referee.service.soak.soak import Memory, Soaked, has_grown, play_one, soak, summary

S = 1_000_000_000
SHORT = SoakPlan(2001)
"""A game of one minute of simulated time."""


@pytest.fixture(scope="module")
def played() -> SoakGame:
    """One game under all troubles."""
    game = SoakGame(SHORT)
    game.play(300 * S)
    return game


@pytest.fixture
def game(played: SoakGame) -> Iterator[SoakGame]:
    """The played game; what a test does to its verdicts is undone."""
    verdicts = list(played.verdicts)
    yield played
    played.verdicts = verdicts


def test_game_under_all_troubles_ends_well_and_is_recorded(tmp_path: Path) -> None:
    result = play_one(replace(SHORT, kinds=_all_but("disk_full")), tmp_path / "season.db")
    assert result.is_good
    assert result.recorded is True
    assert result.winner is not None
    assert sum(result.troubles.values()) > 5
    assert result.faults


def _all_but(kind: str) -> tuple[str, ...]:
    return tuple(one for one in SHORT.kinds if one != kind)


def test_same_seed_plays_the_same_game(played: SoakGame) -> None:
    again = SoakGame(SHORT)
    again.play(300 * S)
    assert again.verdicts == played.verdicts
    assert again.changes == played.changes


def test_every_card_that_was_read_lay_down_within_its_interval(played: SoakGame) -> None:
    seen = [one for one in played.referee.log if isinstance(one, Flip) and one.card.is_read]
    assert len(seen) > 30
    for one in seen:
        assert any(
            flip.card == one.card and one.t_ns - one.early_ns < flip.rest_ns <= one.t_ns
            for flip in played.world.truth.flips
        ), one


def test_wrong_verdict_is_found(game: SoakGame) -> None:
    assert judge(game).wrong == ()
    first = next(slap for slap in game.world.truth.slaps if slap.first)
    game.verdicts = [one for one in game.verdicts if getattr(one, "player", "") != first.player]
    assert first in [one.slap for one in judge(game).wrong]


def test_lost_card_is_found(game: SoakGame) -> None:
    rich = max(game.world.stocks, key=lambda player: len(game.world.stocks[player]))
    stock = game.people._people[rich].stock
    card = stock.pop()
    try:
        result = judge(game)
        assert result.books_differ == {rich: (len(stock) + 1, len(stock))}
        assert not result.is_good
        assert replace(result, recounts=1).is_good, "the box had noticed"
    finally:
        stock.append(card)


def test_verdict_while_suspended_is_bad(game: SoakGame) -> None:
    good = judge(game)
    assert good.is_good
    assert not replace(good, spoken_while_suspended=1).is_good
    assert not replace(good, winner=None).is_good
    assert not replace(good, recorded=False).is_good
    assert not replace(good, lost_cards=1).is_good


def test_pixels_go_through_the_same_game() -> None:
    game = SoakGame(replace(SHORT, pixels=True, kinds=("frames_lost", "pad_storm")))
    for _ in range(50):
        game.step()
    seen = [one for one in game.referee.log if isinstance(one, Flip)]
    assert [one.card for one in seen] == [one.card for one in game.world.truth.flips[: len(seen)]]
    assert seen
    assert [one for one in game.verdicts if isinstance(one, CardSeen)]
    game.close()


# --- the disk ------------------------------------------------------------------------------------


def test_file_cannot_grow_without_room(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 4096)
    with no_room(), pytest.raises(OSError, match="File too large"):
        path.write_bytes(b"x" * 4097)
    path.write_bytes(b"x" * 8192)
    assert path.stat().st_size == 8192


def test_game_goes_on_while_the_disk_is_full_and_is_recorded_afterwards(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "season.db")
    game = SoakGame(replace(SHORT, kinds=()), journal)
    assert game.record is not None
    is_full = True
    game.box._log = FullDisk(game.record, lambda: is_full)
    for _ in range(80):
        game.step()
    assert [(change.code.value, change.on) for _, change in game.changes] == [("E42", True)]
    assert journal.trouble is not None
    assert not journal.is_recording
    is_full = False
    game.play(300 * S)
    assert judge(game).is_good
    assert [change.on for _, change in game.changes if change.code.value == "E42"] == [True, False]
    assert list(journal.log(game.record.id).verdicts) == game.verdicts
    journal.close()


# --- many games ----------------------------------------------------------------------------------


def _soaked(result: GameResult, mb: list[float], objects: int = 50_000) -> list[Soaked]:
    return [Soaked(result, Memory(one, objects)) for one in mb]


def test_memory_that_grows_is_found(played: SoakGame) -> None:
    result = judge(played)
    assert not has_grown(_soaked(result, [100.0]))
    assert not has_grown(_soaked(result, [90.0, 118.0, 119.0, 119.0, 120.0] * 2))
    assert has_grown(_soaked(result, [100.0 + n for n in range(20)]))
    leaking = [one for n in range(20) for one in _soaked(result, [100.0], 50_000 + 500 * n)]
    assert has_grown(leaking)


def test_soak_plays_on_until_there_were_enough_hours() -> None:
    told: list[Soaked] = []
    plan = replace(SHORT, kinds=())
    done = soak(1, 0.01, 2001, plan=plan, on_game=told.append)
    assert done == told
    assert [one.result.seed for one in done] == list(range(2001, 2001 + len(done)))
    assert sum(one.result.simulated_s for one in done) >= 36
    assert summary(done)["good"] == len(done)


def test_command_prints_the_figures_and_writes_a_line_a_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "soak.jsonl"
    words = ["soak", "--games", "1", "--seed", "2001", "--trouble", "pad_storm"]
    assert main([*words, "--log", str(path), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["games"], figures["good"], figures["wrong_verdicts"]) == (1, 1, 0)
    (line,) = path.read_text().splitlines()
    assert json.loads(line)["good"] is True


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--trouble", "ghosts"], "no such trouble: 'ghosts'"),
        (["--log", "/nowhere/soak.jsonl"], "cannot write /nowhere/soak.jsonl"),
    ],
)
def test_command_refuses_what_it_cannot_do(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["soak", "--games", "1", *words]) == 2
    assert said in capsys.readouterr().err
