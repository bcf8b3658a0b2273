"""When to try again: soon at first, then less and less often. Pure."""

from __future__ import annotations

from hardware.clock import NS_PER_MS, NS_PER_S

FIRST_NS = 500 * NS_PER_MS
LONGEST_NS = 30 * NS_PER_S


class Retry:
    """Doubles its pause with every try until it is told that one was good."""

    def __init__(self, first_ns: int = FIRST_NS, longest_ns: int = LONGEST_NS) -> None:
        self.tries = 0
        """Since the last good one."""
        self._first_ns, self._longest_ns = first_ns, longest_ns
        self._next_ns: int | None = None

    def is_due(self, now_ns: int) -> bool:
        """It is time for a try, which counts as made: the first one comes at once."""
        if self._next_ns is not None and now_ns < self._next_ns:
            return False
        pause_ns = min(self._longest_ns, self._first_ns << min(self.tries, 30))
        self.tries += 1
        self._next_ns = now_ns + pause_ns
        return True

    def was_good(self) -> None:
        """The next trouble starts with a short pause again."""
        self.tries = 0
        self._next_ns = None
