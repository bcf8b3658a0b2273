"""Touches of the page as pads: for a class with tablets, in mock mode only.

A tablet's own delay and the way through the network are unknown; the stamp is a program's, taken
when the touch arrived, so the hand touched earlier. A real box never takes slaps from the page.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from hardware.clock import NS_PER_MS
from referee.rules.events import SOFTWARE, Observation, Slap, Watermark

FASTEST_NS = 5 * NS_PER_MS
SLOWEST_NS = 120 * NS_PER_MS
"""A touch arrives so long after the finger: touch screen, browser, Wi-Fi."""
WAY_NS = 150 * NS_PER_MS
"""From the page's stamp to the box: later than this a touch counts as late."""
MIDDLE_NS = (FASTEST_NS + SLOWEST_NS) // 2
AWAKE_NS = 600_000 * NS_PER_MS
"""So long after its last touch the box still waits for the tablets' touches."""
MOST_WAITING = 256


class Tablets:
    """Players at the page."""

    def __init__(self, players: Sequence[str], *, now: Callable[[], int] = time.monotonic_ns):
        """Wait for touches.

        Args:
            players: In seat order.
            now: The clock that stamps the touches.
        """
        self._players = tuple(players)
        self._now = now
        self._seen: list[Slap] = []
        self._promised_ns = 0
        self._awake_until_ns = 0

    def wake(self) -> None:
        """Somebody sat down at a tablet: from now on verdicts wait for its touches."""
        self._awake_until_ns = self._now() + AWAKE_NS

    def touch(self, player: str, t_ns: int) -> bool:
        """A touch arrived at the page.

        Args:
            player: Whose pad it was.
            t_ns: When it arrived, monotonic clock.

        Returns:
            False if it cannot be taken: no such player, a time in the future or too old, or more
            touches than hands can make.
        """
        self.wake()
        # The middle of what may have been, so that the interval says the rest.
        middle_ns = t_ns - MIDDLE_NS
        fits = self._promised_ns < middle_ns and t_ns <= self._now()
        if player not in self._players or not fits or len(self._seen) >= MOST_WAITING:
            return False
        half_ns = (SLOWEST_NS - FASTEST_NS) // 2
        self._seen.append(Slap(middle_ns, player, half_ns, half_ns, SOFTWARE))
        return True

    def observations(self) -> list[Observation]:
        """Slaps since the last call, then the watermark."""
        slaps, self._seen = self._seen, []
        now_ns = self._now()
        awake = now_ns < self._awake_until_ns
        promised_ns = now_ns - (WAY_NS + MIDDLE_NS if awake else 1)
        if promised_ns <= self._promised_ns:
            return [*slaps]
        self._promised_ns = promised_ns
        return [*slaps, Watermark(promised_ns, "pads")]

    def close(self) -> None:
        """Nothing to release."""
        self._seen.clear()
