"""A journal's games as figures; games that have ended are read once."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Protocol

from referee.rules.errors import RefereeError
from referee.service.log import Log
from referee.service.statistics.digest import Digest, digest
from referee.service.statistics.season import Played

log = logging.getLogger(__name__)


class Listed(Protocol):
    """One game in the list of a journal."""

    @property
    def id(self) -> int:
        """Its number."""

    @property
    def begun_ms(self) -> int:
        """Unix time."""

    @property
    def ended_ms(self) -> int | None:
        """None: open."""


class Games(Protocol):
    """What is read of a journal."""

    def games(self) -> Sequence[Listed]:
        """All games, the oldest first."""

    def log(self, game: int) -> Log:
        """One game."""


class Book:
    """The games of one journal."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int, int | None], Digest | None] = {}

    def read(self, journal: Games) -> tuple[list[Played], list[int]]:
        """All games, and the numbers of those that cannot be read."""
        games, unreadable = [], []
        for listed in journal.games():
            key = (listed.id, listed.begun_ms, listed.ended_ms)
            if key not in self._known or listed.ended_ms is None:
                self._known[key] = _digest(journal, listed.id)
            found = self._known[key]
            if found is None:
                unreadable.append(listed.id)
            else:
                games.append(Played(listed.id, listed.begun_ms, found))
        return games, unreadable


def _digest(journal: Games, game: int) -> Digest | None:
    try:
        return digest(journal.log(game))
    except RefereeError as error:
        log.warning("game %d is left out of the statistics: %s", game, error)
        return None
