"""The page's process: started beside the box, watched, and started anew when it dies.

The game does not notice: a page that comes back is told everything that it needs.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from hardware.clock import NS_PER_MS
from referee.service.link import Link, Message

logger = logging.getLogger(__name__)

FIRST_PAUSE_NS = 1_000 * NS_PER_MS
LONGEST_PAUSE_NS = 60_000 * NS_PER_MS
"""Between two starts of a page that keeps dying."""
STOP_S = 3.0
KEY_VARIABLE = "REFEREE_PAGE_KEY"
"""Where the page finds the key of its sessions: the same one whenever it is started anew."""
EVERYBODY = ("0.0.0.0", "::")
"""Addresses by which the whole network sees the page."""


class Child(Protocol):
    """A process, as far as we need it: subprocess.Popen."""

    def poll(self) -> int | None:
        """Its exit code; None: it runs."""

    def terminate(self) -> None:
        """Ask it to end."""

    def kill(self) -> None:
        """End it."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end."""


@dataclass(frozen=True, slots=True)
class PageAddress:
    """Where the page is to be found."""

    bind: str = "127.0.0.1"
    port: int = 8080
    names: tuple[str, ...] = ()
    """Further names under which the box may be called, such as "referee.local"."""
    journal: str = ""

    @property
    def url(self) -> str:
        """As it is typed into a browser; for a page that all may see, this computer's name."""
        host = f"{socket.gethostname()}.local" if self.bind in EVERYBODY else self.bind
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"


class PageProcess:
    """Starts the page and keeps it alive."""

    def __init__(
        self,
        address: PageAddress,
        greeting: Callable[[], Sequence[Message]],
        *,
        start: Callable[[PageAddress, socket.socket], Child] | None = None,
    ) -> None:
        """Prepare; `keep` starts it.

        Args:
            address: Where it listens.
            greeting: All that a new page must be told.
            start: Starts the process with its end of the wire; for tests.
        """
        self.address = address
        self._greeting = greeting
        key = secrets.token_hex(32)
        self._start = start or (lambda address, theirs: _start(address, theirs, key))
        self._child: Child | None = None
        self._link: Link | None = None
        self._next_ns = 0
        self._pause_ns = FIRST_PAUSE_NS
        self.starts = 0
        """How often it was started."""

    def keep(self, now_ns: int) -> None:
        """Start the page if it does not run; call it in every round of the loop."""
        if self._link is not None and self._link.is_open:
            if self._link.is_behind:
                self._link.is_behind = False
                self._greet()
            return
        if self._link is not None:
            self._end()
            self._next_ns = now_ns + self._pause_ns
            self._pause_ns = min(2 * self._pause_ns, LONGEST_PAUSE_NS)
            logger.warning("the page ended; it is started again")
        if now_ns >= self._next_ns:
            self._begin()

    def publish(self, message: Message) -> None:
        """Tell the page, if there is one."""
        if self._link is not None:
            self._link.publish(message)

    def asks(self) -> list[Message]:
        """What the page asked for since the last call."""
        return self._link.asks() if self._link is not None else []

    def close(self) -> None:
        """End the page. Safe to call twice."""
        self._end()

    def _begin(self) -> None:
        ours, theirs = socket.socketpair()
        try:
            self._child = self._start(self.address, theirs)
        except OSError as error:
            logger.warning("the page cannot be started: %s", error)
            ours.close()
            self._next_ns += LONGEST_PAUSE_NS
            return
        finally:
            theirs.close()
        self.starts += 1
        self._link = Link(ours)
        self._greet()

    def _greet(self) -> None:
        for message in self._greeting():
            self.publish(message)

    def _end(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.close()
        child, self._child = self._child, None
        if child is None:
            return
        if child.poll() is None:
            child.terminate()
        try:
            child.wait(STOP_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _start(address: PageAddress, theirs: socket.socket, key: str) -> Child:
    """Start the page. Its words can be read by everybody on this computer, its environment not."""
    words = [sys.executable, "-m", "referee.service.web"]
    words += ["--fd", str(theirs.fileno()), "--bind", address.bind, "--port", str(address.port)]
    words += [word for name in address.names for word in ("--name", name)]
    words += ["--journal", address.journal] if address.journal else []
    # A terminal shows the game; whatever a page has to say would tear it.
    errors = subprocess.DEVNULL if sys.stderr.isatty() else None
    return subprocess.Popen(
        words,
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        stderr=errors,
        env=os.environ | {KEY_VARIABLE: key},
    )
