"""The wire between the box and its page: two processes, one JSON object a line, both ways.

The box never waits for the page. What it publishes goes into a bounded queue that a thread of the
link empties; pictures give way first, and a page that fell behind for good is told everything anew.
"""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import threading
from collections import deque
from collections.abc import Mapping
from typing import Any

logger = logging.getLogger(__name__)

Message = dict[str, Any]
"""A JSON object."""

LONGEST_LINE = 256 * 1024
"""Bytes of a message from the page; a longer one is an error of the page."""
WAITING = 4000
"""Messages that may wait for the page; more than that and it is told everything anew."""
ASKS = 256
"""Asks that may wait for the box; more are dropped, the page is answered by silence."""
NEWEST_ONLY = ("table", "led", "picture")
"""Kinds of which only the newest counts: an older one that still waits is replaced."""


class Link:
    """The box's end of the wire."""

    def __init__(self, channel: socket.socket) -> None:
        """Begin to talk.

        Args:
            channel: One end of a stream socket pair; the link closes it.
        """
        self._channel = channel
        self._waiting: deque[Message] = deque()
        self._newest: dict[str, Message] = {}
        self._asks: deque[Message] = deque(maxlen=ASKS)
        self._wake = threading.Condition()
        self._open = True
        self.is_behind = False
        """The page did not keep up: publish everything anew, then set this to False."""
        self._threads = [
            threading.Thread(target=work, name=f"page-{name}", daemon=True)
            for name, work in (("writer", self._write), ("reader", self._read))
        ]
        for thread in self._threads:
            thread.start()

    @property
    def is_open(self) -> bool:
        """The page is still there."""
        return self._open

    def publish(self, message: Message) -> None:
        """Tell the page; returns at once."""
        with self._wake:
            if not self._open:
                return
            kind = message["type"]
            if kind in NEWEST_ONLY:
                self._newest[kind] = message
            elif len(self._waiting) < WAITING:
                self._waiting.append(message)
            else:
                self._waiting.clear()
                self.is_behind = True
            self._wake.notify()

    def asks(self) -> list[Message]:
        """What the page asked for since the last call."""
        with self._wake:
            asks = list(self._asks)
            self._asks.clear()
        return asks

    def close(self) -> None:
        """Hang up. Safe to call twice."""
        with self._wake:
            self._open = False
            self._wake.notify()
        with contextlib.suppress(OSError):
            self._channel.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout=1)
        self._channel.close()

    def _write(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._waiting or self._newest or not self._open)
                if not self._open:
                    return
                messages = [*self._waiting, *self._newest.values()]
                self._waiting.clear()
                self._newest.clear()
            try:
                self._channel.sendall(b"".join(map(line_of, messages)))
            except OSError:
                self._hang_up()
                return

    def _read(self) -> None:
        try:
            with self._channel.makefile("rb") as lines:
                while line := lines.readline(LONGEST_LINE):
                    self._take(line)
        except OSError as error:
            logger.debug("the page hung up: %s", error)
        self._hang_up()

    def _take(self, line: bytes) -> None:
        try:
            ask = json.loads(line)
        except ValueError:
            logger.warning("the page sent no JSON: %r", line[:80])
            return
        if isinstance(ask, Mapping) and isinstance(ask.get("ask"), str):
            with self._wake:
                self._asks.append(dict(ask))
        else:
            logger.warning("the page asked nothing: %r", line[:80])

    def _hang_up(self) -> None:
        with self._wake:
            self._open = False
            self._wake.notify()


def line_of(message: Message) -> bytes:
    """One message as it goes over the wire."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
