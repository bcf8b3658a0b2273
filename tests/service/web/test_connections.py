"""A connection that says nothing is closed."""

from __future__ import annotations

import asyncio

import pytest
import uvicorn
from page_at_hand import Page
from uvicorn.server import ServerState

from referee.service.web import connections
from referee.service.web.connections import CountedProtocol


def test_silent_connection_is_closed_and_its_seat_given_back(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_S", 0.01)

    async def be_silent() -> bytes:
        config = uvicorn.Config(page.client.app, http=CountedProtocol, lifespan="off")
        config.load()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: CountedProtocol(config, ServerState(), {}), "127.0.0.1", 0
        )
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HT")
        ended = await asyncio.wait_for(reader.read(), 60)
        writer.close()
        await writer.wait_closed()
        server.close()
        await server.wait_closed()
        return ended

    assert asyncio.run(be_silent()) == b""
    assert not CountedProtocol.seats.taken
