"""A browser, a page's process, and a box that plays a real game: on loopback only.

Needs Debian's chromium (`apt install chromium`) or `REFEREE_CHROMIUM=/path/to/chromium`. The test
of accessibility needs axe-core: `npm install --prefix DIR axe-core`, then `REFEREE_AXE=DIR`.
"""

from __future__ import annotations

import os
import shutil
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "service" / "web"))

from fake_box import FakeBox

from referee.service.page_process import PageAddress, PageProcess

LONGEST_MS = int(os.environ.get("REFEREE_E2E_MS", "90000"))
"""Nothing here measures time; a busy computer may be slow."""
CHROMIUM = os.environ.get("REFEREE_CHROMIUM") or shutil.which("chromium")


class Table:
    """A box that plays, and its page."""

    def __init__(self, **plan: Any) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.page: PageProcess | None = None
        self.box = FakeBox(self._send, **plan)
        self._ready, self._answered, self._over = (threading.Event() for _ in range(3))
        self._lock = threading.Lock()
        self._pump = threading.Thread(target=self._hear, daemon=True)

    def _send(self, message: dict[str, Any]) -> None:
        if self.page is not None:
            self.page.publish(message)

    def open(self) -> None:
        """Start the page and wait until it listens."""
        self._ready.clear()
        self.page = PageProcess(PageAddress(port=self.port), self.box.broadcast.greeting)
        self.page.keep(time.monotonic_ns())
        if not self._pump.is_alive():
            self._pump.start()
        assert self._ready.wait(LONGEST_MS / 1000), "the page does not start"

    def shut(self) -> None:
        """End the page, as when the service is stopped."""
        page, self.page = self.page, None
        if page is not None:
            page.close()

    def step(self, steps: int = 1) -> None:
        """Let the game go on."""
        with self._lock:
            for _ in range(steps):
                if not self.box.is_over:
                    self.box.step()

    def step_until(self, is_so: Callable[[FakeBox], bool]) -> None:
        """Let the game go on until something is so."""
        with self._lock:
            while not is_so(self.box) and not self.box.is_over:
                self.box.step()
        assert is_so(self.box)

    def until_asked(self, *names: str) -> list[dict[str, Any]]:
        """Wait until the page has asked for all of this; what it asked."""
        deadline = threading.Event()
        timer = threading.Timer(LONGEST_MS / 1000, deadline.set)
        timer.start()
        while not deadline.is_set():
            asked = [one for one in self.box.asked if one["ask"] in names]
            if {one["ask"] for one in asked} == set(names):
                break
            self._answered.clear()
            self._answered.wait(1)
        timer.cancel()
        return [one for one in self.box.asked if one["ask"] in names]

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://localhost:{self.port}"

    def close(self) -> None:
        """End everything."""
        self._over.set()
        if self._pump.is_alive():
            self._pump.join()
        self.shut()

    def _hear(self) -> None:
        while not self._over.wait(0.01):
            page = self.page
            for ask in page.asks() if page is not None else []:
                if ask["ask"] == "ready":
                    self._ready.set()
                    continue
                with self._lock:
                    self.box.answer(ask)
                self._answered.set()


@pytest.fixture
def lay() -> Iterator[Callable[..., Table]]:
    """Lays tables: `lay(game="ratscrew", seed=3)`."""
    laid: list[Table] = []

    def lay_one(**plan: Any) -> Table:
        table = Table(**plan)
        laid.append(table)
        table.open()
        return table

    yield lay_one
    for table in laid:
        table.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser. Of one module: while its driver lives, no test may run a loop of its own."""
    if CHROMIUM is None:
        pytest.skip("no chromium: apt install chromium, or set REFEREE_CHROMIUM")
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"], timeout=LONGEST_MS
        )
        yield browser
        browser.close()


@pytest.fixture
def look(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Opens pages: `look(url, locale="de-DE", width=390)`; what the browser complains of fails."""
    contexts, complaints = [], []

    def open_page(url: str, *, width: int = 1280, height: int = 800, **wanted: Any) -> Any:
        context = chromium.new_context(
            viewport={"width": width, "height": height}, **{"locale": "en-GB", **wanted}
        )
        context.set_default_timeout(LONGEST_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: _note(said, complaints))
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints


def _note(said: Any, complaints: list[str]) -> None:
    """Errors of scripts and of the content policy.

    A server that is away, a wrong code, a form with a mistake and a page that does not exist are
    what the test wanted.
    """
    wanted = ("net::ERR", "status of 403", "status of 404", "status of 422")
    if said.type == "error" and not any(part in said.text for part in wanted):
        complaints.append(said.text)
