"""Spit: cards and hands at the same moment, and who was first."""

from __future__ import annotations

from collections.abc import Sequence

from referee.rules.cards import Card
from referee.rules.events import (
    Cleared,
    Flip,
    Move,
    Observation,
    Play,
    Slap,
    SpitCard,
    weakest_stamp,
)
from referee.rules.house_rules import HouseRules
from referee.rules.spit_play import NS_PER_MS, card_fits, is_available, move, play, why_not_played
from referee.rules.spit_round import take_piles
from referee.rules.spit_table import UNSEEN, Phase, SpitTable
from referee.rules.spit_view import read_flip
from referee.rules.verdicts import IgnoredSlap, LateSlap, Tie, TiePlay, Verdict


def may_tie(table: SpitTable, event: Observation, rules: HouseRules) -> int | None:
    """A legal card, or a hand in the race, waits for others that may be as early.

    Returns:
        Until when, in event time; None if it need not wait.

    Source: Spit, "Ziel" (beide Spieler legen gleichzeitig ihre Karten ab).
    """
    tie_ns = rules.tie_ms * NS_PER_MS
    if isinstance(event, Play) and event.player != UNSEEN:
        legal = why_not_played(table, event, rules) is None
        return order_ns(event) + tie_ns if legal else None
    if isinstance(event, Slap) and is_slap_race(table, rules):
        return event.t_ns + event.late_ns + tie_ns
    return None


def tied_with(
    table: SpitTable, first: Play, later: Sequence[Observation], rules: HouseRules
) -> int | None:
    """The other player's card on the same pile at the same time, if it fitted as well.

    What happened in between is played out on a copy of the table on which the first card does not
    lie, since both cards go back.

    Args:
        table: As it was before the first card.
        first: A legal play.
        later: What came after it, up to `tie_ms` and longer.
        rules: The house rules.

    Returns:
        Its place in `later`.

    Source: the box's own.
    """
    trial, top = table.copy(), table.piles[first.pile].top
    for place, seen in enumerate(later):
        event = read_flip(trial, seen, rules) if isinstance(seen, Flip) else seen
        if isinstance(event, Play):
            if order_ns(event) - order_ns(first) > rules.tie_ms * NS_PER_MS:
                return None
            rival = event.pile == first.pile and event.player not in (first.player, UNSEEN)
            if rival and _fitted(trial, event, top, rules):
                return place
            play(trial, event, rules)
        elif isinstance(event, Move):
            move(trial, event)
    return None


def order_ns(event: Observation) -> int:
    """When an observation is ruled on: a hand at its earliest, a card when it surely lay there.

    The camera sees which of two cards lies below, so their order is never in doubt.
    """
    if isinstance(event, Slap):
        return event.t_ns - event.early_ns
    if isinstance(event, Play | SpitCard | Flip | Cleared):
        return event.t_ns + event.late_ns
    return event.t_ns


def _fitted(table: SpitTable, event: Play, top: Card | None, rules: HouseRules) -> bool:
    """The card could have been laid on `top`."""
    return (
        table.phase is Phase.PLAY
        and is_available(table, event.player, event.card)
        and card_fits(table, event.card, top, rules)
    )


def both_go_back(table: SpitTable, first: Play, t_ns: int) -> list[Verdict]:
    """Two cards at the same time: the race is run again.

    Source: the box's own.
    """
    table.piles[first.pile] = table.piles[first.pile].with_refused()
    return [TiePlay(t_ns, table.players, first.pile)]


def is_slap_race(table: SpitTable, rules: HouseRules) -> bool:
    """The round is over and both may race for the smaller pile (house rule `spit_slap_race`)."""
    return rules.spit_slap_race and table.phase is Phase.CHOICE and table.chooser is not None


def slap_race(table: SpitTable, slaps: Sequence[Slap], rules: HouseRules) -> list[Verdict]:
    """The first hand takes the smaller pile; of equal piles, the one on its own side.

    Args:
        table: After the round.
        slaps: All touches that could be the first, in event time.
        rules: The house rules.

    Source: the box's own (house rule `spit_slap_race`).
    """
    last_ns = min(slap.t_ns + slap.late_ns for slap in slaps) + rules.tie_ms * NS_PER_MS
    leaders = [slap for slap in slaps if slap.t_ns - slap.early_ns <= last_ns]
    tied = tuple(p for p in table.players if any(slap.player == p for slap in leaders))
    if len(tied) > 1:
        stamp = weakest_stamp(slap.stamp for slap in leaders)
        return [Tie(slaps[0].t_ns, tied, rules.tie_ms * NS_PER_MS, stamp)]
    (winner,) = tied
    said = take_piles(table, winner, smaller_pile(table, winner), leaders[0].t_ns, rules)
    late = [LateSlap(slap.t_ns, slap.player, slap.stamp) for slap in slaps if slap.player != winner]
    return [*said, *late]


def smaller_pile(table: SpitTable, player: str) -> int:
    """The pile with fewer cards; of equal ones, the player's own.

    Source: Spit, "Spielablauf" (Du solltest immer den kleineren Stapel wählen).
    """
    first, second = (pile.size for pile in table.piles)
    if first == second:
        return table.own_pile(player)
    return 0 if first < second else 1


def touch_of_nothing(table: SpitTable, slap: Slap, rules: HouseRules) -> list[Verdict]:
    """A touch that means nothing: late in the race for the smaller pile, or at no time for one.

    Source: the box's own (house rule `spit_slap_race`).
    """
    if rules.spit_slap_race and table.taken_ns is not None:
        late = slap.t_ns - table.taken_ns <= rules.race_ms * NS_PER_MS
        if late:
            return [LateSlap(slap.t_ns, slap.player, slap.stamp)]
    return [IgnoredSlap(slap.t_ns, slap.player, "not_eligible", slap.stamp)]
