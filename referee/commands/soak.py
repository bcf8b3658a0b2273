"""`referee soak`: games by the hundred while everything fails, and what the memory does."""

from __future__ import annotations

import json
import logging
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from hardware.simulated.faulty import KINDS
from referee.locale import text
from referee.rules.errors import RefereeError
from referee.service.demo import use_one_thread
from referee.service.soak.game import SoakPlan
from referee.service.soak.soak import Soaked, soak, summary

AREA = "faults"
FAILED = 1


class BadSoak(RefereeError, OSError):
    """The soak cannot be done as wished."""


def run(
    games: Annotated[int, typer.Option(min=1, help=text("faults", "At least so many games."))] = 20,
    hours: Annotated[
        float, typer.Option(min=0, help=text("faults", "At least so many hours of simulated play."))
    ] = 0.0,
    seed: Annotated[
        int, typer.Option(help=text("faults", "Of the first game; the next ones count on."))
    ] = 1,
    fps: Annotated[
        float, typer.Option(min=10, max=120, help=text("faults", "Frames a second."))
    ] = 30.0,
    tempo: Annotated[
        float, typer.Option(min=0.2, max=5, help=text("faults", "2 plays twice as fast."))
    ] = 1.0,
    pixels: Annotated[
        bool, typer.Option("--pixels", help=text("faults", "Draw and read every picture (slow)."))
    ] = False,
    trouble: Annotated[
        list[str] | None,
        typer.Option(help=text("faults", "Only this trouble; may be given again. None: all.")),
    ] = None,
    log: Annotated[
        Path | None, typer.Option(help=text("faults", "Write a JSON line a game here."))
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help=text("faults", "Print one JSON object at the end."))
    ] = False,
) -> None:
    """Play, and say what was wrong."""
    use_one_thread()
    plan = SoakPlan(
        seed,
        frames_per_second=fps,
        tempo=tempo,
        pixels=pixels,
        kinds=tuple(trouble or KINDS),
    )
    file = _opened(log)
    logging.disable(logging.CRITICAL)  # thousands of faults are made on purpose
    try:
        done = soak(games, hours, seed, plan=plan, on_game=lambda one: _tell(one, file, as_json))
    finally:
        logging.disable(logging.NOTSET)
        if file is not None:
            file.close()
    figures = summary(done)
    print(json.dumps(figures) if as_json else _table(figures))
    if figures["good"] != figures["games"] or figures["memory_has_grown"]:
        raise typer.Exit(FAILED)


def _opened(path: Path | None) -> TextIO | None:
    if path is None:
        return None
    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise BadSoak(
            f"cannot write {path}: {error.strerror}, expected a file in a folder that may be "
            "written (--log)"
        ) from error


def _tell(one: Soaked, file: TextIO | None, as_json: bool) -> None:
    """One line a game: to the file as JSON, to the terminal in words."""
    result, memory = one.result, one.memory
    if file is not None:
        file.write(json.dumps(_record(one)) + "\n")
        file.flush()
    if as_json:
        return
    line = text(
        "faults",
        "DEMO {seed} {game}: {winner}, {minutes} min, {slaps} slaps, {wrong} wrong, {doubts} in "
        "doubt, {faulty} on faulty pads, {faults} faults, {mb} MB",
    ).format(
        seed=result.seed,
        game=result.game,
        winner=result.winner or "-",
        minutes=f"{result.simulated_s / 60:.1f}",
        slaps=result.slaps,
        wrong=len(result.wrong),
        doubts=result.doubts,
        faulty=result.under_fault,
        faults=sum(result.faults.values()),
        mb=f"{memory.resident_mb:.1f}",
    )
    print(line if result.is_good else f"{line}  <-- {_why(one)}")
    sys.stdout.flush()


def _record(one: Soaked) -> dict[str, Any]:
    result = one.result
    plain = asdict(result) | {"wrong": [str(wrong) for wrong in result.wrong]}
    return plain | {"good": result.is_good} | asdict(one.memory)


def _why(one: Soaked) -> str:
    """What is bad about a game, for whoever plays its seed again."""
    result = one.result
    found = {
        "wrong": [str(wrong) for wrong in result.wrong],
        "books": result.books_differ,
        "lost": result.lost_cards,
        "while suspended": result.spoken_while_suspended,
        "no winner": result.winner is None,
        "not recorded": result.recorded is False,
    }
    return "; ".join(f"{what}: {value}" for what, value in found.items() if value)


def _table(figures: dict[str, object]) -> str:
    return "\n".join(f"{what.replace('_', ' '):26} {value}" for what, value in figures.items())
