"""Whole games at the simulated table with the real rules; the camera is replaced by the truth."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from hardware.simulated.people import MS
from hardware.simulated.usual_slaps import agreed_slaps
from hardware.simulated.world import World
from referee.rules import verdicts as v
from referee.rules.cards import parse_card
from referee.rules.events import Flip, Observation, Slap, Watermark
from referee.rules.house_rules import house_rules
from referee.rules.position import Deal
from referee.rules.referee import Referee

STEP_NS = 20 * MS
DELAY_NS = 150 * MS
"""From a card's rest to the camera's word."""


@dataclass
class Game:
    """A world and a referee that sees cards and touches exactly."""

    world: World
    referee: Referee
    said: list[v.Verdict] = field(default_factory=list)
    _flips: int = 0
    _slaps: int = 0

    def seen(self) -> list[Observation]:
        truth, until = self.world.truth, self.world.now_ns - DELAY_NS
        out: list[Observation] = []
        while self._slaps < len(truth.slaps):
            slap = truth.slaps[self._slaps]
            self._slaps += 1
            out.append(Slap(slap.touch_ns, slap.player))
        while self._flips < len(truth.flips) and truth.flips[self._flips].rest_ns <= until:
            flip = truth.flips[self._flips]
            self._flips += 1
            if not flip.again:
                player = flip.player if self.world.game == "spit" else None
                out.append(Flip(flip.rest_ns, flip.card, player, pile=flip.pile))
        marks = (("pads", self.world.now_ns), ("camera", until))
        return [*out, *(Watermark(t_ns, source) for source, t_ns in marks)]

    def play(self, longest_s: int) -> None:
        until = self.world.now_ns + longest_s * 1000 * MS
        while not self.world.is_over and self.world.now_ns < until:
            self.world.advance(self.world.now_ns + STEP_NS)
            verdicts: list[v.Verdict] = []
            for observation in (*self.seen(), *self.world.observations()):
                verdicts += self.referee.observe(observation)
            self.world.hear(verdicts, self.referee.table.to_act)
            self.said += verdicts


def play(game: str, seed: int, longest_s: int = 1800) -> Game:
    players = ("Ann", "Bo") if game == "spit" else ("Ann", "Bo", "Cleo")
    world = World(seed, game, players)
    deal = Deal() if game == "spit" else Deal(dealer=world.dealer)
    played = Game(world, Referee(game, players, None, deal))
    played.play(longest_s)
    return played


@pytest.mark.parametrize("game", ["slapjack", "ratscrew"])
def test_people_and_referee_agree_on_a_whole_slap_game(game: str) -> None:
    played = play(game, 1)
    world, books = played.world, dict(played.referee.table.counts)
    assert world.winner == played.referee.table.winner
    held = {name: len(stock) for name, stock in world.stocks.items()}
    held[str(world.winner)] += len(world.pile())
    books[str(world.winner)] += played.referee.table.pile
    assert held == books
    kinds = {verdict.kind for verdict in played.said}
    assert {"valid_slap", "false_slap", "late_slap", "eliminated"} <= kinds


@pytest.mark.parametrize("game", ["slapjack", "ratscrew"])
def test_an_exact_referee_agrees_with_the_truth_about_every_slap(game: str) -> None:
    played = play(game, 2, 200)
    won = [(s.player, s.touch_ns) for s in played.world.truth.slaps if s.first]
    valid = [x for x in played.said if isinstance(x, v.ValidSlap) and x.trigger != "playoff"]
    assert [(x.player, x.t_ns) for x in valid] == won[: len(valid)]
    assert len(won) - len(valid) <= 1
    for false in (x for x in played.said if isinstance(x, v.FalseSlap)):
        slap = played.world.truth.slap_near(false.player, false.t_ns)
        assert slap is not None
        assert not slap.slappable


def test_two_people_play_spit_to_the_end() -> None:
    played = play("spit", 9)
    world = played.world
    assert world.winner in world.players
    kinds = {verdict.kind for verdict in played.said}
    assert {"go", "stuck", "legal_play", "round_over", "pile_choice", "layout"} <= kinds
    cards = [card for stock in world.stocks.values() for card in stock]
    assert len({*cards, *world.pile(0), *world.pile(1)}) >= 51


def test_the_truth_of_spit_says_what_fitted() -> None:
    played = play("spit", 3, 120)
    plays = {f.card: f for f in played.world.truth.flips if f.fits is not None}
    legal = [x for x in played.said if isinstance(x, v.LegalPlay)]
    assert len(legal) > 20
    wrong = [x for x in played.said if isinstance(x, v.IllegalPlay) and x.reason == "rank"]
    assert all(plays[x.card].fits is not None for x in (*legal, *wrong))
    first = {}
    for flip in played.world.truth.flips:
        first.setdefault((flip.card, flip.rest_ns), flip)
    for verdict in legal:
        assert first[verdict.card, verdict.t_ns].fits
    for verdict in wrong:
        assert not first[verdict.card, verdict.t_ns].fits


def test_agreed_slaps_follow_the_house_rules() -> None:
    is_slappable = agreed_slaps(house_rules("ratscrew", {"triggers": ["marriage"]}))
    king, queen, seven = (parse_card(text) for text in ("KS", "QH", "7D"))
    assert is_slappable([seven, king, queen])
    assert not is_slappable([king, queen, seven])
    assert not is_slappable([seven, seven])
    assert not is_slappable([])
