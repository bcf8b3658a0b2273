"""What the referee asks of a game: told what happened in the order of event time, it rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from referee.rules.events import Observation
from referee.rules.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class TableView:
    """How the books stand: what section 7 of the scenarios calls `final`, and a little more."""

    players: tuple[str, ...]
    winner: str | None = None
    placing: tuple[str, ...] | None = None
    """Best first; None until the end."""
    to_act: str | None = None
    """Whose turn it is; None: the game is over, a claim is open, or everybody plays (Spit)."""

    counts: tuple[tuple[str, int], ...] = ()
    """Cards held, by player. Slapjack, Egyptian Ratscrew."""
    pile: int = 0
    """All cards in the pile, burned ones included."""
    status: tuple[tuple[str, str], ...] = ()
    """`last_chance` or `out`, by player; the others are active."""
    challenge: tuple[str, str, int] | None = None
    """Challenger, payer, cards still due."""
    top: str | None = None
    """The top card as far as it was read, `"??"` if not, None on the bare table."""
    trigger: str | None = None
    """Which slap the top card allows."""

    cards: tuple[tuple[str, int], ...] = ()
    """Spit: stock piles and deck together, by player."""
    piles: tuple[int, ...] = ()
    """Spit: cards in each spit pile; one entry in a single-pile round."""


class Upcoming(Protocol):
    """What is already known to have happened after the observation that is being ruled on."""

    def ahead(self) -> Iterator[Observation]:
        """Later observations in the order of event time."""


class Game(Protocol):
    """One game: a pure state. No clock, no arrival, no files."""

    def begin(self) -> list[Verdict]:
        """What is announced before anything happened: the deal, the layout."""

    def receive(self, observation: Observation) -> list[Verdict]:
        """Take the next observation in the order of event time, windows before it closed."""

    def close(self, now_ns: int | None) -> list[Verdict]:
        """Decide what nothing at `now_ns` or later can change.

        A window that ends at `now_ns` itself stays open.

        Args:
            now_ns: Every earlier observation was received. None: no observation will come any
                more; what waits for others is decided, but no time passes.
        """

    @property
    def table(self) -> TableView:
        """How the books stand."""
