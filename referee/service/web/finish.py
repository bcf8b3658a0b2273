"""Photo finishes: the newest on the live table, all of this game in a list, pictures of piles."""

from __future__ import annotations

import base64
import binascii

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.service.web.finish_view import Finish, file_of, finish_of
from referee.service.web.hub import Event, Hub, Message
from referee.service.web.pages import hub_of, language_of, render, show
from referee.service.web.parts import Patch, part

LISTED = 30
"""Photo finishes on one page: the newest."""


async def finishes(request: Request) -> Response:
    """The photo finishes of this game, newest first."""
    hub, language = hub_of(request), language_of(request)
    newest = list(hub.races.values())[::-1][:LISTED]
    shown = [finish_of(race, hub.crops, language) for race in newest]
    return show(request, "finishes.html", finishes=shown)


async def finish(request: Request) -> Response:
    """One photo finish."""
    hub = hub_of(request)
    number = _race(request)["id"]
    numbers = list(hub.races)
    at = numbers.index(number)
    return show(
        request,
        "finish.html",
        finish=finish_of(hub.races[number], hub.crops, language_of(request)),
        earlier=numbers[at - 1] if at else None,
        later=numbers[at + 1] if at + 1 < len(numbers) else None,
    )


async def finish_file(request: Request) -> Response:
    """One photo finish as a file."""
    race = _race(request)
    return Response(
        file_of(race, language_of(request)),
        media_type="image/svg+xml",
        headers={"content-disposition": f'attachment; filename="finish-{race["id"]}.svg"'},
    )


def _race(request: Request) -> Message:
    race = hub_of(request).races.get(int(request.path_params["number"]))
    if race is None:
        raise HTTPException(404)
    return race


async def crop(request: Request) -> Response:
    """The pile before or after a card."""
    return _jpeg(hub_of(request).crops.get(str(request.path_params["name"]), ""), keep=True)


async def picture(request: Request) -> Response:
    """The pile as it is now."""
    return _jpeg(hub_of(request).picture, keep=False)


def _jpeg(content: str, *, keep: bool) -> Response:
    try:
        jpeg = base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        jpeg = b""
    if not jpeg:
        raise HTTPException(404)
    caching = "private, max-age=600" if keep else "no-store"
    return Response(jpeg, media_type="image/jpeg", headers={"cache-control": caching})


def newest_finish(hub: Hub, language: str) -> Finish | None:
    """The race that was ruled on last."""
    if not hub.races:
        return None
    return finish_of(hub.races[max(hub.races)], hub.crops, language)


@part("race")
@part("race_gone")
@part("no_crops")
def _race_part(hub: Hub, event: Event, language: str) -> list[Patch]:
    html = render("_newest.html", language, hub=hub, finish=newest_finish(hub, language))
    return [{"to": "finish", "html": html}]


@part("picture")
def _picture_part(hub: Hub, event: Event, language: str) -> list[Patch]:
    return [{"to": "picture", "attr": "src", "value": f"/picture.jpg?{event.number}"}]


ROUTES = [
    Route("/finish", finishes),
    Route("/finish/{number:int}", finish),
    Route("/finish/{number:int}.svg", finish_file),
    Route("/crop/{name}.jpg", crop),
    Route("/picture.jpg", picture),
]
