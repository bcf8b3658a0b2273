"""What stands before every page: headers, host names, origin, size, rate, and who is asking.

- A browser on this network must not be steered by a page from elsewhere: names that are not the
  box's own are refused (DNS rebinding), and so is every change whose origin is another page.
- There is no CORS header at all, and the content policy allows only files of this page.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.locale import text
from referee.service.web import sessions
from referee.service.web.hub import Hub
from referee.service.web.limits import NS_PER_S, Bucket, Seats
from referee.service.web.sessions import Sessions
from referee.service.web.words import AREA, language_of

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
BODY_BYTES = 64 * 1024
"""Largest body of a request: the longest form has a few kilobytes."""
BODY_S = 10
"""A body that takes longer is a way to keep the page busy."""
PATH_BYTES = 2048
HEADERS_BYTES = 16 * 1024
SAFE_METHODS = ("GET", "HEAD")
METHODS = (*SAFE_METHODS, "POST")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one address, and all together, may do."""

    gets: int = 300
    """Looks at once; one more each `get_ns`. A list of photo finishes has some sixty pictures."""
    get_ns: int = NS_PER_S // 30
    posts: int = 60
    """Changes at once; one more each `post_ns`."""
    post_ns: int = NS_PER_S // 20
    streams_each: int = 40
    """Open pages of one address: a few tabs, or a class behind one router."""
    streams_all: int = 200


@dataclass(slots=True)
class Doorkeeper:
    """What the guard and the pages share."""

    hub: Hub
    sessions: Sessions
    names: tuple[str, ...] = ()
    """Further host names of the box, in small letters."""
    limits: Limits = field(default_factory=Limits)
    gets: Bucket = field(init=False)
    posts: Bucket = field(init=False)
    streams: Seats = field(init=False)
    touches: Bucket = field(default_factory=lambda: Bucket(12, NS_PER_S // 12))
    """Touches of a pad at the page: nobody slaps faster."""
    code_shown: Bucket = field(default_factory=lambda: Bucket(3, 5 * NS_PER_S))
    """How often the LED matrix shows the code, for everybody together."""

    def __post_init__(self) -> None:
        self.gets = Bucket(self.limits.gets, self.limits.get_ns)
        self.posts = Bucket(self.limits.posts, self.limits.post_ns)
        self.streams = Seats(self.limits.streams_each, self.limits.streams_all)

    @property
    def code(self) -> str:
        """The box's code; empty: none is known, nobody may change anything."""
        return str(self.hub.box.get("code", ""))


class Guard:
    """The outermost layer of the page."""

    def __init__(self, app: ASGIApp, keeper: Doorkeeper) -> None:
        self._app, self._keeper = app, keeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it with one sentence."""
        arrived_ns = time.monotonic_ns()
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no web socket here: the server closes it

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        who = HTTPConnection(scope)
        language = language_of(
            who.cookies, who.headers.get("accept-language", ""), self._usual_language
        )
        refusal = self._refusal(scope, who.headers, language)
        if refusal is not None:
            await refusal(scope, receive, send_guarded)
            return
        cookie = who.cookies.get(sessions.COOKIE, "")
        scope.setdefault("state", {})
        scope["state"]["arrived_ns"] = arrived_ns
        scope["state"]["language"] = language
        scope["state"]["who"] = self._keeper.sessions.name(cookie, self._keeper.code)
        if scope["method"] == "POST":
            body = await read_body(receive)
            if body is None:
                too_much = text(AREA, "That is too much at once.", language=language)
                await PlainTextResponse(too_much + "\n", 413)(scope, receive, send_guarded)
                return
            receive = _again(body, receive)
        await self._app(scope, receive, send_guarded)

    @property
    def _usual_language(self) -> str:
        return str(self._keeper.hub.box.get("language", "en"))

    def _refusal(self, scope: Scope, headers: Headers, language: str) -> PlainTextResponse | None:
        def say(status: int, message: str) -> PlainTextResponse:
            return PlainTextResponse(message + "\n", status)

        if not is_own_host(headers.get("host", ""), scope, self._keeper.names):
            return say(
                421,
                text(AREA, "This name is not the box's: use its address.", language=language),
            )
        if sum(len(name) + len(value) for name, value in scope["headers"]) > HEADERS_BYTES:
            return say(431, text(AREA, "The headers are too long.", language=language))
        if scope["method"] not in METHODS:
            return say(405, text(AREA, "Only GET and POST.", language=language))
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > PATH_BYTES:
            return say(414, text(AREA, "The address is too long.", language=language))
        looks = scope["method"] in SAFE_METHODS
        if not looks and not is_same_origin(headers):
            return say(403, text(AREA, "Only this page itself may do that.", language=language))
        if not looks and not _is_small(headers.get("content-length", "")):
            return say(413, text(AREA, "That is too much at once.", language=language))
        bucket = self._keeper.gets if looks else self._keeper.posts
        if not bucket.take(address_of(scope), time.monotonic_ns()):
            return say(429, text(AREA, "Too fast: please wait a moment.", language=language))
        return None


def address_of(scope: Mapping[str, Any]) -> str:
    """Who asks: an IPv6 network of one household counts as one."""
    host = scope["client"][0] if scope.get("client") else "?"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return str(host)
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(host)


def is_own_host(host: str, scope: Scope, names: tuple[str, ...]) -> bool:
    """The Host header names the box: localhost, a `.local` name, its address, or a name it has.

    A page from elsewhere can point its own name at the box's address (DNS rebinding); its name
    then stands here and is refused.
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    if name == "localhost" or name.endswith(".local") or name in names:
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    server = scope.get("server")
    return address.is_loopback or (server is not None and str(address) == _plain(server[0]))


def _plain(address: str) -> str:
    """An address without its zone, and IPv4 as IPv4."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found)


def is_same_origin(headers: Headers) -> bool:
    """A change comes from this page itself. Browsers say so; what says nothing is refused."""
    site = headers.get("sec-fetch-site")
    if site is not None and site != "same-origin":
        return False
    origin = headers.get("origin")
    if origin is None:
        return site == "same-origin"
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc == headers.get("host", "")


def _is_small(length: str) -> bool:
    return not length or (length.isdecimal() and int(length) <= BODY_BYTES)


async def read_body(receive: Receive) -> bytes | None:
    """The whole body; None: it is longer than `BODY_BYTES`, came too slowly, or was broken off."""
    body = b""
    try:
        async with asyncio.timeout(BODY_S):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return None
                piece: bytes = message.get("body", b"")
                body += piece
                if len(body) > BODY_BYTES:
                    return None
                if not message.get("more_body", False):
                    return body
    except TimeoutError:
        return None


def _again(body: bytes, receive: Receive) -> Receive:
    """The body that was read, then whatever follows."""
    given = False

    async def receive_again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again
