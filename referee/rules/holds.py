"""Slaps that cannot be ruled on yet: announced as held, then put to the table.

A hand or glare over the pile makes the camera's watermark stand still. The next clean frame
settles everything; if none comes, the table says what lay there.
"""

from __future__ import annotations

from referee.rules.cards import UNREAD
from referee.rules.events import Flip, Observation, Slap, TableAnswer, TakenBack, Tick
from referee.rules.game import TableView
from referee.rules.hindsight import Booking
from referee.rules.timeline import FROM_CAMERA, NEVER_NS, NS_PER_MS, Timeline
from referee.rules.verdicts import AskTable, Hold, Verdict

HOLD_NS = 400 * NS_PER_MS
"""A slap that waits longer is shown as held."""

ASK_NS = 4000 * NS_PER_MS
"""A slap that waits longer is put to the table."""


class Holds:
    """What the timeline cannot decide."""

    def __init__(self, timeline: Timeline, *, asks: bool) -> None:
        """Watch a timeline.

        Args:
            timeline: What waits.
            asks: Put a slap to the table. Not in Spit: a touch there is no question of a card.
        """
        self._timeline = timeline
        self._asks = asks
        self._tick_ns = NEVER_NS
        self._announced: dict[int, int] = {}
        """`id` of a slap -> 1 held, 2 asked."""
        self._booking: Booking | None = None

    def arrive(self, seen: Observation) -> None:
        """Time passes by ticks and watermarks only."""
        kind = type(seen)
        if kind is Tick:
            self._tick_ns = max(self._tick_ns, seen.t_ns)
        elif self._booking is not None and kind in FROM_CAMERA and kind is not TakenBack:
            self._booking.is_seen = True

    def take_back_booking(self) -> bool:
        """The camera shows that the booked card never lay there; return whether it was so."""
        booking = self._booking
        if booking is None or not booking.is_refuted(self._timeline):
            return False
        self._booking = None
        return booking.take_back(self._timeline)

    def check(self, out: list[Verdict]) -> None:
        """Announce the slaps that have waited too long."""
        timeline = self._timeline
        now_ns = max(timeline.pads_ns, timeline.camera_ns, self._tick_ns)
        if timeline.entries[timeline.at][0] + HOLD_NS > now_ns:
            return
        for place in range(timeline.at, len(timeline.entries)):
            entry = timeline.entries[place]
            if entry[0] + HOLD_NS > now_ns:
                return
            if type(entry[5]) is Slap:
                self._announce(entry[5], entry[7] > timeline.camera_ns, now_ns, out)

    def _announce(self, slap: Slap, by_camera: bool, now_ns: int, out: list[Verdict]) -> None:
        said = self._announced.get(id(slap), 0)
        waited_ns = now_ns - slap.t_ns
        if waited_ns >= HOLD_NS and said < 1:
            out.append(Hold(slap.t_ns, slap.player, "camera" if by_camera else "pads"))
            self._announced[id(slap)] = 1
        if self._asks and waited_ns >= ASK_NS and said < 2:
            out.append(AskTable(slap.t_ns, slap.player))
            self._announced[id(slap)] = 2

    def blind_slaps(self, answer: TableAnswer) -> list[Slap]:
        """The slaps that were announced as held and still are when the table answers."""
        timeline = self._timeline
        waiting = [entry[5] for entry in timeline.entries[timeline.at :]]
        return [
            seen
            for seen in waiting
            if type(seen) is Slap and id(seen) in self._announced and seen.t_ns <= answer.t_ns
        ]

    def release(self, slaps: list[Slap], answer: TableAnswer, table: TableView) -> None:
        """Make these slaps and everything up to the answer ready, without the camera.

        Unless the newest card that the camera has told of explains the answer, a card is booked
        that nobody has seen.

        Args:
            slaps: What waited.
            answer: What the table says.
            table: How the books stand before these slaps.
        """
        timeline = self._timeline
        is_trigger, yes = table.trigger is not None, answer.answer == "slap"
        if table.tied and not yes:
            timeline.struck.update(id(slap) for slap in slaps)
        elif not (is_trigger and yes):
            first = slaps[0]
            unseen = Flip(first.t_ns - first.early_ns - 1, UNREAD)
            timeline.add_before(first, unseen)
            winner = next((slap for slap in slaps if slap.player in table.tied), None)
            contradicts = is_trigger != yes
            self._booking = Booking(unseen, contradicts=contradicts, won_playoff=winner)
        timeline.release_until(answer.t_ns)
        timeline.blind_ns = max(slap.t_ns + slap.late_ns for slap in slaps)
