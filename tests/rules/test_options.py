"""House rules beyond the rule sheets, and settings that cannot be meant."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.rules.cards import parse_card
from referee.rules.errors import BadLog, BadNotation, BadRules
from referee.rules.events import (
    Burn,
    CardIs,
    Flip,
    Observation,
    Penalty,
    Slap,
    SpitCard,
    TableAnswer,
    VoidSlap,
    Watermark,
)
from referee.rules.house_rules import house_rules
from referee.rules.position import Deal, Position
from referee.rules.record import header_from_record, observation_from_record, to_record
from referee.rules.referee import Referee
from referee.rules.triggers import agreed_triggers
from referee.rules.verdicts import FalseSlap, IgnoredSlap, LockedOut, ValidSlap, Verdict

MS = 1_000_000


def _found(trigger: str, *pile: str, **options: Any) -> bool:
    rules = house_rules("ratscrew", {"triggers": [trigger], **options})
    cards = tuple(parse_card(card) for card in pile)
    ((name, is_there),) = agreed_triggers(rules)
    assert name == trigger
    return is_there(cards, cards[0])


@pytest.mark.parametrize(
    ("trigger", "pile"),
    [
        ("ten_sandwich", ("4S", "KH", "6D")),
        ("ten_sandwich", ("AS", "KH", "9D")),
        ("six_nine", ("6S", "9H")),
        ("six_nine", ("9S", "6H")),
        ("four_apart", ("4S", "KH", "QD", "4D")),
        ("flush3", ("4S", "KS", "QS")),
        ("flush4", ("4S", "KS", "QS", "AS")),
        ("marriage_same_suit", ("KS", "QS")),
        ("marriage_same_suit", ("QS", "KS")),
        ("ten", ("4S", "10H")),
        ("two", ("2S",)),
        ("run3", ("KS", "AH", "2D")),
        ("run4", ("4S", "3H", "2D", "AD")),
    ],
)
def test_agreed_pattern_is_found(trigger: str, pile: tuple[str, ...]) -> None:
    assert _found(trigger, *pile)


@pytest.mark.parametrize(
    ("trigger", "pile"),
    [
        ("ten_sandwich", ("4S", "6D")),
        ("ten_sandwich", ("5S", "KH", "6D")),
        ("six_nine", ("6S", "6H")),
        ("four_apart", ("4S", "QD", "4D")),
        ("flush3", ("4S", "K?", "QS")),
        ("flush3", ("4?", "K?", "Q?")),
        ("flush4", ("4S", "KS", "QS")),
        ("marriage_same_suit", ("KS", "QH")),
        ("marriage_same_suit", ("K?", "Q?")),
        ("ten", ("10H", "4S")),
        ("run3", ("2S", "3H", "2D")),
        ("run3", ("2S", "??", "4D")),
        ("tens", ("??", "KD")),
        ("tens", ("KS", "QD")),
        ("pair", ("??", "7D")),
    ],
)
def test_other_cards_are_no_pattern(trigger: str, pile: tuple[str, ...]) -> None:
    assert not _found(trigger, *pile)


def test_ace_without_a_number_makes_no_ten_sandwich() -> None:
    assert not _found("ten_sandwich", "AS", "KH", "9D", tens_ace="none")


def test_joker_is_a_trigger() -> None:
    assert _found("joker", "4S", "XR", jokers=2)


# --- bans and piles given away --------------------------------------------------------------------


def _said(*log: Observation, **options: Any) -> tuple[list[Verdict], Referee]:
    start = Position(
        counts=(("A", 9), ("B", 9), ("C", 9)),
        pile=(parse_card("3H"),),
        last_flipper="C",
        to_act="A",
    )
    referee = Referee("slapjack", "ABC", house_rules("slapjack", options), start)
    said = [verdict for seen in log for verdict in referee.observe(seen)]
    said += referee.finish()
    return [v for v in said if v.kind != "card_seen"], referee


def _flip(ms: int, card: str) -> Flip:
    return Flip(ms * MS, parse_card(card))


def test_ban_for_cards_ends_after_so_many_flips() -> None:
    wrong = (_flip(1000, "9S"), Slap(1300 * MS, "B"))
    early, _ = _said(
        *wrong, _flip(2000, "8S"), _flip(3000, "JS"), Slap(3300 * MS, "B"),
        slap_ban="cards", slap_ban_cards=2,
    )  # fmt: skip
    late, _ = _said(
        *wrong, _flip(2000, "8S"), _flip(3000, "4S"), _flip(4000, "JS"), Slap(4300 * MS, "B"),
        slap_ban="cards", slap_ban_cards=2,
    )  # fmt: skip
    assert early[1] == LockedOut(1300 * MS, "B", 2)
    assert early[2] == IgnoredSlap(3300 * MS, "B", "locked_out")
    assert isinstance(late[2], ValidSlap)


def test_ban_until_the_pile_is_won_ends_with_the_pile() -> None:
    said, _ = _said(
        _flip(1000, "9S"),
        Slap(1300 * MS, "B"),
        _flip(2000, "JS"),
        Slap(2300 * MS, "B"),
        Slap(2400 * MS, "C"),
        _flip(3000, "JD"),
        Slap(3300 * MS, "B"),
        slap_ban="pile",
    )
    assert [v.kind for v in said] == [
        "false_slap",
        "locked_out",
        "ignored_slap",
        "valid_slap",
        "valid_slap",
    ]


def test_false_slap_gives_the_pile_to_the_flipper() -> None:
    said, referee = _said(_flip(1000, "9S"), Slap(1300 * MS, "B"), pile_on_false_slap=True)
    assert isinstance(said[0], FalseSlap)
    assert dict(referee.table.counts) == {"A": 11, "B": 8, "C": 9}
    assert (referee.table.pile, referee.table.to_act) == (0, "A")


def test_flipper_who_slaps_himself_gives_the_pile_to_the_next() -> None:
    _, referee = _said(_flip(1000, "9S"), Slap(1300 * MS, "A"), pile_on_false_slap=True)
    assert dict(referee.table.counts) == {"A": 7, "B": 12, "C": 9}


# --- the deck -------------------------------------------------------------------------------------


def test_ten_players_with_two_decks_and_jokers() -> None:
    rules = house_rules("slapjack", {"decks": 2, "jokers": 4})
    referee = Referee("slapjack", "ABCDEFGHIJ", rules, Deal(dealer="J"))
    assert [n for _, n in referee.table.counts] == [11] * 8 + [10] * 2


@pytest.mark.parametrize("players", ["A", "ABCDEFGHI"])
def test_too_few_or_too_many_players_are_refused(players: str) -> None:
    with pytest.raises(BadRules, match="expected 2 to 8"):
        Referee("slapjack", players)


@pytest.mark.parametrize("players", [("A", "A"), ("A", ""), ("A", "pile")])
def test_names_that_cannot_be_told_apart_are_refused(players: tuple[str, str]) -> None:
    with pytest.raises(BadRules):
        Referee("slapjack", players)


# --- refused settings -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "options", "both"),
    [
        ("slapjack", {"triggers": ["jack", "joker"]}, ("joker", "jokers")),
        ("slapjack", {"triggers": []}, ("slapjack", "triggers")),
        ("ratscrew", {"pile_on_false_slap": True, "slap_ban": "pile"}, ("slap_ban", "pile_on")),
    ],
)
def test_contradictory_settings_are_refused_naming_both(
    game: str, options: dict[str, object], both: tuple[str, str]
) -> None:
    with pytest.raises(BadRules) as caught:
        house_rules(game, options)
    assert all(name in str(caught.value) for name in both)


@pytest.mark.parametrize(
    ("game", "options", "named"),
    [
        ("whist", {}, "whist"),
        ("slapjack", {"burn": 1}, "burn"),
        ("spit", {"slap_in": "once"}, "slap_in"),
        ("slapjack", {"tie_ms": -1}, "-1"),
        ("slapjack", {"tie_ms": True}, "True"),
        ("slapjack", {"tie_ms": 1.5}, "1.5"),
        ("slapjack", {"tie_rule": "coin"}, "coin"),
        ("slapjack", {"triggers": ["jakc"]}, "jakc"),
        ("slapjack", {"triggers": "jack"}, "jack"),
        ("slapjack", {"own_last_card_counts": 1}, "true or false"),
        ("ratscrew", {"challenge": {"J": 0}}, "'J': 0"),
        ("ratscrew", {"challenge": {"Z": 1}}, "'Z'"),
        ("ratscrew", {"challenge": 3}, "3"),
        ("ratscrew", {"challenge": [1]}, "[1]"),
        ("ratscrew", {"triggers": [["pair"]]}, "pair"),
        ("ratscrew", {"slap_in": ["once"]}, "once"),
    ],
)
def test_unknown_settings_are_refused_in_one_sentence(
    game: str, options: dict[str, object], named: str
) -> None:
    with pytest.raises(BadRules) as caught:
        house_rules(game, options)
    assert named in str(caught.value)
    assert "expected" in str(caught.value)


@pytest.mark.parametrize("start", [Deal(dealer="Z"), Position(counts=(("Z", 3),))])
def test_start_with_a_stranger_is_refused(start: Deal | Position) -> None:
    with pytest.raises(BadRules, match="'Z'"):
        Referee("slapjack", "AB", None, start)


def test_observation_of_a_stranger_is_refused_and_not_logged() -> None:
    referee = Referee("slapjack", "AB")
    with pytest.raises(BadLog, match="'Z'"):
        referee.observe(Slap(5, "Z"))
    with pytest.raises(BadLog, match="'moon'"):
        referee.observe(Watermark(5, "moon"))
    with pytest.raises(BadLog, match="'Z'"):
        referee.observe(Penalty(5, "A", "Z", 1))
    with pytest.raises(BadLog, match="'perhaps'"):
        referee.observe(TableAnswer(5, "perhaps"))
    assert referee.log == []


@pytest.mark.parametrize(
    "record",
    [
        3,
        {},
        {"kind": "slap"},
        {"kind": "slap", "t_ns": "soon", "player": "A"},
        {"kind": "slap", "t_ns": 1.5, "player": "A"},
        {"kind": ["slap"], "t_ns": 1, "player": "A"},
        {"kind": "flip", "t_ns": 1, "card": None},
        {"kind": "judge", "ruling": "nonsense", "t_ns": 1},
        {"kind": "burn", "t_ns": 1, "player": "A", "cards": "JS"},
    ],
)
def test_bad_record_is_refused(record: object) -> None:
    with pytest.raises((BadLog, BadNotation)):
        observation_from_record(record)


@pytest.mark.parametrize(
    "record",
    [
        None,
        {"schema": 2},
        {"schema": 1},
        {"schema": 1, "game": "slapjack", "players": ["A", "B"], "house_rules": {}},
        {"schema": 1, "game": "slapjack", "players": "AB", "house_rules": {},
         "start": {"kind": "deal"}, "lockout_ms": 0},
        {"schema": 1, "game": "slapjack", "players": ["A", "B"], "house_rules": {},
         "start": {"kind": ["deal"]}, "lockout_ms": 0},
        {"schema": 1, "game": ["slapjack"], "players": ["A", "B"], "house_rules": {},
         "start": {"kind": "deal"}, "lockout_ms": 0},
    ],
)  # fmt: skip
def test_bad_start_of_a_log_is_refused(record: object) -> None:
    with pytest.raises(BadLog):
        header_from_record(record)


@pytest.mark.parametrize(
    "seen",
    [
        Flip(5, parse_card("JS"), early_ns=3),
        Slap(5, "A", early_ns=3),
        Watermark(5, "pads"),
        VoidSlap(7, "A", 5),
        CardIs(7, parse_card("??"), 5),
        Burn(7, "A", (parse_card("JS"), parse_card("XR"))),
        TableAnswer(7, "slap"),
        SpitCard(7, "A", parse_card("2D")),
    ],
    ids=lambda seen: f"{seen.kind}-{getattr(seen, 'ruling', '')}",
)
def test_record_is_read_back_as_it_was(seen: Observation) -> None:
    assert observation_from_record(json.loads(json.dumps(to_record(seen)))) == seen
