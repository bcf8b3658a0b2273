"""Spit: a game that begins with a deal, or in the middle of a round."""

from __future__ import annotations

from collections.abc import Mapping

from referee.rules.errors import BadRules
from referee.rules.position import Deal, SpitPosition
from referee.rules.spit_stacks import deal_face_down
from referee.rules.spit_table import Phase, SpitPile, SpitTable

CARDS_EACH = 26
"""Half a deck for each. Source: Spit, "Aufbau"."""

PHASES = (Phase.PLAY.value, Phase.SPIT.value)
"""What a position may wait for."""


def cards_dealt(players: tuple[str, str], deal: Deal) -> dict[str, int]:
    """How many cards each player holds: 26, if nothing else is said.

    Source: Spit, "Aufbau".

    Raises:
        BadRules: Numbers of other players, or nobody has a deck card to begin with.
    """
    totals = dict(deal.totals) or dict.fromkeys(players, CARDS_EACH)
    _check_players(players, totals, "totals")
    if min(totals.values()) < 1:
        raise BadRules(f"bad totals: {totals}, expected at least one card each")
    return totals


def table_of(players: tuple[str, str], position: SpitPosition) -> SpitTable:
    """The table of a position in the middle of a round.

    Raises:
        BadRules: A position that cannot lie on a table.
    """
    stacks, decks = dict(position.tableau), dict(position.deck)
    _check_players(players, stacks, "tableau")
    _check_players(players, decks, "deck")
    hidden = position.pile_hidden or (0,) * len(position.piles)
    if len(position.piles) not in (1, 2) or len(hidden) != len(position.piles):
        raise BadRules(
            f"bad piles: {len(position.piles)} with {len(hidden)} numbers of hidden cards, "
            "expected one or two piles and a number for each"
        )
    if position.phase not in PHASES or min((*hidden, *decks.values())) < 0:
        raise BadRules("bad position: expected phase play or spit and no negative numbers")
    return SpitTable(
        players=players,
        stacks={player: deal_face_down(stacks[player]) for player in players},
        decks={player: decks[player] for player in players},
        piles=[
            SpitPile(len(cards) + below, cards[-1] if cards else None)
            for cards, below in zip(position.piles, hidden, strict=True)
        ],
        phase=Phase(position.phase),
        due=_due(players, position),
    )


def _due(players: tuple[str, str], position: SpitPosition) -> set[str]:
    """Who must still turn a deck card."""
    if position.phase != Phase.SPIT.value:
        return set()
    decks = dict(position.deck)
    due = set(position.need)
    if not due or any(player not in players or not decks[player] for player in due):
        raise BadRules(
            f"bad need: {', '.join(sorted(due)) or 'nobody'}, expected players with a deck card"
        )
    return due


def _check_players(players: tuple[str, str], named: Mapping[str, object], what: str) -> None:
    if set(named) != set(players):
        raise BadRules(
            f"bad {what}: for {', '.join(named) or 'nobody'}, expected {' and '.join(players)}"
        )
