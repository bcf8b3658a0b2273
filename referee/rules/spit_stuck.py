"""Spit: when nobody can move, each turns a card of his deck."""

from __future__ import annotations

from referee.rules.events import SpitCard, Stuck
from referee.rules.house_rules import HouseRules
from referee.rules.spit_round import deadlock
from referee.rules.spit_stacks import Stacks, is_blocked
from referee.rules.spit_table import Phase, SpitTable
from referee.rules.verdicts import BothStuck, Go, IllegalSpit, NotStuck, Verdict


def movers(table: SpitTable, rules: HouseRules) -> tuple[str, ...]:
    """Who can still move, in seat order.

    At a real table nobody sees the stock piles: there a player can move until he says that he is
    stuck, and again as soon as a card has changed a spit pile.

    Source: Spit, "Spielablauf" (blockiert sein und keine Züge mehr machen können).
    """
    tops = [pile.top for pile in table.piles]
    return tuple(
        player
        for player, stacks in table.stacks.items()
        if (
            not is_blocked(stacks, tops, equal_rank=rules.equal_rank)
            if isinstance(stacks, Stacks)
            else player not in table.stuck
        )
    )


def both_stuck(table: SpitTable, t_ns: int, rules: HouseRules) -> list[Verdict]:
    """If nobody can move, whoever has a deck turns a card; without decks it is a deadlock.

    Source: Spit, "Spielablauf" (wird das Spiel dir sagen, dass du auf dein Deck klicken sollst).
    """
    if table.phase is not Phase.PLAY or movers(table, rules):
        return []
    table.stuck.clear()
    call_for_deck_cards(table)
    if not table.due:
        return deadlock(table, t_ns, rules)
    table.called_ns = t_ns
    return [BothStuck(t_ns, tuple(player for player in table.players if player in table.due))]


def say_stuck(table: SpitTable, event: Stuck, rules: HouseRules) -> list[Verdict]:
    """A player says that he cannot play; somebody else may still be able to.

    Source: Spit, "Spielablauf" (Irgendwann werden beide Spieler blockiert sein).
    """
    if table.phase is not Phase.PLAY:
        return []
    if not table.knows_cards:
        table.stuck.add(event.player)
    can_move = movers(table, rules)
    if can_move:
        return [NotStuck(event.t_ns, can_move)]
    return both_stuck(table, event.t_ns, rules)


def turn_spit_card(table: SpitTable, event: SpitCard, rules: HouseRules) -> list[Verdict]:
    """A deck card goes onto the player's own pile; when all due cards lie there, play goes on.

    Source: Spit, "Spielablauf" (eine Karte vom oberen Ende eures Decks auf die Ablagestapel).
    """
    _begin(table, rules)
    reason = why_not_turned(table, event.player)
    if reason is not None:
        return [IllegalSpit(event.t_ns, event.player, reason)]
    pile = table.own_pile(event.player)
    table.piles[pile] = table.piles[pile].with_card(event.card, event.t_ns, event.player)
    table.decks[event.player] -= 1
    table.due.discard(event.player)
    return go_if_complete(table, event.t_ns, rules)


def go_if_complete(table: SpitTable, t_ns: int, rules: HouseRules) -> list[Verdict]:
    """All due deck cards lie there: play on, unless everybody is stuck again.

    Source: Spit, "Spielablauf" (Sobald die neuen Karten dort sind).
    """
    if table.due:
        return []
    table.phase = Phase.PLAY
    return [Go(t_ns), *both_stuck(table, t_ns, rules)]


def why_not_turned(table: SpitTable, player: str) -> str | None:
    """In this order: somebody can still move, no deck left, already turned.

    Source: Spit, "Spielablauf" (Wenn das passiert ... auf dein Deck klicken).
    """
    if table.phase is not Phase.SPIT:
        return "not_stuck"
    if not table.decks[player]:
        return "no_deck"
    return None if player in table.due else "already_flipped"


def _begin(table: SpitTable, rules: HouseRules) -> None:
    """The first deck card begins a round; a start in which nobody can move calls for one, too."""
    if table.phase is Phase.PLAY and table.knows_cards and not movers(table, rules):
        call_for_deck_cards(table)
    begin_round(table)


def begin_round(table: SpitTable) -> None:
    """The next round is laid out: whoever has a deck turns a card."""
    if table.phase is Phase.LAID:
        call_for_deck_cards(table)


def call_for_deck_cards(table: SpitTable) -> None:
    """Whoever has a deck owes a card."""
    table.due = {player for player in table.players if table.decks[player]}
    table.phase = Phase.SPIT if table.due else table.phase
