"""All games of a season to read, whichever of its files they are in.

A file that cannot be used is set aside and a fresh one takes over, which may count its games from
one again. Here every game has a number of its own; a game that was handed over to the next file
is read there.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from pathlib import Path

from referee.rules.errors import BadLog
from referee.service.journal.journal import Journal
from referee.service.journal.names import family
from referee.service.journal.rows import GameInfo
from referee.service.journal.store import Entry, GameRow
from referee.service.journal.trouble import JournalError
from referee.service.log import Log

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Kept:
    """Where a game is."""

    journal: Journal
    info: GameInfo
    """With its number in that file."""


class SeasonFiles:
    """The files of one season, opened to read only. It reads as a `Journal` does."""

    def __init__(self, path: Path) -> None:
        """Open them, while a box may be writing.

        Args:
            path: The season's first file, or the newest that took over: then all of them.

        Raises:
            JournalError: None of them can be used.
        """
        self.path = path
        self.broken: list[JournalError] = []
        """Files that cannot be read."""
        self._journals: list[Journal] = []
        files: list[tuple[Journal, list[GameInfo]]] = []
        for each in family(path):
            try:
                journal = Journal.open_read_only(each)
                self._journals.append(journal)
                files.append((journal, journal.games()))
            except JournalError as error:
                log.warning("%s", error)
                self.broken.append(error)
        if not files:
            self.close()
            raise self.broken[0]
        self._kept = _numbered(files)

    def close(self) -> None:
        """Give the files back. Safe to call twice."""
        for journal in self._journals:
            journal.close()

    def games(self) -> list[GameInfo]:
        """All games, the oldest file first."""
        return [replace(kept.info, id=number) for number, kept in self._kept.items()]

    def log(self, game: int) -> Log:
        """A game; see `Journal.log`."""
        kept = self._find(game)
        return kept.journal.log(kept.info.id)

    def entries(self, game: int) -> list[Entry]:
        """All entries of a game; see `Journal.entries`."""
        kept = self._find(game)
        return kept.journal.entries(kept.info.id)

    def row(self, game: int) -> GameRow:
        """One game as it stands in its file.

        Raises:
            BadLog: There is no such game.
        """
        kept = self._find(game)
        return kept.journal.row(kept.info.id)

    def crops(self, game: int) -> list[str]:
        """The names of the pictures that are kept of a game."""
        kept = self._kept.get(game)
        return [] if kept is None else kept.journal.crops(kept.info.id)

    def crop(self, game: int, name: str) -> bytes | None:
        """One picture, JPEG."""
        kept = self._kept.get(game)
        return None if kept is None else kept.journal.crop(kept.info.id, name)

    def number_in_file(self, game: int) -> int:
        """The number of a game in its own file, by which its pictures are named."""
        return self._find(game).info.id

    def damage(self) -> str:
        """What is wrong with the files; empty: nothing."""
        found = [str(error) for error in self.broken]
        for journal in {id(kept.journal): kept.journal for kept in self._kept.values()}.values():
            damage = journal.damage()
            found += [f"{journal.path.name}: {damage}"] if damage else []
        return "; ".join(found)

    def _find(self, game: int) -> _Kept:
        kept = self._kept.get(game)
        if kept is None:
            raise BadLog(
                f"no game {game} in {self.path}, expected one that `referee journal list` names"
            )
        return kept


def _numbered(files: list[tuple[Journal, list[GameInfo]]]) -> dict[int, _Kept]:
    """Number -> game: as in its file, or counted on where a file began anew."""
    numbered: dict[int, _Kept] = {}
    for place, (journal, games) in enumerate(files):
        later = {_key(info) for _, more in files[place + 1 :] for info in more}
        own = [info for info in games if _key(info) not in later]
        newest = max(numbered, default=0)
        first = min((info.id for info in own), default=0)
        offset = 0 if first > newest else newest
        numbered |= {info.id + offset: _Kept(journal, info) for info in own}
    return numbered


def _key(info: GameInfo) -> tuple[int, str]:
    """What a game keeps when it is handed over to another file."""
    return info.begun_ms, repr(sorted(info.header.items()))
