"""A power cut at the drawn table: cards, books and verdicts go on, and no card is lost."""

import json
from collections import deque
from pathlib import Path
from random import Random

import pytest
from drawn_evening import DrawnEvening

from hardware.simulated.motion import Pose
from hardware.simulated.snapshot import Cards, Lying
from referee.rules.cards import deck_of_52, parse_card
from referee.rules.verdicts import Verdict

S = 1_000_000_000


def _cards(evening: DrawnEvening) -> list[str]:
    world = evening.world
    piles = [card for number in _piles(evening) for card in world.pile(number)]
    held = [card for stock in world.stocks.values() for card in stock]
    return sorted(map(str, [*piles, *held]))


def _piles(evening: DrawnEvening) -> tuple[int, ...]:
    return (0, 1) if evening.world.game == "spit" else (0,)


def _held(evening: DrawnEvening) -> tuple[dict[str, int], tuple[int, ...]]:
    world = evening.world
    return (
        {name: len(cards) for name, cards in world.stocks.items()},
        tuple(len(world.pile(number)) for number in _piles(evening)),
    )


def _booked(evening: DrawnEvening) -> tuple[dict[str, int], tuple[int, ...]]:
    table = evening.referee.table
    if evening.world.game == "spit":
        return dict(table.cards), (*table.piles, 0)[:2]
    return dict(table.counts), (table.pile,)


@pytest.mark.parametrize("game", ["slapjack", "ratscrew", "spit"])
def test_game_goes_on_after_every_power_cut_and_no_card_is_lost(path: Path, game: str) -> None:
    random = Random(game)
    deck = sorted(map(str, deck_of_52()))
    shown: list[Verdict] = []
    for boot in range(9):
        start_ns = random.randrange(3, 90) * S
        evening = DrawnEvening(path, game, 100 * boot, f"boot {boot}", start_ns)
        shown += evening.resumed
        assert list(evening.journal.log(1).verdicts) == shown
        assert _held(evening) == _booked(evening)
        assert _cards(evening) == deck
        before = len(shown)
        shown += evening.play(start_ns + random.randrange(5 * S, 9 * S))
        assert len(shown) > before, "the game stands still"
        evening.cut_the_power()
        if evening.referee.table.winner is not None:
            break
    assert len(shown) > 60


def test_card_that_is_taken_back_is_in_the_snapshot(path: Path) -> None:
    # A card of an illegal play was in nobody's hands until it was back in its place.
    evening = DrawnEvening(path, "spit", 1, "boot", 5 * S)
    seen = evening.play(80 * S)
    assert any(verdict.kind == "illegal_play" for verdict in seen)
    for line in evening.record.entries:
        if line.what == "note" and '"table"' in line.record:
            table = json.loads(line.record)["table"]
            held = [
                card
                for holder in table["holders"].values()
                for card in [*holder["deck"], *(c for _, *cards in holder["places"] for c in cards)]
            ]
            piles = [card for pile in table["piles"] for card, *_ in pile]
            assert len({*held, *piles}) == len(held) + len(piles) == 52
    evening.cut_the_power()


def _table(laid: str = "", buried: str = "", flipper: str = "Ann", **stocks: str) -> Cards:
    return Cards(
        {name: deque(map(parse_card, cards.split())) for name, cards in stocks.items()},
        list(map(parse_card, buried.split())),
        [Lying(parse_card(card), flipper) for card in laid.split()],
    )


def _shown(cards: Cards) -> dict[str, str]:
    stocks = {name: " ".join(map(str, stock)) for name, stock in cards.stocks.items()}
    laid = " ".join(str(one.card) for one in cards.laid)
    return stocks | {"buried": " ".join(map(str, cards.buried)), "laid": laid}


def test_card_that_the_box_never_saw_goes_back_onto_its_stock() -> None:
    cards = _table("7H 9C", Ann="2S 3S", Bo="4S")
    cards.agree({"Ann": 3, "Bo": 1}, 1, "7H")
    assert _shown(cards) == {"Ann": "9C 2S 3S", "Bo": "4S", "buried": "", "laid": "7H"}


def test_card_that_the_snapshot_does_not_know_is_flipped() -> None:
    cards = _table("7H", Ann="2S 3S", Bo="4S")
    cards.agree({"Ann": 1, "Bo": 1}, 2, "2S")
    assert _shown(cards) == {"Ann": "3S", "Bo": "4S", "buried": "", "laid": "7H 2S"}


def test_won_pile_goes_under_the_winner_and_an_unseen_card_back() -> None:
    cards = _table("7H JS 9C", buried="5D", Ann="2S", Bo="4S")
    cards.agree({"Ann": 2, "Bo": 4}, 0, None)
    assert _shown(cards) == {"Ann": "9C 2S", "Bo": "4S 5D 7H JS", "buried": "", "laid": ""}


def test_later_card_stays_when_the_pile_below_was_won() -> None:
    cards = _table("7H JS 9C", Ann="2S", Bo="4S")
    cards.agree({"Ann": 1, "Bo": 3}, 1, "9C")
    assert _shown(cards) == {"Ann": "2S", "Bo": "4S 7H JS", "buried": "", "laid": "9C"}


def test_penalty_goes_to_the_player_or_under_the_pile() -> None:
    cards = _table("7H", Ann="2S 3S", Bo="4S")
    cards.agree({"Ann": 1, "Bo": 2}, 1, "7H")
    assert _shown(cards) == {"Ann": "3S", "Bo": "4S 2S", "buried": "", "laid": "7H"}
    cards = _table("7H", Ann="2S 3S", Bo="4S")
    cards.agree({"Ann": 1, "Bo": 1}, 2, "7H")
    assert _shown(cards) == {"Ann": "3S", "Bo": "4S", "buried": "2S", "laid": "7H"}


def test_snapshot_survives_being_written() -> None:
    cards = _table("7H JS", buried="5D", Ann="2S", Bo="")
    cards.laid[0].place = Pose(1.5, -2.0, 0.25)
    assert Cards.from_record(json.loads(json.dumps(cards.to_record()))) == cards
