"""Spit: how a player lays out his cards for a round."""

from __future__ import annotations

from dataclasses import dataclass

STACK_SIZES = (1, 2, 3, 4, 5)
"""The five stock piles. Source: Spit, "Aufbau"."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A player's cards on the table."""

    stacks: tuple[int, ...]
    """Cards in each stock pile."""
    deck: int
    """Cards left over, face down."""


def lay_out(cards: int, *, partial_stack: bool = True) -> Laid:
    """Five stock piles of 1, 2, 3, 4 and 5 cards; with too few, as far as they reach.

    Args:
        cards: All cards of the player.
        partial_stack: The last stock pile may be incomplete; False: what is left stays the deck.

    Source: Spit, "Aufbau"; Spit, "Spielablauf" (so viele Stapel wie er kann).
    """
    stacks: list[int] = []
    left = cards
    for size in STACK_SIZES:
        if left == 0 or (left < size and not partial_stack):
            break
        stacks.append(min(size, left))
        left -= stacks[-1]
    return Laid(tuple(stacks), left)
