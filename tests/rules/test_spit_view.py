"""Spit at a real table: two spit piles seen, two pads, stock piles only counted."""

from __future__ import annotations

import pytest

from referee.rules.cards import UNREAD, parse_card
from referee.rules.events import Award, Cleared, Flip, HiddenCard, Observation, Slap
from referee.rules.house_rules import HouseRules
from referee.rules.spit import Spit
from referee.rules.spit_table import Phase, SpitTable, deal_for_round
from referee.rules.verdicts import (
    BothStuck,
    CountFixed,
    Doubt,
    Go,
    IgnoredSlap,
    IllegalPlay,
    JudgeAward,
    LateSlap,
    LegalPlay,
    NotStuck,
    PileChoice,
    Recount,
    RoundOver,
    Tie,
    Unreadable,
    Verdict,
)

MS = 1_000_000


class _Box:
    """A game after the deal, told in milliseconds."""

    def __init__(self, ann: int = 26, bo: int = 26, **rules: object) -> None:
        cards = {"Ann": ann, "Bo": bo}
        self.table: SpitTable = deal_for_round(("Ann", "Bo"), cards, partial_stack=True)
        self.spit = Spit(self.table, HouseRules(**rules))  # type: ignore[arg-type]
        self.all_cards = self.table.all_cards()

    def sees(self, *observations: Observation) -> list[Verdict]:
        said = [verdict for each in observations for verdict in self.spit.receive(each)]
        said += self.spit.close(None)
        assert self.table.all_cards() == self.all_cards
        return said

    def card(
        self, t_ms: int, card: str, pile: int = 0, player: str | None = None, blind_ms: int = 0
    ) -> list[Verdict]:
        early_ns = blind_ms * MS
        return self.sees(Flip(t_ms * MS, parse_card(card), player, early_ns, pile=pile))

    def touch(self, t_ms: int, player: str) -> list[Verdict]:
        return self.sees(Slap(t_ms * MS, player))

    def begins(self) -> None:
        """Both deck cards lie there: 6C on pile 0, 10H on pile 1."""
        self.card(0, "6C", 0)
        assert self.card(10, "10H", 1) == [Go(10 * MS)]


def test_both_owners_turn_a_card_and_play_begins() -> None:
    box = _Box()
    box.begins()
    assert box.table.phase is Phase.PLAY
    assert box.table.decks == {"Ann": 10, "Bo": 10}


def test_second_card_on_a_pile_before_the_other_deck_card_is_too_early() -> None:
    box = _Box()
    box.card(0, "6C", 0)
    assert box.card(10, "5H", 0) == [IllegalPlay(10 * MS, "", parse_card("5H"), 0, "spit_pending")]


def test_rank_alone_decides_where_nobody_saw_the_hand() -> None:
    box = _Box()
    box.begins()
    assert box.card(100, "7D", 0) == [LegalPlay(100 * MS, "", parse_card("7D"), 0)]
    said = box.card(2000, "QC", 0)
    assert said == [IllegalPlay(2000 * MS, "", parse_card("QC"), 0, "rank")]


def test_seen_hand_gives_the_card_to_its_player() -> None:
    box = _Box()
    box.begins()
    box.card(100, "7D", 0, player="Bo")
    assert (box.table.most("Ann"), box.table.most("Bo")) == (15, 14)


def test_unseen_hand_leaves_both_numbers_open() -> None:
    box = _Box()
    box.begins()
    box.card(100, "7D", 0)
    assert (box.table.fewest("Ann"), box.table.most("Ann")) == (14, 15)


def test_overtaken_card_of_an_unseen_hand_is_too_late() -> None:
    box = _Box()
    box.begins()
    box.card(100, "5H", 0)
    said = box.card(180, "7D", 0)
    assert said == [IllegalPlay(180 * MS, "", parse_card("7D"), 0, "too_late")]


def test_refused_card_that_is_taken_away_bares_the_old_top_without_a_verdict() -> None:
    box = _Box()
    box.begins()
    box.card(100, "QC", 0)
    assert box.card(900, "6C", 0) == []
    assert box.card(1500, "7D", 0) == [LegalPlay(1500 * MS, "", parse_card("7D"), 0)]


def test_camera_that_reports_the_same_card_again_changes_nothing() -> None:
    box = _Box()
    box.begins()
    box.card(100, "7D", 0)
    assert box.card(300, "7D", 0) == []


def test_equal_rank_of_unknown_suit_is_a_new_card_unless_one_goes_back() -> None:
    box = _Box()
    box.begins()
    assert [verdict.kind for verdict in box.card(5000, "6?", 0)] == ["illegal_play"]
    assert box.card(6000, "6?", 0) == []


@pytest.mark.parametrize(
    ("card", "blind_ms", "kind"),
    [
        ("8D", 299, IllegalPlay),  # one hidden seven would make it legal
        ("8D", 300, Doubt),
        ("6D", 300, Doubt),  # a seven or a five
        ("9D", 599, IllegalPlay),
        ("9D", 600, Doubt),  # a seven and an eight
        ("QD", 900, IllegalPlay),
    ],
)
def test_card_that_may_hide_others_is_in_doubt(
    card: str, blind_ms: int, kind: type[Verdict]
) -> None:
    box = _Box()
    box.begins()
    said = box.card(2000, card, 0, blind_ms=blind_ms)
    assert [type(verdict) for verdict in said] == [kind]
    assert box.table.piles[0].size == (2 if kind is Doubt else 1)


def test_doubt_that_is_a_let_sends_the_card_back() -> None:
    box = _Box(doubt="let")
    box.begins()
    assert isinstance(box.card(2000, "8D", 0, blind_ms=300)[0], Doubt)
    assert box.table.piles[0].size == 1
    assert box.card(3000, "6C", 0) == []


def test_unread_card_is_let_pass_and_so_is_the_card_on_it() -> None:
    box = _Box()
    box.begins()
    assert box.sees(Flip(100 * MS, UNREAD)) == [Unreadable(100 * MS, "")]
    assert box.card(200, "QD", 0) == [LegalPlay(200 * MS, "", parse_card("QD"), 0)]


def test_seen_hand_on_the_others_pile_is_no_deck_card() -> None:
    box = _Box()
    said = box.card(0, "6C", 0, player="Bo")
    assert said == [IllegalPlay(0, "Bo", parse_card("6C"), 0, "spit_pending")]


@pytest.mark.parametrize(
    ("card", "after_ms", "due"), [("7D", 700, 2), ("7D", 701, 1), ("QD", 9, 1)]
)
def test_card_on_its_way_when_deck_cards_were_called_for_is_no_deck_card(
    card: str, after_ms: int, due: int
) -> None:
    box = _Box()
    box.begins()
    box.touch(1000, "Ann")
    box.touch(2000, "Bo")
    said = box.card(2000 + after_ms, card, 0)
    assert [verdict.kind for verdict in said] == ["illegal_play"] * (due - 1)
    assert len(box.table.due) == due


# --- pads ---------------------------------------------------------------------------------------


def test_first_touch_waits_for_the_other_and_the_second_calls_for_deck_cards() -> None:
    box = _Box()
    box.begins()
    assert box.touch(1000, "Bo") == [NotStuck(1000 * MS, ("Ann",))]
    assert box.touch(2000, "Ann") == [BothStuck(2000 * MS, ("Ann", "Bo"))]


def test_new_card_takes_back_that_somebody_was_stuck() -> None:
    box = _Box()
    box.begins()
    box.touch(1000, "Bo")
    box.card(1500, "7D", 0)
    assert box.touch(2000, "Ann") == [NotStuck(2000 * MS, ("Bo",))]


def _play_down(box: _Box, player: str | None, n: int) -> None:
    """So many cards, up and down on pile 0."""
    for turn in range(n):
        said = box.card(100 + turn, ("7D", "6D")[turn % 2] if turn else "7H", 0, player)
        assert isinstance(said[0], LegalPlay)


def test_last_seen_card_ends_the_round_at_once() -> None:
    box = _Box()
    box.begins()
    _play_down(box, "Ann", 15)
    assert box.table.phase is Phase.CHOICE
    assert box.table.chooser == "Ann"


def test_two_touches_finish_where_hands_were_not_seen() -> None:
    box = _Box()
    box.begins()
    _play_down(box, None, 17)
    assert box.touch(3000, "Bo") == [NotStuck(3000 * MS, ("Ann",))]
    assert box.touch(3700, "Bo") == [RoundOver(3700 * MS, "Bo")]
    assert box.table.most("Ann") == 13


def test_two_slow_touches_say_stuck_twice() -> None:
    box = _Box()
    box.begins()
    _play_down(box, None, 17)
    box.touch(3000, "Bo")
    assert box.touch(3701, "Bo") == [NotStuck(3701 * MS, ("Ann",))]


def test_nobody_has_finished_before_so_many_cards_lie_there() -> None:
    box = _Box()
    box.begins()
    _play_down(box, None, 14)
    box.touch(3000, "Bo")
    assert box.touch(3300, "Bo") == [NotStuck(3300 * MS, ("Ann",))]


def _finish(box: _Box) -> None:
    """Ann has played all her stock cards; the last at 114 ms."""
    box.begins()
    _play_down(box, "Ann", 15)


def test_finisher_takes_the_pile_beside_the_touched_pad() -> None:
    box = _Box()
    _finish(box)
    said = box.touch(2000, "Bo")
    assert isinstance(said[0], PileChoice)
    assert (said[0].player, said[0].pile) == ("Ann", 1)
    assert [verdict.kind for verdict in said[1:]] == ["layout", "layout", "single_pile"]


def test_touch_that_came_with_the_end_of_the_round_chooses_nothing() -> None:
    box = _Box()
    _finish(box)
    assert box.touch(500, "Bo") == [IgnoredSlap(500 * MS, "Bo", "not_eligible")]


def test_lifted_pile_is_the_finishers_choice() -> None:
    box = _Box()
    _finish(box)
    said = box.sees(Cleared(2000 * MS, pile=0))
    assert isinstance(said[0], PileChoice)
    assert (said[0].player, said[0].pile) == ("Ann", 0)
    assert box.sees(Cleared(2100 * MS, pile=1)) == []


def test_first_card_after_the_layout_begins_the_next_round() -> None:
    box = _Box()
    _finish(box)
    box.touch(2000, "Ann")
    assert box.card(5000, "KD", 1) == []
    assert box.table.phase is Phase.SPIT
    assert box.card(5500, "3D", 0) == [Go(5500 * MS)]


def test_chosen_pile_that_still_lies_there_is_no_deck_card() -> None:
    box = _Box()
    _finish(box)
    box.touch(2000, "Ann")
    assert box.card(2500, "10H", 1) == []
    assert box.table.phase is Phase.LAID
    box.sees(Cleared(3000 * MS, pile=1))
    box.card(5000, "10H", 1)
    assert box.table.phase is Phase.SPIT


def test_single_pile_round_needs_one_deck_card_wherever_it_lies() -> None:
    box = _Box(ann=12, bo=40)
    assert box.card(0, "6C", 1) == [Go(0)]
    assert box.table.decks == {"Ann": 0, "Bo": 24}


def test_player_without_the_deck_card_that_the_books_expect_taps_twice() -> None:
    box = _Box(ann=17, bo=35)
    box.card(0, "6C", 1, player="Bo")
    box.touch(2000, "Ann")
    said = box.touch(2500, "Ann")
    assert [verdict.kind for verdict in said] == ["recount", "single_pile", "go"]
    assert box.table.decks == {"Ann": 0, "Bo": 19}
    assert box.table.most("Ann") == 17
    assert [verdict.kind for verdict in box.card(3000, "7D", 0, player="Ann")] == ["legal_play"]


def test_single_touch_while_a_deck_card_is_due_changes_nothing() -> None:
    box = _Box(ann=17, bo=35)
    assert box.touch(2000, "Ann") == [IgnoredSlap(2000 * MS, "Ann", "not_eligible")]
    assert box.table.decks["Ann"] == 2


# --- the race for the smaller pile ----------------------------------------------------------------


def test_first_hand_takes_the_smaller_pile_and_the_other_is_late() -> None:
    box = _Box(spit_slap_race=True)
    _finish(box)
    said = box.sees(Slap(400 * MS, "Bo"), Slap(450 * MS, "Ann"))
    assert isinstance(said[0], PileChoice)
    assert (said[0].player, said[0].pile) == ("Bo", 1)
    assert said[-1] == LateSlap(450 * MS, "Ann")


def test_hands_whose_times_overlap_tie_and_race_again() -> None:
    box = _Box(spit_slap_race=True)
    _finish(box)
    said = box.sees(Slap(400 * MS, "Bo", late_ns=6 * MS), Slap(410 * MS, "Ann", early_ns=5 * MS))
    assert said == [Tie(400 * MS, ("Ann", "Bo"), 0)]
    assert isinstance(box.touch(2000, "Ann")[0], PileChoice)


def test_earlier_hand_with_a_later_stamp_still_ties() -> None:
    box = _Box(spit_slap_race=True)
    _finish(box)
    said = box.sees(Slap(400 * MS, "Bo"), Slap(440 * MS, "Ann", early_ns=40 * MS))
    assert isinstance(said[0], Tie)


def test_equal_piles_give_the_winner_his_own() -> None:
    box = _Box(spit_slap_race=True)
    box.begins()
    for turn in range(15):
        rank, pile = ("7D", "6D", "9S", "10S")[turn % 4], (turn % 4) // 2
        box.card(100 + turn, rank, pile, "Ann")
    box.sees(HiddenCard(300 * MS, "Bo", 1))
    assert [pile.size for pile in box.table.piles] == [9, 9]
    said = box.touch(400, "Bo")
    assert isinstance(said[0], PileChoice)
    assert said[0].pile == 1


# --- the table's word -----------------------------------------------------------------------------


def test_table_says_whose_unseen_cards_they_were() -> None:
    box = _Box()
    box.begins()
    _play_down(box, None, 10)
    said = box.sees(HiddenCard(3000 * MS, "Ann", 4))
    assert [type(verdict) for verdict in said] == [CountFixed]
    assert (box.table.most("Ann"), box.table.unseen) == (11, 6)


def test_table_says_that_a_player_has_finished() -> None:
    box = _Box()
    box.begins()
    _play_down(box, "Ann", 13)
    said = box.sees(Award(3000 * MS, "Ann"))
    assert [type(verdict) for verdict in said] == [JudgeAward, RoundOver]
    assert box.table.piles[0].size == 16


def test_unseen_cards_in_a_deadlock_must_be_counted_first() -> None:
    box = _Box(ann=16, bo=16)
    box.begins()
    _play_down(box, None, 3)
    box.touch(3000, "Ann")
    assert [verdict.kind for verdict in box.touch(3100, "Bo")] == ["deadlock"]
    assert box.touch(5000, "Bo") == [Recount(5000 * MS, "stock_piles")]
    box.sees(HiddenCard(6000 * MS, "Ann", 2), HiddenCard(6001 * MS, "Bo", 1))
    assert isinstance(box.touch(7000, "Bo")[0], PileChoice)
