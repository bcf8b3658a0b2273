"""Looks at every part of the box once a step and says which faults have come or gone.

Each part is a `Look`: it tells its symptoms, and mends itself where it can (a camera is opened
anew, a matrix is set up again). No fault ends a game: what cannot be seen is held, not guessed.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Protocol

from hardware.clock import NS_PER_S
from referee.service.doctor.codes import Code
from referee.service.faults.fault import Fault, FaultChange, Place, Symptoms

logger = logging.getLogger(__name__)

SUSPENDING = frozenset((Code.HEARTBEAT_LOST,))
"""Nothing is ruled while one of these stands: the pads' watermark stands still, too."""
BLINDING = frozenset((Code.NO_CAMERA, Code.CAMERA_STALLED, Code.CAMERA_CLOCK))
"""Slaps are held while one of these stands: the camera's watermark stands still, too."""

REPEATED_NS = {Code.CARD_UNREADABLE: 10 * NS_PER_S}
"""What only people at the table can mend is said again while it stands: how often."""


class Look(Protocol):
    """One part of the box that can fail."""

    def symptoms(self, now_ns: int) -> Symptoms:
        """What is wrong with it now. Never waits, never raises."""


class Watchman:
    """Keeps every fault that stands."""

    def __init__(self, looks: Iterable[Look] = ()) -> None:
        """Begin with a box in which nothing is wrong.

        Args:
            looks: What to look at. The list `looks` may be changed at any time; the faults of a
                part that is not looked at any more go as if it were well.
        """
        self.looks: list[Look] = list(looks)
        self._faults: dict[Place, Fault] = {}
        self._said_ns: dict[Place, int] = {}

    def step(self, now_ns: int) -> list[FaultChange]:
        """Look at everything once.

        Args:
            now_ns: Monotonic clock.

        Returns:
            What came and went since the last step, in the order of codes and seats.
        """
        found: Symptoms = {}
        for look in self.looks:
            found |= look.symptoms(now_ns)
        for place in found:
            if place not in self._faults:
                self._faults[place] = Fault(*place)
        changes = []
        for place in sorted(self._faults, key=_order):
            fault = self._faults[place]
            since_ns = fault.since_ns
            change = fault.step(now_ns, found.get(place))
            if change is not None:
                changes.append(change)
                _log(change, now_ns - (now_ns if since_ns is None else since_ns))
            if fault.is_idle:
                del self._faults[place]
        return changes

    def reminders(self, now_ns: int) -> list[Place]:
        """The standing faults that are to be said again now.

        Args:
            now_ns: Monotonic clock; call it after `step`.
        """
        asked = [place for place in self.standing if place[0] in REPEATED_NS]
        self._said_ns = {place: self._said_ns.get(place, now_ns) for place in asked}
        due = [one for one in asked if now_ns - self._said_ns[one] >= REPEATED_NS[one[0]]]
        self._said_ns |= dict.fromkeys(due, now_ns)
        return due

    @property
    def standing(self) -> list[Place]:
        """The faults that stand now, in the order of codes and seats."""
        return sorted(
            (place for place, fault in self._faults.items() if fault.since_ns is not None),
            key=_order,
        )

    @property
    def is_suspended(self) -> bool:
        """The pads are not to be believed: no verdict is spoken."""
        return any(code in SUSPENDING for code, _ in self.standing)

    @property
    def is_blind(self) -> bool:
        """The camera does not see the pile: slaps are held, nobody should flip."""
        return any(code in BLINDING for code, _ in self.standing)


def _order(place: Place) -> tuple[str, int]:
    code, seat = place
    return code.value, seat or 0


def _log(change: FaultChange, stood_ns: int) -> None:
    """One line a change, in English, as all of the log."""
    where = "" if change.seat is None else f" at seat {change.seat}"
    said = change.code.sentence("en")
    if change.on:
        reason = f" ({change.reason})" if change.reason else ""
        logger.warning("%s%s: %s%s", change.code.value, where, said, reason)
    else:
        logger.warning("%s%s is over after %.1f s", change.code.value, where, stood_ns / NS_PER_S)
