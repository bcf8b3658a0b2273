"""The page of a demo: it watches, and there is nothing that could be changed."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PIL import Image

from hardware.protocols import Frame
from referee.locale import LANGUAGES, language, text
from referee.rules.events import DEMO
from referee.rules.verdicts import Verdict
from referee.service.broadcast import Broadcast
from referee.service.coverage import Coverage
from referee.service.demo import SIZE, DemoGame
from referee.service.evening import OVER, PLAYING
from referee.service.link import Message
from referee.service.page_process import PageAddress, PageProcess
from referee.service.settings.fields import Settings
from referee.service.watchers import around, drawn_zones

EVERY_NS = 80_000_000
"""Between two pictures of table and matrix."""


class Stage:
    """What a demo shows to the page; without a page it shows nothing."""

    def __init__(self, page: PageProcess | None, broadcast: Broadcast) -> None:
        """Use `open_stage`."""
        self._page, self._broadcast = page, broadcast
        self._coverage: Coverage | None = None
        self._games = 0
        self._told_ns = 0

    @property
    def url(self) -> str:
        """Where the page is; empty: there is none."""
        return self._page.address.url if self._page is not None else ""

    def begin(self, demo: DemoGame) -> None:
        """A game begins."""
        if self._page is None:
            return
        self._games += 1
        self._broadcast.box(state=PLAYING)
        zone = around(drawn_zones(demo.plan.game, SIZE))
        self._coverage = Coverage(
            self._broadcast, demo.referee, self._games, deck=demo.plan.deck, zone=zone
        )

    def see(self, frame: Frame) -> None:
        """Take a frame for the photo finish."""
        if self._coverage is not None:
            self._coverage.see(frame)

    def tell(self, demo: DemoGame, verdicts: Sequence[Verdict], led: Image.Image) -> None:
        """Tell what was seen and said; now and then how table and matrix look."""
        if self._page is None or self._coverage is None:
            return
        self._coverage.tell(verdicts)
        now_ns = time.monotonic_ns()
        if not verdicts and now_ns - self._told_ns < EVERY_NS:
            return
        self._told_ns = now_ns
        self._page.keep(now_ns)
        self._refuse(self._page.asks())
        self._coverage.table(pile_state=demo.state, lines=[], now_ns=now_ns)
        self._broadcast.led(led)
        if demo.referee.table.winner is not None:
            self._broadcast.box(state=OVER)

    def close(self) -> None:
        """End the page."""
        if self._page is not None:
            self._page.close()

    def _refuse(self, asks: Sequence[Message]) -> None:
        """A demo plays itself: whoever wants to play needs `referee play`."""
        literal = "This demo plays itself: `referee play` is for people."
        for ask in asks:
            sentence = {name: text("box", literal, language=name) for name in LANGUAGES}
            answer = {"type": "answer", "to": ask.get("id"), "ok": False, "sentence": sentence}
            self._broadcast.pass_on(answer)


def open_stage(address: PageAddress | None, width: int, settings: Settings) -> Stage:
    """Start the page of a demo.

    Args:
        address: Where it listens; None: no page.
        width: Of the matrix, in points.
        settings: For the language.
    """
    page: PageProcess | None = None

    def send(message: Message) -> None:
        if page is not None:
            page.publish(message)

    broadcast = Broadcast(send)
    broadcast.box(
        demo=True,
        interactive=False,
        stamp=DEMO,
        state="idle",
        width=width,
        code="",
        keep_pictures=False,
        journal="",
        reason={},
        language=settings.language or language(),
    )
    if address is not None:
        page = PageProcess(address, broadcast.greeting)
    return Stage(page, broadcast)
