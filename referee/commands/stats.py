"""`referee stats`: figures and plots of a season."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from referee.locale import language, text
from referee.rules.cards import parse_card
from referee.rules.errors import RefereeError
from referee.service.journal.names import family, season_file
from referee.service.journal.season import SeasonFiles
from referee.service.log import read_log
from referee.service.sentences import card_name, milliseconds
from referee.service.statistics.book import Book
from referee.service.statistics.dates import date, moment
from referee.service.statistics.digest import digest
from referee.service.statistics.plots import colour_of, reaction_plot
from referee.service.statistics.records import season_record
from referee.service.statistics.season import (
    CloseRace,
    Played,
    PlayerFigures,
    Season,
    reactions_ms,
    season,
)
from referee.service.statistics.spread import Share


class BadStatistics(RefereeError, ValueError):
    """Statistics that cannot be made or written."""


def run(
    journal: Annotated[
        list[Path] | None,
        typer.Argument(help=text("stats", "A season's journal, or logs of games.")),
    ] = None,
    player: Annotated[str | None, typer.Option(help=text("stats", "Only this player."))] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help=text("stats", "Print one JSON object."))
    ] = False,
    svg: Annotated[
        Path | None, typer.Option(help=text("stats", "Draw the reaction times (SVG) here."))
    ] = None,
) -> None:
    """Print the statistics of a season."""
    paths = journal or [season_file(time.localtime().tm_year)]
    games = _games(paths)
    shown = season(games)
    names = [one.player for one in shown.players]
    if player is not None and player not in names:
        raise BadStatistics(
            f"{player!r} plays in no game of {paths[0]}, expected one of {' '.join(names)} "
            "(--player)"
        )
    chosen = [player] if player else names
    if svg is not None:
        _draw(svg, games, names, chosen)
    if as_json:
        sys.stdout.write(json.dumps(season_record(shown, chosen), ensure_ascii=False) + "\n")
    else:
        _print(shown, chosen)


def _games(paths: Sequence[Path]) -> list[Played]:
    """Journals are files of SQLite, everything else is a log."""
    games: list[Played] = []
    read: set[Path] = set()
    for path in paths:
        if path.suffix == ".db":
            if path not in read:  # it took over from one that was named before
                games += _of_journal(path, len(games))
            read.update(family(path))
        else:
            games.append(Played(len(games) + 1, 0, digest(read_log(path))))
    return games


def _of_journal(path: Path, before: int) -> list[Played]:
    journal = SeasonFiles(path)
    try:
        games, unreadable = Book().read(journal)
    finally:
        journal.close()
    for error in journal.broken:
        Console(stderr=True).print(str(error), highlight=False)
    for number in unreadable:
        said = text("stats", "Game {n} cannot be read and is left out.").format(n=number)
        Console(stderr=True).print(said)
    return [Played(before + game.number, game.begun_ms, game.digest) for game in games]


def _draw(path: Path, games: Sequence[Played], names: list[str], chosen: list[str]) -> None:
    digests = [game.digest for game in games]
    times = {name: reactions_ms(digests, name) for name in chosen}
    try:
        path.write_text(reaction_plot(times, colour_of(names), on_paper=True), encoding="utf-8")
    except OSError as error:
        raise BadStatistics(
            f"cannot write {path}: {error.strerror}, expected a folder that exists (--svg)"
        ) from error


# --- as tables ------------------------------------------------------------------------------------


def _print(shown: Season, players: Sequence[str]) -> None:
    console = Console()
    summary = text("stats", "{games} games, {flips} cards flipped, {slaps} slaps, {races} races.")
    console.print(
        summary.format(games=shown.games, flips=shown.flips, slaps=shown.slaps, races=shown.races),
        highlight=False,
    )
    console.print(_player_table([one for one in shown.players if one.player in players]))
    close = [one for one in shown.closest if set(one.race.players) & set(players)]
    if close:
        console.print(_close_table(close))


def _player_table(players: Sequence[PlayerFigures]) -> Table:
    table = Table(header_style="bold")
    table.add_column(text("stats", "player"))
    for name in (
        text("stats", "games"),
        text("stats", "won"),
        text("stats", "in a row"),
        text("stats", "slaps"),
        text("stats", "piles"),
        text("stats", "cards"),
        text("stats", "reaction ms"),
        text("stats", "false slaps"),
        text("stats", "too early"),
    ):
        table.add_column(name, justify="right")
    for one in players:
        table.add_row(
            one.player,
            *map(str, (one.games, one.games_won, one.win_streak, one.slaps, one.piles_won)),
            str(one.cards_won),
            _reaction(one),
            _percent(one.false_slaps),
            _percent(one.anticipated),
        )
    return table


def _reaction(one: PlayerFigures) -> str:
    """Median and quartiles, and how sharp a single time is."""
    found = one.reaction
    if found is None or one.reaction_doubt_ms is None:
        return "–"
    return (
        f"{found.median:.0f} ({found.quarter:.0f}–{found.three_quarters:.0f}) "
        f"± {one.reaction_doubt_ms:.0f}"
    )


def _percent(share: Share) -> str:
    """The share and the interval in which it lies with 95 % certainty."""
    if share.value is None:
        return "–"
    low, high = share.interval
    return f"{share.value * 100:.0f} % ({low * 100:.0f}–{high * 100:.0f})"


def _close_table(close: Sequence[CloseRace]) -> Table:
    table = Table(title=text("stats", "The closest races"), title_justify="left")
    table.add_column(text("stats", "game"), justify="right")
    for name in (
        text("stats", "day"),
        text("stats", "card"),
        text("stats", "first"),
        text("stats", "then"),
    ):
        table.add_column(name)
    table.add_column(text("stats", "margin ms"), justify="right")
    for one in close:
        race = one.race
        begun = date(moment(one.begun_ms), language()) if one.begun_ms else ""
        margin = milliseconds(race.margin_ns or 0) if race.tied == 1 else text("stats", "tie")
        others = ", ".join(race.players[race.tied :])
        first = ", ".join(race.players[: race.tied])
        card = card_name(parse_card(race.card))
        table.add_row(str(one.number), begun, card, first, others, margin)
    return table
