"""What a false slap costs: one function a price.

Each says who gets how many cards of a payer who holds `reach` of them.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.rules.pile import NOBODY, OUT, PILE_BOTTOM, PileState

Shares = list[tuple[int | str, int]]
"""To whom, or under the pile, and how many."""

Penalty = Callable[[PileState, int, int], Shares]


def pay_flipper(state: PileState, payer: int, reach: int) -> Shares:
    """One card to the player who flipped last.

    Source: Slapjack, "Spielablauf" 3 (Falsches Schlagen).
    """
    n = min(state.rules.penalty_cards, reach)
    flipper = state.last_flipper
    if flipper == payer:
        return _SELF_PENALTIES[state.rules.self_penalty](state, payer, n)
    if flipper == NOBODY or state.status[flipper] == OUT:
        return [(PILE_BOTTOM, n)]
    return [(flipper, n)]


def pay_everybody(state: PileState, payer: int, reach: int) -> Shares:
    """One card to every other player, last flipper first, as far as the cards reach.

    Source: Slapjack, "Häufige Varianten" (Strenge Strafe).
    """
    first = payer + 1 if state.last_flipper == NOBODY else state.last_flipper
    others = [
        seat for seat in state.clockwise_from(first) if seat != payer and state.status[seat] != OUT
    ]
    return [(seat, 1) for seat in others[:reach]]


def pay_pile(state: PileState, payer: int, reach: int) -> Shares:
    """The cards go under the pile.

    Source: the box's own.
    """
    return [(PILE_BOTTOM, min(state.rules.penalty_cards, reach))]


def burn(state: PileState, payer: int, reach: int) -> Shares:
    """Two cards under the pile, or as many as he has.

    Source: Egyptian Ratscrew, "Die Schläge" (zwei Karten unter den Stapel).
    """
    return [(PILE_BOTTOM, min(state.rules.burn, reach))]


def self_under_pile(state: PileState, payer: int, n: int) -> Shares:
    """Who slaps his own card pays under the pile.

    Source: the box's own.
    """
    return [(PILE_BOTTOM, n)]


def self_nothing(state: PileState, payer: int, n: int) -> Shares:
    """Who slaps his own card would pay himself: nothing moves.

    Source: Slapjack, "Spielablauf" 3, to the letter.
    """
    return []


def self_next(state: PileState, payer: int, n: int) -> Shares:
    """Who slaps his own card pays the next player still in the game.

    Source: the box's own.
    """
    for seat in state.clockwise_from(payer + 1):
        if seat != payer and state.status[seat] != OUT:
            return [(seat, n)]
    return [(PILE_BOTTOM, n)]


_SELF_PENALTIES: dict[str, Penalty] = {
    "pile": self_under_pile,
    "none": self_nothing,
    "next": self_next,
}

SLAPJACK_PENALTIES: dict[str, Penalty] = {
    "flipper": pay_flipper,
    "all": pay_everybody,
    "pile": pay_pile,
}
"""House rule `penalty` -> price."""
