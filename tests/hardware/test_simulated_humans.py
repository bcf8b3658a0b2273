"""Real people at the drawn table: nothing happens unless a key is pressed."""

import pytest

from hardware.simulated.human_spit import HumanSpitPlayers
from hardware.simulated.humans import HumanPlayers
from hardware.simulated.usual_slaps import usual_triggers
from hardware.simulated.world import World
from referee.rules.verdicts import CardSeen, Go

S = 1_000_000_000


def _slapjack() -> tuple[World, HumanPlayers]:
    seated: list[HumanPlayers] = []

    def seat(world: World) -> HumanPlayers:
        seated.append(HumanPlayers(world, usual_triggers("slapjack")))
        return seated[0]

    world = World(seed=1, players=("Ann", "Bo"), tempo=25, people=seat)
    return world, seated[0]


def _spit() -> tuple[World, HumanSpitPlayers]:
    seated: list[HumanSpitPlayers] = []

    def seat(world: World) -> HumanSpitPlayers:
        seated.append(HumanSpitPlayers(world))
        return seated[0]

    world = World(seed=3, game="spit", players=("Ann", "Bo"), people=seat)
    return world, seated[0]


def _pass(world: World, seconds: float) -> None:
    world.advance(world.now_ns + round(seconds * S))


def test_nobody_flips_or_slaps_by_himself() -> None:
    world, _ = _slapjack()
    _pass(world, 60)
    assert not world.truth.flips
    assert not world.truth.slaps


def test_space_flips_one_card_of_the_player_whose_turn_it_is() -> None:
    world, people = _slapjack()
    top = world.stocks["Ann"][0]
    people.flip_next()
    _pass(world, 2)
    assert [(flip.player, flip.card) for flip in world.truth.flips if not flip.again] == [
        ("Ann", top)
    ]
    world.hear([CardSeen(world.now_ns, "Ann", top, "Bo")], to_act="Bo")
    people.flip_next()
    _pass(world, 2)
    assert [flip.player for flip in world.truth.flips if not flip.again] == ["Ann", "Bo"]


def test_spit_waits_for_space_then_both_turn_a_deck_card() -> None:
    world, people = _spit()
    _pass(world, 30)
    assert not world.truth.flips
    people.flip_next()
    _pass(world, 2.5)
    assert sorted(flip.player for flip in world.truth.flips if not flip.again) == ["Ann", "Bo"]


def test_stock_key_plays_a_card_that_fits_and_no_other() -> None:
    world, people = _spit()
    people.flip_next()
    _pass(world, 5)
    world.hear([Go(world.now_ns)])
    _pass(world, 2)
    before = {name: len(cards) for name, cards in world.stocks.items()}
    for player in world.players:
        for place in range(5):
            people.use(player, place)
            _pass(world, 2)
    plays = [flip for flip in world.truth.flips if flip.fits is not None and not flip.again]
    assert plays
    assert all(flip.fits for flip in plays)
    after = {name: len(cards) for name, cards in world.stocks.items()}
    assert sum(before.values()) - sum(after.values()) == len(plays)


@pytest.mark.parametrize("place", [5, 9])
def test_stock_key_without_a_pile_does_nothing(place: int) -> None:
    world, people = _spit()
    people.use("Ann", place)
    _pass(world, 1)
    assert not world.truth.flips


def test_lines_show_open_cards_hidden_ones_and_decks() -> None:
    _, people = _spit()
    lines = people.lines()
    assert [line.split()[0] for line in lines] == ["Ann", "Bo"]
    assert [line.count("·") for line in lines] == [10, 10]
    assert all(line.endswith("+11") for line in lines)
