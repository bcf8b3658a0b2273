"""Spit: cards onto the spit piles and between a player's own stock piles."""

from __future__ import annotations

from referee.rules.cards import Card
from referee.rules.events import Move, Play
from referee.rules.house_rules import HouseRules
from referee.rules.spit_ranks import fits, rank_steps
from referee.rules.spit_stacks import Stacks, why_not_moved
from referee.rules.spit_table import UNSEEN, Change, Phase, SpitTable
from referee.rules.verdicts import (
    Doubt,
    IllegalMove,
    IllegalPlay,
    LegalMove,
    LegalPlay,
    Unreadable,
    Verdict,
)

NS_PER_MS = 1_000_000

HIDDEN_CARD_NS = 300 * NS_PER_MS
"""In each such time in which nobody saw the pile one more card may have landed and been covered:
two people at one pile hardly lay more than three cards a second."""


def play(table: SpitTable, event: Play, rules: HouseRules) -> list[Verdict]:
    """A card was laid on a spit pile: it stays, or goes back.

    Source: Spit, "Spielablauf" 1.
    """
    reason = why_not_played(table, event, rules)
    if reason == "rank" and may_hide_cards(table, event):
        if rules.doubt == "let":
            send_back(table, event.pile)
        else:
            lay(table, event)
        return [Doubt(event.t_ns, event.player, event.early_ns + event.late_ns)]
    if reason is not None:
        send_back(table, event.pile)
        return [IllegalPlay(event.t_ns, event.player, event.card, event.pile, reason)]
    lay(table, event)
    if not event.card.is_read:
        return [Unreadable(event.t_ns, event.player)]
    return [LegalPlay(event.t_ns, event.player, event.card, event.pile)]


def why_not_played(table: SpitTable, event: Play, rules: HouseRules) -> str | None:
    """In this order: a deck card is due, the round is over, not open, too late, wrong rank.

    Source: Spit, "Spielablauf" (nicht rundenbasiert; sobald die neuen Karten dort sind).
    """
    if table.phase is Phase.SPIT:
        return "spit_pending"
    if table.phase is not Phase.PLAY:
        return "round_over"
    if not is_available(table, event.player, event.card):
        return "not_available"
    top = table.piles[event.pile].top if 0 <= event.pile < len(table.piles) else None
    if card_fits(table, event.card, top, rules):
        return None
    return "too_late" if was_overtaken(table, event, rules) else "rank"


def is_available(table: SpitTable, player: str, card: Card) -> bool:
    """The card lies open on top of one of the player's stock piles.

    At a real table nobody sees the stock piles: there it is enough that he still has cards.

    Source: Spit, "Spielablauf" 1 (eine aufgedeckte Karte aus einem deiner Stapel).
    """
    stacks = table.stacks.get(player)
    if isinstance(stacks, Stacks):
        return stacks.find(card) is not None
    owners = table.players if player == UNSEEN else (player,)
    return any(table.most(owner) > 0 for owner in owners)


def card_fits(table: SpitTable, card: Card, top: Card | None, rules: HouseRules) -> bool:
    """One rank higher or lower; at a real table a card that nobody could read is let pass.

    Source: Spit, "Spielablauf" (einen Wert höher oder niedriger).
    """
    if top is not None and not table.knows_cards and not (card.is_read and top.is_read):
        return True
    return fits(card, top, equal_rank=rules.equal_rank)


def was_overtaken(table: SpitTable, event: Play, rules: HouseRules) -> bool:
    """The other player covered a card on which this one fitted, just before: lost the race.

    Source: Spit, "Ziel" (beide Spieler legen gleichzeitig ihre Karten ab).
    """
    if not 0 <= event.pile < len(table.piles):
        return False
    since = event.t_ns - rules.race_ms * NS_PER_MS
    return any(
        change.t_ns >= since
        and _is_others(change, event.player)
        and card_fits(table, event.card, change.before, rules)
        for change in table.piles[event.pile].changes
    )


def _is_others(change: Change, player: str) -> bool:
    """The change was the opponent's, or may have been."""
    return change.player != player or player == UNSEEN


def may_hide_cards(table: SpitTable, event: Play) -> bool:
    """At a real table: with unseen cards in between this one would fit.

    Doubt costs nobody a card: by the house rule `doubt` the card stays or goes back.

    Source: the box's own.
    """
    top = table.piles[event.pile].top if event.pile < len(table.piles) else None
    if table.knows_cards or top is None:
        return False
    hidden = event.early_ns // HIDDEN_CARD_NS
    steps = rank_steps(event.card.rank, top.rank)
    return hidden > 0 and steps is not None and steps <= hidden + 1


def lay(table: SpitTable, event: Play) -> None:
    """The card lies on the pile, and the next one of its stock pile is turned up.

    Source: Spit, "Spielablauf" 2.
    """
    pile = table.piles[event.pile]
    table.piles[event.pile] = pile.with_card(event.card, event.t_ns, event.player)
    table.stuck.clear()
    if event.player == UNSEEN:
        table.unseen += 1
        return
    stacks = table.stacks[event.player]
    if not isinstance(stacks, Stacks):
        table.stacks[event.player] = stacks - 1
    elif (place := stacks.find(event.card)) is not None:
        table.stacks[event.player] = stacks.without(place)


def send_back(table: SpitTable, pile: int) -> None:
    """The refused card is taken away again, which a camera sees as the old top card."""
    if 0 <= pile < len(table.piles):
        table.piles[pile] = table.piles[pile].with_refused()


def move(table: SpitTable, event: Move) -> list[Verdict]:
    """A top card goes onto an equal rank or an empty place of the same player.

    Source: Spit, "Spielablauf" 3 and 4.
    """
    stacks = table.stacks[event.player]
    if table.phase not in (Phase.PLAY, Phase.SPIT):
        return [IllegalMove(event.t_ns, event.player, "round_over")]
    if not isinstance(stacks, Stacks):
        table.stuck.discard(event.player)
        return [LegalMove(event.t_ns, event.player)]
    source, target = event.source - 1, event.target - 1
    if (reason := why_not_moved(stacks, source, target)) is not None:
        return [IllegalMove(event.t_ns, event.player, reason)]
    table.stacks[event.player] = stacks.moved(source, target)
    return [LegalMove(event.t_ns, event.player)]
