"""The table's word: corrections replay the log, and what changed is announced."""

from __future__ import annotations

from dataclasses import replace

from referee.rules.cards import UNREAD, parse_card
from referee.rules.events import (
    Award,
    CardIs,
    Flip,
    HiddenCard,
    Observation,
    Penalty,
    Slap,
    TableAnswer,
    Undo,
    VoidFlip,
    VoidSlap,
)
from referee.rules.house_rules import HouseRules, house_rules
from referee.rules.position import Position
from referee.rules.referee import Referee
from referee.rules.verdicts import CardSeen, Verdict

MS = 1_000_000


def _flip(ms: int, card: str) -> Flip:
    return Flip(ms * MS, parse_card(card))


def _slap(ms: int, player: str) -> Slap:
    return Slap(ms * MS, player)


def _play(
    *log: Observation, rules: HouseRules | None = None, game: str = "slapjack", cards: int = 5
) -> tuple[list[str], Referee]:
    """Kinds of the verdicts, the box's own view of cards left out, and the referee."""
    start = Position(
        counts=(("A", cards), ("B", cards), ("C", cards)),
        pile=(parse_card("3H"),),
        last_flipper="C",
        to_act="A",
    )
    referee = Referee(game, "ABC", rules or house_rules(game), start)
    said: list[Verdict] = []
    for seen in log:
        said += referee.observe(seen)
    said += referee.finish()
    return [v.kind for v in said if not isinstance(v, CardSeen)], referee


def test_undo_of_a_won_pile_gives_it_to_the_next_hand() -> None:
    said, referee = _play(_flip(1000, "JS"), _slap(1300, "B"), _slap(1340, "C"), Undo(5000 * MS))
    assert said == ["valid_slap", "late_slap", "correction", "ignored_slap", "valid_slap"]
    assert dict(referee.table.counts) == {"A": 4, "B": 5, "C": 7}


def test_undo_of_a_false_slap_gives_the_card_back() -> None:
    said, referee = _play(_flip(1000, "9S"), _slap(1300, "B"), Undo(5000 * MS))
    assert said == ["false_slap", "correction", "ignored_slap"]
    assert dict(referee.table.counts) == {"A": 4, "B": 5, "C": 5}


def test_undo_twice_goes_back_two_verdicts() -> None:
    log = (_flip(1000, "9S"), _slap(1300, "B"), _slap(1400, "C"))
    _, referee = _play(*log, Undo(5000 * MS), Undo(6000 * MS))
    assert dict(referee.table.counts) == {"A": 4, "B": 5, "C": 5}


def test_undo_of_a_judges_award_takes_it_back() -> None:
    said, referee = _play(_flip(1000, "9S"), Award(2000 * MS, "B"), Undo(5000 * MS))
    assert said == ["judge_award", "correction"]
    assert (dict(referee.table.counts)["B"], referee.table.pile) == (5, 2)


def test_undo_of_a_split_strikes_all_tied_hands() -> None:
    rules = replace(HouseRules(), tie_rule="split")
    said, referee = _play(
        _flip(1000, "JS"), _slap(1300, "B"), _slap(1300, "C"), Undo(5000 * MS), rules=rules
    )
    assert said == ["tie", "split", "correction", "ignored_slap", "ignored_slap"]
    assert referee.table.pile == 2


def test_undo_of_a_paid_demand_strikes_the_last_payment_card() -> None:
    said, referee = _play(_flip(1000, "JS"), _flip(2000, "5S"), Undo(5000 * MS), game="ratscrew")
    assert said == ["challenge", "challenge_won", "correction", "voided_flip"]
    assert referee.table.challenge == ("A", "B", 1)


def test_undo_with_nothing_to_undo_changes_nothing() -> None:
    said, referee = _play(_flip(1000, "5S"), Undo(5000 * MS))
    assert said == ["correction"]
    assert referee.table.pile == 2


def test_voided_slap_of_an_earlier_tie_announces_the_winner_before_it() -> None:
    rules = replace(HouseRules(), tie_ms=20)
    said, referee = _play(
        _flip(1000, "JS"),
        _slap(1300, "B"),
        _slap(1310, "C"),
        VoidSlap(5000 * MS, "C", 1310 * MS),
        rules=rules,
    )
    assert said == ["tie", "correction", "valid_slap", "ignored_slap"]
    assert dict(referee.table.counts)["B"] == 7


def test_corrections_add_up() -> None:
    _, referee = _play(
        _flip(1000, "JS"),
        _slap(1300, "B"),
        _slap(1340, "C"),
        _slap(1350, "A"),
        VoidSlap(5000 * MS, "B", 1300 * MS),
        VoidSlap(6000 * MS, "C", 1340 * MS),
    )
    assert dict(referee.table.counts) == {"A": 6, "B": 5, "C": 5}


def test_misread_queen_becomes_a_jack_and_the_penalty_is_taken_back() -> None:
    said, referee = _play(
        _flip(1000, "QS"),
        _slap(1300, "B"),
        CardIs(5000 * MS, parse_card("JS"), 1000 * MS),
        _flip(6000, "4S"),
    )
    assert said == ["false_slap", "correction", "valid_slap"]
    assert dict(referee.table.counts) == {"A": 4, "B": 6, "C": 5}


def test_struck_flip_is_played_again_by_the_same_player() -> None:
    _, referee = _play(_flip(1000, "5S"), VoidFlip(2000 * MS, 1000 * MS))
    assert referee.table.to_act == "A"


def test_correction_of_something_unknown_changes_nothing() -> None:
    said, referee = _play(_flip(1000, "5S"), VoidFlip(2000 * MS, 999 * MS))
    assert said == ["correction"]
    assert referee.table.pile == 2


def test_answer_settles_slaps_on_an_unread_card() -> None:
    log = (Flip(1000 * MS, UNREAD), _slap(1300, "B"), _slap(1400, "C"))
    won, _ = _play(*log, TableAnswer(5000 * MS, "slap"))
    paid, _ = _play(*log, TableAnswer(5000 * MS, "no_slap"))
    let, _ = _play(*log, TableAnswer(5000 * MS, "let"))
    assert won[-1] == "valid_slap"
    assert paid[-2:] == ["false_slap", "false_slap"]
    assert let[-1] == "let"


def test_judge_cannot_give_cards_to_a_player_who_is_out() -> None:
    rules = replace(HouseRules(), slap_in="never")
    said, referee = _play(
        _flip(1000, "5S"),
        Award(2000 * MS, "A"),
        Penalty(3000 * MS, "B", "A", 1),
        rules=rules,
        cards=1,
    )
    assert said[:2] == ["eliminated", "judge_award"]
    assert dict(referee.table.counts)["A"] == 0


def test_penalty_takes_no_more_than_there_is() -> None:
    _, referee = _play(Penalty(1000 * MS, "B", "C", 9))
    assert dict(referee.table.counts) == {"A": 5, "B": 0, "C": 10}


def test_hidden_card_of_the_payer_passes_the_demand_on() -> None:
    said, _ = _play(_flip(1000, "QS"), HiddenCard(2000 * MS, "B", 5), game="ratscrew")
    assert said == ["challenge", "count_fixed", "out_of_cards", "challenge"]
