"""Is a journal whole? The file as SQLite sees it, and every game replayed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.rules.errors import RefereeError
from referee.service.journal.journal import Journal
from referee.service.journal.resume import OpenGame
from referee.service.journal.season import SeasonFiles
from referee.service.journal.trouble import JournalError


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out about the file or a game."""

    game: int | None
    """None: the file itself."""
    reason: str = ""
    """What is wrong; empty: nothing."""

    @property
    def ok(self) -> bool:
        """Nothing is wrong."""
        return not self.reason


def check(journal: Journal | SeasonFiles) -> Iterator[Finding]:
    """Look at the file, then at every game."""
    try:
        yield Finding(None, journal.damage())
        games = journal.games()
    except JournalError as error:
        yield Finding(None, str(error))
        return
    for one in games:
        yield Finding(one.id, _wrong(journal, one.id))


def _wrong(journal: Journal | SeasonFiles, game: int) -> str:
    try:
        entries = tuple(journal.entries(game))
        OpenGame(journal.row(game), entries, journal.log(game)).replayed()
    except RefereeError as error:
        return str(error)
    return ""
