"""Egyptian Ratscrew without slaps: payment alone, checked against a second, simpler program.

The game of payments for two (camicia, beggar my neighbour): J 1, Q 2, K 3, A 4, no triggers, a
player who cannot pay loses the pile.
"""

from __future__ import annotations

from collections import deque
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import Card, deck_of_52
from referee.rules.events import Flip, Watermark
from referee.rules.house_rules import house_rules
from referee.rules.position import Position
from referee.rules.referee import Referee
from referee.rules.verdicts import ChallengeWon, Cycling, GameOver, PileReturned, Verdict

MS = 1_000_000
OWED = {"J": 1, "Q": 2, "K": 3, "A": 4}
MOST_CARDS = 20_000


def _card(text: str, place: int) -> Card:
    """A card of its own: `place` keeps equal ranks apart."""
    return Card("9" if text == "-" else text, "SHDC"[place % 4])


def _plain(one: str, other: str) -> tuple[list[tuple[str, int]], str]:
    """Every trick (winner, cards) and how it ends: the rule in its shortest form."""
    hands = {"A": deque(one.split()), "B": deque(other.split())}
    pile: list[str] = []
    tricks: list[tuple[str, int]] = []
    seen = set()
    turn, owes = "A", 0
    while True:
        rival = "B" if turn == "A" else "A"
        state = (turn, tuple(hands["A"]), tuple(hands["B"]))
        if not pile:
            if state in seen:
                return tricks, "cycling"
            seen.add(state)
        if not hands[turn]:
            tricks.append((rival, len(pile)))
            return tricks, rival
        card = hands[turn].popleft()
        pile.append(card)
        if card in OWED:
            owes, turn = OWED[card], rival
        elif owes > 1:
            owes -= 1
        elif owes == 1:
            tricks.append((rival, len(pile)))
            hands[rival].extend(pile)
            pile, owes, turn = [], 0, rival
            if not hands["A"] or not hands["B"]:
                return tricks, rival
        else:
            turn = rival


def _refereed(one: str, other: str) -> tuple[list[tuple[str, int]], str]:
    """The same game through the referee, which only sees flips."""
    hands = {"A": one.split(), "B": other.split()}
    stocks = {
        player: deque(_card(text, place) for place, text in enumerate(hand))
        for player, hand in hands.items()
    }
    rules = house_rules("ratscrew", {"triggers": [], "broke_payer": "challenger_wins", "decks": 2})
    counts = tuple((player, len(hand)) for player, hand in hands.items())
    referee = Referee("ratscrew", "AB", rules, Position(counts=counts, to_act="A"), lockout_ms=0)
    pile: list[Card] = []
    tricks: list[tuple[str, int]] = []
    for number in range(MOST_CARDS):
        player = referee.table.to_act
        assert player is not None
        card = stocks[player].popleft()
        pile.append(card)
        t_ns = (number + 1) * MS
        said: list[Verdict] = referee.observe(Flip(t_ns, card))
        for source in ("pads", "camera"):
            said += referee.observe(Watermark(t_ns, source))
        for verdict in said:
            if isinstance(verdict, ChallengeWon | PileReturned):
                tricks.append((verdict.player, len(pile)))
                stocks[verdict.player].extend(pile)
                pile = []
            if isinstance(verdict, GameOver):
                return tricks, verdict.player
            if isinstance(verdict, Cycling):
                return tricks, "cycling"
    raise AssertionError("the game neither ends nor repeats itself")


@pytest.mark.parametrize(
    ("one", "other", "winner", "tricks"),
    [
        ("J 2 3", "4 5 6", "A", 2),
        ("2 3", "4 J", "B", 1),
        ("K 2", "3 4 5 6", "A", 2),
        ("A", "2 3 4 5", "A", 1),
        ("Q 2 3", "4 J 5", "B", 2),
    ],
)
def test_small_game_is_won_by_payment(one: str, other: str, winner: str, tricks: int) -> None:
    taken, end = _refereed(one, other)
    assert (end, len(taken)) == (winner, tricks)


def _is_prefix(short: list[tuple[str, int]], long: list[tuple[str, int]]) -> bool:
    return long[: len(short)] == short


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(2, 12))
def test_payment_goes_as_in_the_plain_program(seed: int, n: int, m: int) -> None:
    """Trick by trick; where a player has nothing left to play the referee lets the other go on."""
    random = Random(seed)
    one = " ".join(random.choices(["J", "Q", "K", "A", "2", "3", "4", "5"], k=n))
    other = " ".join(random.choices(["J", "Q", "K", "A", "2", "3", "4", "5"], k=m))
    plain, end = _plain(one, other)
    taken, refereed_end = _refereed(one, other)
    if end == "cycling":
        assert refereed_end == "cycling"
        assert _is_prefix(plain, taken)
    else:
        assert _is_prefix(plain[:-1], taken)
        assert refereed_end in (end, "cycling")
        assert taken[len(plain) - 1][0] == end


def test_whole_deck_ends_or_is_announced_as_cycling() -> None:
    cards = [card.rank for card in deck_of_52()]
    for seed in range(6):
        Random(seed).shuffle(cards)
        _, end = _refereed(" ".join(cards[:26]), " ".join(cards[26:]))
        assert end in ("A", "B", "cycling")
