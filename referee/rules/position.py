"""How a game starts: a fresh deal, or a position in the middle of a game."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.cards import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """All cards are dealt one by one from the dealer's left.

    Source: Slapjack, "Vorbereitung und Austeilen"; Spit, "Aufbau".
    """

    dealer: str | None = None
    """None: the last player, so that the first one begins. Spit has no dealer."""
    totals: tuple[tuple[str, int], ...] = ()
    """Spit: cards of each player, if not 26 each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Slapjack and Egyptian Ratscrew in the middle of a game."""

    counts: tuple[tuple[str, int], ...]
    """Cards held, by player."""
    pile: tuple[Card, ...] = ()
    """Bottom first, top last."""
    pile_burn: int = 0
    """Unseen cards under the pile."""
    last_flipper: str | None = None
    to_act: str | None = None
    status: tuple[tuple[str, str], ...] = ()
    """`last_chance` or `out`, by player; the others are active."""
    ran_out: tuple[str, ...] = ()
    """In the order in which they ran out."""
    eliminated: tuple[str, ...] = ()
    """In the order in which they fell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpitPosition:
    """Spit in the middle of a round."""

    tableau: tuple[tuple[str, tuple[tuple[Card, ...], ...]], ...]
    """Stock piles of each player, each bottom first; only the last card is face up."""
    deck: tuple[tuple[str, int], ...]
    piles: tuple[tuple[Card, ...], ...] = ((), ())
    """Spit piles; one of them in a single-pile round."""
    pile_hidden: tuple[int, ...] = ()
    """Unseen cards below, a pile."""
    phase: str = "play"
    """`play` or `spit`."""
    need: tuple[str, ...] = ()
    """Who must still turn a deck card."""


Start = Deal | Position | SpitPosition
