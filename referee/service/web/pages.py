"""How a page is answered: templates, sentences in the viewer's language, and who may change.

Every page module has a list `ROUTES`; `app.py` puts them together. A handler takes a Request and
returns `show(request, "name.html", ...)`. A change is a POST whose handler has `@needs_code`; it
ends with `after(request, "/where", answer)`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlencode

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from referee.service.web.asks import Answer, Asks
from referee.service.web.guard import Doorkeeper
from referee.service.web.hub import Hub
from referee.service.web.table_view import faults_of
from referee.service.web.words import Words

FOLDER = Path(__file__).parent
STATIC = {
    "style.css": "text/css; charset=utf-8",
    "panels.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
}
"""The only files that the page hands out, read once."""

NOTICE = "notice"
"""The cookie that carries one sentence over a redirect: an address could be made up by anybody."""

Handler = Callable[[Request], Awaitable[Response]]

NAVIGATION: list[tuple[str, str]] = [
    ("/", "Table"),
    ("/play", "Play"),
    ("/finish", "Photo finish"),
    ("/judge", "Judge"),
    ("/setup", "New game"),
    ("/history", "Games"),
    ("/statistics", "Statistics"),
    ("/guides", "The box"),
]
"""Address -> English word, in the order in which they are shown."""
WATCHING = ("/", "/finish")
"""What of it a demo that plays itself can show."""


@cache
def templates() -> jinja2.Environment:
    """The templates; everything is escaped, and an unknown name is an error."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def static_file(name: str) -> tuple[bytes, str]:
    """Content of a file in `STATIC`, and a mark that changes with it."""
    content = (FOLDER / "static" / name).read_bytes()
    return content, hashlib.sha256(content).hexdigest()[:12]


def hub_of(request: Request) -> Hub:
    """What the page knows."""
    return keeper_of(request).hub


def asks_of(request: Request) -> Asks:
    """The way to the box."""
    asks: Asks = request.app.state.asks
    return asks


def keeper_of(request: Request) -> Doorkeeper:
    """Sessions and limits."""
    keeper: Doorkeeper = request.app.state.keeper
    return keeper


def language_of(request: Request) -> str:
    """The viewer's language: "de" or "en"."""
    return str(request.state.language)


def who_of(request: Request) -> str | None:
    """The session's name; None: he may only look."""
    name: str | None = request.state.who
    return name


def render(name: str, language: str, /, **context: Any) -> str:
    """A template as text; `t` translates in it."""
    template = templates().get_template(name)
    return template.render(t=Words(language), language=language, **context)


def show(request: Request, name: str, status: int = 200, /, **context: Any) -> HTMLResponse:
    """A whole page.

    Args:
        request: What was asked.
        name: A template that extends "base.html".
        status: Of the answer.
        context: What the template needs besides `t`, `language`, `hub`, `who` and `path`.
    """
    hub = hub_of(request)
    content = render(
        name,
        language_of(request),
        hub=hub,
        who=who_of(request),
        path=request.url.path,
        navigation=[each for each in NAVIGATION if each[0] in WATCHING or not hub.plays_itself],
        marks={name: static_file(name)[1] for name in STATIC},
        notice=_notice(request),
        faults=faults_of(hub, language_of(request)),
        **context,
    )
    response = HTMLResponse(content, status)
    if NOTICE in request.cookies:
        response.delete_cookie(NOTICE)
    return response


def after(request: Request, path: str, answer: Answer | None = None) -> RedirectResponse:
    """Go on to a page after a change, with the box's sentence above it."""
    response = RedirectResponse(path, 303)
    sentence = answer.say(language_of(request)) if answer is not None else ""
    if answer is not None and sentence:
        said = json.dumps([answer.ok, sentence[:300]])
        response.set_cookie(
            NOTICE, quote(said), max_age=30, httponly=True, samesite="strict", path="/"
        )
    return response


def _notice(request: Request) -> tuple[bool, str] | None:
    """What `after` left: it went well, and the sentence."""
    try:
        ok, said = json.loads(unquote(request.cookies.get(NOTICE, "")))
        return bool(ok), str(said)
    except (ValueError, TypeError):
        return None


def local(path: str, usual: str = "/") -> str:
    """A path of this page; anything that could lead elsewhere becomes `usual`."""
    fine = path.startswith("/") and not path.startswith("//") and "\\" not in path
    return path if fine and path.isprintable() else usual


def needs_code(handler: Handler) -> Handler:
    """Only with the box's code: all others are sent to the page that asks for it."""

    @wraps(handler)
    async def guarded(request: Request) -> Response:
        if who_of(request) is not None:
            return await handler(request)
        if request.method == "POST" and "text/html" not in request.headers.get("accept", ""):
            return Response("code\n", 403, media_type="text/plain")
        back = request.url.path if request.method == "GET" else "/"
        return RedirectResponse("/code?" + urlencode({"next": back}), 303)

    return guarded
