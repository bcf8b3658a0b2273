"""The simulated table: seats, pads, piles of messily placed cards, and all that moves over them.

Only geometry and time; `painter.py` makes pictures of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from hardware.simulated.motion import Motion, Pose
from referee.rules.cards import Card

CARD_HEIGHT_MM = 88.0
"""Of a poker card."""
Surface = Literal["wood", "felt", "mat"]

FIELD_MM = (320.0, 240.0)
"""Width and height of the camera's view on the table."""
SEAT_OUT_MM = 30.0
"""A seat's pad lies so far inside the edge of the view."""
SPREAD_MM = 9.0
"""How messily cards are placed (standard deviation)."""
PILE_GAP_MM = 72.0
"""Between the middles of two piles and the middle of the table, x."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's place."""

    player: str
    number: int
    """From 1, clockwise."""
    pad: Pose
    """Middle of the pad; its angle points to the middle of the table."""

    def outside(self, distance: float = 170.0) -> Pose:
        """Where a hand waits, out of the camera's view."""
        return self.pad.ahead(-distance)


HandShape = Literal["pinch", "flat"]


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand with its forearm; the pose is that of its fingertips."""

    player: str
    shape: HandShape
    motion: Motion
    end_ns: int


@dataclass(frozen=True, slots=True)
class MovingCard:
    """A card on its way. After `end_ns` of its motion it lies on the pile, or is gone."""

    card: Card
    motion: Motion
    pile: int
    stays: bool = True
    """It belongs to the pile when it has come to rest."""
    under: bool = False
    """It slides under the pile."""


@dataclass(frozen=True, slots=True)
class PileTaken:
    """A whole pile leaves the table; the motion is relative to where it lay."""

    pile: int
    motion: Motion
    keep: int = 0
    """So many cards on top stay: they were laid after the pile was won."""


@dataclass(frozen=True, slots=True)
class TopTaken:
    """The top card of a pile is lifted; it goes on as a `MovingCard`."""

    pile: int
    t_ns: int
    onward: MovingCard


Change = MovingCard | PileTaken | TopTaken
"""What changes a pile."""


@dataclass(slots=True)
class Table:
    """Everything that lies on the table or moves above it, in the order in which it happens."""

    players: tuple[str, ...]
    seed: int = 0
    piles: int = 1
    surface: Surface | None = None
    """None: chosen by the seed."""
    seats: dict[str, Seat] = field(init=False)
    changes: list[Change] = field(init=False, default_factory=list)
    """Ordered by time; the camera has its own place in it."""
    hands: list[Hand] = field(init=False, default_factory=list)
    _rng: Random = field(init=False)

    def __post_init__(self) -> None:
        self._rng = Random(f"table {self.seed}")
        self.seats = {
            player: Seat(player, i + 1, seat_pose(i, len(self.players)))
            for i, player in enumerate(self.players)
        }

    def pile_middle(self, pile: int) -> Pose:
        """Where a pile is."""
        if self.piles == 1:
            return Pose(0, 0)
        return Pose(PILE_GAP_MM * (-1 if pile == 0 else 1), 0)

    def messy_place(self, player: str, pile: int = 0) -> Pose:
        """Where a player's next card comes to rest: roughly on the pile, roughly straight."""
        middle = self.pile_middle(pile)
        seat = self.seats[player].pad
        spread = SPREAD_MM if self.piles == 1 else SPREAD_MM * 0.6
        turn = self._rng.gauss(0, 0.35 if self.piles == 1 else 0.16)
        return Pose(
            middle.x + max(-2.2, min(2.2, self._rng.gauss(0, 1))) * spread,
            middle.y + max(-2.0, min(2.0, self._rng.gauss(0, 1))) * spread * 0.8,
            seat.angle + turn,
        )

    def lay(self, moving: MovingCard) -> None:
        """A card moves onto (or under) a pile, or away."""
        self.changes.append(moving)

    def take_pile(self, taken: PileTaken) -> None:
        """A pile leaves."""
        self.changes.append(taken)

    def take_top(self, taken: TopTaken) -> None:
        """The top card of a pile leaves or is laid again."""
        self.changes.append(taken)

    def show_hand(self, hand: Hand) -> None:
        """A hand moves over the table."""
        self.hands.append(hand)


def seat_pose(index: int, players: int) -> Pose:
    """The middle of a pad: seats go clockwise around the table from the near side."""
    half_w, half_h = FIELD_MM[0] / 2, FIELD_MM[1] / 2
    # Seat 1 is at the bottom; the next seats follow clockwise (to the left as seen from above).
    around = math.pi / 2 + 2 * math.pi * index / players
    dx, dy = math.cos(around), math.sin(around)
    reach = min(
        (half_w - SEAT_OUT_MM / 4) / max(abs(dx), 1e-9),
        (half_h - SEAT_OUT_MM / 4) / max(abs(dy), 1e-9),
    )
    x, y = dx * reach, dy * reach
    return Pose(x, y, math.atan2(-x, y))
