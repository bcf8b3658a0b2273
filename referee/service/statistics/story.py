"""A game as it stands after all corrections: what was seen, and what was declared about it."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.events import Observation
from referee.rules.record import Header
from referee.rules.referee import referee_of
from referee.rules.verdicts import Verdict
from referee.service.log import Log


@dataclass(frozen=True, slots=True)
class Story:
    """One game, told once: a corrected verdict stands here only as it was corrected."""

    header: Header
    facts: tuple[Observation, ...]
    """In the order of event time, without what the table struck out."""
    verdicts: tuple[Verdict, ...]
    """In the order in which they were declared."""
    winner: str | None


def tell(log: Log) -> Story:
    """Play a log again and keep how it ended.

    Raises:
        BadLog: The log contradicts itself.
    """
    header = log.header
    referee = referee_of(header)
    for seen in log.observations:
        referee.observe(seen)
    referee.finish()
    return Story(header, referee.facts, referee.verdicts, referee.table.winner)
