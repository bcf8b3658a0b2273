"""Edges on their way from the thread that delivers them to the box's loop."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from hardware.clock import BadStamp, seconds_to_ns
from hardware.pad_health import PadHealth, PadState

QUEUE_EDGES = 4096
"""Bound of the queue: half a second of eight pads that all flutter at 1 kHz."""


def _nobody() -> None:
    """Nobody else wants to know of an edge."""


class Line:
    """One pin's edges."""

    def __init__(self, inbox: Inbox, player: str | None, level: bool) -> None:
        """Begin.

        Args:
            inbox: Where edges go.
            player: Whose pad; None: the heartbeat.
            level: The level to which an edge must go to count.
        """
        self.player = player
        self.health = PadHealth()
        self.told = PadState.GOOD
        self.woken: Callable[[], None] = _nobody
        """Called after an edge was put down, in the delivering thread: must be short."""
        self._inbox = inbox
        self._level = level

    def edge(self, ticks: float, state: int) -> None:
        """Runs in the delivering thread."""
        self._inbox.put(self, ticks, state)

    def is_touch(self, state: int) -> bool:
        """The edge goes to the active level. lgpio also reports 2, a time-out: no edge at all."""
        return state in (0, 1) and bool(state) is self._level


class Inbox:
    """A bounded queue that never raises."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.lost = 0
        self.faults = 0
        self._edges: deque[tuple[Line, float, int, int]] = deque()
        self._now = now

    def put(self, line: Line, ticks: float, state: int) -> None:
        """Called by the delivering thread only."""
        try:
            if len(self._edges) < QUEUE_EDGES:
                self._edges.append((line, ticks, state, self._now()))
            else:
                self.lost += 1
            line.woken()
        except BaseException:  # whatever it is: the thread must live, or all pads are deaf
            self.faults += 1

    def take(self) -> list[tuple[int, Line, int, int]]:
        """All edges since the last call, as (event time, line, state, arrival), by event time."""
        edges = []
        for _ in range(len(self._edges)):
            line, ticks, state, arrived_ns = self._edges.popleft()
            try:
                edges.append((seconds_to_ns(ticks), line, state, arrived_ns))
            except (BadStamp, TypeError, AttributeError):
                self.faults += 1
        return sorted(edges, key=lambda edge: edge[0])
