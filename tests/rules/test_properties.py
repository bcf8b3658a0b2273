"""What must hold for every table, every log and every order of arrival."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from table_logs import (
    CARDS,
    MS,
    Table,
    final_words,
    moved,
    renamed,
    tables,
    verdicts_of,
    with_watermarks,
)

from referee.rules.events import Flip, Observation, Slap
from referee.rules.house_rules import HouseRules, house_rules
from referee.rules.position import Position
from referee.rules.record import (
    Header,
    header_from_record,
    header_to_record,
    observation_from_record,
    to_record,
    verdict_from_record,
)
from referee.rules.referee import Referee, replay
from referee.rules.verdicts import Dealt, Doubt, FalseSlap, Let, ValidSlap, Verdict

FEW = settings(max_examples=25, deadline=None)
MANY = settings(max_examples=50, deadline=None)


# --- the books -----------------------------------------------------------------------------------


@MANY
@given(tables())
def test_cards_are_conserved(table: Table) -> None:
    referee = table.referee()
    before = sum(n for _, n in referee.table.counts) + referee.table.pile
    for seen in with_watermarks(list(table.log)):
        referee.observe(seen)
        view = referee.table
        assert all(n >= 0 for _, n in view.counts)
        assert sum(n for _, n in view.counts) + view.pile == before


@MANY
@given(tables())
def test_nobody_out_ever_receives_cards(table: Table) -> None:
    referee = table.referee()
    for seen in with_watermarks(list(table.log)):
        referee.observe(seen)
        counts, status = dict(referee.table.counts), dict(referee.table.status)
        for player in table.players:
            expected = {None} if counts[player] else {"last_chance", "out"}
            assert status.get(player) in expected


@FEW
@given(tables())
def test_replayed_log_gives_the_same_verdicts_and_state(table: Table) -> None:
    header = Header(
        game=table.game,
        players=table.players,
        house_rules=table.rules,
        start=table.start,
        lockout_ms=0,
    )
    referee = table.referee()
    said = [verdict for seen in table.log for verdict in referee.observe(seen)]
    said += referee.finish()
    assert header_from_record(header_to_record(header)) == header
    log = [observation_from_record(to_record(seen)) for seen in referee.log]
    assert log == referee.log
    assert [verdict_from_record(to_record(each)) for each in said] == said
    assert replay(header, log) == said


# --- event time ----------------------------------------------------------------------------------


@MANY
@given(tables(), st.integers(0, 10**6))
def test_verdicts_do_not_depend_on_the_order_of_arrival(table: Table, seed: int) -> None:
    log = list(table.log)
    Random(seed).shuffle(log)
    expected = verdicts_of(table)
    assert verdicts_of(table, log) == expected
    assert verdicts_of(table, with_watermarks(log)) == expected


@FEW
@given(tables(), st.integers(-500 * MS, 10**15))
def test_shifting_all_stamps_shifts_only_the_stamps(table: Table, by_ns: int) -> None:
    log: list[Observation] = [moved(seen, by_ns) for seen in table.log]
    expected = [v if isinstance(v, Dealt) else moved(v, by_ns) for v in verdicts_of(table)]
    assert verdicts_of(table, log) == expected


@FEW
@given(tables(), st.data())
def test_swapping_two_players_swaps_the_verdicts(table: Table, data: st.DataObject) -> None:
    one, other = data.draw(st.permutations(table.players))[:2]
    names = {one: other, other: one}
    swapped = Table(
        table.game,
        renamed(table.players, names),
        table.rules,
        renamed(table.start, names),
        tuple(renamed(seen, names) for seen in table.log),
    )
    assert verdicts_of(swapped) == [renamed(v, names) for v in verdicts_of(table)]


# --- doubt ---------------------------------------------------------------------------------------

VALID, FALSE, DOUBT, HARMLESS = "VALID", "FALSE", "DOUBT", "HARMLESS"


@st.composite
def one_slap(draw: st.DrawFn) -> tuple[HouseRules, list[Flip], Slap]:
    """Cards that came somewhere in their intervals, and one slap with an interval."""
    game_rules = draw(st.sampled_from(({}, {"cover_grace_ms": 30}, {"triggers": ["jack", "pair"]})))
    rules = house_rules(
        "slapjack", {**game_rules, "doubt": draw(st.sampled_from(("benefit", "let")))}
    )
    flips: list[Flip] = []
    last_ns = 1000 * MS
    for _ in range(draw(st.integers(1, 4))):
        begin_ns = last_ns + draw(st.integers(0, 60)) * MS
        last_ns = begin_ns + draw(st.integers(1, 40)) * MS
        flips.append(Flip(last_ns, draw(st.sampled_from(CARDS)), early_ns=last_ns - begin_ns))
    t_ns = draw(st.integers(1000, last_ns // MS + 120)) * MS + draw(st.integers(0, 1)) * MS // 2
    early_ns, late_ns = (draw(st.integers(0, 8)) * MS for _ in range(2))
    return rules, flips, Slap(t_ns, "C", early_ns=early_ns, late_ns=late_ns)


def _judged(rules: HouseRules, flips: list[Flip], slap: Slap) -> str:
    start = Position(
        counts=(("A", 9), ("B", 9), ("C", 9)),
        pile=(CARDS[2],),
        last_flipper="C",
        to_act="A",
    )
    referee = Referee("slapjack", "ABC", rules, start)
    said: list[Verdict] = []
    for seen in (*flips, slap):
        said += referee.observe(seen)
    said += referee.finish()
    if any(isinstance(v, Doubt | Let) or (isinstance(v, ValidSlap) and v.benefit) for v in said):
        return DOUBT
    if any(isinstance(v, FalseSlap) for v in said):
        return FALSE
    return VALID if any(isinstance(v, ValidSlap) for v in said) else HARMLESS


def _fair(truth: str) -> tuple[str, ...]:
    """What may be said about a slap: the truth, or doubt; the grace after a cover may be longer."""
    return (truth, DOUBT, HARMLESS) if truth == FALSE else (truth, DOUBT)


@settings(max_examples=120, deadline=None)
@given(one_slap(), st.integers(0, 10**6))
def test_verdict_holds_wherever_card_and_slap_really_came(
    table: tuple[HouseRules, list[Flip], Slap], seed: int
) -> None:
    """Whatever happened inside the intervals, a sure verdict is the true one."""
    rules, flips, slap = table
    judged = _judged(rules, flips, slap)
    random = Random(seed)
    for _ in range(8):
        true_flips = [
            replace(f, t_ns=random.randint(f.t_ns - f.early_ns + 1, f.t_ns), early_ns=0)
            for f in flips
        ]
        t_ns = random.randint(slap.t_ns - slap.early_ns, slap.t_ns + slap.late_ns)
        truth = _judged(rules, true_flips, Slap(t_ns, slap.player))
        assert judged in _fair(truth)


@MANY
@given(one_slap(), st.data())
def test_dropped_frames_turn_valid_and_false_into_doubt_only(
    table: tuple[HouseRules, list[Flip], Slap], data: st.DataObject
) -> None:
    rules, flips, slap = table
    sure = _judged(rules, flips, slap)
    wider: list[Flip] = []
    for place, flip in enumerate(flips):
        next_ns = flips[place + 1].t_ns - flips[place + 1].early_ns if flips[place + 1 :] else None
        room_ns = 50 * MS if next_ns is None else next_ns - flip.t_ns
        later_ns = data.draw(st.integers(0, room_ns))
        sooner_ns = data.draw(st.integers(0, 60 * MS))
        first_ns = wider[-1].t_ns if wider else 0
        early_ns = min(flip.early_ns + later_ns + sooner_ns, flip.t_ns + later_ns - first_ns)
        wider.append(replace(flip, t_ns=flip.t_ns + later_ns, early_ns=early_ns))
    assert _judged(rules, wider, slap) in _fair(sure)


@MANY
@given(one_slap(), st.integers(0, 40 * MS), st.integers(0, 40 * MS))
def test_slower_pad_turns_valid_and_false_into_doubt_only(
    table: tuple[HouseRules, list[Flip], Slap], sooner_ns: int, later_ns: int
) -> None:
    rules, flips, slap = table
    wider = replace(slap, early_ns=slap.early_ns + sooner_ns, late_ns=slap.late_ns + later_ns)
    assert _judged(rules, flips, wider) in _fair(_judged(rules, flips, slap))


@MANY
@given(tables(judge=False))
def test_no_penalty_without_a_positive_margin(table: Table) -> None:
    """A false slap surely came after a trigger was covered, never in the same moment."""
    for verdict in verdicts_of(table):
        if isinstance(verdict, FalseSlap):
            assert verdict.margin_ns is None or verdict.margin_ns > 0


@MANY
@given(tables(exact=True))
def test_exact_stamps_leave_no_doubt(table: Table) -> None:
    assert not [v for v in verdicts_of(table) if isinstance(v, Doubt | Let)]


@MANY
@given(tables(judge=False))
def test_doubt_never_costs_a_card(table: Table) -> None:
    """A slap that is called a doubt is never called false, too."""
    said = verdicts_of(table)
    doubts = {(v.player, v.t_ns) for v in said if isinstance(v, Doubt)}
    falses = {(v.player, v.t_ns) for v in said if isinstance(v, FalseSlap)}
    slaps = [(s.player, s.t_ns) for s in table.log if isinstance(s, Slap)]
    assume(len(slaps) == len(set(slaps)))
    assert not doubts & falses


@FEW
@given(tables())
def test_announced_step_by_step_or_at_once_is_the_same(table: Table) -> None:
    referee = table.referee()
    log = with_watermarks(list(table.log))
    said = [verdict for seen in log for verdict in referee.observe(seen)]
    assert final_words(said + referee.finish()) == verdicts_of(table)
