"""`referee replay`: a log again, verdict by verdict, as a timeline with one lane a player."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from referee.locale import language, text
from referee.rules.errors import BadLog
from referee.rules.record import to_record
from referee.rules.referee import replay
from referee.rules.verdicts import Tie, ValidSlap, Verdict
from referee.service.journal.names import family
from referee.service.journal.season import SeasonFiles
from referee.service.lanes import lanes
from referee.service.log import Log, read_log
from referee.service.race_book import Race, book_of
from referee.service.statistics.story import tell
from referee.service.web.finish_view import file_of

DATABASE = b"SQLite format 3"
"""How a season's file begins. Source: sqlite.org/fileformat.html, "The Database Header"."""
NOTICES = ("hold", "late_event", "ask_table")
"""They depend on when something arrived, not on what happened: not part of the comparison."""


def run(
    log: Annotated[Path, typer.Argument(help=text("cli", "A log file, or the file of a season."))],
    game: Annotated[
        int | None, typer.Option(help=text("cli", "Which game of a season; none: the last one."))
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help=text("cli", "Print one verdict a line as JSON."))
    ] = False,
    finish: Annotated[
        Path | None,
        typer.Option(help=text("cli", "Draw a race as a photo finish (SVG) here.")),
    ] = None,
    race: Annotated[
        int, typer.Option(help=text("cli", "Which race of the log: 1 is the first, -1 the last."))
    ] = -1,
) -> None:
    """Replay a log."""
    written = read_game(log, game)
    verdicts = replay(written.header, written.observations)
    if as_json:
        for verdict in verdicts:
            sys.stdout.write(json.dumps(to_record(verdict), ensure_ascii=False) + "\n")
    else:
        Console().print(lanes(written.header.players, verdicts))
    if finish is not None:
        _write_finish(finish, race, log, written)
    _compare(written.verdicts, verdicts)


def read_game(path: Path, game: int | None) -> Log:
    """A game from a log file or from a season's file.

    Raises:
        RefereeError: There is no such file or game, or it cannot be read.
    """
    if not any(map(is_season, family(path))):
        if game is not None:
            raise BadLog(f"{path} is the log of one game, expected a season's file with --game")
        return read_log(path)
    journal = SeasonFiles(path)
    try:
        games = journal.games()
        if not games:
            raise BadLog(f"no game in {path}, expected a season with at least one")
        return journal.log(games[-1].id if game is None else game)
    finally:
        journal.close()


def is_season(path: Path) -> bool:
    """The file is a database."""
    try:
        with path.open("rb") as file:
            return file.read(len(DATABASE)) == DATABASE
    except OSError:
        return False


def _write_finish(path: Path, number: int, log: Path, written: Log) -> None:
    """Draw a race as it stands after all corrections."""
    story = tell(written)
    races = book_of(story.facts, story.verdicts).races
    found = [race for race in races if isinstance(race.verdict, ValidSlap | Tie)]
    if not found or number == 0 or not -len(found) <= number <= len(found):
        raise BadLog(f"no race {number} in {log}: it has {len(found)} (--race)")
    try:
        path.write_text(_drawn(found[number - 1 if number > 0 else number]), encoding="utf-8")
    except OSError as error:
        raise BadLog(
            f"cannot write {path}: {error.strerror}, expected a folder that exists (--finish)"
        ) from error


def _drawn(race: Race) -> str:
    """A race as an SVG photo finish, with its title and its sentence."""
    return file_of(race.message(), language())


def _compare(said: Sequence[Verdict], again: Sequence[Verdict]) -> None:
    """The replay must say what was said at the table."""
    before = [verdict for verdict in said if verdict.kind not in NOTICES]
    now = [verdict for verdict in again if verdict.kind not in NOTICES]
    if not said:
        return
    if before == now[: len(before)]:
        same = text("cli", "{n} verdicts, the same as at the table.").format(n=len(before))
        Console(stderr=True).print(same)
        return
    first = next(
        (
            number
            for number, (old, new) in enumerate(zip(before, now, strict=False), 1)
            if old != new
        ),
        min(len(before), len(now)) + 1,
    )
    differs = text("cli", "The replay differs from the table at verdict {n}.").format(n=first)
    Console(stderr=True).print(differs, style="red")
    raise typer.Exit(1)
