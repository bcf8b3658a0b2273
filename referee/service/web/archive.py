"""The journal as the page reads it: to look at, never to write, and never in the way of others.

Reading happens in a thread of its own, one at a time; what was summed up once is kept.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from referee.rules.errors import RefereeError
from referee.service.journal.export import to_csv, to_jsonl
from referee.service.journal.rows import GameInfo
from referee.service.journal.season import SeasonFiles
from referee.service.statistics.book import Book
from referee.service.statistics.season import Played, Season, season
from referee.service.web.pages import hub_of
from referee.service.web.retelling import Retelling, retell

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shown:
    """The season, or one game's part of it, summed up."""

    games: Sequence[Played]
    season: Season
    unreadable: Sequence[int]
    game: str
    """`""`: all games."""

    @property
    def names(self) -> list[str]:
        """Players, those with most wins first."""
        return [one.player for one in self.season.players]

    def is_of(self, games: Sequence[Played]) -> bool:
        """It was made of these games: digests of ended games are read only once."""
        if len(games) != len(self.games):
            return False
        return all(one.digest is other.digest for one, other in zip(games, self.games, strict=True))


GAMES_KEPT = 4
"""Games that somebody is stepping through."""


class NoJournal(RefereeError):
    """Games are not kept, or none has been played yet."""


class Archive:
    """The season's games."""

    def __init__(self) -> None:
        self._book = Book()
        self._lock = Lock()
        self._shown: dict[str, Shown] = {}
        self._retold: OrderedDict[tuple[Path, int, int | None], Retelling] = OrderedDict()

    def games(self, path: Path) -> list[GameInfo]:
        """All games, the oldest first.

        Raises:
            JournalError: No file of the season can be used.
        """
        return self._with(path, lambda journal: journal.games())

    def season(self, path: Path, game: str = "") -> Shown:
        """The season, summed up; it is done again only when a game has come or gone on.

        Args:
            path: A file of the season; all of them are read.
            game: Only these games; empty: all.

        Raises:
            JournalError: No file of the season can be used.
        """
        games, unreadable = self._with(path, self._book.read)
        chosen = [one for one in games if game in ("", one.digest.game)]
        known = self._shown.get(game)
        if known is None or not known.is_of(chosen):
            known = self._shown[game] = Shown(chosen, season(chosen), unreadable, game)
        return known

    def told(self, path: Path, game: int) -> tuple[GameInfo, Retelling] | None:
        """One game step by step; None: there is no such game.

        Raises:
            JournalError: No file of the season can be used.
            BadLog: The game cannot be read.
        """
        return self._with(path, lambda journal: self._told(journal, game))

    def jsonl(self, path: Path, game: int) -> str:
        """One game as JSON lines, as `referee replay` reads them.

        Raises:
            JournalError: No file of the season can be used.
            BadLog: There is no such game.
        """

        def read(journal: SeasonFiles) -> str:
            lines = to_jsonl(journal.row(game), journal.entries(game))
            return "".join(f"{line}\n" for line in lines)

        return self._with(path, read)

    def csv(self, path: Path, game: int, language: str) -> str:
        """One game as a table.

        Raises:
            JournalError: No file of the season can be used.
            BadLog: There is no such game, or it cannot be read.
        """

        def read(journal: SeasonFiles) -> str:
            journal.row(game)
            return to_csv(journal.entries(game), language)

        return self._with(path, read)

    def pictures(self, path: Path, game: int) -> list[str]:
        """The names of the pictures that are kept of a game.

        Raises:
            JournalError: No file of the season can be used.
        """
        return self._with(path, lambda journal: journal.crops(game))

    def number_in_file(self, path: Path, game: int) -> int:
        """The number by which a game's pictures are named.

        Raises:
            JournalError: No file of the season can be used.
            BadLog: There is no such game.
        """
        return self._with(path, lambda journal: journal.number_in_file(game))

    def picture(self, path: Path, game: int, name: str) -> bytes | None:
        """One picture, JPEG; None: it is not there.

        Raises:
            JournalError: No file of the season can be used.
        """
        return self._with(path, lambda journal: journal.crop(game, name))

    def _told(self, journal: SeasonFiles, game: int) -> tuple[GameInfo, Retelling] | None:
        info = next((one for one in journal.games() if one.id == game), None)
        if info is None:
            return None
        key = (journal.path, game, info.ended_ms)
        if key not in self._retold or info.ended_ms is None:
            self._retold[key] = retell(journal.log(game))
            while len(self._retold) > GAMES_KEPT:
                self._retold.popitem(last=False)
        return info, self._retold[key]

    def _with(self, path: Path, read: Callable[[SeasonFiles], T]) -> T:
        with self._lock:
            journal = SeasonFiles(path)
            try:
                return read(journal)
            finally:
                journal.close()


async def from_archive(request: Request, read: Callable[[Archive, Path], T]) -> T:
    """Read something of the journal.

    Raises:
        NoJournal: Games are not kept.
        RefereeError: The journal or the game cannot be read.
    """
    written = str(hub_of(request).box.get("journal", ""))
    if not written:
        raise NoJournal("this box keeps no journal")
    path = Path(written)
    return await run_in_threadpool(read, archive_of(request), path)


def archive_of(request: Request) -> Archive:
    """The page's archive."""
    state = request.app.state
    if not hasattr(state, "archive"):
        state.archive = Archive()
    archive: Archive = state.archive
    return archive
