"""The stream: patches in the viewer's language, from where he left off, for as long as he looks."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from fake_box import FakeBox
from page_at_hand import Page

from referee.service.web.app import create_app
from referee.service.web.guard import Limits
from referee.service.web.stream import Fanout

TOPICS = frozenset({"table", "said", "led", "box"})


class Viewer:
    """Reads the stream of an application; a browser without a network."""

    def __init__(self, app: Any, query: str, headers: dict[str, str] | None = None) -> None:
        self.status, self.body = 0, b""
        self._gone = asyncio.Event()
        self._heard = asyncio.Event()
        given = {"host": "localhost", **(headers or {})}
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/events",
            "raw_path": b"/events",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in given.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "scheme": "http",
            "http_version": "1.1",
            "root_path": "",
        }
        self.task = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")
        self._heard.set()

    async def until(self, piece: str) -> None:
        """Wait until the stream holds this piece."""
        while piece.encode() not in self.body:
            self._heard.clear()
            await asyncio.wait_for(self._heard.wait(), 20)

    async def close(self) -> None:
        """Close the page."""
        self._gone.set()
        await self.task

    def patches(self) -> list[dict[str, Any]]:
        """All patches so far."""
        lines = self.body.decode().split("\n")
        found = []
        for name, line in zip(lines, lines[2:], strict=False):
            if name == "event: patch":
                found += json.loads(line.removeprefix("data: "))
        return found


def test_viewer_hears_a_verdict_in_his_language(page: Page) -> None:
    async def watch() -> list[dict[str, Any]]:
        app = page.client.app
        box = FakeBox(page.hub.receive, seed=3)
        viewer = Viewer(
            app, f"topics=said&since={page.hub.mark}", {"accept-language": "de-DE,de;q=0.9"}
        )
        await viewer.until(": here")
        while not any(one["verdict"] == "valid_slap" for one in page.hub.verdicts.records):
            box.step()
        app.state.fanout.wake()
        await viewer.until("war zuerst dran")
        await viewer.close()
        return viewer.patches()

    patches = asyncio.run(watch())
    assert {patch["to"] for patch in patches} == {"said", "headline"}


def test_viewer_of_another_run_is_told_to_look_again(page: Page) -> None:
    async def watch() -> None:
        viewer = Viewer(page.client.app, "topics=table&since=other-17")
        await viewer.until("event: stale")
        await viewer.close()

    asyncio.run(watch())


def test_last_event_id_wins_over_the_address(page: Page) -> None:
    async def watch() -> str:
        mark = page.hub.mark
        page.hub.receive(page.hub.box | {"reason": "first"})
        newer = page.hub.mark
        page.hub.receive(page.hub.box | {"state": "safe", "reason": "second"})
        viewer = Viewer(page.client.app, f"topics=box&since={mark}", {"last-event-id": newer})
        await viewer.until("second")
        await viewer.close()
        return viewer.body.decode()

    assert asyncio.run(watch()).count("event: patch") == 1


def test_one_page_too_many_of_an_address_is_refused_until_one_closes(page: Page) -> None:
    async def watch() -> list[int]:
        app = create_app(page.hub, page.asks, limits=Limits(streams_each=2))
        viewers = [Viewer(app, "topics=led") for _ in range(2)]
        for viewer in viewers:
            await viewer.until(": here")
        third = Viewer(app, "topics=led")
        await third.task
        await viewers[0].close()
        fourth = Viewer(app, "topics=led")
        await fourth.until(": here")
        await fourth.close()
        await viewers[1].close()
        assert not app.state.keeper.streams.taken
        return [third.status, fourth.status]

    assert asyncio.run(watch()) == [503, 200]


def test_live_picture_is_asked_for_only_while_somebody_looks(page: Page) -> None:
    async def watch() -> None:
        viewer = Viewer(page.client.app, "topics=led")
        await viewer.until(": here")
        await viewer.close()
        assert not page.asked
        viewer = Viewer(page.client.app, f"topics=picture&since={page.hub.mark}")
        await viewer.until(": here")
        page.hub.receive({"type": "picture", "jpeg": "/9j/"})
        page.client.app.state.fanout.wake()
        await viewer.until("/picture.jpg?")
        await viewer.close()

    asyncio.run(watch())
    assert page.asked == [{"ask": "picture", "on": True}]


def test_of_many_states_only_the_newest_is_sent(page: Page) -> None:
    mark = page.hub.mark
    box = FakeBox(page.hub.receive, seed=3)
    for _ in range(200):
        box.step()
    events = page.hub.since(mark)
    assert events is not None
    assert sum(event.topic == "led" for event in events) > 1
    drawn = Fanout(page.hub).draw(events, TOPICS, "en").decode()
    assert drawn.count('"to":"led-lit"') == 1


@pytest.mark.parametrize("query", ["topics=nothing", "topics=", "", "topics=__class__,led"])
def test_unknown_topics_are_passed_over(page: Page, query: str) -> None:
    async def watch() -> int:
        viewer = Viewer(page.client.app, query)
        await viewer.until(": here")
        await viewer.close()
        return viewer.status

    assert asyncio.run(watch()) == 200


def test_head_opens_no_stream_and_takes_no_seat(page: Page) -> None:
    assert page.client.request("HEAD", "/events?topics=led").status_code == 200
    assert not page.client.app.state.keeper.streams.taken
