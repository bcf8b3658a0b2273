"""The people at the simulated table, with a referee that sees everything (Slapjack)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from hardware.simulated.people import MS
from hardware.simulated.truth import TrueSlap
from hardware.simulated.usual_slaps import is_jack_on_top, is_pair_sandwich_or_top_bottom
from hardware.simulated.world import BadWorld, World
from referee.rules import verdicts as v
from referee.rules.cards import deck_of_52, parse_card

STEP_NS = 16_666_667
DELAY_NS = 120 * MS
"""From an event to the verdict."""
LONGEST_NS = 3600 * 1000 * MS


class AllSeeing:
    """A referee of Slapjack that knows the truth and keeps its own books."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.counts = {name: len(stock) for name, stock in world.stocks.items()}
        names = world.players
        self.to_act: str | None = names[(names.index(world.dealer) + 1) % len(names)]
        self.flipper = ""
        self.pile = 0
        self.out: list[str] = []
        self.ran_out: list[str] = []
        self.won_flips: set[int] = set()
        self.false_on: set[tuple[str, int | None]] = set()
        self._flips = self._slaps = 0
        self.said: list[v.Verdict] = []

    def rule(self) -> list[v.Verdict]:
        """Everything that is old enough, in order of time."""
        flips, slaps = self.world.truth.flips, self.world.truth.slaps
        until = self.world.now_ns - DELAY_NS
        out: list[v.Verdict] = []
        while True:
            flip = flips[self._flips] if self._flips < len(flips) else None
            slap = slaps[self._slaps] if self._slaps < len(slaps) else None
            flip_ns = flip.rest_ns if flip else until + 1
            slap_ns = slap.touch_ns if slap else until + 1
            if min(flip_ns, slap_ns) > until:
                self.said += out
                return out
            if slap is not None and slap_ns <= flip_ns:
                self._slaps += 1
                out += self._slap(slap)
            elif flip is not None:
                self._flips += 1
                if not flip.again:
                    out += self._flip(flip.player, flip.card, flip.rest_ns)

    def _flip(self, player: str, card: object, t_ns: int) -> list[v.Verdict]:
        self.counts[player] -= 1
        self.pile += 1
        self.flipper = player
        self.to_act = self._next(player)
        out: list[v.Verdict] = [v.CardSeen(t_ns, player, card, self.to_act)]  # type: ignore[arg-type]
        if self.counts[player] == 0:
            self.ran_out.append(player)
            out.append(v.OutOfCards(t_ns, player))
        return out

    def _slap(self, slap: TrueSlap) -> list[v.Verdict]:
        if slap.player in self.out:
            return [v.IgnoredSlap(slap.touch_ns, slap.player, "eliminated")]
        if slap.first:
            return self._won(slap)
        if slap.slappable or self.pile == 0 or slap.flip in self.won_flips:
            return [v.LateSlap(slap.touch_ns, slap.player)]
        if (slap.player, slap.flip) in self.false_on:
            return [v.IgnoredSlap(slap.touch_ns, slap.player, "repeat")]
        self.false_on.add((slap.player, slap.flip))
        if self.counts[slap.player] == 0:
            self.out.append(slap.player)
            return [
                v.FalseSlap(slap.touch_ns, slap.player, ()),
                v.Eliminated(slap.touch_ns, slap.player, 0),
                *self._over(slap.touch_ns),
            ]
        target = self.flipper if self.flipper != slap.player else "pile_bottom"
        self.counts[slap.player] -= 1
        if target == "pile_bottom":
            self.pile += 1
        else:
            self.counts[target] += 1
            if target in self.ran_out:
                self.ran_out.remove(target)
        if self.counts[slap.player] == 0:
            self.ran_out.append(slap.player)
        return [v.FalseSlap(slap.touch_ns, slap.player, (v.CardsMoved(slap.player, target, 1),))]

    def _won(self, slap: TrueSlap) -> list[v.Verdict]:
        if slap.flip is not None:
            self.won_flips.add(slap.flip)
        moved = v.CardsMoved("pile", slap.player, self.pile)
        self.counts[slap.player] += self.pile
        self.pile = 0
        out: list[v.Verdict] = [v.ValidSlap(slap.touch_ns, slap.player, "jack", (moved,))]
        for name in list(self.ran_out):
            if name not in (slap.player, self.flipper) and name not in self.out:
                self.out.append(name)
                out.append(v.Eliminated(slap.touch_ns, name, 0))
        self.ran_out = [n for n in self.ran_out if n == self.flipper and n != slap.player]
        self.to_act = self._next(self.flipper)
        return [*out, *self._over(slap.touch_ns)]

    def _over(self, t_ns: int) -> list[v.Verdict]:
        left = [name for name in self.counts if name not in self.out]
        if len(left) == 1 or 52 in self.counts.values():
            winner = max(left, key=lambda name: self.counts[name])
            return [v.GameOver(t_ns, winner, "last_player")]
        return []

    def _next(self, player: str) -> str | None:
        names = self.world.players
        at = names.index(player)
        for i in range(1, len(names) + 1):
            name = names[(at + i) % len(names)]
            if self.counts[name] > 0 and name not in self.out:
                return name
        return None


def play(world: World, longest_ns: int = LONGEST_NS) -> AllSeeing:
    box = AllSeeing(world)
    while not world.is_over and world.now_ns < longest_ns:
        world.advance(world.now_ns + STEP_NS)
        world.hear(box.rule(), box.to_act)
    return box


@pytest.fixture(scope="module")
def games() -> list[tuple[World, AllSeeing]]:
    worlds = [World(seed) for seed in range(5)]
    return [(world, play(world)) for world in worlds]


def test_a_game_ends_with_a_winner_within_minutes(games: list[tuple[World, AllSeeing]]) -> None:
    for world, _ in games:
        assert world.winner in world.players
        assert 20 < (world.now_ns - world.start_ns) / 1e9 < 900


def test_cards_are_never_lost(games: list[tuple[World, AllSeeing]]) -> None:
    for world, _ in games:
        flying = [f.card for f in world.truth.flips if f.rest_ns > world.now_ns]
        cards = [card for stock in world.stocks.values() for card in stock]
        assert sorted(map(str, (*cards, *world.pile(), *flying))) == sorted(map(str, deck_of_52()))


def test_people_do_with_their_cards_what_the_referee_says(
    games: list[tuple[World, AllSeeing]],
) -> None:
    for world, box in games:
        for name, stock in world.stocks.items():
            if name != world.winner:
                assert len(stock) == box.counts[name]


def test_nobody_slaps_after_hearing_of_his_elimination(
    games: list[tuple[World, AllSeeing]],
) -> None:
    eliminated = 0
    for world, box in games:
        for verdict in box.said:
            if not isinstance(verdict, v.Eliminated):
                continue
            eliminated += 1
            told_ns = verdict.t_ns + DELAY_NS + STEP_NS
            later = [s for s in world.truth.slaps if s.player == verdict.player]
            # A hand that has set off when the word comes still lands.
            assert all(s.touch_ns <= told_ns + 130 * MS for s in later)
    assert eliminated >= 5


def test_flips_follow_each_other_at_a_family_s_pace(
    games: list[tuple[World, AllSeeing]],
) -> None:
    for world, _ in games:
        gaps = [b.rest_ns - a.rest_ns for a, b in pairwise(world.truth.flips)]
        assert min(gaps) > 450 * MS
        assert 650 * MS < sorted(gaps)[len(gaps) // 2] < 1100 * MS


def test_people_slap_rightly_wrongly_and_nearly_together(
    games: list[tuple[World, AllSeeing]],
) -> None:
    slaps = [slap for world, _ in games for slap in world.truth.slaps]
    kinds = {slap.kind for slap in slaps}
    assert {"trigger", "late", "mistake", "jumpy", "second"} <= kinds
    firsts = [slap for slap in slaps if slap.first]
    followers = [
        later.touch_ns - first.touch_ns
        for first, later in pairwise(slaps)
        if first.first and later.flip == first.flip
    ]
    assert len(firsts) > 30
    assert min(followers) < 15 * MS


def test_reactions_to_a_jack_have_a_human_mean(games: list[tuple[World, AllSeeing]]) -> None:
    reactions = []
    for world, _ in games:
        rests = {flip.number: flip.rest_ns for flip in world.truth.flips}
        reactions += [
            (slap.touch_ns - rests[slap.flip]) / MS
            for slap in world.truth.slaps
            if slap.flip is not None and slap.kind in ("trigger", "late")
        ]
    assert 230 < sum(reactions) / len(reactions) < 400
    assert min(reactions) > 60


def test_truth_names_the_top_card_and_the_first_hand() -> None:
    world = World(1)
    play(world, 40_000 * MS)
    for slap in world.truth.slaps:
        landed = [f for f in world.truth.flips if f.rest_ns <= slap.touch_ns]
        state = world.truth.top_at(slap.touch_ns)
        assert (slap.top, slap.slappable) == (state.top, state.slappable)
        assert slap.top in (landed[-1].card, None)
        assert slap.slappable == (slap.top is not None and slap.top.rank == "J")
    firsts = [slap.flip for slap in world.truth.slaps if slap.first]
    assert len(firsts) == len(set(firsts)) > 0


@pytest.mark.parametrize("game", ["slapjack", "ratscrew"])
def test_the_same_seed_and_steps_give_the_same_game(game: str) -> None:
    histories = []
    for seed in (3, 3, 4):
        world = World(seed, game)
        play(world, 30_000 * MS)
        histories.append((world.truth.flips, world.truth.slaps))
    assert histories[0] == histories[1]
    assert histories[0] != histories[2]


def test_faster_tempo_flips_more_cards() -> None:
    counts = []
    for tempo in (1.0, 1.6):
        world = World(5, tempo=tempo)
        play(world, 30_000 * MS)
        counts.append(len(world.truth.flips))
    assert counts[1] > counts[0] * 1.2


def test_an_unnoticed_card_is_laid_again_and_then_the_game_goes_on() -> None:
    world = World(0)
    while world.now_ns < world.start_ns + 16_000 * MS:
        world.advance(world.now_ns + STEP_NS)
        world.hear([], world.players[0])
    flips = world.truth.flips
    assert [f.again for f in flips[:3]] == [False, True, True]
    assert len({f.card for f in flips[:3]}) == 1
    assert flips[3].card != flips[0].card


def test_a_card_that_was_taken_back_is_declared_void_when_the_box_speaks_of_it() -> None:
    world = World(0)
    first = world.players[0]
    pressed = []
    for _ in range(700):
        world.advance(world.now_ns + STEP_NS)
        verdicts: list[v.Verdict] = []
        if len(world.truth.flips) == 2 and not pressed:
            flip_ns = world.truth.flips[0].rest_ns + 20 * MS
            verdicts = [v.Unreadable(flip_ns, first)]
        world.hear(verdicts, first)
        pressed += world.observations()
    assert [(p.kind, getattr(p, "ref_t_ns", 0)) for p in pressed] == [("judge", flip_ns)]


def test_nobody_flips_while_the_box_asks_to_wait() -> None:
    world = World(0)
    box = AllSeeing(world)
    held_ns = None
    while world.now_ns < world.start_ns + 60_000 * MS:
        world.advance(world.now_ns + STEP_NS)
        verdicts = box.rule()
        slapped = [s for s in verdicts if isinstance(s, v.FalseSlap | v.ValidSlap)]
        if slapped and held_ns is None:
            held_ns = world.now_ns
            verdicts = [v.Hold(held_ns, slapped[0].player, "camera")]
        if held_ns is not None:
            verdicts = [s for s in verdicts if isinstance(s, v.Hold)]
        world.hear(verdicts, box.to_act)
        if held_ns is not None and world.now_ns > held_ns + 5000 * MS:
            break
    assert held_ns is not None
    started = [f for f in world.truth.flips if held_ns < f.start_ns < held_ns + 5000 * MS]
    assert started == []


def test_the_table_answers_a_question_with_what_it_saw() -> None:
    world = World(1)
    box = AllSeeing(world)
    asked: TrueSlap | None = None
    answers = []
    while world.now_ns < world.start_ns + 60_000 * MS and not answers:
        world.advance(world.now_ns + STEP_NS)
        verdicts = box.rule()
        if asked is None and world.truth.slaps:
            asked = world.truth.slaps[0]
            verdicts = [v.AskTable(world.now_ns, asked.player)]
        world.hear(verdicts, box.to_act)
        answers += world.observations()
    assert asked is not None
    assert [getattr(a, "answer", "") for a in answers] == ["slap" if asked.slappable else "no_slap"]


def test_callers_press_the_button_when_the_table_plays_so() -> None:
    world = World(1, calls=True)
    box = AllSeeing(world)
    calls = []
    while world.now_ns < world.start_ns + 30_000 * MS:
        world.advance(world.now_ns + STEP_NS)
        world.hear(box.rule(), box.to_act)
        calls += world.observations()
    slappers = [s.player for s in world.truth.slaps if s.kind != "second"]
    assert 0 < len(calls) <= len(slappers)
    assert {c.kind for c in calls} == {"call"}


@pytest.mark.parametrize(
    ("cards", "jack", "ratscrew"),
    [
        ("", False, False),
        ("JS", True, False),
        ("JS QS", False, False),
        ("7S 7D", False, True),
        ("7S 3D 7C", False, True),
        ("7S 3D 4D 7C", False, True),
        ("2H 7S 3D 4D 7C", False, False),
    ],
)
def test_the_usual_slaps(cards: str, jack: bool, ratscrew: bool) -> None:
    pile = [parse_card(text) for text in cards.split()]
    assert is_jack_on_top(pile) == jack
    assert is_pair_sandwich_or_top_bottom(pile) == ratscrew


@pytest.mark.parametrize(
    ("game", "players", "says"),
    [
        ("whist", ("A", "B"), "no such game: 'whist'"),
        ("slapjack", ("A",), "cannot seat 1 players"),
        ("slapjack", ("A", "A"), "different names"),
        ("spit", ("A", "B", "C"), "cannot seat 3 players"),
    ],
)
def test_an_impossible_table_is_refused(game: str, players: tuple[str, ...], says: str) -> None:
    with pytest.raises(BadWorld, match=says):
        World(0, game, players)


def test_a_dealer_who_does_not_play_is_refused() -> None:
    with pytest.raises(BadWorld, match="the dealer 'Zoe' is no player"):
        World(0, dealer="Zoe")
