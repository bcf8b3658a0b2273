"""The book of a season: ended games are read once, unreadable ones are named."""

from __future__ import annotations

from dataclasses import dataclass, field

from season_games import simulated

from referee.rules.errors import BadLog
from referee.service.log import Log
from referee.service.statistics.book import Book


@dataclass(frozen=True)
class Row:
    id: int
    begun_ms: int
    ended_ms: int | None


@dataclass
class Shelf:
    rows: list[Row]
    read: list[int] = field(default_factory=list)

    def games(self) -> list[Row]:
        return self.rows

    def log(self, game: int) -> Log:
        self.read.append(game)
        if game == 2:
            raise BadLog("torn")
        return simulated(game, ("Ann", "Bo"))


def test_ended_games_are_read_once_and_open_ones_again() -> None:
    shelf, book = Shelf([Row(1, 10, 20), Row(3, 30, None)]), Book()
    first, _ = book.read(shelf)
    again, _ = book.read(shelf)
    assert shelf.read == [1, 3, 3]
    assert first == again
    assert [game.number for game in first] == [1, 3]


def test_unreadable_game_is_left_out_and_named() -> None:
    games, unreadable = Book().read(Shelf([Row(1, 10, 20), Row(2, 20, 30)]))
    assert [game.number for game in games] == [1]
    assert unreadable == [2]
