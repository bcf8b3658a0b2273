"""Server-sent events: everybody who watches hears what changes, from where he left off."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from referee.service.web.asks import Asks
from referee.service.web.guard import address_of
from referee.service.web.hub import EVENTS_KEPT, Event, Hub
from referee.service.web.limits import NS_PER_S, Seats
from referee.service.web.pages import asks_of, hub_of, language_of
from referee.service.web.parts import LATEST_ONLY, PARTS

BEAT_S = 5
"""A page that hears nothing for longer takes the line for dead and connects again."""
RETRY_MS = 1000
PICTURE_NS = 4 * NS_PER_S
"""The box sends pictures for ten seconds after each ask."""
SEND_S = 20
"""A viewer who takes nothing for so long is gone."""


class Fanout:
    """Wakes all who wait, and draws each event once a language."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._changed = asyncio.Event()
        self._drawn: OrderedDict[tuple[int, str, str], bytes] = OrderedDict()
        self._picture_asked_ns = 0

    def wake(self) -> None:
        """The hub has received something."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def wait(self, longest_s: float | None = None) -> None:
        """Until the hub has received something, or the time is over."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), longest_s)

    def want_picture(self, now_ns: int) -> bool:
        """Somebody looks at the live picture: it is time to ask the box for more."""
        due = now_ns - self._picture_asked_ns >= PICTURE_NS
        if due:
            self._picture_asked_ns = now_ns
        return due

    def draw(self, events: Sequence[Event], names: frozenset[str], language: str) -> bytes:
        """Events as lines of the stream; of those that show a state only the newest."""
        newest = {event.topic: event.number for event in events}
        return b"".join(
            self._lines(event, name, language)
            for event in events
            for name in names
            if event.topic == PARTS[name].topic
            and (event.topic not in LATEST_ONLY or newest[event.topic] == event.number)
        )

    def _lines(self, event: Event, name: str, language: str) -> bytes:
        key = (event.number, name, language)
        if key not in self._drawn:
            patches = PARTS[name].draw(self._hub, event, language)
            self._drawn[key] = as_lines(f"{self._hub.run}-{event.number}", "patch", patches)
            while len(self._drawn) > EVENTS_KEPT:
                self._drawn.popitem(last=False)
        return self._drawn[key]


def as_lines(mark: str, name: str, content: object) -> bytes:
    """One event as lines of the stream."""
    written = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return f"id: {mark}\nevent: {name}\nretry: {RETRY_MS}\ndata: {written}\n\n".encode()


class _Seated:
    """A stream that has a seat while it runs, however it ends."""

    def __init__(self, stream: EventSourceResponse, address: str) -> None:
        self._stream, self._address = stream, address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        seats: Seats = scope["app"].state.keeper.streams
        if not seats.enter(self._address):
            full = PlainTextResponse("full\n", 503, headers={"retry-after": "10"})
            await full(scope, receive, send)
            return
        try:
            await self._stream(scope, receive, send)
        finally:
            seats.leave(self._address)


async def events(request: Request) -> _Seated:
    """The stream: `topics` says what for, `since` or Last-Event-ID from where on."""
    asked = frozenset(request.query_params.get("topics", "").split(","))
    names = asked & frozenset(PARTS)
    lines = _follow(
        hub_of(request),
        request.app.state.fanout,
        request.headers.get("last-event-id") or request.query_params.get("since", ""),
        names,
        language_of(request),
        asks_of(request) if "picture" in names else None,
    )
    stream = EventSourceResponse(
        lines,
        ping=BEAT_S,
        ping_message_factory=lambda: ServerSentEvent(event="beat", data=""),
        send_timeout=SEND_S,
        sep="\n",
    )
    return _Seated(stream, address_of(request.scope))


async def _follow(
    hub: Hub,
    fanout: Fanout,
    since: str,
    names: frozenset[str],
    language: str,
    ask_pictures: Asks | None,
) -> AsyncIterator[bytes]:
    yield b": here\n\n"
    while True:
        if ask_pictures is not None and fanout.want_picture(time.monotonic_ns()):
            ask_pictures.tell("picture", on=True)
        missed = hub.since(since)
        if missed is None:
            yield as_lines(hub.mark, "stale", "")
        elif missed:
            drawn = fanout.draw(missed, names, language)
            if drawn:
                yield drawn
        since = hub.mark if missed is None or not missed else f"{hub.run}-{missed[-1].number}"
        if since == hub.mark:
            await fanout.wait(PICTURE_NS / NS_PER_S if ask_pictures is not None else None)


ROUTES = [Route("/events", events)]
