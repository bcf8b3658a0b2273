"""The books: a card that cannot be where it was read asks for a recount, and changes nothing."""

from __future__ import annotations

from random import Random

import pytest

from referee.rules.books import ELSEWHERE, SEEN_TWICE, WRONG_ORDER
from referee.rules.cards import Card, deck_of_52, parse_card
from referee.rules.events import Flip, Observation, Slap, Watermark
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


# --- a card in the air when its flipper had to pay -----------------------------------------------


@pytest.mark.parametrize("game", ["slapjack", "ratscrew"])
@pytest.mark.parametrize("burn", [1, 2])
@pytest.mark.parametrize("seed", range(20))
def test_books_follow_a_table_where_people_slap_with_a_card_in_the_air(
    game: str, burn: int, seed: int
) -> None:
    # The books paid with the card in the air, and asked for a recount of right counts.
    dice = Random(seed)
    table = TrueTable(game, burn, dice)
    for _ in range(150):
        table.turn()
        if table.referee.table.winner is not None:
            break
    assert table.reasons == []
    assert table.lapses > 0
    assert table.books_are_true()


class TrueTable:
    """Three people with real cards, who pay at once when they have slapped wrongly."""

    def __init__(self, game: str, burn: int, dice: Random) -> None:
        cards = list(deck_of_52()[:39])
        dice.shuffle(cards)
        self.dice, self.stocks = dice, {"A": cards[:13], "B": cards[13:26], "C": cards[26:]}
        self.pile: list[Card] = []
        start = Position(counts=tuple((name, 13) for name in "ABC"), to_act="A")
        rules = house_rules(game, {"burn": burn} if game == "ratscrew" else {})
        self.referee = Referee(game, "ABC", rules, start)
        self.ns, self.lapses = 0, 0
        self.reasons: list[str] = []

    def turn(self) -> None:
        """The next card; now and then its flipper slaps while it is still in the air."""
        player = self.referee.table.to_act
        if player is None:
            self._tell(Watermark(self.ns + 5000 * MS, "pads"))
            self._tell(Watermark(self.ns + 5000 * MS, "camera"))
            self.ns += 5000 * MS
            return
        self.ns += 1000 * MS
        card = self.stocks[player].pop(0)
        can_pay = len(self.stocks[player]) > 2
        if can_pay and self.dice.random() < 0.3 and self.referee.table.trigger is None:
            self.lapses += 1
            self._tell(Slap(self.ns - 100 * MS, player, early_ns=5 * MS))
            self._promise(self.ns - 20 * MS)
        self.pile.append(card)
        self._tell(Flip(self.ns, card, early_ns=17 * MS))
        self._promise(self.ns + 200 * MS)
        if self.dice.random() < 0.2:
            self._tell(Slap(self.ns + 300 * MS, self.dice.choice("ABC"), early_ns=5 * MS))
        self._promise(self.ns + 600 * MS)

    def _promise(self, ns: int) -> None:
        self._tell(Watermark(ns, "camera"))
        self._tell(Watermark(ns, "pads"))

    def _tell(self, seen: Observation) -> None:
        for verdict in self.referee.observe(seen):
            if isinstance(verdict, Recount):
                self.reasons.append(verdict.reason)
            for moved in getattr(verdict, "cards_moved", ()):
                self._move(moved.source, moved.target, moved.n)

    def _move(self, source: str, target: str, n: int) -> None:
        if source == "pile":
            self.stocks[target] += self.pile
            self.pile = []
            return
        for _ in range(n):
            card = self.stocks[source].pop(0)
            if target == "pile_bottom":
                self.pile.insert(0, card)
            else:
                self.stocks[target].append(card)

    def books_are_true(self) -> bool:
        """What the books know of every stock is so."""
        books = self.referee._game.books  # type: ignore[attr-defined]
        for seat, name in enumerate("ABC"):
            row: list[Card | None] = []
            for one in books._stocks[seat]:
                row += [one] if isinstance(one, Card) else [None] * one
            if len(row) != len(self.stocks[name]):
                return False
            pairs = zip(row, self.stocks[name], strict=True)
            if any(known is not None and known != card for known, card in pairs):
                return False
        return True
