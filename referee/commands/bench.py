"""`referee bench`: what this machine can do, and how often the referee is wrong."""

from __future__ import annotations

import json
import platform
import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from referee.locale import text

CPU_FILE = Path("/proc/cpuinfo")


class Part(StrEnum):
    """What is measured."""

    all = "all"
    rules = "rules"
    reading = "reading"
    demo = "demo"
    races = "races"
    page = "page"


def run(
    part: Annotated[Part, typer.Argument(help=text("cli", "Which part."))] = Part.all,
    seconds: Annotated[
        float,
        typer.Option(min=1, help=text("cli", "Simulated seconds of the demo part.")),
    ] = 60.0,
    slaps: Annotated[
        int, typer.Option(min=1000, help=text("cli", "Simulated slaps of the races part."))
    ] = 100_000,
    viewers: Annotated[
        int, typer.Option(min=1, max=200, help=text("cli", "Viewers of the page part."))
    ] = 50,
    seed: Annotated[int, typer.Option(help=text("cli", "The same seed, the same game."))] = 1,
    clips: Annotated[
        int,
        typer.Option(min=4, help=text("read", "Drawn clips of the reading part's largest set.")),
    ] = 60,
    sheet: Annotated[
        Path | None,
        typer.Option(
            help=text("read", "Picture file for right, wrong and unread cases of the reading part.")
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help=text("cli", "Print one JSON object at the end."))
    ] = False,
) -> None:
    """Measure."""
    figures: dict[str, Any] = {"machine": processor(), "python": platform.python_version()}
    if part in (Part.all, Part.rules):
        figures |= rules_figures(seed)
    if part in (Part.all, Part.demo):
        figures |= demo_figures(seconds, seed)
    if part in (Part.all, Part.races):
        figures |= race_figures(slaps, seed)
    if part is Part.page:
        figures |= page_figures(seconds, viewers, seed)
    if part in (Part.all, Part.reading):
        figures |= reading_figures(clips, seed, sheet)
    if as_json:
        sys.stdout.write(json.dumps(figures, ensure_ascii=False) + "\n")
        return
    table = Table(show_header=False, box=None, padding=(0, 2))
    for name, value in figures.items():
        table.add_row(text("cli", name), _written(value))
    Console().print(table)


def processor() -> str:
    """The name of the processor."""
    try:
        lines = CPU_FILE.read_text().splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]}, {len(names)} cores" if names else platform.machine()


def rules_figures(seed: int) -> dict[str, Any]:
    """Observations a second through the whole referee, nothing drawn or read."""
    from referee.rules.measure import synthetic_log
    from referee.rules.referee import replay

    figures: dict[str, Any] = {}
    for game in ("slapjack", "ratscrew"):
        header, observations = synthetic_log(game, 100_000, seed)
        began_s = time.perf_counter()
        replay(header, observations)
        took_s = time.perf_counter() - began_s
        figures[f"rules, {game}: observations a second"] = round(len(observations) / took_s)
    return figures


def demo_figures(seconds: float, seed: int) -> dict[str, Any]:
    """Frames and delays of a stretch of the demo, pixels and edges included."""
    from referee.service.measure import measure_demo

    return measure_demo(seconds, seed)


def race_figures(slaps: int, seed: int) -> dict[str, Any]:
    """Wrong verdicts among random slaps, rules and doubt alone."""
    from referee.service.measure import measure_races

    return measure_races(slaps, seed)


def page_figures(seconds: float, viewers: int, seed: int) -> dict[str, Any]:
    """Delays of verdicts without and with viewers, in real time: twice so many seconds."""
    from referee.service.measure_page import measure_page

    return measure_page(seconds, viewers, seed)


def reading_figures(clips: int, seed: int, sheet: Path | None) -> dict[str, Any]:
    """The tables of models/README.md."""
    from models.measure import measure_reading

    return measure_reading(clips, seed, sheet)


def _written(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
