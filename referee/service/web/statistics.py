"""The statistics of the season: who is fast, who is wrong, who wins, and how it went on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.locale import text
from referee.rules.cards import parse_card
from referee.rules.errors import RefereeError
from referee.service.sentences import card_name, milliseconds
from referee.service.statistics.dates import date, day, moment
from referee.service.statistics.plots import (
    colour_of,
    evening_plot,
    reaction_plot,
    share_plot,
)
from referee.service.statistics.records import season_record
from referee.service.statistics.season import (
    CloseRace,
    Evening,
    PlayerFigures,
    Season,
    reactions_ms,
)
from referee.service.statistics.spread import Share
from referee.service.web.archive import Shown, from_archive
from referee.service.web.pages import language_of, show
from referee.service.web.words import Words

AREA = "page"
GAMES = {"slapjack": "Slapjack", "ratscrew": "Egyptian Ratscrew", "spit": "Spit"}
PLOTS = ("reaction", "false", "early", "evenings", "wins")


async def _shown(request: Request) -> Shown:
    game = request.query_params.get("game", "")
    game = game if game in GAMES else ""
    return await from_archive(request, lambda archive, path: archive.season(path, game))


async def page(request: Request) -> Response:
    """The page."""
    language = language_of(request)
    try:
        shown = await _shown(request)
    except RefereeError:
        return show(request, "statistics.html", shown=None)
    drawn = await run_in_threadpool(plots, shown, language)
    return show(
        request,
        "statistics.html",
        shown=shown,
        season=shown.season,
        choices=GAMES,
        plots={name: Markup(svg) for name, svg in drawn.items()},
        close=[_close(one, language) for one in shown.season.closest],
        duels=_duels(shown.season),
        percent=percent,
    )


def plots(shown: Shown, language: str, *, on_paper: bool = False) -> dict[str, str]:
    """All pictures that there is something to draw for; name -> SVG."""
    words, colours = Words(language), colour_of(shown.names)
    digests = [game.digest for game in shown.games]
    players, evenings = shown.season.players, shown.season.evenings
    drawn: dict[str, str] = {}
    times = {name: reactions_ms(digests, name) for name in shown.names}
    if any(times.values()):
        drawn["reaction"] = reaction_plot(times, colours, language=language, on_paper=on_paper)
    if any(one.false_slaps.n for one in players):
        shares = {one.player: one.false_slaps for one in players}
        title = words("False slaps, of all slaps")
        drawn["false"] = share_plot(shares, colours, title, on_paper=on_paper)
        shares = {one.player: one.anticipated for one in players}
        title = words("Too early, of all touches")
        drawn["early"] = share_plot(shares, colours, title, on_paper=on_paper)
    if len(evenings) > 1:
        dates = [day(moment(evening.begun_ms), language) for evening in evenings]
        title = words("Games won so far")
        wins = _wins_so_far(evenings, shown.names)
        drawn["wins"] = evening_plot(wins, dates, colours, title, on_paper=on_paper)
        if any(times.values()):
            medians = {name: _medians(evenings, name) for name in shown.names}
            title = words("Reaction time of an evening, ms (median)")
            drawn["evenings"] = evening_plot(
                medians, dates, colours, title, from_zero=False, on_paper=on_paper
            )
    return drawn


def _of(evening: Evening, player: str) -> PlayerFigures | None:
    return next((one for one in evening.players if one.player == player), None)


def _medians(evenings: Sequence[Evening], player: str) -> list[float | None]:
    found = [_of(evening, player) for evening in evenings]
    return [one.reaction.median if one and one.reaction else None for one in found]


def _wins_so_far(evenings: Sequence[Evening], names: Sequence[str]) -> Mapping[str, list[float]]:
    won: dict[str, list[float]] = {}
    for name in names:
        total, won[name] = 0, []
        for evening in evenings:
            figures = _of(evening, name)
            total += figures.games_won if figures else 0
            won[name].append(total)
    return won


@dataclass(frozen=True, slots=True)
class Close:
    """One line of the closest races."""

    number: int
    when: str
    card: str
    first: str
    then: str
    margin: str
    t_ns: int


def _close(one: CloseRace, language: str) -> Close:
    race = one.race
    tied = race.tied > 1
    return Close(
        number=one.number,
        when=date(moment(one.begun_ms), language),
        card=card_name(parse_card(race.card), language),
        first=", ".join(race.players[: race.tied]),
        then=", ".join(race.players[race.tied :]) or "–",
        margin=text(AREA, "tie", language=language)
        if tied
        else f"{milliseconds(race.margin_ns or 0, language)} ms",
        t_ns=race.t_ns,
    )


def _duels(shown: Season) -> dict[tuple[str, str], Share]:
    """First, second -> how often the first was faster when both slapped the same card."""
    counted = {(first, other): n for first, other, n in shown.duels}
    pairs = {(first, other) for first, other in counted} | {(b, a) for a, b in counted}
    return {
        (a, b): Share(counted.get((a, b), 0), counted.get((a, b), 0) + counted.get((b, a), 0))
        for a, b in pairs
    }


def percent(share: Share) -> str:
    """A share in whole per cent, or a dash."""
    return "–" if share.value is None else f"{share.value * 100:.0f} %"


async def picture(request: Request) -> Response:
    """One plot as a file."""
    name = request.path_params["name"]
    try:
        shown = await _shown(request)
        drawn = await run_in_threadpool(plots, shown, language_of(request), on_paper=True)
    except RefereeError:
        drawn = {}
    if name not in drawn:
        return show(request, "refused.html", 404, status_code=404)
    return download(drawn[name], f"{name}.svg", "image/svg+xml")


async def figures(request: Request) -> Response:
    """Everything as JSON."""
    try:
        shown = await _shown(request)
    except RefereeError:
        return show(request, "refused.html", 404, status_code=404)
    record = season_record(shown.season, shown.names)
    content = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    return download(content, "statistics.json", "application/json")


def download(content: str | bytes, name: str, media_type: str) -> Response:
    """A file to keep."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)


ROUTES = [
    Route("/statistics", page),
    Route("/statistics.json", figures),
    Route("/statistics/{name:str}.svg", picture),
]
