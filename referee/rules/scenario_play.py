"""Play a scenario through the same door as the box's observations, and compare."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from referee.rules import verdicts
from referee.rules.events import Watermark
from referee.rules.game import TableView
from referee.rules.record import to_record
from referee.rules.referee import Referee
from referee.rules.scenario import NS_PER_MS, Plain, Scenario
from referee.rules.verdicts import Dealt, Verdict


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a scenario."""

    scenario: Scenario
    got: tuple[Plain, ...]
    final: Plain
    differences: tuple[str, ...]
    """One line each; none if all is as expected."""

    @property
    def passed(self) -> bool:
        """Everything is as expected."""
        return not self.differences


def play_scenario(scenario: Scenario) -> Outcome:
    """Play a scenario in the order of arrival and compare with what is expected.

    Both sources promise after each observation whatever the scenario lets them promise: all that
    is older than anything still to come.
    """
    header = scenario.header
    referee = Referee(header.game, header.players, header.house_rules, header.start, lockout_ms=0)
    seen = [observation for _, observation in scenario.observations]
    complete_ns = [0] * len(seen)
    oldest_ns = 10**17
    for place in range(len(seen) - 1, -1, -1):
        complete_ns[place] = oldest_ns - 1
        oldest_ns = min(oldest_ns, seen[place].t_ns)
    said: list[Verdict] = []
    for observation, mark_ns in zip(seen, complete_ns, strict=True):
        said += referee.observe(observation)
        if mark_ns < 10**17 - 1:
            said += referee.observe(Watermark(mark_ns, "pads"))
            said += referee.observe(Watermark(mark_ns, "camera"))
    said += referee.finish()
    got = tuple(verdict_notation(verdict) for verdict in said if verdict.kind in _table_kinds())
    final = final_notation(header.game, referee.table)
    return Outcome(scenario, got, final, tuple(_compare(scenario, got, final)))


def verdict_notation(verdict: Verdict) -> Plain:
    """A verdict as scenarios write it: milliseconds, cards as text."""
    record = to_record(verdict)
    record["t_ms"] = record.pop("t_ns") // NS_PER_MS
    if isinstance(verdict, Dealt):
        record["counts"] = dict(verdict.counts)
    return record


def final_notation(game: str, table: TableView) -> Plain:
    """The books as scenarios write them."""
    if game == "spit":
        return {"cards": dict(table.cards), "piles": list(table.piles), "winner": table.winner}
    demand = table.challenge
    keys = ("challenger", "payer", "remaining")
    return {
        "counts": dict(table.counts),
        "pile": table.pile,
        "to_act": table.to_act,
        "status": dict(table.status),
        "challenge": dict(zip(keys, demand, strict=True)) if demand else None,
        "winner": table.winner,
        "placing": list(table.placing) if table.placing is not None else None,
    }


@cache
def _table_kinds() -> frozenset[str]:
    """Verdicts of the scenarios' table; the box's own notices come after CardSeen."""
    classes = [each for each in vars(verdicts).values() if isinstance(each, type)]
    kinds = [each.kind for each in classes if issubclass(each, Verdict) and each.kind]
    return frozenset(kinds[: kinds.index(verdicts.CardSeen.kind)])


def _compare(scenario: Scenario, got: tuple[Plain, ...], final: Plain) -> Iterator[str]:
    for place in range(max(len(scenario.expect), len(got))):
        wanted = scenario.expect[place] if place < len(scenario.expect) else None
        given = got[place] if place < len(got) else None
        if wanted is None or given is None or not _agrees(wanted, given):
            yield f"verdict {place + 1}: expected {_short(wanted)}"
            yield f"{'':9} {'':>{len(str(place + 1))}} got {_short(given, wanted)}"
    for key, wanted in scenario.final.items():
        if final.get(key) != wanted:
            yield f"final {key}: expected {_json(wanted)}, got {_json(final.get(key))}"


def _agrees(wanted: Plain, given: Plain) -> bool:
    return all(key in given and given[key] == value for key, value in wanted.items())


def _short(verdict: Plain | None, like: Plain | None = None) -> str:
    """A verdict on one line, with the fields that matter."""
    if verdict is None:
        return "nothing"
    keys = [key for key in verdict if like is None or key in like or key == "verdict"]
    rest = {key: verdict[key] for key in keys if key != "verdict"}
    return f"{verdict.get('verdict')} {_json(rest)}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
