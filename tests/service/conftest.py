"""A short game and its log."""

from pathlib import Path

import pytest

from referee.rules.cards import parse_card
from referee.rules.events import Flip, Observation, Slap, Watermark
from referee.rules.referee import Referee
from referee.rules.verdicts import Verdict
from referee.service.log import LogWriter

MS = 1_000_000


def write_game(path: Path) -> list[Verdict]:
    """A short game: four cards, a jack, two hands; both sources promise every 20 ms."""
    referee = Referee("slapjack", ("Ann", "Bo"))
    writer = LogWriter(path, referee.header)
    seen: list[Observation] = [
        Flip(1000 * MS, parse_card("7H"), early_ns=17 * MS),
        Flip(2000 * MS, parse_card("JS"), early_ns=17 * MS),
        Slap(2300 * MS, "Bo", early_ns=MS, late_ns=MS),
        Slap(2330 * MS, "Ann", early_ns=MS, late_ns=MS),
    ]
    marks: list[Observation] = [
        Watermark(t_ms * MS, source)
        for t_ms in range(20, 4000, 20)
        for source in ("pads", "camera")
    ]
    said = []
    for one in sorted([*seen, *marks], key=lambda one: one.t_ns):
        verdicts = referee.observe(one)
        writer.write(one, verdicts)
        said += verdicts
    writer.close()
    return said


@pytest.fixture
def game(tmp_path: Path) -> tuple[Path, list[Verdict]]:
    """A log file and what was said while it was written."""
    path = tmp_path / "game.jsonl"
    return path, write_game(path)


@pytest.fixture
def log(game: tuple[Path, list[Verdict]]) -> Path:
    """A log file."""
    return game[0]
