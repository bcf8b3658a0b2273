"""Server-sent events: everybody who watches hears what changes, from where he left off."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from referee.service.web.guard import address_of
from referee.service.web.hub import EVENTS_KEPT, Event, Hub
from referee.service.web.pages import asks_of, hub_of, keeper_of, language_of
from referee.service.web.parts import LATEST_ONLY, PARTS

BEAT_S = 5
"""A page that hears nothing for longer takes the line for dead and connects again."""
RETRY_MS = 1000
SEND_S = 20
"""A viewer who takes nothing for so long is gone."""


class Fanout:
    """Wakes all who wait, and draws each event once a language."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._changed = asyncio.Event()
        self._drawn: OrderedDict[tuple[int, str], bytes] = OrderedDict()
        self.picture_viewers = 0

    def wake(self) -> None:
        """The hub has received something."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def wait(self) -> None:
        """Until the hub has received something."""
        await self._changed.wait()

    def draw(self, events: Sequence[Event], topics: frozenset[str], language: str) -> bytes:
        """Events as lines of the stream; of those that show a state only the newest."""
        newest = {event.topic: event.number for event in events}
        return b"".join(
            self._lines(event, language)
            for event in events
            if event.topic in topics
            and (event.topic not in LATEST_ONLY or newest[event.topic] == event.number)
        )

    def _lines(self, event: Event, language: str) -> bytes:
        key = (event.number, language)
        if key not in self._drawn:
            patches = PARTS[event.topic](self._hub, event, language)
            self._drawn[key] = as_lines(f"{self._hub.run}-{event.number}", "patch", patches)
            while len(self._drawn) > EVENTS_KEPT:
                self._drawn.popitem(last=False)
        return self._drawn[key]


def as_lines(mark: str, name: str, content: object) -> bytes:
    """One event as lines of the stream."""
    written = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return f"id: {mark}\nevent: {name}\nretry: {RETRY_MS}\ndata: {written}\n\n".encode()


async def events(request: Request) -> Response:
    """The stream: `topics` says what for, `since` or Last-Event-ID from where on."""
    keeper, fanout = keeper_of(request), request.app.state.fanout
    address = address_of(request.scope)
    if not keeper.streams.enter(address):
        return PlainTextResponse("full\n", 503, headers={"retry-after": "10"})
    asked = frozenset(request.query_params.get("topics", "").split(","))
    topics = asked & frozenset(PARTS)
    since = request.headers.get("last-event-id") or request.query_params.get("since", "")

    async def lines() -> AsyncIterator[bytes]:
        _count_pictures(request, topics, 1)
        try:
            async for line in _follow(hub_of(request), fanout, since, topics, language_of(request)):
                yield line
        finally:
            keeper.streams.leave(address)
            _count_pictures(request, topics, -1)

    return EventSourceResponse(
        lines(),
        ping=BEAT_S,
        ping_message_factory=lambda: ServerSentEvent(event="beat", data=""),
        send_timeout=SEND_S,
        sep="\n",
    )


async def _follow(
    hub: Hub, fanout: Fanout, since: str, topics: frozenset[str], language: str
) -> AsyncIterator[bytes]:
    yield b": here\n\n"
    while True:
        missed = hub.since(since)
        if missed is None:
            yield as_lines(hub.mark, "stale", "")
        elif missed:
            drawn = fanout.draw(missed, topics, language)
            if drawn:
                yield drawn
        since = hub.mark if missed is None or not missed else f"{hub.run}-{missed[-1].number}"
        if since == hub.mark:
            await fanout.wait()


def _count_pictures(request: Request, topics: frozenset[str], change: int) -> None:
    """The box sends pictures only while somebody looks at them."""
    if "picture" not in topics:
        return
    fanout: Fanout = request.app.state.fanout
    before = fanout.picture_viewers
    fanout.picture_viewers += change
    if (before > 0) != (fanout.picture_viewers > 0):
        asks_of(request).tell("picture", on=fanout.picture_viewers > 0)


ROUTES = [Route("/events", events)]
