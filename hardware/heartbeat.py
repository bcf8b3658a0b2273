"""The heartbeat line: one output looped to one input, toggled 50 times a second.

Its edges take the very same way as those of the pads: kernel, queue, the one thread that delivers
them. So each one proves that the pads are alive, and that every touch before it has arrived. It is
the pads' watermark, and goes on when nobody slaps for minutes. It proves the clock, too: the
kernel's other clocks are ahead of the monotonic one, so their stamps would lie in the future.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from hardware.clock import NS_PER_MS, NS_PER_S, is_between

logger = logging.getLogger(__name__)

BEAT_NS = 20 * NS_PER_MS
"""Time between two edges."""
LOST_AFTER_NS = 300 * NS_PER_MS
"""So long without an edge: nothing may be ruled."""
ORDER_MARGIN_NS = 1 * NS_PER_MS
"""How far a stamp may lie outside the time in which its edge can have been made. Edges of two
lines may overtake each other by so much (lgpio sorts over 0.5 ms)."""


class Pulse:
    """What is known from the edges that came back. Event time only; asks no clock."""

    def __init__(self, opened_ns: int | None = None) -> None:
        """Begin.

        Args:
            opened_ns: When the pads were opened, if their stamps are to be checked.
        """
        self.first_ns: int | None = None
        """Event time of the first edge: the pads live since then."""
        self.newest_ns: int | None = None
        self.wrong_clock = 0
        """Edges that say they were made before the pads were opened, long before a heartbeat that
        came earlier, or after they arrived."""
        self.known_ns = 0
        """The newest edge of an earlier batch: what comes now was made after it."""
        self._opened_ns = opened_ns
        self._asked_ns: int | None = None

    def fits(self, t_ns: int, arrived_ns: int) -> bool:
        """An edge of any line with this stamp can have arrived then; if not, it is counted."""
        if self._opened_ns is None:
            return True
        earliest_ns = max(self._opened_ns, self.known_ns)
        if is_between(t_ns, earliest_ns, arrived_ns, ORDER_MARGIN_NS):
            return True
        self.wrong_clock += 1
        return False

    def begin_batch(self) -> None:
        """Edges arrive in the order of their stamps, but for the slack: older ones are wrong."""
        self.known_ns = self.newest_ns or 0

    def came_back(self, t_ns: int, arrived_ns: int) -> None:
        """An edge with this stamp was delivered when the clock read `arrived_ns`.

        One that does not fit is left out: a stamp of the future would promise what nobody knows,
        and every touch until then would come too late.
        """
        if not self.fits(t_ns, arrived_ns):
            return
        self.first_ns = t_ns if self.first_ns is None else self.first_ns
        self.newest_ns = t_ns if self.newest_ns is None else max(self.newest_ns, t_ns)

    def is_lost(self, now_ns: int) -> bool:
        """No edge for `LOST_AFTER_NS`; before the first one, since somebody first asked."""
        if self._asked_ns is None:
            self._asked_ns = now_ns
        since_ns = self._asked_ns if self.newest_ns is None else self.newest_ns
        return now_ns - since_ns > LOST_AFTER_NS


class Beater:
    """Toggles the output in a thread of its own until it is stopped."""

    def __init__(self, write: Callable[[bool], None]) -> None:
        self._write = write
        self._level = False
        self._stop = threading.Event()
        self._is_dead = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to beat."""
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
        self._thread.start()

    def beat(self) -> None:
        """Toggle once."""
        self._level = not self._level
        self._write(self._level)

    def stop(self) -> None:
        """Stop beating. Safe to call twice."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=1)

    def _run(self) -> None:
        while not self._stop.wait(BEAT_NS / NS_PER_S):
            try:
                self.beat()
            except Exception as error:  # a dead line shows as a lost heartbeat; here is the reason
                if not self._is_dead:
                    logger.error("the heartbeat line cannot be driven: %s", error)
                self._is_dead = True
            else:
                self._is_dead = False
