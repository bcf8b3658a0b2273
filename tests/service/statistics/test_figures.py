"""Statistics are exact: every figure of games written by hand is worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from season_games import MS, flip, log_of, simulated, slap

from referee.rules.cards import parse_card
from referee.rules.events import Observation, VoidSlap
from referee.rules.position import Position
from referee.service.log import Log
from referee.service.statistics.digest import Digest, digest, reactions_of
from referee.service.statistics.season import EVENING_MS, Played, figures, longest, season
from referee.service.statistics.spread import Share, spread
from referee.service.statistics.touches import Reaction, Touch

START = Position(counts=(("Ann", 20), ("Bo", 20), ("Cleo", 12)), to_act="Ann", last_flipper="Cleo")

GAME: list[Observation] = [
    flip(1000, "7H"),
    slap(1300, "Bo"),  # false
    flip(2000, "JS"),
    slap(2400, "Ann"),  # won: [396, 416] ms
    slap(2450, "Cleo"),  # late: [446, 466] ms
    slap(4300, "Bo"),  # on the bare table, 184 ms before the next jack
    flip(4500, "JH"),
    slap(4560, "Cleo"),  # won: at most 76 ms, a guess
    flip(7000, "9C"),
    flip(8000, "JD"),
    slap(8300, "Ann"),  # tied: [296, 316] ms
    slap(8302, "Bo"),  # tied: [298, 318] ms
    flip(9000, "2C"),  # the play-off's signal
    slap(9250, "Bo"),  # won: [246, 266] ms
]


def _log(*more: Observation) -> Log:
    return log_of(sorted([*GAME, *more], key=lambda one: one.t_ns), start=START)


@pytest.fixture
def game() -> Digest:
    return digest(_log())


def test_every_slap_has_its_outcome(game: Digest) -> None:
    assert [(touch.player, touch.t_ns // MS, touch.outcome) for touch in game.touches] == [
        ("Bo", 1300, "false"),
        ("Ann", 2400, "won"),
        ("Cleo", 2450, "late"),
        ("Bo", 4300, "ignored"),
        ("Cleo", 4560, "won"),
        ("Ann", 8300, "tied"),
        ("Bo", 8302, "tied"),
        ("Bo", 9250, "won"),
    ]


def test_reaction_is_the_interval_between_card_and_slap(game: Digest) -> None:
    assert reactions_of(game, "Ann") == [
        Reaction(396 * MS, 416 * MS),
        Reaction(296 * MS, 316 * MS),
    ]
    assert [one.middle_ns for one in reactions_of(game, "Bo")] == [308 * MS, 256 * MS]
    assert {one.half_ns for one in reactions_of(game, "Bo")} == {10 * MS}


def test_guess_is_no_reaction_but_anticipation(game: Digest) -> None:
    assert [one.middle_ns for one in reactions_of(game, "Cleo")] == [456 * MS]
    (cleo,) = [one for one in figures([game]) if one.player == "Cleo"]
    assert cleo.anticipated == Share(1, 2)
    assert cleo.piles_won == 1


@pytest.mark.parametrize(("most_ns", "guess"), [(99_999_999, True), (100_000_000, False)])
def test_guess_is_what_is_surely_faster_than_100_ms(most_ns: int, guess: bool) -> None:
    assert Reaction(0, most_ns).is_guess is guess


@pytest.mark.parametrize(("before_ms", "early"), [(401, False), (400, True), (1, True), (0, False)])
def test_touch_up_to_400_ms_before_the_card_was_meant_for_it(before_ms: int, early: bool) -> None:
    seen: list[Observation] = [
        flip(1000, "7H"),
        slap(2000 - before_ms, "Bo", early_ms=0),
        flip(2000, "JS", early_ms=0),
        slap(2400, "Ann"),
    ]
    touch = digest(log_of(seen, start=START)).touches[0]
    assert (touch.player, touch.was_early) == ("Bo", early)


def test_early_touch_without_a_slapped_card_is_only_false() -> None:
    seen: list[Observation] = [flip(1000, "7H"), slap(1900, "Bo"), flip(2000, "8S")]
    (touch,) = digest(log_of(seen, start=START)).touches
    assert (touch.outcome, touch.was_early) == ("false", False)


def test_false_slap_rate_leaves_ignored_touches_out(game: Digest) -> None:
    rates = {one.player: one.false_slaps for one in figures([game])}
    assert rates == {"Ann": Share(0, 2), "Bo": Share(1, 3), "Cleo": Share(0, 2)}
    anticipated = {one.player: one.anticipated for one in figures([game])}
    assert anticipated["Bo"] == Share(1, 4)


def test_races_name_winner_margin_and_tie(game: Digest) -> None:
    assert [(race.card, race.players, race.tied, race.margin_ns) for race in game.races] == [
        ("JS", ("Ann", "Cleo"), 1, 50 * MS),
        ("JH", ("Cleo",), 1, None),
        ("JD", ("Ann", "Bo"), 2, 0),
        ("2C", ("Bo",), 1, None),
    ]


def test_cards_won_are_counted_from_the_piles(game: Digest) -> None:
    # 7H JS; then JH; then 9C JD 2C. Bo's price for the false slap went to the flipper.
    assert dict(game.cards_won) == {"Ann": 2, "Cleo": 1, "Bo": 3}


def test_slap_that_the_table_struck_out_never_happened() -> None:
    struck = digest(_log(VoidSlap(2900 * MS, "Ann", 2400 * MS)))
    assert next(race.players for race in struck.races) == ("Cleo",)
    assert (2400 * MS, "won") not in [(touch.t_ns, touch.outcome) for touch in struck.touches]


def test_card_that_the_table_named_changes_the_race() -> None:
    from referee.rules.events import CardIs

    named = digest(_log(CardIs(9800 * MS, parse_card("QS"), 2000 * MS)))
    outcomes = {touch.t_ns // MS: touch.outcome for touch in named.touches}
    assert outcomes[2400] == outcomes[2450] == "false"


def _played(winners: str, gaps_ms: list[int]) -> list[Played]:
    base = digest(_log())
    begun, games = 0, []
    for number, (winner, gap) in enumerate(zip(winners, gaps_ms, strict=True), 1):
        begun += gap
        who = {"A": "Ann", "B": "Bo", "-": None}[winner]
        games.append(Played(number, begun, replace(base, winner=who)))
    return games


def test_streaks_count_finished_games_and_slapped_cards() -> None:
    shown = season(_played("AAB-A", [0, 1, 1, 1, 1]))
    by_name = {one.player: one for one in shown.players}
    assert (by_name["Ann"].games, by_name["Ann"].games_won, by_name["Ann"].win_streak) == (4, 3, 2)
    assert (by_name["Bo"].games_won, by_name["Bo"].win_streak) == (1, 1)
    assert by_name["Ann"].pile_streak == 1
    assert [one.player for one in shown.players] == ["Ann", "Bo", "Cleo"]


def test_pile_streak_goes_on_from_game_to_game() -> None:
    seen: list[Observation] = [flip(1000, "JH"), slap(1300, "Ann")]
    two = [digest(log_of(seen, start=START))] * 2
    assert {one.player: one.pile_streak for one in figures(two)}["Ann"] == 2


@pytest.mark.parametrize(("gap_ms", "evenings"), [(EVENING_MS - 1, 1), (EVENING_MS, 2)])
def test_five_hours_without_a_game_begin_another_evening(gap_ms: int, evenings: int) -> None:
    shown = season(_played("AB", [0, gap_ms]))
    assert len(shown.evenings) == evenings
    assert sum(evening.games for evening in shown.evenings) == 2


def test_order_of_the_games_does_not_matter() -> None:
    games = _played("AAB-A", [0, 1, EVENING_MS, 1, 1])
    assert season(games[::-1]) == season(games)


def test_closest_races_are_sorted_and_point_to_their_game() -> None:
    closest = season(_played("AB", [0, 1])).closest
    assert [(one.number, one.race.margin_ns) for one in closest] == [
        (1, 0),
        (2, 0),
        (1, 50 * MS),
        (2, 50 * MS),
    ]


def test_duels_count_who_was_first_when_both_slapped() -> None:
    assert season(_played("AB", [0, 1])).duels == (("Ann", "Cleo", 2),)


def test_nothing_played_gives_empty_figures() -> None:
    shown = season([])
    assert (shown.games, shown.players, shown.evenings) == (0, (), ())


def test_player_without_a_slap_has_no_reaction() -> None:
    empty = digest(log_of([flip(1000, "7H")], start=START))
    ann = figures([empty])[0]
    assert ann.reaction is None
    assert ann.false_slaps.value is None
    assert ann.false_slaps.interval == (0.0, 1.0)


def test_spread_interpolates_between_neighbours() -> None:
    five = spread([5.0, 1.0, 2.0, 4.0, 3.0])
    assert five is not None
    assert (five.n, five.quarter, five.median, five.three_quarters) == (5, 2.0, 3.0, 4.0)
    assert (five.low, five.high) == (pytest.approx(1.2), pytest.approx(4.8))
    assert spread([]) is None


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    # Values of the Wilson interval as printed in Brown, Cai and DasGupta's formula.
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 50, 0.0435, 0.2136)],
)
def test_share_has_wilsons_interval(k: int, n: int, low: float, high: float) -> None:
    assert Share(k, n).interval == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_longest_row() -> None:
    assert longest([]) == 0
    assert longest([True, True, False, True]) == 2


def test_whole_games_add_up() -> None:
    games = [
        Played(seed, seed, digest(simulated(seed, ("Ann", "Bo", "Cleo"), game)))
        for seed, game in enumerate(("slapjack", "ratscrew", "slapjack"), 1)
    ]
    shown = season(games)
    assert shown.finished == 3
    assert sum(one.games_won for one in shown.players) == 3
    touches: list[Touch] = [touch for game in games for touch in game.digest.touches]
    assert shown.slaps == sum(touch.outcome != "ignored" for touch in touches)
    assert sum(one.slaps for one in shown.players) == shown.slaps
    won = sum(touch.outcome == "won" for touch in touches)
    assert sum(one.piles_won for one in shown.players) == won
