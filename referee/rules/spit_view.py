"""Spit at a real table: what a card on a spit pile and a touch of a pad mean.

The camera sees the two spit piles, and at most from which side a hand came. Nobody sees the stock
piles, so the box counts them. What follows from an observation depends on what the table waits for:

====================  ==============================  ===========================================
The table waits for   a new card on pile k            a touch of the pad of player p
====================  ==============================  ===========================================
plays                 somebody plays it               p is stuck; twice: p has no stock cards left
deck cards            k's owner turns his deck card   twice: p has no deck, or has finished
a pile choice         not a play: the round is over   the finisher takes p's pile (or the race)
the next round        k's owner turns the first card  twice: p has no deck
====================  ==============================  ===========================================

Pile 0 lies before the first player, pile 1 before the second; a single pile is pile 0, wherever it
lies. "Twice" is needed only where some hand was not seen: else the count shows who has finished.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.events import Choose, Cleared, Flip, Observation, Play, Slap, SpitCard, Stuck
from referee.rules.house_rules import HouseRules
from referee.rules.spit_play import NS_PER_MS
from referee.rules.spit_ranks import fits, is_same_card
from referee.rules.spit_stacks import Stacks
from referee.rules.spit_table import UNSEEN, Phase, SpitTable

DONE_NS = 700 * NS_PER_MS
"""Two touches of one pad within this time say "I have no stock cards left": a double tap. Longer
than a lockout, shorter than anybody waits before he says again that he is stuck."""

ON_ITS_WAY_NS = 700 * NS_PER_MS
"""A hand needs no longer to carry a card to a pile; nobody turns a deck card as quickly."""

CARRYING_NS = 3_000 * NS_PER_MS
"""So long a chosen pile may still lie there. Nobody lays out fifteen cards as quickly."""


@dataclass(frozen=True, slots=True)
class Finished(Observation):
    """A player says that his stock piles are gone."""

    kind = "finished"

    player: str


@dataclass(frozen=True, slots=True)
class NoDeck(Observation):
    """A player says that he has no deck card to turn."""

    kind = "no_deck"

    player: str


def read_flip(table: SpitTable, flip: Flip, rules: HouseRules) -> Observation | None:
    """A camera saw a new card on a spit pile: a play, a deck card, or nothing new.

    Source: Spit, "Spielablauf".
    """
    place = 0 if table.is_single else flip.pile
    if not 0 <= place < len(table.piles) or lies_there(table, flip, place):
        return None
    owner = whose_deck(table, place)
    if (
        owner is not None
        and flip.player in (None, owner)
        and not was_on_its_way(table, flip, place, rules)
    ):
        return SpitCard(flip.t_ns, owner, flip.card, flip.early_ns, flip.late_ns)
    if table.phase in (Phase.PLAY, Phase.SPIT) or is_just_over(table, flip.t_ns, rules):
        player = flip.player or who_holds(table, flip)
        return Play(flip.t_ns, player, flip.card, place, flip.early_ns, flip.late_ns)
    return None


def was_on_its_way(table: SpitTable, flip: Flip, place: int, rules: HouseRules) -> bool:
    """It fits, and came so soon after the call for deck cards that it was still meant as a play.

    Source: the box's own.
    """
    since_ns, top = table.called_ns, table.piles[place].top
    if table.phase is not Phase.SPIT or since_ns is None or flip.t_ns - since_ns > ON_ITS_WAY_NS:
        return False
    return fits(flip.card, top, equal_rank=rules.equal_rank)


def lies_there(table: SpitTable, flip: Flip, place: int) -> bool:
    """It is the old top card: a refused card was taken away again, or the camera looked twice.

    A pile that was chosen may lie there for a while, until it is lifted.
    """
    pile = table.piles[place]
    if table.phase is Phase.LAID:
        taken, since_ns = table.taken_tops.get(flip.pile), table.taken_ns or 0
        still = flip.t_ns - since_ns <= CARRYING_NS
        return still and taken is not None and is_same_card(taken, flip.card)
    if pile.top is None or not flip.card.is_read or not is_same_card(pile.top, flip.card):
        return False
    certain = "?" not in (pile.top.suit, flip.card.suit)
    if pile.goes_back:
        table.piles[place] = pile.with_top_again()
        return True
    return certain


def whose_deck(table: SpitTable, place: int) -> str | None:
    """Whose deck card is awaited on this pile."""
    owners = [player for player in table.players if table.own_pile(player) == place]
    return next((player for player in owners if awaits_deck_card(table, player)), None)


def awaits_deck_card(table: SpitTable, player: str) -> bool:
    """The table waits for a deck card of this player."""
    return player in table.due or (table.phase is Phase.LAID and table.decks[player] > 0)


def who_holds(table: SpitTable, flip: Flip) -> str:
    """Nobody saw the hand: where the stock piles are known, the card shows whose it was."""
    holders = [
        player
        for player, stacks in table.stacks.items()
        if isinstance(stacks, Stacks) and stacks.find(flip.card) is not None
    ]
    return holders[0] if len(holders) == 1 else UNSEEN


def is_just_over(table: SpitTable, t_ns: int, rules: HouseRules) -> bool:
    """The round ended so lately that a card on a pile was still meant as a play."""
    ended = table.ended_ns
    return ended is not None and t_ns - ended <= rules.race_ms * NS_PER_MS


def read_touch(
    table: SpitTable, slap: Slap, before_ns: int | None, rules: HouseRules
) -> Observation | None:
    """A pad was touched: stuck, finished, or the choice of a pile.

    Args:
        table: What lies on the table.
        slap: The touch.
        before_ns: When the same player touched his pad before; None if he has not.
        rules: The house rules.

    Source: the box's own.
    """
    twice = before_ns is not None and slap.t_ns - before_ns <= DONE_NS
    if table.phase in (Phase.PLAY, Phase.SPIT):
        if twice and table.unseen and not table.fewest(slap.player):
            return Finished(slap.t_ns, slap.player)
        if table.phase is Phase.PLAY:
            return Stuck(slap.t_ns, slap.player)
    if twice and awaits_deck_card(table, slap.player):
        return NoDeck(slap.t_ns, slap.player)
    if table.phase is not Phase.CHOICE or is_just_over(table, slap.t_ns, rules):
        return None
    return Choose(slap.t_ns, table.chooser or slap.player, table.own_pile(slap.player))


def read_bare_place(table: SpitTable, cleared: Cleared) -> Observation | None:
    """A pile is gone: the finisher lifts the one that he chooses before the other may take his.

    Source: the box's own.
    """
    table.taken_tops.pop(cleared.pile, None)
    if table.phase is not Phase.CHOICE or table.chooser is None:
        return None
    return Choose(cleared.t_ns, table.chooser, 0 if table.is_single else cleared.pile)
