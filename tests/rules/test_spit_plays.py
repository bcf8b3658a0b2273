"""Spit: cards, races and equal hands when the stock piles are known."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import parse_card
from referee.rules.events import Choose, Move, Observation, Play, SpitCard, Stuck
from referee.rules.house_rules import HouseRules
from referee.rules.spit import Spit
from referee.rules.spit_stacks import deal_face_down
from referee.rules.spit_table import Phase, SpitPile, SpitTable
from referee.rules.verdicts import (
    BothStuck,
    Cycling,
    Deadlock,
    IgnoredChoice,
    IllegalMove,
    IllegalPlay,
    IllegalSpit,
    Layout,
    LegalMove,
    LegalPlay,
    NotStuck,
    PileChoice,
    RoundOver,
    SinglePile,
    TiePlay,
    Verdict,
)

MS = 1_000_000


def _table(
    ann: str, bo: str, piles: str, decks: tuple[int, int] = (5, 5), hidden: int = 0
) -> SpitTable:
    """Stock piles by notation, divided by commas, bottom first: `_table("KC 7S, 5H", ...)`."""
    laid = {
        name: deal_face_down(
            [parse_card(card) for card in stack.split()] for stack in of.split(",")
        )
        for name, of in (("Ann", ann), ("Bo", bo))
    }
    tops = [SpitPile(1 + hidden, parse_card(card)) for card in piles.split()]
    return SpitTable(("Ann", "Bo"), dict(laid), dict(zip(laid, decks, strict=True)), tops)


def _play(t_ms: int, player: str, card: str, pile: int = 0) -> Play:
    return Play(t_ms * MS, player, parse_card(card), pile)


def _run(table: SpitTable, *events: Observation, **rules: object) -> list[Verdict]:
    spit = Spit(table, HouseRules(**rules))  # type: ignore[arg-type]
    said = [verdict for event in events for verdict in spit.receive(event)]
    return said + spit.close(None)


def _reasons(said: list[Verdict]) -> list[str | None]:
    return [getattr(verdict, "reason", None) for verdict in said]


# --- races --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after_ms", "reason"), [(999, "too_late"), (1000, "too_late"), (1001, "rank")]
)
def test_overtaken_card_is_too_late_up_to_the_end_of_the_race(after_ms: int, reason: str) -> None:
    table = _table("5H, KC 7S", "7D, KD 10S", "6C 10H")
    said = _run(table, _play(100, "Ann", "5H"), _play(100 + after_ms, "Bo", "7D"))
    assert _reasons(said) == [None, reason]


def test_own_card_does_not_make_the_next_one_too_late() -> None:
    table = _table("5H, KC 7S", "2D, KD 10S", "6C 10H")
    said = _run(table, _play(100, "Ann", "5H"), _play(200, "Ann", "7S"))
    assert _reasons(said) == [None, "rank"]


def test_card_that_never_fitted_is_no_race() -> None:
    table = _table("5H, KC 7S", "2D, KD 10S", "6C 10H")
    said = _run(table, _play(100, "Ann", "5H"), _play(200, "Bo", "2D"))
    assert _reasons(said) == [None, "rank"]


def test_two_quick_cards_of_the_other_are_still_a_lost_race() -> None:
    table = _table("5H, 4C, KC 7S", "7D, KD 10S", "6C 10H")
    said = _run(table, _play(100, "Ann", "5H"), _play(150, "Ann", "4C"), _play(200, "Bo", "7D"))
    assert _reasons(said) == [None, None, "too_late"]


# --- equal hands --------------------------------------------------------------------------------


@pytest.mark.parametrize(("apart_ms", "tied"), [(0, True), (40, True), (41, False)])
def test_two_cards_within_the_tie_both_go_back(apart_ms: int, tied: bool) -> None:
    table = _table("5H, KC 7S", "7D, KD 10S", "6C 10H")
    said = _run(table, _play(100, "Ann", "5H"), _play(100 + apart_ms, "Bo", "7D"), tie_ms=40)
    assert isinstance(said[0], TiePlay) is tied
    assert table.piles[0].size == (1 if tied else 2)


def test_equal_cards_of_which_only_one_fits_are_no_tie() -> None:
    table = _table("5H, KC 7S", "2D, KD 10S", "6C 10H")
    said = _run(table, _play(100, "Ann", "5H"), _play(100, "Bo", "2D"))
    assert [type(verdict) for verdict in said] == [LegalPlay, IllegalPlay]


def test_illegal_card_does_not_take_the_tie_of_the_other() -> None:
    table = _table("2D, KC 7S", "7D, KD 10S", "6C 10H")
    said = _run(table, _play(100, "Ann", "2D"), _play(100, "Bo", "7D"))
    assert [type(verdict) for verdict in said] == [IllegalPlay, LegalPlay]


def test_card_laid_on_a_tied_card_goes_back_as_well() -> None:
    table = _table("5H, 4C, KC 9S", "7D, KD 10S", "6C 10H")
    said = _run(
        table,
        _play(100, "Ann", "5H"),
        _play(120, "Ann", "4C"),
        _play(130, "Bo", "7D"),
        tie_ms=40,
    )
    assert [type(verdict) for verdict in said] == [TiePlay, IllegalPlay]
    assert table.piles[0].size == 1


def test_card_freed_by_a_move_in_between_ties() -> None:
    table = _table("5H, KC 9S", "2D, 7D 2S, KD", "6C 10H")
    said = _run(
        table,
        _play(100, "Ann", "5H"),
        Move(110 * MS, "Bo", 2, 1),
        _play(130, "Bo", "7D"),
        tie_ms=40,
    )
    assert [type(verdict) for verdict in said] == [TiePlay, LegalMove]


def test_same_player_twice_on_one_pile_is_no_tie() -> None:
    table = _table("5H, 4C, KC 9S", "7D, KD 10S", "6C 10H")
    said = _run(table, _play(100, "Ann", "5H"), _play(100, "Ann", "4C"))
    assert [type(verdict) for verdict in said] == [LegalPlay, LegalPlay]


# --- deck cards ---------------------------------------------------------------------------------


def test_deck_card_turned_twice_is_refused() -> None:
    table = _table("9H", "9S", "4C 4D")
    table.phase, table.due = Phase.SPIT, {"Ann", "Bo"}
    card = parse_card("3C")
    said = _run(table, SpitCard(0, "Ann", card), SpitCard(MS, "Ann", parse_card("QC")))
    assert said == [IllegalSpit(MS, "Ann", "already_flipped")]


def test_stuck_again_after_go_calls_for_another_deck_card() -> None:
    table = _table("9H", "9S", "4C 4D")
    table.phase, table.due = Phase.SPIT, {"Ann", "Bo"}
    cards = (parse_card("QC"), parse_card("QD"))
    said = _run(table, SpitCard(0, "Ann", cards[0]), SpitCard(MS, "Bo", cards[1]))
    assert [verdict.kind for verdict in said] == ["go", "stuck"]


def test_last_deck_cards_without_a_play_end_in_a_deadlock() -> None:
    table = _table("9H", "9S, 2H", "4C 4D", decks=(1, 1))
    table.phase, table.due = Phase.SPIT, {"Ann", "Bo"}
    said = _run(table, SpitCard(0, "Ann", parse_card("QC")), SpitCard(MS, "Bo", parse_card("QD")))
    assert [verdict.kind for verdict in said] == ["go", "deadlock"]
    assert said[1] == Deadlock(MS, "Ann")


def test_move_while_deck_cards_are_due_is_legal_and_calls_nobody() -> None:
    table = _table("9H,", "9S", "4C 4D")
    table.phase, table.due = Phase.SPIT, {"Ann", "Bo"}
    assert _run(table, Move(0, "Ann", 1, 2)) == [LegalMove(0, "Ann")]


def test_start_in_which_nobody_can_move_is_announced_when_somebody_says_so() -> None:
    said = _run(_table("9H", "9S", "4C 4D"), Stuck(0, "Bo"))
    assert said == [BothStuck(0, ("Ann", "Bo"))]


def test_stuck_player_is_told_that_he_can_move_himself() -> None:
    assert _run(_table("5H", "9S", "4C 4D"), Stuck(0, "Ann")) == [NotStuck(0, ("Ann",))]


# --- the end of a round ---------------------------------------------------------------------------


def test_fewer_stock_cards_chooses_after_a_deadlock() -> None:
    table = _table("9H, KC 4S", "9S", "5C 2D", decks=(0, 0))
    said = _run(
        table,
        _play(0, "Ann", "4S"),
        Choose(MS, "Ann", 0),
        Choose(2 * MS, "Bo", 1),
    )
    assert [verdict.kind for verdict in said[:4]] == [
        "legal_play",
        "deadlock",
        "ignored_choice",
        "pile_choice",
    ]
    assert [verdict.kind for verdict in said[4:]] == [
        "layout",
        "layout",
        "single_pile",
        "single_pile",
    ]


def test_deadlock_at_a_single_pile_gives_it_to_the_other_at_once() -> None:
    table = _table("9H, KC 4S", "9S", "5C", decks=(0, 0), hidden=9)
    said = _run(table, _play(0, "Ann", "4S"))
    assert said[1] == Deadlock(0, "Bo")
    choice = said[2]
    assert isinstance(choice, PileChoice)
    assert (choice.player, choice.pile) == ("Bo", None)
    assert [(moved.source, moved.target, moved.n) for moved in choice.cards_moved] == [
        ("pile0", "Ann", 11)
    ]


def test_table_decides_an_equal_deadlock() -> None:
    table = _table("9H, 4S", "9S", "5C 2D", decks=(0, 0))
    said = _run(table, _play(0, "Ann", "4S"), Choose(MS, "Bo", 0))
    assert said[1] == Deadlock(0, None)
    assert isinstance(said[2], PileChoice)


def test_finisher_without_a_deck_at_two_piles_chooses() -> None:
    table = _table("5H", "9S, 2C", "6C 2D", decks=(0, 3))
    said = _run(table, _play(0, "Ann", "5H"), Choose(MS, "Ann", 1))
    assert [type(verdict) for verdict in said] == [
        LegalPlay,
        RoundOver,
        PileChoice,
        Layout,
        Layout,
        SinglePile,
        SinglePile,
    ]


@pytest.mark.parametrize("pile", [-1, 2])
def test_choice_of_a_pile_that_is_not_there_is_ignored(pile: int) -> None:
    said = _run(_table("5H", "9S", "6C 2D"), _play(0, "Ann", "5H"), Choose(MS, "Ann", pile))
    assert said[-1] == IgnoredChoice(MS, "Ann")


def test_play_on_a_pile_that_is_not_there_goes_back() -> None:
    said = _run(_table("5H, 5C", "9S", "6C"), _play(0, "Ann", "5H", pile=1))
    assert _reasons(said) == ["rank"]


def test_move_after_the_round_goes_back() -> None:
    said = _run(_table("5H", "9S, 9C", "6C 2D"), _play(0, "Ann", "5H"), Move(MS, "Bo", 1, 2))
    assert said[-1] == IllegalMove(MS, "Bo", "round_over")


def test_moves_that_lead_nowhere_are_announced_as_a_cycle() -> None:
    table = _table("9H,, KC", "5S, 9C 8C", "6C 2D")
    there_and_back = [Move(n * MS, "Ann", *((1, 2), (2, 1))[n % 2]) for n in range(4)]
    said = _run(table, *there_and_back)
    assert said.count(Cycling(2 * MS)) == 1
    assert sum(isinstance(verdict, Cycling) for verdict in said) == 1


# --- properties -----------------------------------------------------------------------------------

_CARDS = ["5H", "7S", "KC", "6D", "9C", "4S", "2D", "9H", "8D", "10S"]


_NAMES = st.sampled_from(["Ann", "Bo"])
_TIMES = st.integers(0, 400).map(lambda t_ms: t_ms * MS)
_EVENTS = st.one_of(
    st.builds(Play, _TIMES, _NAMES, st.sampled_from(_CARDS).map(parse_card), st.integers(0, 1)),
    st.builds(Move, _TIMES, _NAMES, st.integers(1, 4), st.integers(1, 4)),
    st.builds(SpitCard, _TIMES, _NAMES, st.just(parse_card("QS"))),
    st.builds(Stuck, _TIMES, _NAMES),
    st.builds(Choose, _TIMES, _NAMES, st.integers(0, 1)),
)


@settings(max_examples=60, deadline=None)
@given(events=st.lists(_EVENTS, max_size=14), tie_ms=st.sampled_from([0, 60]))
def test_whatever_happens_cards_are_conserved(events: list[Observation], tie_ms: int) -> None:
    table = _table("KC 5H, 9C, 2D 7S", "8D 6D, 4S, 10S 9H", "6C 10H")
    before = table.all_cards()
    spit = Spit(table, HouseRules(tie_ms=tie_ms))
    for event in sorted(events, key=lambda event: event.t_ns):
        spit.receive(event)
        assert table.all_cards() == before
    spit.close(None)
    assert table.all_cards() == before
    assert all(table.held(player) >= 0 for player in table.players)
