"""`referee journal list|export|check`: the games of a season, one for other programs, a check."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from referee.locale import language, text
from referee.rules.errors import BadLog, RefereeError
from referee.service.config import load_settings
from referee.service.house import journal_path
from referee.service.journal.check import Finding, check
from referee.service.journal.export import to_csv, to_jsonl
from referee.service.journal.rows import GameInfo
from referee.service.journal.season import SeasonFiles
from referee.service.statistics.dates import date_and_time, moment


class BadExport(RefereeError, ValueError):
    """An export that cannot be made or written."""


class What(StrEnum):
    """What can be done with a journal."""

    list = "list"
    export = "export"
    check = "check"


def run(
    what: Annotated[What, typer.Argument(help="list, export, check.")],
    game: Annotated[
        int | None, typer.Argument(help=text("journal", "Number of a game, for export."))
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option(help=text("journal", "The season's file; none: this year's.")),
    ] = None,
    jsonl: Annotated[
        Path | None,
        typer.Option(help=text("journal", "Write the game here as a log (JSON lines).")),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(help=text("journal", "Write the game here as a table (CSV)."))
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help=text("journal", "List or check as JSON."))
    ] = False,
    settings: Annotated[
        Path | None, typer.Option(help=text("journal", "A settings file (TOML)."))
    ] = None,
) -> None:
    """Look into a journal. Nothing is changed, and a box may be writing it."""
    path = journal or journal_path(load_settings(settings), time.localtime().tm_year)
    opened = SeasonFiles(path)
    try:
        if what is What.export:
            _export(opened, game, jsonl, csv)
        elif what is What.check:
            _check(list(check(opened)), as_json=as_json)
        else:
            _list(opened.games(), as_json=as_json)
            for error in opened.broken:
                Console(stderr=True).print(str(error), highlight=False)
    finally:
        opened.close()


# --- list ---


def _list(games: list[GameInfo], *, as_json: bool) -> None:
    if as_json:
        for one in games:
            _print_json(_record(one))
        return
    table = Table(box=None, padding=(0, 1), header_style="bold")
    for title in (
        text("journal", "no."),
        text("journal", "begun"),
        text("journal", "min"),
        text("journal", "game"),
        text("journal", "players"),
        text("journal", "winner"),
    ):
        table.add_column(title)
    for one in games:
        table.add_row(
            str(one.id),
            date_and_time(moment(one.begun_ms), language()),
            _minutes(one),
            one.game + (" DEMO" if one.box.get("demo") else ""),
            ", ".join(one.players),
            one.winner or ("–" if one.ended_ms is not None else text("journal", "open")),
        )
    Console(highlight=False).print(table)


def _minutes(one: GameInfo) -> str:
    return "" if one.ended_ms is None else f"{max(0, one.ended_ms - one.begun_ms) / 60_000:.0f}"


def _record(one: GameInfo) -> dict[str, Any]:
    return {
        "id": one.id,
        "game": one.game,
        "players": list(one.players),
        "begun_ms": one.begun_ms,
        "ended_ms": one.ended_ms,
        "winner": one.winner,
        "placing": one.placing,
        "box": one.box,
    }


# --- export ---


def _export(journal: SeasonFiles, game: int | None, jsonl: Path | None, csv: Path | None) -> None:
    if game is None:
        raise BadExport("which game? Expected a number that `referee journal list` shows")
    row, entries = journal.row(game), journal.entries(game)
    if jsonl is None and csv is None:
        for line in to_jsonl(row, entries):
            sys.stdout.write(line + "\n")
    if jsonl is not None:
        _write(jsonl, "".join(f"{line}\n" for line in to_jsonl(row, entries)), "--jsonl")
    if csv is not None:
        try:
            table = to_csv(entries)
        except (ValueError, TypeError) as error:
            raise BadLog(f"{journal.path} game {game}: {error}") from error
        _write(csv, table, "--csv")


def _write(path: Path, words: str, option: str) -> None:
    try:
        path.write_text(words, encoding="utf-8", newline="")
    except OSError as error:
        raise BadExport(
            f"cannot write {path}: {error.strerror}, expected a folder that exists ({option})"
        ) from error


# --- check ---


def _check(findings: list[Finding], *, as_json: bool) -> None:
    if as_json:
        for one in findings:
            _print_json({"game": one.game, "ok": one.ok, "reason": one.reason})
    else:
        console = Console(highlight=False)
        for line, ok in _lines(findings):
            console.print(line, style=None if ok else "red", soft_wrap=True)
    if not all(one.ok for one in findings):
        raise typer.Exit(1)


def _lines(findings: list[Finding]) -> Iterator[tuple[str, bool]]:
    for one in findings:
        if one.ok:
            continue
        if one.game is None:
            said = text("journal", "The file is damaged: {reason}").format(reason=one.reason)
        else:
            said = text("journal", "Game {game}: {reason}").format(game=one.game, reason=one.reason)
        yield said, False
    good = sum(one.ok for one in findings if one.game is not None)
    yield text("journal", "{n} games replay to the verdicts that were shown.").format(n=good), True


def _print_json(record: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
