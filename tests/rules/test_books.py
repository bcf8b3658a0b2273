"""The books: a card that cannot be where it was read asks for a recount, and changes nothing."""

from __future__ import annotations

from referee.rules.books import ELSEWHERE, SEEN_TWICE, WRONG_ORDER
from referee.rules.cards import parse_card
from referee.rules.events import Flip, Observation, Slap
from referee.rules.house_rules import house_rules
from referee.rules.position import Position
from referee.rules.referee import Referee
from referee.rules.verdicts import Recount

MS = 1_000_000


def _reasons(*log: Observation, cards: int = 3, **options: object) -> list[str]:
    start = Position(counts=(("A", cards), ("B", cards)), to_act="A")
    referee = Referee("slapjack", "AB", house_rules("slapjack", options), start)
    said = [verdict for seen in log for verdict in referee.observe(seen)]
    said += referee.finish()
    return [verdict.reason for verdict in said if isinstance(verdict, Recount)]


def _flips(*cards: str, first: int = 1) -> list[Flip]:
    return [Flip((first + place) * 1000 * MS, parse_card(card)) for place, card in enumerate(cards)]


def _won_by_b() -> list[Observation]:
    """B wins 7H and JS and has them under his other cards; A is next."""
    return [*_flips("7H", "JS"), Slap(2500 * MS, "B")]


def test_card_seen_twice_on_the_pile_is_a_recount() -> None:
    assert _reasons(*_flips("7H", "8S", "7H")) == [SEEN_TWICE]


def test_card_seen_twice_in_two_decks_is_fine() -> None:
    assert _reasons(*_flips("7H", "8S", "7H"), decks=2) == []


def test_card_that_another_holds_is_a_recount() -> None:
    assert _reasons(*_won_by_b(), *_flips("JS", first=3)) == [ELSEWHERE]


def test_won_cards_that_come_back_in_order_are_fine() -> None:
    later = _flips("2S", "4D", "3S", "5D", "5S", "8D", "7H", "JS", first=3)
    assert _reasons(*_won_by_b(), *later, cards=4) == []


def test_won_cards_that_come_back_too_early_are_a_recount_once() -> None:
    later = _flips("2S", "7H", "3S", "JS", first=3)
    assert _reasons(*_won_by_b(), *later, cards=4) == [WRONG_ORDER]


def test_won_cards_that_come_back_in_another_order_are_a_recount_once() -> None:
    later = _flips("2S", "4D", "3S", "5D", "5S", "8D", "JS", "7H", first=3)
    assert _reasons(*_won_by_b(), *later, cards=4) == [WRONG_ORDER]


def test_shuffled_pile_has_no_order() -> None:
    wrong = [*_won_by_b(), *_flips("2S", "4D", "3S", "5D", "6S", "JS", first=3)]
    assert _reasons(*wrong, cards=4, won_pile="shuffle") == []


def test_recount_changes_no_verdict() -> None:
    start = Position(counts=(("A", 5), ("B", 5)), to_act="A")
    ends = []
    for third in ("7H", "9H"):
        referee = Referee("slapjack", "AB", house_rules("slapjack"), start)
        for seen in _flips("7H", "8S", third):
            referee.observe(seen)
        referee.finish()
        ends.append((referee.table.counts, referee.table.pile, referee.table.to_act))
    assert ends[0] == ends[1]
