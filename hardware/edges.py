"""Edges on their way from the thread that delivers them to the box's loop."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from hardware.clock import BadStamp, seconds_to_ns
from hardware.pad_health import PadHealth, PadState

QUEUE_EDGES = 1024
"""Bound of each line's queue, so that a pad that flutters takes no room from the others: a tenth
of a second at 10,000 edges a second, 20 s of the heartbeat."""


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
        self.waiting: deque[tuple[float, int, int]] = deque()
        """Stamp in seconds, level, arrival; filled by the delivering thread."""
        self._inbox = inbox
        self._level = level
        inbox.add(self)

    def edge(self, ticks: float, state: int) -> None:
        """Runs in the delivering thread."""
        self._inbox.put(self, ticks, state)

    def is_touch(self, state: int) -> bool:
        """The edge goes to the active level. lgpio also reports 2, a time-out: no edge at all."""
        return state in (0, 1) and bool(state) is self._level


class Inbox:
    """Bounded queues that never raise, one a line."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.lost = 0
        self.faults = 0
        self._lines: list[Line] = []
        self._now = now

    def add(self, line: Line) -> None:
        """Take the edges of one more line."""
        self._lines.append(line)

    def put(self, line: Line, ticks: float, state: int) -> None:
        """Called by the delivering thread only."""
        try:
            if len(line.waiting) < QUEUE_EDGES:
                line.waiting.append((ticks, state, self._now()))
            else:
                self.lost += 1
            line.woken()
        except BaseException:  # whatever it is: the thread must live, or all pads are deaf
            self.faults += 1

    def take(self) -> list[tuple[int, Line, int, int]]:
        """All edges since the last call, as (event time, line, state, arrival), by event time."""
        # The heartbeat is counted first: whatever was delivered before it is counted, too, so
        # that it never overtakes a touch and promises too much.
        heartbeat_first = sorted(self._lines, key=lambda line: line.player is not None)
        counts = [(line, len(line.waiting)) for line in heartbeat_first]
        edges = []
        for line, count in counts:
            for _ in range(count):
                ticks, state, arrived_ns = line.waiting.popleft()
                try:
                    edges.append((seconds_to_ns(ticks), line, state, arrived_ns))
                except (BadStamp, TypeError, AttributeError):
                    self.faults += 1
        return sorted(edges, key=lambda edge: edge[0])
