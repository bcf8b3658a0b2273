"""Everything around a table: journal, page, matrix, voice, and the evening that uses them."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path

from hardware.display import NoDisplay
from hardware.pins import read_pins
from hardware.protocols import Display
from models.memory import give_memory_back
from referee.locale import language
from referee.rules.verdicts import Verdict
from referee.service.broadcast import Broadcast
from referee.service.evening import Clocks, Evening
from referee.service.faults.steady_display import SteadyDisplay
from referee.service.follower import Follower
from referee.service.guides import Guide
from referee.service.journal.clock import boot_id
from referee.service.journal.journal import Journal, season_file
from referee.service.live_game import LiveGame, NewGame
from referee.service.page_process import PageAddress, PageProcess
from referee.service.real_box import open_display
from referee.service.seat_lights import open_buzzer, open_lights
from referee.service.settings.fields import Settings
from referee.service.voice.sounds import open_sounds
from referee.service.wishes import Wishes

logger = logging.getLogger(__name__)

LED_EVERY_NS = 80_000_000
"""Between two pictures of the matrix."""
TIDY_NS = 3_000_000_000
"""After the beginning of a game: by then everything was loaded and drawn once."""
PORTS_TRIED = 10
LOCAL = "127.0.0.1"


class House:
    """One box, or one laptop that plays box."""

    def __init__(
        self, evening: Evening, page: PageProcess | None, guides: Mapping[str, Callable[[], Guide]]
    ) -> None:
        """Use `open_house`."""
        self.evening, self.page = evening, page
        self._wishes = Wishes(evening, time.monotonic_ns, guides)
        self._drawn_ns = 0
        self._tidied: LiveGame | None = None
        self._tidy_ns = 0

    def step(self) -> list[Verdict]:
        """One round of the loop: the page's wishes, the table, the matrix."""
        now_ns = time.monotonic_ns()
        if self.page is not None:
            self.page.keep(now_ns)
            self._wishes.grant(self.page.asks())
        verdicts = self.evening.step()
        if verdicts or now_ns - self._drawn_ns >= LED_EVERY_NS:
            self._drawn_ns = now_ns
            self.evening.picture()
        self._tidy(now_ns)
        return verdicts

    def _tidy(self, now_ns: int) -> None:
        """Once a game, when all is loaded, hand back the memory that this took."""
        if self.evening.game is not self._tidied:
            self._tidied = self.evening.game
            self._tidy_ns = now_ns + TIDY_NS
        elif self._tidy_ns and now_ns >= self._tidy_ns:
            self._tidy_ns = 0
            give_memory_back()

    def close(self) -> None:
        """Give everything back. A game that runs goes on with the next start."""
        self.evening.close()
        if self.evening.journal is not None:
            self.evening.journal.close()
        if self.page is not None:
            self.page.close()


def open_house(
    settings: Settings,
    make_game: Callable[[NewGame], LiveGame],
    *,
    is_box: bool,
    journal: Path | None,
    page: PageAddress | None,
    guides: Mapping[str, Callable[[], Guide]] | None = None,
) -> House:
    """Open journal, matrix and page.

    Args:
        settings: Of the box.
        make_game: Opens table, pads and camera for one game.
        is_box: There is a real matrix.
        journal: The season's file; None: games are not kept.
        page: Where the page listens; None: there is none.
        guides: Name -> begins that guide.

    Raises:
        JournalInUse: Another box writes the same file.
    """
    width = settings.display.width
    display: Display = NoDisplay(width)
    if is_box:
        display = SteadyDisplay(lambda: open_display(settings.display), width)
    kept = Journal.open(journal) if journal is not None else None
    process: PageProcess | None = None

    def send(message: dict[str, object]) -> None:
        if process is not None:
            process.publish(message)

    pins = read_pins() if is_box else None
    spoken = settings.language or language()
    followers: list[Follower] = [
        open_sounds(settings, spoken, buzzer=lambda: open_buzzer(pins) if pins else None)
    ]
    lights = open_lights(pins) if pins is not None else None
    if lights is not None:
        followers.append(lights)
    broadcast = Broadcast(send)
    evening = Evening(
        make_game,
        broadcast,
        Clocks(time.monotonic_ns, lambda: time.time_ns() // 1_000_000, boot_id()),
        journal=kept,
        display=display,
        followers=followers,
        keeps_pictures=settings.page.keep_pictures,
        version=_version(),
        language=spoken,
    )
    if page is not None:
        process = PageProcess(page, broadcast.greeting)
    return House(evening, process, guides or {})


def journal_path(settings: Settings, year: int) -> Path:
    """The file of a season, where the settings or the system want it."""
    usual = season_file(year)
    return Path(settings.journal.folder) / usual.name if settings.journal.folder else usual


def page_address(
    settings: Settings, journal: Path | None, *, is_box: bool, share: bool
) -> PageAddress:
    """Where the page listens.

    Args:
        settings: A box does as they say.
        journal: The season's file.
        is_box: This is a box; a laptop takes the first port that is free.
        share: A laptop lets its network see the page; else only itself.
    """
    page = settings.page
    bind = page.bind if is_box or share else LOCAL
    port = page.port if is_box else _free_port(bind, page.port)
    return PageAddress(bind, port, tuple(page.names), str(journal or ""))


def _free_port(bind: str, first: int) -> int:
    for port in range(first, first + PORTS_TRIED):
        family = socket.AF_INET6 if ":" in bind else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((bind, port))
            except OSError:
                continue
            return port
    return first


def _version() -> str:
    try:
        return installed_version("referee-box")
    except PackageNotFoundError:
        return ""
