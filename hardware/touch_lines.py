"""The interrupt line of a touch chip: which of its edges was a touch, and who lets it go again.

The chip pulls its line down on every change, touch and release alike, and holds it until its
status is read. The edge says when, with the kernel's stamp; the status, read afterwards, says what.
Between two reads there is at most one edge, so an edge belongs to the first read that ended after
it, and it was a touch if the read before said "free". That holds even if the palm was gone again
when the status was read.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from hardware.clock import NS_PER_MS, NS_PER_S
from hardware.mpr121 import BadTouchChip, TouchStatus

UNREAD_NS = 50 * NS_PER_MS
"""A line that is down for longer without a read was missed: it is read without an edge."""
CHECK_NS = 1 * NS_PER_S
"""Time between two looks at the settings, which a power dip sets back."""
KEPT_READS = 64
WAIT_S = UNREAD_NS / NS_PER_S


class Chip(Protocol):
    """What a touch chip can do; hardware.mpr121.Mpr121 is one."""

    def set_up(self) -> None:
        """Write and check all settings."""

    def status(self) -> TouchStatus:
        """Is the pad touched? Lets the line go."""

    def is_running(self) -> bool:
        """Does the chip still have its settings?"""

    def has_baseline(self) -> bool:
        """Could it measure its electrode?"""


@dataclass(slots=True)
class _Read:
    """One look at the status."""

    end_ns: int
    was_touched: bool
    """By the read before."""
    has_edge: bool = False


class TouchLine:
    """One player's chip and its line."""

    def __init__(self, chip: Chip, is_down: Callable[[], bool], now: Callable[[], int]) -> None:
        """Begin with a pad that nobody touches.

        Args:
            chip: Set up already.
            is_down: Reads the level of the interrupt line.
            now: The monotonic clock.
        """
        self.is_touched = False
        """By the newest read."""
        self.forced = 0
        """Reads without an edge, because the line was down."""
        self.resets = 0
        """Times that the chip had lost its settings and got them again."""
        self.trouble: str | None = None
        """"silent" or "baseline"; None: the chip is well."""
        self._chip = chip
        self._is_down = is_down
        self._now = now
        self._lock = threading.RLock()
        self._reads: deque[_Read] = deque(maxlen=KEPT_READS)
        self._edge_waits = False
        self._down_since_ns: int | None = None
        self._checked_ns = now()

    def hear(self) -> None:
        """An edge was stamped. Runs in the delivering thread."""
        self._edge_waits = True

    def serve(self) -> None:
        """Read the status if an edge or a line that stays down asks for it; check the chip."""
        with self._lock:
            now_ns = self._now()
            if self._edge_waits:
                self._read()
            elif self._is_forgotten(now_ns):
                self.forced += 1
                self._read()
            if now_ns - self._checked_ns >= CHECK_NS:
                self._checked_ns = now_ns
                self._check()

    def was_touch(self, t_ns: int) -> bool:
        """The edge with this stamp was a touch, no release. Each edge is asked for once."""
        with self._lock:
            read = self._first_after(t_ns)
            if read is None:
                self._read()
                read = self._first_after(t_ns)
            if read is None:  # the chip is silent: believe what was known last
                touch, self.is_touched = not self.is_touched, not self.is_touched
                return touch
            read.has_edge = True
            return not read.was_touched

    def _first_after(self, t_ns: int) -> _Read | None:
        return next(
            (read for read in self._reads if read.end_ns > t_ns and not read.has_edge), None
        )

    def _is_forgotten(self, now_ns: int) -> bool:
        if not self._is_down():
            self._down_since_ns = None
        elif self._down_since_ns is None:
            self._down_since_ns = now_ns
        return self._down_since_ns is not None and now_ns - self._down_since_ns > UNREAD_NS

    def _read(self) -> None:
        self._edge_waits = False
        self._down_since_ns = None
        try:
            status = self._chip.status()
        except BadTouchChip:
            self.trouble = "silent"
            return
        self._reads.append(_Read(self._now(), self.is_touched))
        self.is_touched = status.is_touched
        if status.over_current:
            self.trouble = "baseline"

    def _check(self) -> None:
        try:
            if not self._chip.is_running():
                self.resets += 1
                self._chip.set_up()
            self.trouble = None if self._chip.has_baseline() else "baseline"
        except BadTouchChip:
            self.trouble = "silent"


class TouchKeeper:
    """Serves all lines from a thread of its own, so that a busy box forgets none."""

    def __init__(self, lines: Iterable[TouchLine]) -> None:
        self._lines = list(lines)
        self._woken = threading.Event()
        self._stopped = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin."""
        self._thread = threading.Thread(target=self._run, name="touch chips", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """A line has an edge. Runs in the delivering thread."""
        self._woken.set()

    def serve(self) -> None:
        """Serve every line once."""
        for line in self._lines:
            line.serve()

    def stop(self) -> None:
        """Stop. Safe to call twice."""
        self._stopped = True
        self._woken.set()
        if self._thread is not None:
            self._thread.join(timeout=1)

    def _run(self) -> None:
        while not self._stopped:
            self._woken.wait(WAIT_S)
            self._woken.clear()
            self.serve()
