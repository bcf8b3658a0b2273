"""A game of the journal step by step: what was said, and how the table stood after it. Pure.

The page's state (`Hub`) is built from the records up to a step, so that an old game is drawn by
the same code as the live table.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from referee.rules.events import Watermark
from referee.rules.record import header_to_record, to_record
from referee.rules.referee import referee_of
from referee.rules.verdicts import Verdict
from referee.service.broadcast import view_to_record
from referee.service.log import Log
from referee.service.race_book import Race, book_of
from referee.service.web.hub import Hub, Message

SILENT = ("late_event",)
"""Verdicts that are no step: nothing happened at the table."""


@dataclass(frozen=True, slots=True)
class Step:
    """One verdict."""

    verdict: Verdict
    seen: int
    """So many observations had been made."""
    said: int
    """Its number among all verdicts."""
    view: Message
    """How the table stood after it."""


@dataclass(frozen=True, slots=True)
class Retelling:
    """A whole game."""

    header: Message
    seen: Sequence[Message]
    said: Sequence[Message]
    steps: Sequence[Step]
    races: Sequence[Race]
    """As they stand after all corrections."""

    def hub_at(self, step: int, *, number: int, deck: str) -> Hub:
        """What a page would have known after a step.

        Args:
            step: Which one, from 0.
            number: Of the game.
            deck: Index letters of its cards.
        """
        hub = Hub("")
        hub.receive({"type": "game", "id": number, "header": self.header, "deck": deck})
        if not self.steps:
            return hub
        at = self.steps[step]
        hub.seen.extend(self.seen[: at.seen])
        for n, record in enumerate(self.said[: at.said + 1]):
            hub.verdicts.add(n, record, hub.seen)
        hub.receive(
            {"type": "table", "view": at.view, "pile_state": "", "hold": False, "lines": []}
        )
        return hub

    def race_at(self, step: int) -> Race | None:
        """The race that a step has decided."""
        verdict = self.steps[step].verdict
        return next((race for race in self.races if race.verdict == verdict), None)

    def step_of(self, t_ns: int) -> int:
        """The step of a slap or a card, by its event time; the last one if there is none."""
        for number, step in enumerate(self.steps):
            if step.verdict.t_ns == t_ns and step.verdict.kind != "card_seen":
                return number
        times = [step.verdict.t_ns for step in self.steps]
        return min(bisect_left(times, t_ns), max(len(times) - 1, 0))


def retell(log: Log) -> Retelling:
    """Play a game again and look at the table after each verdict.

    Raises:
        BadLog: The log contradicts itself.
    """
    header = log.header
    referee = referee_of(header)
    seen: list[Message] = []
    said: list[Message] = []
    steps: list[Step] = []

    def take(verdicts: Sequence[Verdict]) -> None:
        view = view_to_record(referee.table)
        for verdict in verdicts:
            if verdict.kind not in SILENT:
                steps.append(Step(verdict, len(seen), len(said), view))
            said.append(to_record(verdict))

    for one in log.observations:
        if not isinstance(one, Watermark):
            seen.append(to_record(one))
        take(referee.observe(one))
    if referee.table.winner is None:
        take(referee.finish())
    races = book_of(referee.facts, referee.verdicts).races
    return Retelling(header_to_record(header), seen, said, steps, races)
