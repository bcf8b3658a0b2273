"""Who may change something: the page that takes the box's code, and the viewer's language."""

from __future__ import annotations

import time

import segno
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from referee.locale import LANGUAGES
from referee.service.web import sessions, words
from referee.service.web.guard import address_of
from referee.service.web.pages import (
    after,
    asks_of,
    keeper_of,
    local,
    show,
    who_of,
)

YEAR_S = 365 * 24 * 3600


async def code(request: Request) -> Response:
    """Ask for the code."""
    following = local(request.query_params.get("next", "/"))
    return show(request, "code.html", following=following, wrong="", invitation=invitation(request))


def invitation(request: Request) -> Markup | None:
    """A picture for another phone: this page with the code behind "#", where nobody logs it.

    Only for those who know the code, and only where another phone could reach this address.
    """
    host, code = request.headers.get("host", ""), keeper_of(request).code
    name = host.partition(":")[0]
    if who_of(request) is None or not code or name == "localhost" or name.startswith("127."):
        return None
    drawn = segno.make(f"http://{host}/code#{code}", error="m")
    return Markup(drawn.svg_inline(scale=6, border=3, light="#ffffff", omitsize=True))


async def enter(request: Request) -> Response:
    """Take the code."""
    form = await request.form()
    keeper = keeper_of(request)
    following = local(str(form.get("next", "/")))
    given = str(form.get("code", ""))[:20]
    try:
        cookie = keeper.sessions.enter(
            given, keeper.code, address_of(request.scope), time.monotonic_ns()
        )
    except sessions.TooManyTries:
        return show(request, "code.html", 429, following=following, wrong="often")
    if cookie is None:
        return show(request, "code.html", 403, following=following, wrong="wrong")
    response = RedirectResponse(following, 303)
    response.set_cookie(
        sessions.COOKIE,
        cookie,
        max_age=sessions.LASTS_S,
        httponly=True,
        samesite="strict",
        path="/",
    )
    return response


async def leave(request: Request) -> Response:
    """Give the right to change things back."""
    response = after(request, "/")
    response.delete_cookie(sessions.COOKIE)
    return response


async def show_code(request: Request) -> Response:
    """Let the LED matrix show the code: whoever stands before the box may read it."""
    if keeper_of(request).code_shown.take("", time.monotonic_ns()):
        return after(request, "/code", await asks_of(request).ask("show_code"))
    return after(request, "/code")


async def language(request: Request) -> Response:
    """Choose the language."""
    form = await request.form()
    response = RedirectResponse(local(str(form.get("next", "/"))), 303)
    name = str(form.get("language", ""))
    if name in LANGUAGES:
        response.set_cookie(
            words.COOKIE, name, max_age=YEAR_S, httponly=True, samesite="lax", path="/"
        )
    return response


ROUTES = [
    Route("/code", code),
    Route("/code", enter, methods=["POST"]),
    Route("/code/leave", leave, methods=["POST"]),
    Route("/code/show", show_code, methods=["POST"]),
    Route("/language", language, methods=["POST"]),
]
