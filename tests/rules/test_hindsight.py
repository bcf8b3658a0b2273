"""What the camera tells late: a card read after all, taken back, or never there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import UNREAD, parse_card
from referee.rules.events import (
    CardIs,
    Cleared,
    Flip,
    Observation,
    Slap,
    TableAnswer,
    TakenBack,
    Tick,
    Watermark,
)
from referee.rules.house_rules import HouseRules, house_rules
from referee.rules.position import Position
from referee.rules.record import observation_from_record, to_record
from referee.rules.referee import Referee, replay
from referee.rules.verdicts import CardSeen, Verdict

MS = 1_000_000
START = Position(
    counts=(("A", 9), ("B", 9), ("C", 9)),
    pile=(parse_card("3H"),),
    last_flipper="C",
    to_act="A",
)


def _flip(ms: int, card: str = "??", early_ms: int = 17) -> Flip:
    return Flip(ms * MS, parse_card(card), early_ns=early_ms * MS)


def _slap(ms: int, player: str = "B") -> Slap:
    return Slap(ms * MS, player, early_ns=5 * MS)


def _marks(ms: int) -> list[Observation]:
    return [Watermark(ms * MS, "camera"), Watermark(ms * MS, "pads")]


class _Played:
    """A log and what was said about it; the log replays to the same."""

    def __init__(self, log: Iterable[Observation], game: str = "slapjack", **options: object):
        rules = replace(house_rules(game), **options)  # type: ignore[arg-type]
        self.referee = Referee(game, "ABC", rules, START)
        self.said: list[Verdict] = []
        for seen in log:
            self.said += self.referee.observe(seen)
        kept = [observation_from_record(to_record(one)) for one in self.referee.log]
        again = replay(self.referee.header, kept)
        assert again == self.said + self.referee.finish()
        self.said = [one for one in self.said if not isinstance(one, CardSeen)]
        self.kinds = [one.kind for one in self.said]

    @property
    def counts(self) -> dict[str, int]:
        return dict(self.referee.table.counts) | {"pile": self.referee.table.pile}


UNTOUCHED = {"A": 9, "B": 9, "C": 9, "pile": 1}


# --- a card that was taken back ------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(1001, 4999), st.booleans(), st.sampled_from(("benefit", "let")))
def test_slap_on_an_unread_card_that_was_taken_back_costs_nobody(
    ms: int, told: bool, doubt: str
) -> None:
    # Nothing was told of the card, and the slap was false: "nothing lay there".
    log: list[Observation] = [*_marks(900), _slap(ms)]
    if told:
        log += [Flip(1000 * MS, UNREAD, early_ns=90 * MS), *_marks(4800)]
    log += [TakenBack(5000 * MS, early_ns=4090 * MS), *_marks(9000)]
    played = _Played(log, doubt=doubt)
    assert played.counts == UNTOUCHED
    assert played.kinds[-1] == "doubt"


@pytest.mark.parametrize("told", [False, True])
def test_slap_after_an_unread_card_was_taken_back_is_judged_on_what_lies_there(told: bool) -> None:
    log: list[Observation] = [*_marks(900)]
    if told:
        log += [Flip(1000 * MS, UNREAD, early_ns=90 * MS), *_marks(4800)]
    log += [TakenBack(5000 * MS, early_ns=4090 * MS), *_marks(5100), _slap(5200), *_marks(9000)]
    assert _Played(log).kinds[-1] == "false_slap"


@pytest.mark.parametrize(("doubt", "last"), [("benefit", "valid_slap"), ("let", "let")])
def test_slap_on_a_jack_under_a_card_that_was_taken_back_is_in_doubt(doubt: str, last: str) -> None:
    log = [
        _flip(500, "JS"),
        *_marks(900),
        _slap(2000),
        TakenBack(3000 * MS, early_ns=2090 * MS),
        *_marks(9000),
    ]
    played = _Played(log, doubt=doubt)
    assert played.kinds[-1] == last
    assert getattr(played.said[-1], "benefit", True)


def test_card_that_was_told_and_taken_back_gives_the_turn_back() -> None:
    log = [Flip(1000 * MS, UNREAD, early_ns=90 * MS), *_marks(2000)]
    assert _Played(log).referee.table.to_act == "B"
    played = _Played([*log, TakenBack(5000 * MS, early_ns=4090 * MS), *_marks(5100)])
    assert played.referee.table.to_act == "A"
    assert played.counts == UNTOUCHED
    assert played.kinds == ["unreadable", "correction"]


# --- a card that was read after all --------------------------------------------------------------


def test_card_that_is_read_after_all_decides_the_slaps_on_it() -> None:
    log = [_flip(1000), _slap(1300), *_marks(1500), *_marks(11_000)]
    assert _Played(log).kinds == ["unreadable", "pending_slap"]
    played = _Played([*log, _flip(1000, "JD"), *_marks(12_000)])
    assert played.kinds[2:] == ["correction", "valid_slap"]
    assert played.counts == {"A": 8, "B": 11, "C": 9, "pile": 0}


def test_card_that_the_table_has_named_keeps_its_name() -> None:
    named = CardIs(12_000 * MS, parse_card("7D"), 1000 * MS)
    log = [_flip(1000), *_marks(11_000), named, *_marks(13_000), _flip(1000, "JD"), *_marks(14_000)]
    played = _Played(log)
    assert played.referee.table.top == "7D"
    assert played.kinds[-1] == "late_event"


# --- the table's answer and a card that nobody saw -----------------------------------------------


def _asked(answer: str, *before: Observation, game: str = "slapjack") -> list[Observation]:
    """B slapped while the camera was blind; the table has answered."""
    return [
        *before,
        *_marks(1000),
        _slap(1300),
        Watermark(1700 * MS, "pads"),
        Tick(5400 * MS),
        TableAnswer(5600 * MS, answer),
        Watermark(5700 * MS, "pads"),
    ]


@pytest.mark.parametrize(
    ("answer", "top", "counts"),
    [
        ("no_slap", "7C", {"A": 9, "B": 8, "C": 9, "pile": 2}),
        ("no_slap", "JC", {"A": 9, "B": 8, "C": 9, "pile": 2}),
        ("slap", "7C", {"A": 8, "B": 11, "C": 9, "pile": 0}),
        ("slap", "JC", {"A": 8, "B": 11, "C": 9, "pile": 0}),
        ("let", "7C", {"A": 8, "B": 9, "C": 9, "pile": 2}),
    ],
)
def test_answer_books_no_card_that_the_camera_shows_was_never_there(
    answer: str, top: str, counts: dict[str, int]
) -> None:
    # Each answer but "let" left a card on the pile that nobody had flipped, for the whole game.
    played = _Played([*_asked(answer, _flip(500, top)), *_marks(6000)])
    assert played.counts == counts


@pytest.mark.parametrize("answer", ["slap", "no_slap"])
@pytest.mark.parametrize(
    "seen",
    [
        Flip(5800 * MS, parse_card("QS"), early_ns=4700 * MS),
        Cleared(5800 * MS, early_ns=4700 * MS),
    ],
)
def test_booked_card_stays_if_the_camera_saw_a_change(answer: str, seen: Observation) -> None:
    before = _Played(_asked(answer, _flip(500, "7C"))).counts
    played = _Played([*_asked(answer, _flip(500, "7C")), seen, *_marks(6000)])
    assert played.counts == before


def test_card_that_was_only_shown_is_not_booked_either() -> None:
    taken = TakenBack(5800 * MS, early_ns=4700 * MS)
    played = _Played([*_asked("no_slap", _flip(500, "7C")), taken, *_marks(6000)])
    assert played.counts == {"A": 9, "B": 8, "C": 9, "pile": 2}


TIED = (_flip(300, "JC"), _slap(600, "B"), _slap(600, "C"))


@pytest.mark.parametrize("play_off_card", [(), (_flip(900, "4D"),)])
@pytest.mark.parametrize("answer", ["slap", "no_slap"])
def test_answer_in_a_play_off_books_no_card_that_was_never_there(
    play_off_card: tuple[Flip, ...], answer: str
) -> None:
    flips = 1 + len(play_off_card)
    log = _asked(answer, *TIED, *_marks(800), *play_off_card)
    played = _Played([*log, *_marks(6000)])
    held = {"A": 8, "B": 9, "C": 9, "pile": 1 + flips}
    if play_off_card:
        held["B"] -= 1
    if answer == "slap":
        held |= {"B": held["B"] + 1 + flips, "pile": 0}
    assert played.counts == held


def test_play_off_stays_with_its_winner_when_the_card_was_seen() -> None:
    log = [*_asked("slap", *TIED, *_marks(800)), _flip(5800, "QS", early_ms=4700), *_marks(6000)]
    assert _Played(log).counts == {"A": 8, "B": 11, "C": 9, "pile": 0}


# --- a demand that was paid with cards that nobody could read ------------------------------------


@pytest.mark.parametrize(
    ("cards", "is_paid"),
    [
        (["JS", "??"], True),
        (["QS", "5D", "??"], True),
        (["QS", "??", "5D"], True),
        (["QS", "??", "??"], True),
        (["QS", "??"], False),
        (["5S", "??"], False),
        (["QS", "??", "JD"], False),
    ],
)
def test_pile_that_is_taken_after_an_unread_last_payment_is_the_challengers(
    cards: list[str], is_paid: bool
) -> None:
    # The demand stood for ever, and the books left the pile on the table.
    flips = [_flip(1000 * number, card) for number, card in enumerate(cards, 1)]
    taken = Cleared(9000 * MS, early_ns=17 * MS)
    played = _Played([*flips, *_marks(8000), taken, *_marks(9500)], "ratscrew")
    assert ("challenge_won" in played.kinds) is is_paid
    assert ("recount" in played.kinds) is not is_paid
    assert (played.counts["pile"] == 0) is is_paid
    if is_paid:
        assert played.referee.table.to_act == "A"


@pytest.mark.parametrize(("answer", "winner"), [("slap", "B"), ("no_slap", "A"), ("let", "A")])
def test_slap_on_an_unread_last_payment_is_settled_by_the_table(answer: str, winner: str) -> None:
    log = [_flip(1000, "JS"), _flip(2000), _slap(2300), *_marks(3000)]
    log += [Cleared(4000 * MS, early_ns=17 * MS), *_marks(5000)]
    played = _Played([*log, TableAnswer(6000 * MS, answer), *_marks(9000)], "ratscrew")
    assert played.counts["pile"] == 0
    assert played.counts[winner] > 9


def test_unread_last_payment_stays_open_until_the_table_speaks_or_acts() -> None:
    """The definition of the rules: a demand stays as it is until the table names the card."""
    log = [_flip(1000, "JS"), _flip(2000), *_marks(60_000)]
    played = _Played(log, "ratscrew")
    assert played.referee.table.challenge == ("A", "B", 1)
    named = CardIs(60_100 * MS, parse_card("5D"), 2000 * MS)
    won = _Played([*log, named, *_marks(70_000)], "ratscrew")
    assert won.kinds[-1] == "challenge_won"
    assert HouseRules().claim_window_ms < 60_000
