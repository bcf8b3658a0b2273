"""Spit through the referee: arrival plays no part, time only by its differences."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import Card, parse_card
from referee.rules.errors import BadRules
from referee.rules.events import (
    CardIs,
    Choose,
    Flip,
    Move,
    Observation,
    Play,
    Slap,
    SpitCard,
    Stuck,
    VoidFlip,
    Watermark,
)
from referee.rules.house_rules import house_rules
from referee.rules.position import Deal, Position, SpitPosition, Start
from referee.rules.referee import Referee
from referee.rules.verdicts import Verdict

MS = 1_000_000
PLAYERS = ("Ann", "Bo")


def _stacks(written: str) -> tuple[tuple[Card, ...], ...]:
    return tuple(tuple(map(parse_card, stack.split())) for stack in written.split(","))


POSITION = SpitPosition(
    tableau=(("Ann", _stacks("KC 5H, 9C, 2D 7S")), ("Bo", _stacks("8D 6D, 4S, 10S 9H"))),
    deck=(("Ann", 5), ("Bo", 5)),
    piles=_stacks("6C, 10H"),
)

_CARDS = st.sampled_from(["5H", "7S", "KC", "6D", "9C", "4S", "2D", "9H", "8D"]).map(parse_card)
_NAMES = st.sampled_from(PLAYERS)
_TIMES = st.integers(0, 3000).map(lambda t_ms: t_ms * MS)
_KNOWN = st.one_of(
    st.builds(Play, _TIMES, _NAMES, _CARDS, st.integers(0, 1)),
    st.builds(Move, _TIMES, _NAMES, st.integers(1, 4), st.integers(1, 4)),
    st.builds(SpitCard, _TIMES, _NAMES, st.just(parse_card("QS"))),
    st.builds(Stuck, _TIMES, _NAMES),
    st.builds(Choose, _TIMES, _NAMES, st.integers(0, 1)),
)
_SEEN = st.one_of(
    st.builds(
        Flip, _TIMES, _CARDS, st.sampled_from([None, *PLAYERS]), st.just(0), pile=st.integers(0, 1)
    ),
    st.builds(Slap, _TIMES, _NAMES),
)
_RULES = st.fixed_dictionaries(
    {
        "tie_ms": st.sampled_from([0, 200]),
        "equal_rank": st.booleans(),
        "spit_slap_race": st.booleans(),
    }
)


def _verdicts(
    observations: list[Observation], start: Start, options: dict[str, object]
) -> list[Verdict]:
    referee = Referee("spit", PLAYERS, house_rules("spit", options), start)
    said = [verdict for seen in observations for verdict in referee.observe(seen)]
    said += referee.finish()
    held = sum(n for _, n in referee.table.cards) + sum(referee.table.piles)
    unseen = sum(isinstance(seen, Flip) and seen.player is None for seen in observations)
    assert 0 <= held - (52 if isinstance(start, Deal) else 22) <= unseen
    return said


def _numbered(observations: list[Observation]) -> list[Observation]:
    """Each with a `seq` of its own, so that equal times have an order, too."""
    return [replace(seen, seq=place) for place, seen in enumerate(observations)]


@pytest.mark.parametrize("start", [POSITION, Deal()], ids=["known", "counted"])
@settings(max_examples=30, deadline=None)
@given(data=st.data(), options=_RULES)
def test_order_of_arrival_changes_nothing(
    start: Start, data: st.DataObject, options: dict[str, object]
) -> None:
    kinds = st.one_of(_KNOWN, _SEEN) if isinstance(start, Deal) else _KNOWN
    events = _numbered(data.draw(st.lists(kinds, max_size=20)))
    arrival = data.draw(st.permutations(events))
    assert _verdicts(arrival, start, options) == _verdicts(events, start, options)


@pytest.mark.parametrize("start", [POSITION, Deal()], ids=["known", "counted"])
@settings(max_examples=30, deadline=None)
@given(data=st.data(), options=_RULES, later_ns=st.integers(0, 10**15))
def test_shifting_all_stamps_shifts_the_verdicts_and_nothing_else(
    start: Start, data: st.DataObject, options: dict[str, object], later_ns: int
) -> None:
    kinds = st.one_of(_KNOWN, _SEEN) if isinstance(start, Deal) else _KNOWN
    events = data.draw(st.lists(kinds, max_size=20))
    shifted = [replace(seen, t_ns=seen.t_ns + later_ns) for seen in events]
    before, after = (_verdicts(told, start, options) for told in (events, shifted))
    opening = sum(verdict.kind in ("layout", "single_pile") for verdict in before[:3])
    opening = opening if isinstance(start, Deal) else 0
    moved = [replace(verdict, t_ns=verdict.t_ns + later_ns) for verdict in before[opening:]]
    assert before[:opening] == after[:opening]
    assert moved == after[opening:]


@settings(max_examples=30, deadline=None)
@given(events=st.lists(st.one_of(_KNOWN, _SEEN), max_size=20), options=_RULES)
def test_replayed_log_gives_the_same_verdicts(
    events: list[Observation], options: dict[str, object]
) -> None:
    referee = Referee("spit", PLAYERS, house_rules("spit", options), Deal())
    said = [verdict for seen in events for verdict in referee.observe(seen)] + referee.finish()
    assert said == _verdicts(referee.log, Deal(), options)


@pytest.mark.parametrize(
    ("players", "start"),
    [
        (("Ann", "Bo", "Cy"), Deal()),
        (PLAYERS, Deal(totals=(("Ann", 26), ("Cy", 26)))),
        (PLAYERS, Deal(totals=(("Ann", 0), ("Bo", 52)))),
        (PLAYERS, Position(counts=(("Ann", 26), ("Bo", 26)))),
        (PLAYERS, replace(POSITION, deck=(("Ann", 5),))),
        (PLAYERS, replace(POSITION, deck=(("Ann", -5), ("Bo", 5)))),
        (PLAYERS, replace(POSITION, piles=())),
        (PLAYERS, replace(POSITION, pile_hidden=(1,))),
        (PLAYERS, replace(POSITION, phase="choice")),
        (PLAYERS, replace(POSITION, phase="spit")),
        (PLAYERS, replace(POSITION, phase="spit", need=("Cy",))),
    ],
)
def test_start_that_cannot_lie_on_the_table_is_refused(
    players: tuple[str, ...], start: Start
) -> None:
    with pytest.raises(BadRules):
        Referee("spit", players, None, start)


class _Told:
    """A referee of a counted game whose sources keep up."""

    def __init__(self) -> None:
        self.referee = Referee("spit", PLAYERS)
        self.hears(Flip(0, parse_card("6C"), pile=0))
        self.hears(Flip(500 * MS, parse_card("10H"), pile=1))

    def hears(self, seen: Observation) -> list[str]:
        said = self.referee.observe(seen)
        for source in ("pads", "camera"):
            said += self.referee.observe(Watermark(seen.t_ns + 200 * MS, source))
        return [verdict.kind for verdict in said]


def test_misread_card_that_is_named_becomes_a_legal_play() -> None:
    told = _Told()
    assert told.hears(Flip(1000 * MS, parse_card("8D"))) == ["illegal_play"]
    said = told.hears(CardIs(2000 * MS, parse_card("7D"), 1000 * MS))
    assert said == ["correction", "legal_play"]
    assert told.referee.table.piles == (2, 1)


def test_voided_play_is_off_the_pile_and_the_bared_card_is_no_new_one() -> None:
    told = _Told()
    told.hears(Flip(1000 * MS, parse_card("7D")))
    assert told.hears(VoidFlip(2000 * MS, 1000 * MS)) == ["correction"]
    assert told.hears(Flip(3000 * MS, parse_card("6C"))) == []
    assert told.referee.table.piles == (1, 1)
