"""Whole games of people who flip, slap and err: a state machine, and games to their end."""

from __future__ import annotations

from collections import deque
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from table_logs import CARDS, MS, rules_for

from referee.rules.cards import Card, deck_of_52
from referee.rules.events import Flip, Observation, Slap, Watermark
from referee.rules.house_rules import HouseRules, house_rules
from referee.rules.measure import race_scores, synthetic_log
from referee.rules.position import Deal, Position
from referee.rules.record import Header
from referee.rules.referee import Referee, replay
from referee.rules.verdicts import (
    BackIn,
    Cycling,
    Dealt,
    Eliminated,
    GameOver,
    LateEvent,
    Recount,
    Verdict,
)

PLAYERS = ("Ann", "Bo", "Cleo")


class TableOfThree(RuleBasedStateMachine):
    """Three people, any house rules; after each step the books must be right."""

    @initialize(data=st.data())
    def sit_down(self, data: st.DataObject) -> None:
        game = data.draw(st.sampled_from(("slapjack", "ratscrew")))
        rules = data.draw(rules_for(game))
        counts = tuple((player, data.draw(st.integers(1, 6))) for player in PLAYERS)
        start = Position(counts=counts, to_act="Ann")
        self.header = Header(
            game=game, players=PLAYERS, house_rules=rules, start=start, lockout_ms=0
        )
        self.referee = Referee(game, PLAYERS, rules, start, lockout_ms=0)
        self.total = sum(n for _, n in counts)
        self.now_ns = 1000 * MS
        self.said: list[Verdict] = []
        self.fallen: list[str] = []

    def _observe(self, seen: Observation) -> None:
        said = self.referee.observe(seen)
        for source in ("pads", "camera"):
            said += self.referee.observe(Watermark(self.now_ns + 10 * MS, source))
        self.said += said
        self.fallen += [v.player for v in said if isinstance(v, Eliminated)]

    @rule(card=st.sampled_from(CARDS), wait=st.integers(20, 2500))
    def flip(self, card: Card, wait: int) -> None:
        self.now_ns += wait * MS
        self._observe(Flip(self.now_ns, card))

    @rule(player=st.sampled_from(PLAYERS), wait=st.integers(20, 2500))
    def slap(self, player: str, wait: int) -> None:
        self.now_ns += wait * MS
        self._observe(Slap(self.now_ns, player))

    @precondition(lambda self: hasattr(self, "referee") and self.referee.table.trigger is not None)
    @rule(player=st.sampled_from(PLAYERS))
    def slap_the_trigger(self, player: str) -> None:
        self.now_ns += 250 * MS
        self._observe(Slap(self.now_ns, player))

    @invariant()
    def cards_are_conserved(self) -> None:
        view = self.referee.table
        assert sum(n for _, n in view.counts) + view.pile == self.total

    @invariant()
    def nobody_out_holds_cards_or_comes_back(self) -> None:
        counts = dict(self.referee.table.counts)
        assert all(counts[player] == 0 for player in self.fallen)
        assert len(self.fallen) == len(set(self.fallen))
        fell_at = {v.player: n for n, v in enumerate(self.said) if isinstance(v, Eliminated)}
        for number, verdict in enumerate(self.said):
            if isinstance(verdict, BackIn) and verdict.player in fell_at:
                assert number < fell_at[verdict.player]

    @invariant()
    def there_is_at_most_one_winner(self) -> None:
        overs = [v for v in self.said if isinstance(v, GameOver)]
        assert len(overs) <= 1
        if overs:
            assert self.referee.table.winner == overs[0].player
            assert set(self.referee.table.placing or ()) == set(PLAYERS)

    def teardown(self) -> None:
        if hasattr(self, "referee"):
            self.said += self.referee.finish()
            assert replay(self.header, self.referee.log) == self.said


TestTableOfThree = TableOfThree.TestCase
TestTableOfThree.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)


# --- to the end ----------------------------------------------------------------------------------


class _People:
    """They stack as the rules say, slap what they see, and sometimes err."""

    def __init__(self, game: str, rules: HouseRules, seed: int, care: float) -> None:
        self.random, self.care = Random(seed), care
        cards = list(deck_of_52())
        self.random.shuffle(cards)
        self.referee = Referee(game, PLAYERS, rules, Deal(dealer="Cleo"))
        self.stocks: dict[str, deque[Card]] = {player: deque() for player in PLAYERS}
        for place, card in enumerate(cards):
            self.stocks[PLAYERS[place % 3]].append(card)
        self.pile: deque[Card] = deque()
        self.now_ns = 0

    def play(self, most: int) -> Verdict | None:
        """The verdict that ends the game, or None."""
        for _ in range(most):
            self.now_ns += 3000 * MS
            log: list[Observation] = []
            player = self.referee.table.to_act
            if player is not None:
                card = self.stocks[player].popleft()
                self.pile.append(card)
                log.append(Flip(self.now_ns, card))
            end = self._hear(log) or self._hear(self._slaps())
            if end is not None:
                return end
        return None

    def _slaps(self) -> list[Observation]:
        wish = self.care if self.referee.table.trigger else 0.01
        return [
            Slap(self.now_ns + self.random.randrange(200, 900) * MS, player)
            for player in PLAYERS
            if self.random.random() < wish
        ]

    def _hear(self, log: list[Observation]) -> Verdict | None:
        mark_ns = self.now_ns + (1000 if log and isinstance(log[0], Slap) else 0) * MS
        marks = [Watermark(mark_ns, source) for source in ("pads", "camera")]
        said = [v for seen in (*log, *marks) for v in self.referee.observe(seen)]
        for verdict in said:
            assert not isinstance(verdict, Recount | LateEvent)
            if not isinstance(verdict, Dealt):
                self._move(verdict)
        return next((v for v in said if isinstance(v, GameOver | Cycling)), None)

    def _move(self, verdict: Verdict) -> None:
        for moved in getattr(verdict, "cards_moved", ()):
            source = self.stocks.get(moved.source, self.pile)
            for _ in range(moved.n):
                card = source.popleft()
                if moved.target == "pile_bottom":
                    self.pile.appendleft(card)
                else:
                    self.stocks[moved.target].append(card)


@pytest.mark.parametrize("game", ["slapjack", "ratscrew"])
@pytest.mark.parametrize("seed", range(4))
def test_every_game_of_people_who_slap_ends(game: str, seed: int) -> None:
    people = _People(game, house_rules(game), seed, care=0.8)
    end = people.play(5000)
    assert isinstance(end, GameOver)


@pytest.mark.parametrize("seed", range(4))
def test_every_game_of_payment_alone_ends_or_is_announced_as_cycling(seed: int) -> None:
    rules = house_rules("ratscrew", {"triggers": []})
    people = _People("ratscrew", rules, seed, care=0.0)
    people.random.random = lambda: 1.0  # type: ignore[method-assign]
    assert isinstance(people.play(20_000), GameOver | Cycling)


# --- for measuring -------------------------------------------------------------------------------


@pytest.mark.parametrize("doubt", ["benefit", "let"])
def test_random_races_have_no_wrong_winner_outside_declared_doubt(doubt: str) -> None:
    scores = list(race_scores(1500, seed=7, doubt=doubt))
    total = sum(scores[1:], scores[0])
    assert total.slaps >= 1500
    assert (total.wrong_wins, total.wrong_falses) == (0, 0)
    assert min(total.wins, total.ties, total.doubts) > 50
    if doubt == "let":
        assert total.wrong_doubts == 0


@pytest.mark.parametrize("game", ["slapjack", "ratscrew"])
def test_synthetic_log_is_as_long_as_asked_and_rules_on_every_slap(game: str) -> None:
    header, log = synthetic_log(game, 3000, seed=1)
    assert len(log) == 3000
    kinds = {verdict.kind for verdict in replay(header, log)}
    assert {"valid_slap", "false_slap", "late_slap"} <= kinds


@pytest.mark.benchmark
def test_speed_of_the_referee(benchmark) -> None:  # type: ignore[no-untyped-def]
    header, log = synthetic_log("slapjack", 20_000, seed=1)
    benchmark(replay, header, log)
