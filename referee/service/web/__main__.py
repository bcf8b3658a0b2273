"""The page's process: `python -m referee.service.web --fd N`, started by the box.

One JSON line a message in both directions on the descriptor. When the box closes it, the page ends.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import secrets
import socket
import sys
from collections.abc import Callable
from typing import Any

import uvicorn

from referee.rules.errors import RefereeError
from referee.service.page_process import KEY_VARIABLE
from referee.service.web.app import create_app
from referee.service.web.asks import Asks
from referee.service.web.connections import IN_ALL, CountedProtocol
from referee.service.web.guard import HEADERS_BYTES
from referee.service.web.hub import Hub

LINE_BYTES = 4 * 1024 * 1024
"""Longest message of the box: a picture in base64 is far shorter."""
NICE = 5
"""The page gives way to the box: a busy page must not delay a verdict."""
log = logging.getLogger(__name__)


class BadAddress(RefereeError, OSError):
    """An address at which nothing can be served."""


def main() -> None:
    """Serve until the box goes."""
    parser = argparse.ArgumentParser(prog="python -m referee.service.web")
    parser.add_argument("--fd", type=int, required=True, help="descriptor of a socket to the box")
    parser.add_argument("--bind", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--name", action="append", default=[], help="a further host name")
    parser.add_argument("--journal", default="", help="the season's games, opened read-only")
    given = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="page: %(levelname)s %(message)s")
    line = socket.socket(fileno=given.fd)
    names = (socket.gethostname(), *given.name)
    try:
        listener = listen(given.bind, given.port)
    except BadAddress as error:
        log.error("%s", error)
        sys.exit(2)
    asyncio.run(serve(line, listener, tuple(names)))


def listen(bind: str, port: int) -> socket.socket:
    """Open the page's address."""
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((bind, port))
    except OSError as error:
        raise BadAddress(
            f"cannot serve the page on {bind} port {port}: {error.strerror}, expected a free "
            "address of this computer (settings: page.bind, page.port)"
        ) from error
    return listener


class _Server(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()


async def serve(line: socket.socket, listener: socket.socket, names: tuple[str, ...]) -> None:
    """Serve the page on `listener`, fed by `line`, until the box closes the line."""
    reader, writer = await asyncio.open_connection(sock=line, limit=LINE_BYTES)
    hub = Hub(secrets.token_hex(4))
    asks = Asks(lambda record: writer.write(json.dumps(record).encode() + b"\n"))
    app = create_app(hub, asks, names=names, key=os.environ.get(KEY_VARIABLE) or None)
    config = uvicorn.Config(
        app,
        http=CountedProtocol,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        h11_max_incomplete_event_size=HEADERS_BYTES,
        limit_concurrency=IN_ALL,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config, lambda: asks.tell("ready"))
    listening = asyncio.create_task(server.serve(sockets=[listener]))

    def take(message: dict[str, Any]) -> None:
        if message["type"] == "answer":
            asks.hear(message)
        else:
            hub.receive(message)
            app.state.fanout.wake()

    async def feed() -> None:
        while content := await reader.readline():
            message = read_message(content)
            if message is None:
                continue
            try:
                take(message)
            except (KeyError, TypeError, ValueError) as error:
                log.warning("message %r without its parts: %r", message["type"], error)
        server.should_exit = True

    feeding = asyncio.create_task(feed())
    await asyncio.wait({listening, feeding}, return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    await listening
    feeding.cancel()


def read_message(content: bytes) -> dict[str, Any] | None:
    """One line of the box; None if it is none (a fault of the program: noted, not fatal)."""
    try:
        message = json.loads(content)
    except ValueError:
        message = None
    if isinstance(message, dict) and isinstance(message.get("type"), str):
        return message
    log.warning("not a message of the box: %r", content[:80])
    return None


if __name__ == "__main__":
    os.umask(0o077)
    os.nice(NICE)
    main()
