"""The games of the season: a list, each game step by step with its photo finishes, downloads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.rules.errors import RefereeError
from referee.service.journal.rows import GameInfo
from referee.service.sentences import sentence
from referee.service.statistics.dates import date_and_time, moment
from referee.service.web.archive import Archive, from_archive
from referee.service.web.finish_view import Finish, file_of, finish_of
from referee.service.web.pages import after, asks_of, language_of, needs_code, show
from referee.service.web.retelling import Retelling, Step
from referee.service.web.statistics import GAMES, download
from referee.service.web.table_view import MARKS, piles_of, players_of

AROUND = 6
"""Steps that are listed before and after the one that is shown."""
LISTED = 50
"""Games on one page."""


@dataclass(frozen=True, slots=True)
class Row:
    """One game in the list."""

    number: int
    when: str
    game: str
    players: str
    winner: str
    minutes: int | None
    is_open: bool
    demo: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One step in the list."""

    number: int
    seconds: str
    words: str
    mark: str
    has_finish: bool


async def games(request: Request) -> Response:
    """All games, the newest first."""
    language = language_of(request)
    try:
        found = await from_archive(request, lambda archive, path: archive.games(path))
    except RefereeError:
        found = []
    before = _number(request, "before", 0)
    if before:
        found = [info for info in found if info.id < before]
    newest = found[::-1][:LISTED]
    return show(
        request,
        "history.html",
        games=[_row(info, language) for info in newest],
        older=newest[-1].id if len(found) > LISTED else None,
    )


def _row(info: GameInfo, language: str) -> Row:
    took_ms = None if info.ended_ms is None else info.ended_ms - info.begun_ms
    return Row(
        number=info.id,
        when=date_and_time(moment(info.begun_ms), language),
        game=GAMES.get(info.game, info.game),
        players=", ".join(info.players),
        winner=info.winner or "",
        minutes=None if took_ms is None else max(1, round(took_ms / 60_000)),
        is_open=info.ended_ms is None,
        demo=bool(info.box.get("demo")),
    )


async def game(request: Request) -> Response:
    """One game at one step."""
    language = language_of(request)
    info, told = await _told(request)
    if not told.steps:
        return show(request, "history_empty.html", game=_row(info, language))
    last = len(told.steps) - 1
    at = _number(request, "at", -1)
    step = told.step_of(at) if at >= 0 else _number(request, "step", 0)
    step = min(max(step, 0), last)
    hub = told.hub_at(step, number=info.id, deck=str(info.box.get("deck", "en")))
    names = await from_archive(request, lambda archive, path: archive.pictures(path, info.id))
    kept_as = await from_archive(
        request, lambda archive, path: archive.number_in_file(path, info.id)
    )
    return show(
        request,
        "history_game.html",
        players=players_of(hub),
        piles=piles_of(hub, language),
        table=hub.table,
        view=told.steps[step].view,
        countdown=None,
        crops=f"/history/{info.id}/picture/",
        game=_row(info, language),
        step=step,
        last=last,
        now=_line(told, step, language),
        lines=_lines(told, step, language),
        finish=_finish(told, step, kept_as, names, language),
        races=[
            (number, _line(told, number, language)) for number in _race_steps(told, range(last + 1))
        ],
        has_pictures=bool(names),
    )


async def _told(request: Request) -> tuple[GameInfo, Retelling]:
    number = int(request.path_params["number"])
    try:
        found = await from_archive(request, lambda archive, path: archive.told(path, number))
    except RefereeError as error:
        raise HTTPException(404, str(error)) from error
    if found is None:
        raise HTTPException(404)
    return found


def _number(request: Request, name: str, usual: int) -> int:
    written = request.query_params.get(name, "")
    return int(written) if written.isdecimal() and len(written) < 20 else usual


def _race_steps(told: Retelling, steps: Sequence[int]) -> list[int]:
    """Those steps that decided a race."""
    return [number for number in steps if told.race_at(number) is not None]


def _lines(told: Retelling, step: int, language: str) -> list[Line]:
    first = max(0, min(step - AROUND, len(told.steps) - 2 * AROUND - 1))
    shown = range(first, min(first + 2 * AROUND + 1, len(told.steps)))
    return [_line(told, number, language) for number in shown]


def _line(told: Retelling, number: int, language: str) -> Line:
    step: Step = told.steps[number]
    begun_ns = told.seen[0]["t_ns"] if told.seen else 0
    return Line(
        number=number,
        seconds=_clock((step.verdict.t_ns - begun_ns) // 1_000_000_000),
        words=sentence(step.verdict, language),
        mark=MARKS.get(step.verdict.kind, "plain"),
        has_finish=told.race_at(number) is not None,
    )


def _clock(seconds: int) -> str:
    """ "1:05"; what was before the first card is "0:00"."""
    seconds = max(0, seconds)
    return f"{seconds // 60}:{seconds % 60:02d}"


def _finish(
    told: Retelling, step: int, game: int, names: Sequence[str], language: str
) -> Finish | None:
    race = told.race_at(step)
    if race is None:
        return None
    pictures = (f"{game}-{race.number}-{which}" for which in ("before", "after"))
    return finish_of(race.message(*pictures), names, language)


# --- files ----------------------------------------------------------------------------------------


async def log_file(request: Request) -> Response:
    """The game as JSON lines: `referee replay` reads it."""
    number = int(request.path_params["number"])
    content = await _file(request, lambda archive, path: archive.jsonl(path, number))
    return download(content, f"game-{number}.jsonl", "application/jsonl")


async def table_file(request: Request) -> Response:
    """The game as a table."""
    number, language = int(request.path_params["number"]), language_of(request)
    content = await _file(request, lambda archive, path: archive.csv(path, number, language))
    return download(content, f"game-{number}.csv", "text/csv; charset=utf-8")


async def _file(request: Request, read: Callable[[Archive, Path], str]) -> str:
    try:
        return await from_archive(request, read)
    except RefereeError as error:
        raise HTTPException(404, str(error)) from error


async def finish_file(request: Request) -> Response:
    """A photo finish as SVG."""
    _, told = await _told(request)
    step = int(request.path_params["step"])
    race = told.race_at(step) if step < len(told.steps) else None
    if race is None:
        raise HTTPException(404)
    content = file_of(race.message(), language_of(request))
    return download(content, f"finish-{request.path_params['number']}-{step}.svg", "image/svg+xml")


async def picture(request: Request) -> Response:
    """A picture of the pile, where pictures are kept."""
    number, name = int(request.path_params["number"]), str(request.path_params["name"])

    def read(archive: Archive, path: Path) -> bytes | None:
        return archive.picture(path, number, name)

    try:
        content = await from_archive(request, read)
    except RefereeError:
        content = None
    if content is None:
        raise HTTPException(404)
    return Response(content, media_type="image/jpeg")


@needs_code
async def delete_pictures(request: Request) -> Response:
    """Delete all pictures of piles."""
    answer = await asks_of(request).ask("delete_pictures", all=True)
    return after(request, "/history", answer)


ROUTES = [
    Route("/history", games),
    Route("/history/pictures", delete_pictures, methods=["POST"]),
    Route("/history/{number:int}", game),
    Route("/history/{number:int}/log.jsonl", log_file),
    Route("/history/{number:int}/verdicts.csv", table_file),
    Route("/history/{number:int}/finish-{step:int}.svg", finish_file),
    Route("/history/{number:int}/picture/{name}.jpg", picture),
]
