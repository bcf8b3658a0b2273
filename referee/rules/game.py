"""What the referee asks of a game: told what happened in the order of event time, it rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from referee.rules.events import Flip, Observation, Slap
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
    """Which slap the top card allows; `playoff`: the tied players', whatever the card."""
    tied: tuple[str, ...] = ()
    """Who plays a tie off."""

    cards: tuple[tuple[str, int], ...] = ()
    """Spit: stock piles and deck together, by player."""
    piles: tuple[int, ...] = ()
    """Spit: cards in each spit pile; one entry in a single-pile round."""


class Upcoming(Protocol):
    """What else is known about the time around the observation that is being ruled on."""

    def flips_beginning_before(self, end_ns: int) -> list[Flip]:
        """Later cards whose interval begins before this time, in order."""

    def slaps_until(self, until_ns: int) -> list[Slap]:
        """Later slaps before the next card whose interval begins no later than this."""

    def has_call(self, player: str, from_ns: int, until_ns: int) -> bool:
        """The player called between these times, both included."""

    def is_struck(self, observation: Slap | Flip) -> bool:
        """The table struck this slap or flip out."""

    def is_same_touch(self, slap: Slap) -> bool:
        """It belongs to an earlier touch of the same pad."""

    def reaches_back(self, slap: Slap) -> bool:
        """It may have happened before something that is already ruled on."""


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
