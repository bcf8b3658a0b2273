"""Spit: whole games of legal players, seen only by two cameras and two pads."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import Card, deck_of_52
from referee.rules.events import Choose, Cleared, Flip, Observation, Slap
from referee.rules.house_rules import HouseRules
from referee.rules.referee import Referee
from referee.rules.spit import Spit
from referee.rules.spit_layout import lay_out
from referee.rules.spit_ranks import fits
from referee.rules.spit_stacks import Stacks, can_turn_up, deal_face_down, why_not_moved
from referee.rules.spit_table import deal_for_round
from referee.rules.verdicts import (
    BothStuck,
    Cycling,
    Deadlock,
    GameOver,
    Go,
    LegalPlay,
    PileChoice,
    Recount,
    RoundOver,
    Verdict,
)

STEP_NS = 1_200_000_000
"""Time between two things that happen: longer than a race."""

ROUNDS = 400
"""No game of random players that was tried took more than 60 rounds."""


@dataclass
class _Player:
    """Somebody who knows his cards."""

    cards: list[Card]
    stacks: Stacks = field(default_factory=lambda: Stacks(()))
    deck: list[Card] = field(default_factory=list)

    def lay_out(self) -> None:
        laid, at, stacks = lay_out(len(self.cards)), 0, []
        for size in laid.stacks:
            stacks.append(self.cards[at : at + size])
            at += size
        self.stacks, self.deck = deal_face_down(stacks), self.cards[at:]

    def all_cards(self, pile: list[Card]) -> list[Card]:
        return [c for stack in self.stacks.places for c in stack.cards] + self.deck + pile


class _World:
    """Two players who always play legally, at random, and a referee who sees the piles."""

    def __init__(self, random: Random, hands_seen: bool) -> None:
        cards = list(deck_of_52())
        random.shuffle(cards)
        self.random, self.hands_seen = random, hands_seen
        self.people = {"Ann": _Player(cards[:26]), "Bo": _Player(cards[26:])}
        table = deal_for_round(("Ann", "Bo"), {"Ann": 26, "Bo": 26}, partial_stack=True)
        self.spit = Spit(table, HouseRules())
        self.now_ns = 0
        self.told: list[Observation] = []
        self.said: list[Verdict] = []
        self._lay_out()

    def _lay_out(self) -> None:
        for player in self.people.values():
            player.lay_out()
        single = any(not player.deck for player in self.people.values())
        self.piles: list[list[Card]] = [[] for _ in range(1 if single else 2)]

    def _own_pile(self, name: str) -> int:
        return 0 if len(self.piles) == 1 else list(self.people).index(name)

    def tell(self, *observations: Observation) -> list[Verdict]:
        said: list[Verdict] = []
        for observation in observations:
            said += self.spit.receive(observation)
        self.told += observations
        self.now_ns += STEP_NS
        said += self.spit.close(self.now_ns)
        self.said += said
        self._check_conservation()
        return said

    def _check_conservation(self) -> None:
        assert self.spit.state.all_cards() == 52

    def turn_deck_cards(self, names: tuple[str, ...]) -> None:
        said: list[Verdict] = []
        for name in names:
            pile, card = self._own_pile(name), self.people[name].deck.pop(0)
            self.piles[pile].append(card)
            said = self.tell(Flip(self.now_ns, card, pile=pile))
        assert any(isinstance(verdict, Go) for verdict in said), said

    def _plays(self, name: str) -> list[tuple[int, int]]:
        return [
            (place, pile)
            for place, stack in enumerate(self.people[name].stacks.places)
            for pile, cards in enumerate(self.piles)
            if stack.top and fits(stack.top, cards[-1], equal_rank=False)
        ]

    def _rearranges(self, name: str) -> bool:
        """Makes a move that turns up a card, or that makes room for one that will."""
        stacks = self.people[name].stacks
        if not can_turn_up(stacks):
            return False
        places = range(len(stacks.places))
        moves = [
            (source, target)
            for source in places
            for target in places
            if why_not_moved(stacks, source, target) is None
            and (stacks.places[source].hidden or stacks.places[target].top)
        ]
        self.people[name].stacks = stacks.moved(*self.random.choice(moves))
        return True

    def play_round(self) -> str | None:
        """Play until a round or the game is over; return who finished or chooses."""
        self.turn_deck_cards(tuple(name for name in self.people if self.people[name].deck))
        while True:
            names = list(self.people)
            self.random.shuffle(names)
            name = next((each for each in names if self._plays(each)), None)
            if name is not None:
                if self._play_a_card(name):
                    return name
            elif not any(self._rearranges(each) for each in names):
                deadlock = self._all_stuck()
                if deadlock is not None:
                    return deadlock.player

    def _play_a_card(self, name: str) -> bool:
        place, pile = self.random.choice(self._plays(name))
        person = self.people[name]
        card = person.stacks.places[place].top
        assert card is not None
        person.stacks = person.stacks.without(place)
        self.piles[pile].append(card)
        seen = name if self.hands_seen else None
        said = self.tell(Flip(self.now_ns, card, player=seen, pile=pile))
        assert isinstance(said[0], LegalPlay), said
        if len(person.stacks):
            return False
        if not self.hands_seen:
            said = self.tell(Slap(self.now_ns, name), Slap(self.now_ns + STEP_NS // 4, name))
        assert any(isinstance(verdict, RoundOver | GameOver) for verdict in said), said
        return True

    def _all_stuck(self) -> Deadlock | None:
        said = self.tell(*(Slap(self.now_ns, name) for name in self.people))
        calls = [verdict for verdict in said if isinstance(verdict, BothStuck | Deadlock)]
        assert calls, "both said that they are stuck"
        if isinstance(calls[0], Deadlock):
            return calls[0]
        self.turn_deck_cards(calls[0].flip)
        return None

    def next_round(self, chooser: str | None) -> bool:
        """The piles change hands. False: the box must ask how many cards are left."""
        chooser = chooser or "Ann"
        other = "Bo" if chooser == "Ann" else "Ann"
        smaller = min(range(len(self.piles)), key=lambda pile: len(self.piles[pile]))
        takes = {chooser: smaller, other: 1 - smaller} if len(self.piles) == 2 else {other: 0}
        if not any(isinstance(verdict, PileChoice) for verdict in self.said[-5:]):
            said = self.tell(Choose(self.now_ns, chooser, takes.get(chooser, 0)))
            if any(isinstance(verdict, Recount) for verdict in said):
                return False
        self.tell(*(Cleared(self.now_ns, pile=pile) for pile in range(2)))
        for name, person in self.people.items():
            pile = self.piles[takes[name]] if name in takes else []
            person.cards = person.all_cards(pile)
            assert self.spit.state.held(name) == len(person.cards)
        self._lay_out()
        return True


def _play_to_the_end(world: _World) -> str:
    """Play rounds until something ends the game; say what."""
    for _ in range(ROUNDS):
        finisher = world.play_round()
        if world.spit.state.winner is not None:
            assert world.spit.state.winner == finisher
            return "winner"
        if not world.next_round(finisher):
            return "recount"
        if any(isinstance(verdict, Cycling) for verdict in world.said):
            return "cycling"
    return "endless"


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_every_game_of_legal_players_ends_or_is_announced(seed: int) -> None:
    assert _play_to_the_end(_World(Random(seed), hands_seen=True)) in ("winner", "cycling")


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_game_without_seen_hands_ends_or_is_announced(seed: int) -> None:
    assert _play_to_the_end(_World(Random(seed), hands_seen=False)) in (
        "winner",
        "cycling",
        "recount",
    )


@pytest.mark.parametrize("hands_seen", [True, False])
def test_winner_holds_no_card_and_the_loser_all_that_is_not_on_the_pile(hands_seen: bool) -> None:
    world = _World(Random(4), hands_seen)
    assert _play_to_the_end(world) == "winner"
    table = world.spit.state
    assert table.winner is not None
    loser = table.other(table.winner)
    assert table.held(table.winner) == 0
    assert table.held(loser) + table.piles[0].size == 52


def test_whole_game_told_in_another_order_ends_the_same() -> None:
    world = _World(Random(7), hands_seen=True)
    _play_to_the_end(world)
    told = list(world.told)
    Random(3).shuffle(told)
    referee = Referee("spit", ("Ann", "Bo"))
    said = [verdict for seen in told for verdict in referee.observe(seen)] + referee.finish()
    assert said[2:] == world.said
    assert referee.table.winner == world.spit.table.winner
