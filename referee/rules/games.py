"""Which game is played: its name -> its rules."""

from __future__ import annotations

from referee.rules.errors import BadRules
from referee.rules.game import Game, Upcoming
from referee.rules.house_rules import HouseRules
from referee.rules.position import Start


def make_game(
    name: str,
    players: tuple[str, ...],
    house_rules: HouseRules,
    start: Start,
    upcoming: Upcoming,
) -> Game:
    """Set up a game; only its module is imported.

    Args:
        name: `slapjack`, `ratscrew` or `spit`.
        players: In seat order, clockwise.
        house_rules: What the table agreed.
        start: A deal or a position.
        upcoming: Where the game may look at later observations, for slaps that may tie.

    Raises:
        BadRules: No such game, or a start that does not fit it.
    """
    match name:
        case "slapjack":
            from referee.rules.slapjack import Slapjack

            return Slapjack(players, house_rules, start, upcoming)
        case "ratscrew":
            from referee.rules.ratscrew import Ratscrew

            return Ratscrew(players, house_rules, start, upcoming)
        case "spit":
            from referee.rules.spit import start_spit

            return start_spit(players, house_rules, start)
        case _:
            raise BadRules(f"no such game: {name!r}, expected slapjack, ratscrew or spit")
