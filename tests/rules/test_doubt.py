"""Slaps and cards with intervals: sure, in doubt, tied, late; holds and the table's answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules.cards import UNREAD, parse_card
from referee.rules.events import Cleared, Flip, Observation, Slap, TableAnswer, Tick, Watermark
from referee.rules.house_rules import HouseRules
from referee.rules.position import Position
from referee.rules.referee import Referee, replay
from referee.rules.verdicts import (
    AskTable,
    CardSeen,
    Doubt,
    FalseSlap,
    Hold,
    LateEvent,
    LateSlap,
    Let,
    Tie,
    ValidSlap,
    Verdict,
)

MS = 1_000_000
START = Position(
    counts=(("A", 9), ("B", 9), ("C", 9)),
    pile=(parse_card("3H"),),
    last_flipper="C",
    to_act="A",
)


def _flip(ms: int, card: str = "JS", early_ms: int = 17) -> Flip:
    return Flip(ms * MS, parse_card(card), early_ns=early_ms * MS)


def _slap(ms: int, player: str = "B", early_ms: int = 5) -> Slap:
    return Slap(ms * MS, player, early_ns=early_ms * MS)


def _referee(**options: object) -> Referee:
    rules = replace(HouseRules(), **options)  # type: ignore[arg-type]
    return Referee("slapjack", "ABC", rules, START)


def _said(*log: Observation, **options: object) -> list[Verdict]:
    referee = _referee(**options)
    said = [verdict for seen in log for verdict in referee.observe(seen)]
    return [v for v in said + referee.finish() if not isinstance(v, CardSeen)]


def test_slap_that_surely_came_after_the_jack_is_valid() -> None:
    (valid,) = _said(_flip(1000), _slap(1300))
    assert isinstance(valid, ValidSlap)
    assert (valid.benefit, valid.width_ns) == (False, 5 * MS)


def test_slap_that_surely_came_before_the_jack_is_false() -> None:
    (false,) = _said(_slap(983), _flip(1000))
    assert isinstance(false, FalseSlap)


def test_slap_while_the_jack_lands_counts_with_the_width_of_the_doubt() -> None:
    (valid,) = _said(_slap(990), _flip(1000))
    assert isinstance(valid, ValidSlap)
    assert (valid.benefit, valid.width_ns) == (True, 22 * MS)


def test_slap_while_the_jack_lands_is_a_let_in_a_tournament() -> None:
    said = _said(_slap(990), _flip(1000), _slap(1300, "C"), doubt="let")
    assert [type(verdict) for verdict in said[:2]] == [Doubt, Let]
    assert not [v for v in said if isinstance(v, ValidSlap | FalseSlap)]


def test_slap_one_nanosecond_before_the_jack_can_have_come_is_false() -> None:
    begins_ns = 983 * MS
    flip = _flip(1000)
    before = Slap(begins_ns, "B")
    after = Slap(begins_ns + 1, "B")
    assert isinstance(_said(before, flip)[0], FalseSlap)
    assert isinstance(_said(after, flip)[0], ValidSlap)


def test_slap_while_the_jack_is_covered_keeps_the_benefit_of_the_doubt() -> None:
    said = _said(_flip(1000), _slap(1390), _flip(1400, "5D"))
    assert isinstance(said[0], ValidSlap)
    assert said[0].benefit


def test_slap_surely_after_the_cover_is_false_with_its_margin() -> None:
    (false,) = _said(_flip(1000), _flip(1400, "5D"), _slap(1420))
    assert isinstance(false, FalseSlap)
    assert false.margin_ns == 15 * MS


def test_slap_surely_after_the_cover_is_late_within_the_grace() -> None:
    (late,) = _said(_flip(1000), _flip(1400, "5D"), _slap(1420), cover_grace_ms=150)
    assert isinstance(late, LateSlap)


def test_jack_covered_by_a_jack_leaves_no_doubt() -> None:
    (valid,) = _said(_flip(1000), _slap(1390), _flip(1400, "JD"))
    assert isinstance(valid, ValidSlap)
    assert not valid.benefit


def test_two_number_cards_leave_no_doubt_that_the_slap_is_false() -> None:
    (false,) = _said(_slap(990), _flip(1000, "5D"))
    assert isinstance(false, FalseSlap)


def test_overlapping_slaps_are_a_dead_heat() -> None:
    (tie,) = _said(_flip(1000), _slap(1300), _slap(1304, "C"))
    assert isinstance(tie, Tie)
    assert tie.players == ("B", "C")


def test_slap_that_begins_when_the_first_has_ended_loses() -> None:
    valid, late = _said(_flip(1000), _slap(1300), _slap(1306, "C"))
    assert isinstance(valid, ValidSlap)
    assert valid.margin_ns == 6 * MS
    assert isinstance(late, LateSlap)


def test_tie_is_measured_against_the_earliest_end_not_chained() -> None:
    said = _said(_flip(1000), _slap(1300), _slap(1304, "C"), _slap(1308, "A"))
    assert isinstance(said[0], Tie)
    assert said[0].players == ("B", "C")


@pytest.mark.parametrize(("gap_ns", "tied"), [(199_999, True), (200_000, True), (200_001, False)])
def test_pads_closer_than_the_floor_are_a_tie(gap_ns: int, tied: bool) -> None:
    first, second = Slap(1300 * MS, "B", late_ns=1), Slap(1300 * MS + 1 + gap_ns, "C", late_ns=1)
    said = _said(_flip(1000), first, second)
    assert isinstance(said[0], Tie) is tied


def test_exact_stamps_are_told_apart_by_one_nanosecond() -> None:
    said = _said(_flip(1000), Slap(1300 * MS, "B"), Slap(1300 * MS + 1, "C"))
    assert isinstance(said[0], ValidSlap)


def test_false_slap_locks_nobody_out() -> None:
    false, valid = _said(_slap(900), _flip(1000), _slap(1200))
    assert isinstance(false, FalseSlap)
    assert isinstance(valid, ValidSlap)


def test_win_faster_than_anybody_reacts_is_labelled() -> None:
    (guess,) = _said(_flip(1000), _slap(1070))
    (honest,) = _said(_flip(1000), _slap(1090))
    assert isinstance(guess, ValidSlap)
    assert guess.anticipated
    assert isinstance(honest, ValidSlap)
    assert not honest.anticipated


# --- the lockout ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("gap_ms", "touches"), [(119, 1), (120, 2)])
def test_touches_within_the_lockout_are_one_slap(gap_ms: int, touches: int) -> None:
    log = (_flip(1000, "5D"), _slap(1300), _slap(1300 + gap_ms))
    assert len(_said(*log, repeat_slap="penalty")) == touches


def test_lockout_is_counted_from_the_first_touch() -> None:
    log = [_flip(1000, "5D"), *(_slap(1300 + 50 * n) for n in range(4))]
    assert len(_said(*log, repeat_slap="penalty")) == 2


# --- watermarks ----------------------------------------------------------------------------------


def _marks(ms: int) -> tuple[Watermark, Watermark]:
    return Watermark(ms * MS, "pads"), Watermark(ms * MS, "camera")


def _kinds(said: list[Verdict]) -> set[str]:
    return {verdict.kind for verdict in said}


def test_nothing_is_said_before_both_watermarks_have_passed() -> None:
    referee = _referee()
    pads, camera = _marks(1400)
    said = [*referee.observe(_slap(1300)), *referee.observe(_flip(1000)), *referee.observe(pads)]
    assert said == []
    assert [v.kind for v in referee.observe(camera)] == ["card_seen", "valid_slap"]


def test_late_event_is_noted_logged_and_changes_nothing() -> None:
    referee = _referee()
    for seen in (_flip(1000), _slap(1300), *_marks(1500)):
        referee.observe(seen)
    before = referee.table
    late = _slap(1299, "C")
    assert referee.observe(late) == [LateEvent(1299 * MS, "slap")]
    assert referee.table == before
    assert referee.log[-1] is late


def test_slap_that_reaches_back_behind_the_ruled_past_is_a_doubt() -> None:
    referee = _referee()
    for seen in (_flip(1400, "5D"), *_marks(1401)):
        referee.observe(seen)
    said = [*referee.observe(_slap(1402)), *referee.finish()]
    assert [type(verdict) for verdict in said] == [Doubt]


def test_slap_that_waits_400_ms_for_the_camera_is_held_then_settled() -> None:
    referee = _referee()
    for seen in (_flip(1000), _slap(1300), Watermark(1100 * MS, "camera")):
        referee.observe(seen)
    assert not _kinds(referee.observe(Watermark(1699 * MS, "pads"))) & {"hold", "valid_slap"}
    assert referee.observe(Watermark(1700 * MS, "pads")) == [Hold(1300 * MS, "B", "camera")]
    assert referee.observe(Watermark(1750 * MS, "pads")) == []
    (valid,) = referee.observe(Watermark(1800 * MS, "camera"))
    assert isinstance(valid, ValidSlap)


def test_slap_that_waits_for_the_pads_is_held() -> None:
    referee = _referee()
    for seen in (_flip(1000), _slap(1300), *_marks(1100)):
        referee.observe(seen)
    assert referee.observe(Watermark(1750 * MS, "camera")) == [Hold(1300 * MS, "B", "pads")]


def _held(**options: object) -> Referee:
    """A slap under a hand that stays: the camera has seen the 3 only."""
    referee = _referee(**options)
    referee.observe(_slap(1300))
    referee.observe(Watermark(1000 * MS, "camera"))
    referee.observe(Watermark(1700 * MS, "pads"))
    assert referee.observe(Tick(5300 * MS)) == [AskTable(1300 * MS, "B")]
    return referee


def test_table_says_slap_and_the_pile_is_won_with_the_unseen_card() -> None:
    referee = _held()
    said = referee.observe(TableAnswer(5600 * MS, "slap"))
    valid = next(v for v in said if isinstance(v, ValidSlap))
    assert (valid.player, valid.trigger, valid.cards_moved[0].n) == ("B", "table", 2)
    assert dict(referee.table.counts) == {"A": 8, "B": 11, "C": 9}


def test_table_says_no_slap_and_the_slapper_pays_the_flipper() -> None:
    referee = _held()
    said = referee.observe(TableAnswer(5600 * MS, "no_slap"))
    false = next(v for v in said if isinstance(v, FalseSlap))
    assert (false.cards_moved[0].source, false.cards_moved[0].target) == ("B", "A")


def test_table_says_let_and_nobody_pays() -> None:
    referee = _held()
    before = referee.table.counts
    assert referee.observe(TableAnswer(5600 * MS, "let")) == [Let(5600 * MS, ("B",))]
    assert referee.table.counts == before


def test_camera_that_sees_the_card_after_the_answer_is_late() -> None:
    referee = _held()
    referee.observe(TableAnswer(5600 * MS, "slap"))
    flip = Flip(5700 * MS, parse_card("JS"), early_ns=4700 * MS)
    assert referee.observe(flip) == [LateEvent(5700 * MS, "flip")]


def test_pile_that_vanishes_without_a_winner_is_a_recount() -> None:
    said = _said(_flip(1000, "5D"), Cleared(2000 * MS, early_ns=17 * MS))
    assert [v.kind for v in said] == ["recount"]


@pytest.mark.parametrize(
    ("cards", "triggers", "kind"),
    [
        (["??", "7S"], ("pair",), Doubt),
        (["??", "9C", "7S"], ("pair",), FalseSlap),
        (["??", "9C", "7S"], ("pair", "sandwich"), Doubt),
        (["9C", "??", "7S"], ("tens",), Doubt),
        (["??", "??", "7S"], ("run3",), Doubt),
        (["??", "7S"], ("jack",), FalseSlap),
        (["5D", "7S"], ("pair",), FalseSlap),
    ],
)
def test_unread_card_that_could_make_a_trigger_costs_nobody(
    cards: list[str], triggers: tuple[str, ...], kind: type[Verdict]
) -> None:
    flips = [_flip(1000 * number, card) for number, card in enumerate(cards, 1)]
    said = _said(*flips, _slap(1000 * len(cards) + 300), triggers=triggers)
    assert [type(v) for v in said if isinstance(v, Doubt | FalseSlap)] == [kind]


def test_unread_card_counts_as_no_trigger_for_an_exact_slap() -> None:
    """The definition of the rules knows no intervals."""
    exact = Slap(2300 * MS, "B")
    said = _said(_flip(1000, "??"), _flip(2000, "7S"), exact, triggers=("pair",))
    assert any(isinstance(v, FalseSlap) for v in said)


def test_demand_that_is_paid_over_an_unread_card_waits_for_a_slap() -> None:
    # The challenger got the pile at once, and the slap on a pair of bottom and top was late.
    position = Position(counts=(("A", 9), ("B", 9)), pile=(UNREAD,), last_flipper="A", to_act="B")
    referee = Referee("ratscrew", "AB", replace(HouseRules(), triggers=("top_bottom",)), position)
    log = (
        _flip(1000, "JS"),
        _flip(2000, "8S"),
        _slap(2300, "A"),
        Watermark(3000 * MS, "pads"),
        Watermark(3000 * MS, "camera"),
    )
    said = [verdict.kind for seen in log for verdict in referee.observe(seen)]
    assert [kind for kind in said if kind not in ("card_seen", "hold")] == ["challenge", "doubt"]


@pytest.mark.parametrize(("slap_ms", "paid"), [(990, 0), (983, 1)])
def test_false_slapper_cannot_pay_with_the_card_that_he_may_just_have_flipped(
    slap_ms: int, paid: int
) -> None:
    # The books gave his last card away and took the one on the pile from the next player.
    position = replace(START, counts=(("A", 1), ("B", 9), ("C", 9)))
    referee = Referee("slapjack", "ABC", HouseRules(), position)
    for seen in (_slap(slap_ms, "A"), _flip(1000, "7S"), *_marks(2000)):
        referee.observe(seen)
    assert [len(one.cards_moved) for one in referee.verdicts if isinstance(one, FalseSlap)] == [
        paid
    ]
    counts = dict(referee.table.counts)
    assert (counts["A"], counts["B"] + counts["C"]) == (0, 18)


# --- the log -------------------------------------------------------------------------------------


def _replayed(referee: Referee) -> list[Verdict]:
    return replay(referee.header, referee.log)


def test_promises_of_an_idle_table_do_not_fill_the_log() -> None:
    referee = _referee()
    for ms in range(1000, 11_000, 10):
        for mark in _marks(ms):
            referee.observe(mark)
    assert [seen.t_ns for seen in referee.log] == [10_990 * MS] * 2


def test_log_without_the_promises_that_were_renewed_replays_to_the_same_verdicts() -> None:
    referee = _referee()
    seen = [_flip(1000), _slap(1300), _slap(1310, "C"), _flip(3000, "5D"), _slap(3300)]
    marks = [mark for ms in range(900, 5000, 20) for mark in _marks(ms)]
    said = []
    for one in sorted([*seen, *marks], key=lambda each: each.t_ns):
        said += referee.observe(one)
    assert len(referee.log) < 40
    assert said + referee.finish() == _replayed(referee)
