"""Spit: stock piles, legal cards and the exact search of "blocked"."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import RANKS, Card, deck_of_52, parse_card
from referee.rules.spit_layout import lay_out
from referee.rules.spit_ranks import are_neighbours, fits
from referee.rules.spit_stacks import (
    Stack,
    Stacks,
    can_play,
    deal_face_down,
    is_blocked,
    why_not_moved,
)


def _stacks(*stacks: str) -> Stacks:
    """Stock piles by notation, bottom first: `_stacks("KC 7S", "5H")`."""
    return deal_face_down([parse_card(card) for card in stack.split()] for stack in stacks)


def _tops(*cards: str) -> list[Card]:
    return [parse_card(card) for card in cards]


@pytest.mark.parametrize(
    ("one", "other"), [("A", "2"), ("A", "K"), ("Q", "K"), ("10", "J"), ("9", "10")]
)
def test_ranks_that_follow_each_other_are_neighbours(one: str, other: str) -> None:
    assert are_neighbours(one, other)
    assert are_neighbours(other, one)


def test_every_rank_has_exactly_two_neighbours() -> None:
    for rank in RANKS:
        assert sum(are_neighbours(rank, other) for other in RANKS) == 2


def test_joker_and_unread_card_are_nobodys_neighbours() -> None:
    assert not are_neighbours("X", "A")
    assert not are_neighbours("?", "?")


def test_equal_rank_fits_only_by_house_rule() -> None:
    six, other_six = parse_card("6D"), parse_card("6C")
    assert not fits(six, other_six, equal_rank=False)
    assert fits(six, other_six, equal_rank=True)


def test_nothing_fits_on_an_empty_pile() -> None:
    assert not fits(parse_card("6D"), None, equal_rank=True)


@pytest.mark.parametrize(
    ("cards", "partial", "stacks", "deck"),
    [
        (26, True, (1, 2, 3, 4, 5), 11),
        (15, True, (1, 2, 3, 4, 5), 0),
        (14, True, (1, 2, 3, 4, 4), 0),
        (14, False, (1, 2, 3, 4), 4),
        (10, False, (1, 2, 3, 4), 0),
        (1, True, (1,), 0),
        (2, False, (1,), 1),
        (0, True, (), 0),
    ],
)
def test_cards_are_laid_out_as_far_as_they_reach(
    cards: int, partial: bool, stacks: tuple[int, ...], deck: int
) -> None:
    laid = lay_out(cards, partial_stack=partial)
    assert (laid.stacks, laid.deck) == (stacks, deck)


def test_played_card_turns_up_the_next_one() -> None:
    left = _stacks("2C 3C 9D").without(0)
    assert left.places[0].top == parse_card("3C")
    assert left.places[0].hidden == 1


def test_moved_card_lies_on_the_equal_rank_and_frees_the_next() -> None:
    moved = _stacks("5H", "KC 5S").moved(1, 0)
    assert [stack.top for stack in moved.places] == _tops("5S", "KC")
    assert [stack.hidden for stack in moved.places] == [0, 0]


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        (0, 1, "rank"),
        (1, 2, None),
        (2, 1, None),
        (0, 3, None),
        (3, 0, "empty_source"),
        (7, 0, "empty_source"),
        (0, 7, "rank"),
        (0, 0, "rank"),
    ],
)
def test_move_goes_onto_an_equal_rank_or_an_empty_place(
    source: int, target: int, reason: str | None
) -> None:
    stacks = _stacks("9H", "KC 5S", "5D", "")
    assert why_not_moved(stacks, source, target) == reason


# --- blocked, against a search through every sequence of moves ------------------------------------


def _canonical(stacks: Stacks) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Which place a stock pile has does not matter, nor do suits."""
    return tuple(
        sorted((stack.hidden, tuple(card.rank for card in stack.cards)) for stack in stacks.places)
    )


def _hidden(stacks: Stacks) -> int:
    return sum(stack.hidden for stack in stacks.places)


def _blocked_by_search(stacks: Stacks, tops: list[Card], equal_rank: bool) -> bool:
    """Try all sequences of own moves: does one turn up a card or bring a playable one on top?"""
    if can_play(stacks, tops, equal_rank=equal_rank):
        return False
    seen, waiting = {_canonical(stacks)}, [stacks]
    while waiting:
        now = waiting.pop()
        places = range(len(now.places))
        for source, target in ((a, b) for a in places for b in places):
            if why_not_moved(now, source, target) is not None:
                continue
            after = now.moved(source, target)
            if _hidden(after) < _hidden(stacks) or can_play(after, tops, equal_rank=equal_rank):
                return False
            if _canonical(after) not in seen:
                seen.add(_canonical(after))
                waiting.append(after)
    return True


@st.composite
def _positions(draw: st.DrawFn) -> tuple[Stacks, list[Card]]:
    """Stock piles in the middle of a round: laid out, then played and moved at random."""
    ranks = draw(st.sampled_from([RANKS[:4], RANKS[:7], RANKS]))
    deck = [card for card in deck_of_52() if card.rank in ranks]
    cards = draw(st.permutations(deck))
    sizes = draw(st.lists(st.integers(0, 4), min_size=1, max_size=5))
    stacks, at = [], 0
    for size in sizes:
        stacks.append(cards[at : at + size])
        at += size
    position = deal_face_down(stacks)
    for _ in range(draw(st.integers(0, 6))):
        filled = [place for place, stack in enumerate(position.places) if stack.top]
        if not filled:
            break
        source = draw(st.sampled_from(filled))
        targets = [
            target
            for target in range(len(sizes))
            if why_not_moved(position, source, target) is None
        ]
        chosen = draw(st.sampled_from([None, *targets]))
        position = position.without(source) if chosen is None else position.moved(source, chosen)
    return position, draw(st.lists(st.sampled_from(deck_of_52()), min_size=1, max_size=2))


@settings(max_examples=150, deadline=None)
@given(position=_positions(), equal_rank=st.booleans())
def test_blocked_is_what_a_search_through_all_moves_finds(
    position: tuple[Stacks, list[Card]], equal_rank: bool
) -> None:
    stacks, tops = position
    found = _blocked_by_search(stacks, tops, equal_rank)
    assert is_blocked(stacks, tops, equal_rank=equal_rank) == found


@settings(max_examples=80, deadline=None)
@given(position=_positions())
def test_open_cards_of_one_stock_pile_share_a_rank(position: tuple[Stacks, list[Card]]) -> None:
    for stack in position[0].places:
        assert len({card.rank for card in stack.cards[stack.hidden :]}) <= 1


@pytest.mark.parametrize(
    ("stacks", "tops", "blocked"),
    [
        (("2H", "4C", "4H"), ("7S", "9D"), True),  # two lone cards combined help nobody
        (("2H", "4C", "KH 4H"), ("7S", "9D"), False),  # combining turns up the king
        (("KD 9S", ""), ("2S", "7S"), False),  # an empty place turns up the king
        (("KC", ""), ("9H", "4C"), True),  # a lone card slides for ever
        (("2S", "KC 7C"), ("9H", "4C"), True),
        (("8S",), ("9H", "4C"), False),
    ],
)
def test_blocked_at_the_table(
    stacks: tuple[str, ...], tops: tuple[str, ...], blocked: bool
) -> None:
    assert is_blocked(_stacks(*stacks), _tops(*tops), equal_rank=False) is blocked


def test_empty_stack_has_no_top() -> None:
    assert Stack().top is None
