"""What the camera tells late: marks on the timeline, after which the game is replayed.

A card that nobody could read is told as unread, so that the game goes on. It may be read after
all, or be taken back. And when the table has answered for a camera that saw nothing, the camera
may show later that no new card lay there.
"""

from __future__ import annotations

from dataclasses import replace

from referee.rules.cards import UNREAD
from referee.rules.events import Award, Flip, Observation, Slap, TakenBack
from referee.rules.timeline import Timeline


def read_late(timeline: Timeline, seen: Observation) -> bool:
    """A card that was told as unread has been read: give it its name.

    What the table has named keeps that name.

    Args:
        timeline: All observations.
        seen: What came late.

    Returns:
        Whether it was such a card.
    """
    if not isinstance(seen, Flip) or not seen.card.is_read:
        return False
    for place, entry in enumerate(timeline.entries):
        told = entry[5]
        if isinstance(told, Flip) and (told.t_ns, told.pile) == (seen.t_ns, seen.pile):
            if told.card.is_read:
                return False
            timeline.replace(place, replace(told, card=seen.card))
            return True
    return False


def take_back(timeline: Timeline, taken: TakenBack) -> bool:
    """A card that was told as unread is gone again: it never counted.

    Args:
        timeline: All observations.
        taken: When it lay there.

    Returns:
        Whether it had been told; it is forgotten then.
    """
    began_ns = taken.t_ns - taken.early_ns
    for place, entry in enumerate(timeline.entries):
        told = entry[5]
        if (
            isinstance(told, Flip)
            and not told.card.is_read
            and (told.t_ns - told.early_ns, told.pile) == (began_ns, taken.pile)
        ):
            timeline.remove(place)
            timeline.add_ruled(taken)
            return True
    return False


class Booking:
    """A card that nobody saw, booked because the table spoke of it."""

    def __init__(self, flip: Flip, *, contradicts: bool, won_playoff: Slap | None) -> None:
        """Remember it.

        Args:
            flip: As it stands in the timeline.
            contradicts: Without a new card the table's word contradicts what the camera read.
            won_playoff: The slap that won a play-off on this card, if it did.
        """
        self._flip = flip
        self._won_playoff = won_playoff
        self._contradicts = contradicts
        self.is_seen = False
        """The camera told of a change at that time: something lay there."""

    def is_refuted(self, timeline: Timeline) -> bool:
        """The camera has looked at that time after all, and nothing had changed."""
        return not self.is_seen and timeline.camera_ns >= timeline.blind_ns

    def take_back(self, timeline: Timeline) -> bool:
        """Take the card out again; return whether the history has changed.

        What the table says stands. If the card below could not have been what the table saw, the
        camera has misread that one; a play-off stays with its winner.
        """
        place = next(
            (at for at, entry in enumerate(timeline.entries) if entry[5] is self._flip), None
        )
        if place is None:
            return False
        won = self._won_playoff
        if won is not None:
            timeline.remove(place)
            timeline.add_ruled(Award(won.t_ns, won.player))
            return True
        below = [at for at in range(place) if isinstance(timeline.entries[at][5], Flip)]
        if self._contradicts:
            if not below:
                return False
            misread = timeline.entries[below[-1]][5]
            timeline.replace(below[-1], replace(misread, card=UNREAD))  # type: ignore[call-arg]
        timeline.remove(place)
        return True
