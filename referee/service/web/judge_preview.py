"""What a ruling of the table would change: the game is played again with it. Pure.

The page knows what was seen, not what the sources promised; so both games, with and without the
ruling, are played to the end of what is known. If the one without does not stand as the box's
table stands, nothing is foretold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.rules.errors import RefereeError
from referee.rules.events import Observation
from referee.rules.game import TableView
from referee.rules.record import Header, header_from_record, observation_from_record
from referee.rules.referee import Referee, referee_of
from referee.rules.verdicts import Verdict

Record = Mapping[str, Any]

QUIET = ("card_seen", "correction", "deal", "layout", "hold", "late_event", "legal_play")
"""Verdicts that are not worth a word in a preview."""


@dataclass(frozen=True, slots=True)
class Change:
    """A player's cards before and after."""

    player: str
    """`""`: the pile."""
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be different."""

    changes: tuple[Change, ...]
    falls: tuple[Verdict, ...]
    """Verdicts that would not be there any more."""
    comes: tuple[Verdict, ...]
    """Verdicts that would be new."""
    turn: str | None
    """Who would be next, if that changes."""


def preview(header: Record, seen: Sequence[Record], ruling: Record, view: Record) -> Preview | None:
    """Play the game with a ruling and without it.

    Args:
        header: The game's header record.
        seen: Observation records, in the order of arrival.
        ruling: Observation record of the ruling; its time is put after everything else.
        view: The table as the box shows it.

    Returns:
        None: it cannot be foretold.

    Raises:
        BadLog: The ruling is none that this table can make.
    """
    start = header_from_record(dict(header))
    known = [observation_from_record(dict(record)) for record in seen]
    now_ns = max((one.t_ns for one in known), default=0) + 1
    said = observation_from_record({**ruling, "t_ns": now_ns})
    try:
        without = _played(start, known)
    except RefereeError:
        return None
    if dict(view.get("counts") or view.get("cards") or {}) != _cards(without.table):
        return None
    changed = _played(start, [*known, said])
    return _compare(without, changed)


def _played(header: Header, observations: Sequence[Observation]) -> Referee:
    referee = referee_of(header)
    for one in observations:
        referee.observe(one)
    referee.finish()
    return referee


def _compare(before: Referee, after: Referee) -> Preview:
    old, new = _counts(before.table), _counts(after.table)
    changes = [Change(name, old[name], new.get(name, 0)) for name in old]
    turn = after.table.to_act
    return Preview(
        changes=tuple(change for change in changes if change.before != change.after),
        falls=_only_in(before.verdicts, after.verdicts),
        comes=_only_in(after.verdicts, before.verdicts),
        turn=turn if turn != before.table.to_act else None,
    )


def _cards(view: TableView) -> dict[str, int]:
    return dict(view.counts or view.cards)


def _counts(view: TableView) -> dict[str, int]:
    return {**_cards(view), "": sum(view.piles) if view.piles else view.pile}


def _only_in(some: Sequence[Verdict], others: Sequence[Verdict]) -> tuple[Verdict, ...]:
    left = Counter(others)
    found = []
    for verdict in some:
        if left[verdict]:
            left[verdict] -= 1
        elif verdict.kind not in QUIET:
            found.append(verdict)
    return tuple(found)
