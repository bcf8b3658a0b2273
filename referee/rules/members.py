"""Who and what belongs to a table: names that can play, and observations that can be of them."""

from __future__ import annotations

from typing import NoReturn

from referee.rules.errors import BadLog, BadRules
from referee.rules.events import Observation, Penalty, TableAnswer
from referee.rules.house_rules import HouseRules

FEWEST_PLAYERS = 2
MOST_PLAYERS = {1: 8, 2: 10}
"""Decks -> players. Source: Slapjack, "Spieler"; Egyptian Ratscrew, "Die Spieler"."""

PLACES = ("pile", "pile_bottom", "pile0", "pile1")
"""Where cards can be, besides the players' stocks."""

ANSWERS = ("slap", "no_slap", "let")
"""What the table may say about a held slap."""


def check_players(game: str, players: tuple[str, ...], rules: HouseRules) -> None:
    """Refuse names that cannot sit at one table.

    Raises:
        BadRules: Too few, too many, or not to be told apart.
    """
    most = 2 if game == "spit" else MOST_PLAYERS[rules.decks]
    if not FEWEST_PLAYERS <= len(players) <= most:
        raise BadRules(f"{len(players)} players, expected {FEWEST_PLAYERS} to {most} in {game}")
    if len(set(players)) < len(players) or not all(players):
        raise BadRules(f"players need different names, not {' '.join(map(repr, players))}")
    for player in players:
        if player in PLACES:
            raise BadRules(f"no player can be called {player!r}: it is a place on the table")


def check_observation(seen: Observation, players: tuple[str, ...]) -> None:
    """Refuse what nobody at this table can have done.

    Raises:
        BadLog: It is about somebody who does not play, or says what cannot be said.
    """
    player = getattr(seen, "player", None)
    if player is not None and player not in players:
        _refuse(f"{seen.kind} of {player!r}, who does not play", players)
    if type(seen) is Penalty and seen.to not in (*players, *PLACES):
        _refuse(f"penalty to {seen.to!r}", (*players, *PLACES))
    if type(seen) is TableAnswer and seen.answer not in ANSWERS:
        _refuse(f"no such answer: {seen.answer!r}", ANSWERS)


def _refuse(what: str, expected: tuple[str, ...]) -> NoReturn:
    raise BadLog(f"{what}, expected one of {' '.join(expected)}")
