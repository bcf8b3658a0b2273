"""What hands do over the table: flip, slap, take a pile, push a card under it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from random import Random

from hardware.simulated.motion import Pose, path, throw
from hardware.simulated.people import MS
from hardware.simulated.table import Hand, MovingCard, PileTaken, Table, TopTaken
from referee.rules.cards import Card

GRIP_MM = 36.0
"""From the middle of a card to the fingers that hold it."""
REACH_MM = 62.0
"""From a seat's hidden hand to its pad."""
LIFT_OFF_MS = 260
"""From reaching for a card to its leaving the pile."""
BARE_MS = 450
"""Time to look at a pile whose top card was taken away."""
SLIDE_MS = 640
"""A hand pushes a card under a pile and is gone."""
PULL_MS = 850
"""A hand reaches for a pile, grabs it and has pulled it out of view."""
AWAY_MM = 150.0
"""So far behind its pad a hand and what it holds are out of view."""


@dataclass(frozen=True, slots=True)
class Again:
    """How a card was taken away and laid anew."""

    off_ns: int
    """It left the pile."""
    start_ns: int
    rest_ns: int
    hand_gone_ns: int
    place: Pose


@dataclass(frozen=True, slots=True)
class Gestures:
    """Moves hands and cards on one table."""

    table: Table
    rng: Random

    def flip(
        self,
        player: str,
        card: Card,
        pile: int,
        start_ns: int,
        rest_ns: int,
        *,
        is_open: bool = False,
    ) -> tuple[Pose, int]:
        """Lay a card on a pile, turning it over unless it `is_open` already.

        Returns:
            Its place and when the hand is gone.
        """
        place = self.table.messy_place(player, pile)
        away = self._behind(player, 60, place)
        start = Pose(away.x, away.y, place.angle, 26, 0.0 if is_open else math.pi)
        self.table.lay(MovingCard(card, throw((start_ns, start), (rest_ns, place)), pile))
        self._carry(player, start_ns, start, rest_ns, place)
        return place, self._withdraw(player, rest_ns, place)

    def _behind(self, player: str, distance: float, place: Pose) -> Pose:
        """Out of view behind a seat, on the side of a place on the table."""
        away = self.table.seats[player].outside(distance)
        return away if self.table.piles == 1 else replace(away, x=place.x * 0.7)

    def _grip(self, player: str, card: Pose) -> Pose:
        """The hand that holds a card there."""
        behind = card.ahead(-GRIP_MM)
        lean = (card.angle - self.table.seats[player].pad.angle) * 0.5
        return replace(behind, angle=self.table.seats[player].pad.angle + lean, roll=0.0)

    def _carry(self, player: str, start_ns: int, start: Pose, rest_ns: int, rest: Pose) -> None:
        motion = throw((start_ns, self._grip(player, start)), (rest_ns, self._grip(player, rest)))
        self.table.show_hand(Hand(player, "pinch", motion, rest_ns))

    def _withdraw(self, player: str, from_ns: int, place: Pose) -> int:
        """Pull the hand back from a card; returns when it is gone."""
        gone = from_ns + round(self.rng.uniform(130, 210) * MS)
        away = replace(self._behind(player, 90, place), lift=25.0)
        motion = path((from_ns, self._grip(player, place)), (gone, away))
        self.table.show_hand(Hand(player, "pinch", motion, gone))
        return gone

    def slap(self, player: str, touch_ns: int, release_ns: int, *, sweep: bool = False) -> None:
        """Come down on the own pad; a sweeping hand shoots on over the pile."""
        seat = self.table.seats[player]
        on_pad = seat.pad.ahead(self.rng.uniform(4, 22)).moved(
            self.rng.uniform(-6, 6), self.rng.uniform(-6, 6), self.rng.gauss(0, 0.12)
        )
        away = replace(seat.outside(90), lift=45.0)
        stops = [(touch_ns - 120 * MS, away), (touch_ns, on_pad), (release_ns, on_pad)]
        if sweep:
            over = replace(seat.pad.ahead(self.rng.uniform(70, 120)), lift=12.0)
            stops.append((release_ns + 110 * MS, over))
        end = stops[-1][0] + 170 * MS
        self.table.show_hand(Hand(player, "flat", path(*stops, (end, away)), end))

    def take_pile(self, player: str, pile: int, reach_ns: int, keep: int = 0) -> tuple[int, int]:
        """Lay a hand on a pile and pull it away; returns when it starts to move and is gone."""
        seat = self.table.seats[player]
        middle = self.table.pile_middle(pile)
        on_pile = replace(middle, angle=seat.pad.angle).ahead(self.rng.uniform(10, 35))
        grab, off = reach_ns + 260 * MS, reach_ns + 390 * MS
        gone = off + round(self.rng.uniform(340, PULL_MS - 390) * MS)
        away = self._behind(player, AWAY_MM, middle)
        dx, dy = away.x - middle.x, away.y - middle.y
        turn = self.rng.uniform(-0.25, 0.25)
        self.table.take_pile(
            PileTaken(pile, path((off, Pose(0, 0)), (gone, Pose(dx, dy, turn))), keep)
        )
        start = replace(self._behind(player, 90, middle), lift=30.0)
        motion = path(
            (reach_ns, start), (grab, on_pile), (off, on_pile), (gone, on_pile.moved(dx, dy, turn))
        )
        self.table.show_hand(Hand(player, "flat", motion, gone))
        return off, gone

    def slide_under(self, player: str, card: Card, pile: int, start_ns: int) -> int:
        """Push a face-down card under a pile; returns when the hand is gone."""
        seat = self.table.seats[player]
        place = replace(self.table.messy_place(player, pile), roll=math.pi)
        away = seat.outside(60)
        start = Pose(away.x, away.y, place.angle, 0, math.pi)
        rest_ns = start_ns + 420 * MS
        motion = path((start_ns, start), (rest_ns, place))
        self.table.lay(MovingCard(card, motion, pile, under=True))
        # The fingers push the near edge: they stop short of the pile.
        hand = path((start_ns, self._grip(player, start)), (rest_ns, self._grip(player, place)))
        self.table.show_hand(Hand(player, "pinch", hand, rest_ns))
        return self._withdraw(player, rest_ns, place)

    def take_top(self, player: str, card: Card, pile: int, place: Pose, reach_ns: int) -> int:
        """Take the top card of a pile away; returns when it is gone."""
        off, gone = reach_ns + LIFT_OFF_MS * MS, reach_ns + 620 * MS
        away = self._behind(player, AWAY_MM, place)
        target = Pose(away.x, away.y, place.angle, 25)
        onward = MovingCard(card, path((off, place), (gone, target)), pile, stays=False)
        self.table.take_top(TopTaken(pile, off, onward))
        self._reach(player, reach_ns, off, place)
        hand = path((off, self._grip(player, place)), (gone, self._grip(player, target)))
        self.table.show_hand(Hand(player, "pinch", hand, gone))
        return gone

    def lay_again(
        self, player: str, card: Card, pile: int, place: Pose, *, now_ns: int, is_open: bool
    ) -> Again:
        """Take the top card away, let everybody see the pile without it, and lay it anew."""
        gone_ns = self.take_top(player, card, pile, place, now_ns)
        start_ns = gone_ns + BARE_MS * MS
        rest_ns = start_ns + round(self.rng.uniform(280, 380) * MS)
        fresh, hand_gone_ns = self.flip(player, card, pile, start_ns, rest_ns, is_open=is_open)
        return Again(now_ns + LIFT_OFF_MS * MS, start_ns, rest_ns, hand_gone_ns, fresh)

    def _reach(self, player: str, from_ns: int, to_ns: int, place: Pose) -> None:
        away = replace(self._behind(player, 90, place), lift=25.0)
        motion = path((from_ns, away), (to_ns, self._grip(player, place)))
        self.table.show_hand(Hand(player, "pinch", motion, to_ns))
