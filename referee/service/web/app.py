"""The page as one application: routes, guard, and what they share."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from referee.service.web import (
    entrance,
    finish,
    guides,
    history,
    judge,
    live,
    play,
    setup,
    statistics,
    stream,
)
from referee.service.web.asks import Asks
from referee.service.web.guard import Doorkeeper, Guard, Limits
from referee.service.web.hub import Hub
from referee.service.web.pages import STATIC, Handler, show, static_file
from referee.service.web.sessions import Sessions
from referee.service.web.stream import Fanout

PAGES = (live, play, finish, statistics, history, judge, setup, guides, entrance, stream)
"""Modules with `ROUTES`. A new page: its module here, its word in `pages.NAVIGATION`."""


def create_app(
    hub: Hub,
    asks: Asks,
    *,
    names: tuple[str, ...] = (),
    limits: Limits | None = None,
    key: str | None = None,
) -> Starlette:
    """Put the page together.

    Args:
        hub: What the page knows; whoever feeds it calls `app.state.fanout.wake()` afterwards.
        asks: The way to the box.
        names: Further host names of the box.
        limits: How much an address may do.
        key: Signs the sessions; None: a new one.
    """
    keeper = Doorkeeper(
        hub, Sessions(key), tuple(name.lower() for name in names), limits or Limits()
    )
    routes: list[BaseRoute] = [route for page in PAGES for route in page.ROUTES]
    routes += [Route(f"/{name}", _static(name), name=name) for name in STATIC]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, keeper=keeper)],
        exception_handlers={HTTPException: _refused},
    )
    app.state.keeper, app.state.asks, app.state.fanout = keeper, asks, Fanout(hub)
    return app


def _static(name: str) -> Handler:
    async def hand_out(request: Request) -> Response:
        content, _ = static_file(name)
        return Response(
            content,
            media_type=STATIC[name],
            headers={"cache-control": "public, max-age=31536000, immutable"},
        )

    return hand_out


async def _refused(request: Request, error: Exception) -> Response:
    """No such page, or a request that makes no sense."""
    assert isinstance(error, HTTPException)
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse(f"{error.detail}\n", error.status_code)
    return show(request, "refused.html", error.status_code, status_code=error.status_code)
