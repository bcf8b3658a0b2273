"""What people slap if nothing else was agreed, and what they mistake for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.rules.cards import RANKS, Card
from referee.rules.house_rules import HouseRules
from referee.rules.triggers import agreed_triggers

Predicate = Callable[[Sequence[Card]], bool]
"""Whether a pile, bottom first, can be slapped."""


def usual_triggers(game: str) -> Predicate:
    """The slaps of a game without house rules."""
    return is_jack_on_top if game == "slapjack" else is_pair_sandwich_or_top_bottom


def is_jack_on_top(pile: Sequence[Card]) -> bool:
    """The usual slap of Slapjack.

    Source: Slapjack, "Spielablauf".
    """
    return bool(pile) and pile[-1].rank == "J"


def is_pair_sandwich_or_top_bottom(pile: Sequence[Card]) -> bool:
    """The usual slaps of Egyptian Ratscrew.

    Source: Egyptian Ratscrew, "Die Schläge".
    """
    if len(pile) < 2:
        return False
    rank = pile[-1].rank
    return rank in (pile[-2].rank, pile[0].rank) or (len(pile) > 2 and rank == pile[-3].rank)


def looks_like_it(game: str, pile: Sequence[Card]) -> bool:
    """Easily mistaken: another picture for a jack; neighbours, or a six and a nine, for a pair."""
    if game == "slapjack":
        return pile[-1].rank in "QK"
    if len(pile) < 2:
        return False
    a, b = pile[-1].rank, pile[-2].rank
    return {a, b} == {"6", "9"} or abs(RANKS.index(a) - RANKS.index(b)) == 1


def agreed_slaps(rules: HouseRules) -> Predicate:
    """The slaps that a table has agreed on."""
    triggers = agreed_triggers(rules)

    def is_slappable(pile: Sequence[Card]) -> bool:
        return bool(pile) and any(trigger(pile, pile[0]) for _, trigger in triggers)

    return is_slappable
