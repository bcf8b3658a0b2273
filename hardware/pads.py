"""Pads on pins: every touch with the kernel's time stamp, and the pads' watermark.

The handler runs in lgpio's only delivering thread: an exception there would leave every pad deaf
for ever. So it puts the edge into a queue and does nothing else. All thinking happens when the box
asks for `observations`. Edges of different pads can arrive out of order; they are sorted by stamp.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from hardware.clock import NS_PER_MS, BadStamp, seconds_to_ns
from hardware.gpio import open_input, open_output, stamp_quality
from hardware.heartbeat import Beater, Pulse
from hardware.pad_health import PadHealth, PadState
from hardware.pad_settings import (
    SOFTWARE_STAMP_NS,
    BadPads,
    PadSettings,
    check_pads,
    pad_of_kind,
    slap_of,
)
from referee.rules.events import DEMO, KERNEL, SOFTWARE, Observation, Slap, Watermark

__all__ = ["BadPads", "GpioPads", "PadSettings", "PadWarning", "PadsState", "pad_of_kind"]

SETTLE_NS = 500 * NS_PER_MS
"""Touch chips calibrate after power-on, and claiming a line may give an edge of its own."""
ORDER_MARGIN_NS = 1 * NS_PER_MS
"""Edges of two lines may overtake each other by this much (lgpio sorts over 0.5 ms)."""
QUEUE_EDGES = 4096
"""Bound of the queue: half a second of eight pads that all flutter at 1 kHz."""


class PadsState(Enum):
    """May slaps be ruled on?"""

    SETTLING = "settling"
    """Hands off: the pads have just been switched on."""
    READY = "ready"
    SUSPENDED = "suspended"
    """The heartbeat is lost: nothing may be ruled."""


@dataclass(frozen=True, slots=True)
class PadWarning:
    """Something the table should know. Each is told once."""

    what: str
    """"stuck", "chatter", "good" (again), "lost" (edges), "clock" or "fault"."""
    player: str | None = None
    """Whose pad; None: all of them."""
    n: int = 1


class _Line:
    """One pin's edges, on their way into the queue."""

    def __init__(self, inbox: _Inbox, player: str | None, level: bool) -> None:
        self.player = player
        self.health = PadHealth()
        self.told = PadState.GOOD
        self._inbox = inbox
        self._level = level

    def edge(self, ticks: float, state: int) -> None:
        """Runs in the delivering thread."""
        self._inbox.put(self, ticks, state)

    def is_touch(self, state: int) -> bool:
        """The edge goes to the active level. lgpio also reports 2, a time-out: no edge at all."""
        return state in (0, 1) and bool(state) is self._level


class _Inbox:
    """A bounded queue that never raises."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.lost = 0
        self.faults = 0
        self._edges: deque[tuple[_Line, float, int, int]] = deque()
        self._now = now

    def put(self, line: _Line, ticks: float, state: int) -> None:
        """Called by the delivering thread only."""
        try:
            if len(self._edges) < QUEUE_EDGES:
                self._edges.append((line, ticks, state, self._now()))
            else:
                self.lost += 1
        except BaseException:  # whatever it is: the thread must live, or all pads are deaf
            self.faults += 1

    def take(self) -> list[tuple[int, _Line, int, int]]:
        """All edges since the last call, as (event time, line, state, arrival), by event time."""
        edges = []
        for _ in range(len(self._edges)):
            line, ticks, state, arrived_ns = self._edges.popleft()
            try:
                edges.append((seconds_to_ns(ticks), line, state, arrived_ns))
            except (BadStamp, TypeError, AttributeError):
                self.faults += 1
        return sorted(edges, key=lambda edge: edge[0])


class GpioPads:
    """One pad a player, and the heartbeat line."""

    def __init__(
        self,
        pads: Mapping[str, PadSettings],
        heartbeat_out: int,
        heartbeat_in: int,
        factory: Any,
        *,
        settle_ns: int = SETTLE_NS,
        now: Callable[[], int] = time.monotonic_ns,
        beats: bool | None = None,
    ) -> None:
        """Open the pins and start the heartbeat.

        Args:
            pads: Player -> pad, in seat order.
            heartbeat_out: Pin that is toggled.
            heartbeat_in: Pin that is wired to it.
            factory: `gpio.kernel_factory()` or `gpio.mock_factory()`.
            settle_ns: Touches in this time after the first heartbeat are ignored.
            now: The monotonic clock, to check the stamps of the heartbeat.
            beats: Toggle the output from a thread of our own; None: yes, but not with mock pins,
                whose simulated table feeds `heartbeat_pin` itself.

        Raises:
            BadPads: Two lines share a pin.
            BadPin: A pin cannot be had.
        """
        check_pads(pads, heartbeat_out, heartbeat_in)
        self.stamp = stamp_quality(factory)
        self.pulse = Pulse(now() if self.stamp == KERNEL else None)
        self.ignored = 0
        """Touches while the pads settled."""
        self._settings = dict(pads)
        self._settle_ns = settle_ns
        self._told_ns = 0
        self._warnings: list[PadWarning] = []
        self._told_faults = [0, 0, 0]
        self._inbox = _Inbox(now)
        self._lines: dict[str, _Line] = {}
        self._devices: dict[str, Any] = {}
        for player, pad in pads.items():
            self._open_pad(player, pad, factory)
        self._heart = _Line(self._inbox, None, True)
        self._heart_device = open_input(
            heartbeat_in, self._heart, factory=factory, edges="both", active_high=True
        )
        self._output = open_output(heartbeat_out, factory=factory)
        self._beater = Beater(self._write_beat)
        if beats if beats is not None else self.stamp != DEMO:
            self._beater.start()

    @property
    def pins(self) -> dict[str, Any]:
        """Player -> gpiozero pin. A mock pin's `when_changed(ticks, state)` injects an edge."""
        return {player: device.pin for player, device in self._devices.items()}

    @property
    def heartbeat_pin(self) -> Any:
        """The pin at which the heartbeat comes back."""
        return self._heart_device.pin

    @property
    def slowest_ns(self) -> int:
        """Latency of the slowest pad."""
        return max(pad.slowest_ns for pad in self._settings.values())

    def observations(self) -> list[Observation]:
        """Slaps since the last call, by event time, then the watermark if it moved."""
        edges = self._inbox.take()
        for t_ns, line, _, arrived_ns in edges:
            if line is self._heart:
                self.pulse.came_back(t_ns, arrived_ns)
        slaps = [self._slap(t_ns, line, state) for t_ns, line, state, _ in edges]
        self._look()
        self._collect_warnings()
        return [*(slap for slap in slaps if slap), *self._watermark()]

    def state(self, now_ns: int) -> PadsState:
        """May slaps be ruled on at this time?"""
        if self.pulse.is_lost(now_ns):
            return PadsState.SUSPENDED
        return PadsState.READY if self._is_settled(now_ns) else PadsState.SETTLING

    def pad_states(self) -> dict[str, PadState]:
        """Player -> what his pad is at the moment."""
        return {player: line.health.state for player, line in self._lines.items()}

    def warnings(self) -> list[PadWarning]:
        """What went wrong, or right again, since the last call."""
        told, self._warnings = self._warnings, []
        return told

    def close(self) -> None:
        """Release the pins. Safe to call twice."""
        self._beater.stop()
        for device in [*self._devices.values(), self._heart_device, self._output]:
            device.close()

    def _open_pad(self, player: str, pad: PadSettings, factory: Any) -> None:
        line = _Line(self._inbox, player, pad.active_high)
        self._lines[player] = line
        self._devices[player] = open_input(
            pad.pin,
            line,
            factory=factory,
            # One edge only: with both, the kernel reads the level later and may name the wrong one.
            edges="rising" if pad.active_high else "falling",
            active_high=pad.active_high,
        )

    def _write_beat(self, level: bool) -> None:
        self._output.value = level

    def _is_settled(self, t_ns: int) -> bool:
        first_ns = self.pulse.first_ns
        return first_ns is not None and t_ns >= first_ns + self._settle_ns

    def _slap(self, t_ns: int, line: _Line, state: int) -> Slap | None:
        if line.player is None or not line.is_touch(state):
            return None
        if not self._is_settled(t_ns):
            self.ignored += 1
            return None
        if not line.health.touched(t_ns):
            return None
        return slap_of(line.player, self._settings[line.player], t_ns, self.stamp)

    def _look(self) -> None:
        """Read the levels: the only way to see a pad that is stuck, with one edge a pad."""
        if self.pulse.newest_ns is None or not self._is_settled(self.pulse.newest_ns):
            return
        for player, line in self._lines.items():
            try:
                active = bool(self._devices[player].is_active)
            except Exception:  # a chip that went away; the heartbeat is lost with it
                self._inbox.faults += 1
                return
            line.health.looked(self.pulse.newest_ns, is_active=active)

    def _collect_warnings(self) -> None:
        for player, line in self._lines.items():
            if line.health.state is not line.told:
                line.told = line.health.state
                self._warnings.append(PadWarning(line.told.value, player))
        counts = [self._inbox.lost, self._inbox.faults, self.pulse.wrong_clock]
        for at, what in enumerate(("lost", "fault", "clock")):
            if counts[at] > self._told_faults[at]:
                self._warnings.append(PadWarning(what, n=counts[at] - self._told_faults[at]))
        self._told_faults = counts

    def _watermark(self) -> list[Watermark]:
        """No slap up to here is still to come.

        Every edge before the newest heartbeat has arrived, but for the order margin; a slap's
        interval begins the slowest pad's latency before its edge.
        """
        newest_ns = self.pulse.newest_ns
        if newest_ns is None or not self._is_settled(newest_ns):
            return []
        margin_ns = self.slowest_ns + ORDER_MARGIN_NS
        if self.stamp == SOFTWARE:
            margin_ns += SOFTWARE_STAMP_NS
        promised_ns = newest_ns - margin_ns
        if promised_ns <= self._told_ns:
            return []
        self._told_ns = promised_ns
        return [Watermark(promised_ns, "pads")]
