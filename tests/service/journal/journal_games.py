"""Games to write into a journal: seeded, of any length, as a box sees them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from referee.rules.events import Observation
from referee.rules.measure import synthetic_log
from referee.rules.record import Header
from referee.rules.referee import Referee
from referee.rules.verdicts import Verdict
from referee.service.journal.journal import Journal
from referee.service.journal.record import GameRecord

BOX = {"demo": True, "stamp": "demo", "deck": "en", "boot": "first boot", "version": "0.1.0"}
BEGUN_MS = 1_790_000_000_000


def new_game(
    n: int = 200, seed: int = 1, game: str = "slapjack"
) -> tuple[Referee, list[Observation]]:
    """A referee and what it will see."""
    header, seen = _log(game, n, seed)
    return Referee(header.game, header.players, header.house_rules, header.start), list(seen)


@cache
def _log(game: str, n: int, seed: int) -> tuple[Header, list[Observation]]:
    return synthetic_log(game, n, seed)


def play(record: GameRecord, referee: Referee, seen: Iterable[Observation]) -> list[Verdict]:
    """Let the referee see, and write it down as the box does."""
    shown = []
    for one in seen:
        verdicts = referee.observe(one)
        record.write(one, verdicts)
        shown += verdicts
    return shown


def begin(journal: Journal, referee: Referee, begun_ms: int = BEGUN_MS) -> GameRecord:
    """Begin a game."""
    return journal.begin(referee.header, BOX, begun_ms)
