"""Is a pad to be believed: stuck, chattering, or fine. Pure: event time only.

A palm that lies on a pad, a drop of water or a broken wire keeps it active; a bad contact or a
strong field makes it flutter. Such a pad is left out, with a warning, until it behaves again. The
lockout after a touch is not here: the rules' timeline does it, in event time, for every source.
"""

from __future__ import annotations

from collections import deque
from enum import Enum

from hardware.clock import NS_PER_MS, NS_PER_S

STUCK_AFTER_NS = 2 * NS_PER_S
"""Nobody leaves his palm on his pad for longer."""
QUIET_AGAIN_NS = 500 * NS_PER_MS
"""So long a pad has to behave until it is believed again."""
RESTRIKE_NS = 120 * NS_PER_MS
"""An edge this soon after a touch is the same palm (counted, for the statistics only)."""
CHATTER_WINDOW_NS = 1 * NS_PER_S
CHATTER_EDGES = 30
"""More edges in one window: a palm makes 10 touches a second at most, a bad contact hundreds."""
BURST_WINDOW_NS = 20 * NS_PER_MS
"""Every touch is looked at for so long before it is believed: one heartbeat. It delays no verdict:
the rules wait longer for the next hand."""
BURST_EDGES = 10
"""So many edges in one burst window are no palm, and the first of them was none either."""


class PadState(Enum):
    """What a pad is at the moment."""

    GOOD = "good"
    STUCK = "stuck"
    CHATTER = "chatter"


class PadHealth:
    """Follows one pad."""

    def __init__(self) -> None:
        self.state = PadState.GOOD
        self.edges = 0
        """Active edges so far."""
        self.restrikes = 0
        """Of these, repeated within `RESTRIKE_NS` of a touch."""
        self._bad_since_ns: int | None = None
        self._touch_ns: int | None = None
        self._active_since_ns: int | None = None
        self._behaves_since_ns: int | None = None
        self._recent: deque[int] = deque(maxlen=CHATTER_EDGES + 1)

    def touched(self, t_ns: int) -> bool:
        """The pad became active.

        Returns:
            Whether to believe it, unless it `was_burst` one burst window later.
        """
        self.edges += 1
        if self._touch_ns is not None and t_ns - self._touch_ns < RESTRIKE_NS:
            self.restrikes += 1
        else:
            self._touch_ns = t_ns
        self._recent.append(t_ns)
        self._active_since_ns = t_ns
        if self.state is not PadState.GOOD:
            self._behaves_since_ns = None
        if self._is_chatter(t_ns):
            self._become(PadState.CHATTER, t_ns)
        return self.state is PadState.GOOD

    def was_burst(self, t_ns: int) -> bool:
        """A touch that was believed at first turned out to be the begin of a burst of edges."""
        bad_ns = self._bad_since_ns
        return bad_ns is not None and t_ns <= bad_ns <= t_ns + BURST_WINDOW_NS

    def _is_chatter(self, t_ns: int) -> bool:
        edges = self._recent
        if len(edges) >= BURST_EDGES and t_ns - edges[-BURST_EDGES] <= BURST_WINDOW_NS:
            return True
        return len(edges) > CHATTER_EDGES and t_ns - edges[0] <= CHATTER_WINDOW_NS

    def _become(self, state: PadState, t_ns: int) -> None:
        if self.state is PadState.GOOD:
            self._bad_since_ns = t_ns
        self.state = state

    def looked(self, t_ns: int, *, is_active: bool) -> None:
        """Somebody read the pad's level at about `t_ns`."""
        if is_active:
            self._is_held(t_ns)
        else:
            self._active_since_ns = None
            self._is_quiet(t_ns)

    def _is_held(self, t_ns: int) -> None:
        self._behaves_since_ns = None
        if self._active_since_ns is None:
            self._active_since_ns = t_ns
        if t_ns - self._active_since_ns > STUCK_AFTER_NS:
            self._become(PadState.STUCK, t_ns)

    def _is_quiet(self, t_ns: int) -> None:
        if self.state is PadState.GOOD:
            return
        if self._behaves_since_ns is None:
            self._behaves_since_ns = t_ns
        if t_ns - self._behaves_since_ns > QUIET_AGAIN_NS:
            self.state = PadState.GOOD
            self._recent.clear()
