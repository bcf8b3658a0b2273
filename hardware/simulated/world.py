"""The simulated world: its time, its table, its people. Nothing in it looks at a clock."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Protocol

from hardware.simulated.gestures import Gestures
from hardware.simulated.players import SimulatedPlayers
from hardware.simulated.snapshot import Record
from hardware.simulated.spit_players import SpitPlayers
from hardware.simulated.table import Surface, Table
from hardware.simulated.truth import Truth
from hardware.simulated.usual_slaps import Predicate, usual_triggers
from referee.rules.cards import Card
from referee.rules.errors import RefereeError
from referee.rules.events import Observation, VoidFlip
from referee.rules.game import TableView
from referee.rules.verdicts import Verdict

GAMES = ("slapjack", "ratscrew", "spit")
LEAST_PLAYERS, MOST_PLAYERS = 2, 8


class BadWorld(RefereeError, ValueError):
    """A table that cannot be simulated."""


class Follower(Protocol):
    """Something that lives in the world's time, such as its pads."""

    def advance(self, until_ns: int) -> None:
        """The world has reached this time."""


class People(Protocol):
    """Everybody who sits at the table."""

    winner: str | None

    @property
    def stocks(self) -> dict[str, tuple[Card, ...]]:
        """What everybody holds."""

    def pile(self, number: int = 0) -> tuple[Card, ...]:
        """What lies on a pile, bottom first."""

    def pressed(self) -> list[Observation]:
        """Buttons pressed since the last call."""

    def hear(self, verdicts: Sequence[Verdict], to_act: str | None) -> None:
        """The display changes."""

    def snapshot(self) -> Record:
        """The table at rest."""

    def restore(self, record: Record, books: TableView) -> None:
        """Lay the cards as a snapshot has them, where it differs as the books have them."""


class World:
    """A table with people who play until somebody has won."""

    def __init__(
        self,
        seed: int = 0,
        game: str = "slapjack",
        players: Sequence[str] = ("Ann", "Bo", "Cleo", "Dan"),
        *,
        is_slappable: Predicate | None = None,
        dealer: str | None = None,
        tempo: float = 1.0,
        start_ns: int = 10_000_000_000,
        surface: Surface | None = None,
        calls: bool = False,
        people: Callable[[World], People] | None = None,
    ) -> None:
        """Set the table and deal.

        Args:
            seed: The same seed and the same steps give the same game.
            game: One of `GAMES`.
            players: Names in seat order, clockwise.
            is_slappable: Whether a pile (bottom first) can be slapped; None: the game's usual way.
            dealer: Who dealt; None: the last player, so that the first one acts first.
            tempo: 2.0 flips twice as fast.
            start_ns: The first moment of this world.
            surface: What the table is made of; None: the seed chooses.
            calls: People call "Slapjack!" when they slap (a button of the box).
            people: Seats other people than the usual ones.
        """
        self._check(game, players, dealer)
        self.seed, self.game, self.players = seed, game, tuple(players)
        self.dealer = players[-1] if dealer is None else dealer
        self.table = Table(self.players, seed, 2 if game == "spit" else 1, surface)
        self.truth = Truth()
        self.rng = Random(f"world {seed} {game}")
        self.gestures = Gestures(self.table, Random(f"hands {seed}"))
        self.tempo, self.calls = tempo, calls
        self._now_ns = self.start_ns = start_ns
        self._agenda: list[tuple[int, int, Callable[[], None]]] = []
        self._order = 0
        self._ahead_ns = 0
        self._followers: list[Follower] = []
        self._people = people(self) if people else self._usual_people(is_slappable)

    def _usual_people(self, is_slappable: Predicate | None) -> People:
        if self.game == "spit":
            return SpitPlayers(self)
        return SimulatedPlayers(self, is_slappable or usual_triggers(self.game))

    @staticmethod
    def _check(game: str, players: Sequence[str], dealer: str | None) -> None:
        if game not in GAMES:
            raise BadWorld(f"no such game: {game!r}, expected one of {', '.join(GAMES)}")
        most = 2 if game == "spit" else MOST_PLAYERS
        if not LEAST_PLAYERS <= len(players) <= most or len(set(players)) != len(players):
            raise BadWorld(
                f"cannot seat {len(players)} players, expected {LEAST_PLAYERS} to {most} "
                "different names"
            )
        if dealer is not None and dealer not in players:
            raise BadWorld(f"the dealer {dealer!r} is no player, expected one of {players}")

    # --- time ---

    @property
    def now_ns(self) -> int:
        """The simulated time."""
        return self._now_ns

    def schedule(self, t_ns: int, action: Callable[[], None]) -> None:
        """Let something happen at a time (at once, if that is over)."""
        self._order += 1
        heapq.heappush(self._agenda, (max(t_ns, self._now_ns), self._order, action))

    def advance(self, until_ns: int) -> None:
        """Let people, cards and pads act up to a time."""
        while self._agenda and self._agenda[0][0] <= until_ns:
            self._now_ns, _, action = heapq.heappop(self._agenda)
            action()
        self._now_ns = max(self._now_ns, until_ns)
        for follower in self._followers:
            follower.advance(self._now_ns)

    def follow(self, follower: Follower) -> None:
        """Tell something whenever time has passed."""
        self._followers.append(follower)

    # --- people ---

    def hear(self, verdicts: Sequence[Verdict], to_act: str | None = None) -> None:
        """The people see the display: what was declared, and whose turn it is."""
        if self._ahead_ns:
            verdicts = [replace(said, t_ns=said.t_ns - self._ahead_ns) for said in verdicts]
        self._people.hear(verdicts, to_act)

    def observations(self) -> list[Observation]:
        """Buttons of the box that people pressed since the last call."""
        pressed = self._people.pressed()
        return [self._in_event_time(one) for one in pressed] if self._ahead_ns else pressed

    # --- a game that goes on ---

    def snapshot(self) -> Record:
        """The table at rest, as plain values."""
        return self._people.snapshot()

    def restore(self, record: Record, books: TableView, ahead_ns: int = 0) -> None:
        """Lay the table as it was when the power was cut. Before anything else happens.

        Args:
            record: What `snapshot` gave.
            books: How the replayed books stand; where the snapshot is older, they are right.
            ahead_ns: Event time of the game minus this world's time.
        """
        self._ahead_ns = ahead_ns
        self._people.restore(record, books)

    def _in_event_time(self, pressed: Observation) -> Observation:
        """What a button refers to; the box itself moves the stamp."""
        if isinstance(pressed, VoidFlip):
            return replace(pressed, ref_t_ns=pressed.ref_t_ns + self._ahead_ns)
        return pressed

    @property
    def is_over(self) -> bool:
        """Somebody was declared the winner."""
        return self._people.winner is not None

    @property
    def winner(self) -> str | None:
        """Who was declared the winner."""
        return self._people.winner

    @property
    def stocks(self) -> dict[str, tuple[Card, ...]]:
        """What everybody really holds, top card first."""
        return self._people.stocks

    def pile(self, number: int = 0) -> tuple[Card, ...]:
        """What really lies on a pile, bottom first."""
        return self._people.pile(number)
