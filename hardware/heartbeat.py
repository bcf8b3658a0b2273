"""The heartbeat line: one output looped to one input, toggled 50 times a second.

Its edges take the very same way as those of the pads: kernel, queue, the one thread that delivers
them. So each one proves that the pads are alive, and that every touch before it has arrived. It is
the pads' watermark, and goes on when nobody slaps for minutes. As its edges are our own, they
also prove the clock: the kernel's stamp must lie between our looks at the clock.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from hardware.clock import NS_PER_MS, NS_PER_S, is_between

logger = logging.getLogger(__name__)

BEAT_NS = 20 * NS_PER_MS
"""Time between two edges."""
LOST_AFTER_NS = 300 * NS_PER_MS
"""So long without an edge: nothing may be ruled."""
CLOCK_SLACK_NS = 5 * NS_PER_MS
"""How far the stamp of our own edge may lie outside our two looks at the clock."""


class Pulse:
    """What is known from the edges that came back. Event time only; asks no clock."""

    def __init__(self) -> None:
        self.first_ns: int | None = None
        """Event time of the first edge: the pads live since then."""
        self.newest_ns: int | None = None
        self.wrong_clock = 0
        """Edges whose stamp does not fit the time at which they were made."""
        self._made_ns: int | None = None
        self._asked_ns: int | None = None

    def made(self, t_ns: int) -> None:
        """An edge is about to be made; this is the clock just before it."""
        self._made_ns = t_ns

    def came_back(self, t_ns: int, arrived_ns: int | None = None) -> None:
        """An edge with this stamp was delivered when the clock read `arrived_ns`."""
        made_ns, self._made_ns = self._made_ns, None
        if made_ns is not None and arrived_ns is not None:
            self.wrong_clock += not is_between(t_ns, made_ns, arrived_ns, CLOCK_SLACK_NS)
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

    def __init__(
        self,
        write: Callable[[bool], None],
        pulse: Pulse,
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._write = write
        self._pulse = pulse
        self._now = now
        self._level = False
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to beat."""
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
        self._thread.start()

    def beat(self) -> None:
        """Toggle once."""
        self._level = not self._level
        # Before the edge is made: it may come back before `write` returns.
        self._pulse.made(self._now())
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
                logger.error("the heartbeat line cannot be driven: %s", error)
                return
