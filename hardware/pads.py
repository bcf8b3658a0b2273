"""Pads on pins: every touch with the kernel's time stamp, and the pads' watermark.

The handler runs in lgpio's only delivering thread: an exception there would leave every pad deaf
for ever. So it puts the edge into a queue and does nothing else. All thinking happens when the box
asks for `observations`. Edges of different pads can arrive out of order; they are sorted by stamp.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from enum import Enum
from typing import Any

from hardware.clock import NS_PER_MS
from hardware.edges import QUEUE_EDGES, Inbox, Line
from hardware.gpio import close_input, close_output, open_input, open_output, stamp_quality
from hardware.heartbeat import ORDER_MARGIN_NS, Beater, Pulse
from hardware.pad_health import BURST_WINDOW_NS, PadState
from hardware.pad_settings import (
    SOFTWARE_STAMP_NS,
    BadPads,
    PadSettings,
    check_pads,
    pad_of_kind,
    slap_of,
)
from hardware.touch_lines import Chip, TouchKeeper, TouchLine
from referee.rules.events import DEMO, KERNEL, SOFTWARE, Observation, Slap, Watermark

__all__ = [
    "ORDER_MARGIN_NS",
    "QUEUE_EDGES",
    "BadPads",
    "GpioPads",
    "PadSettings",
    "PadWarning",
    "PadsState",
    "pad_of_kind",
]

SETTLE_NS = 500 * NS_PER_MS
"""Touch chips calibrate after power-on, and claiming a line may give an edge of its own."""


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
    """"stuck", "chatter", "good" (again), "lost" (edges), "clock", "fault"; of a touch chip
    "silent" (no answer), "baseline" (no electrode) or "well" (again)."""
    player: str | None = None
    """Whose pad; None: all of them."""
    n: int = 1


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
        chips: Mapping[str, Chip] | None = None,
        proves_clock: bool | None = None,
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
            chips: Player -> touch chip, for pads whose pin is the chip's interrupt line: it tells
                a touch from a release, and lets the line go when it is asked.
            proves_clock: Compare every stamp with `now`; None: only stamps of the kernel.

        Raises:
            BadPads: Two lines share a pin.
            BadPin: A pin cannot be had.
            BadTouchChip: A chip does not answer or does not take its settings.
        """
        check_pads(pads, heartbeat_out, heartbeat_in)
        self.stamp = stamp_quality(factory)
        proves = self.stamp == KERNEL if proves_clock is None else proves_clock
        self.pulse = Pulse(now() if proves else None)
        self.ignored = 0
        """Touches while the pads settled."""
        self._settings = dict(pads)
        self._settle_ns = settle_ns
        self._told_ns = 0
        self._fresh: list[tuple[int, Line, Slap]] = []
        """Touches that may still turn out to be the begin of a burst: edge, line, slap."""
        self._warnings: list[PadWarning] = []
        self._told_faults = [0, 0, 0]
        self._inbox = Inbox(now)
        self._lines: dict[str, Line] = {}
        self._devices: dict[str, Any] = {}
        self._heart = Line(self._inbox, None, True)
        self._touch_lines: dict[str, TouchLine] = {}
        self._told_trouble: dict[str, str | None] = {}
        with ExitStack() as opened:
            for player, pad in pads.items():
                self._open_pad(player, pad, factory)
                opened.callback(close_input, self._devices[player])
            self._heart_device = open_input(
                heartbeat_in, self._heart, factory=factory, edges="both", active_high=True
            )
            opened.callback(close_input, self._heart_device)
            self._output = open_output(heartbeat_out, factory=factory)
            opened.callback(close_output, self._output)
            for player, chip in (chips or {}).items():
                self._open_chip(player, chip, now)
            self._opened = opened.pop_all()
        self._keeper = TouchKeeper(self._touch_lines.values())
        self._beater = Beater(self._write_beat)
        if beats if beats is not None else self.stamp != DEMO:
            self._beater.start()
            if self._touch_lines:
                self._keeper.start()

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
        """Slaps since the last call, by event time, then the watermark if it moved.

        A slap comes `BURST_WINDOW_NS` after its touch, by the heartbeat: if its pad flutters
        meanwhile, nobody has touched it.
        """
        self.pulse.begin_batch()
        for t_ns, line, state, arrived_ns in self._inbox.take():
            if line is self._heart:
                self.pulse.came_back(t_ns, arrived_ns)
            elif self.pulse.fits(t_ns, arrived_ns):
                slap = self._slap(t_ns, line, state)
                if slap is not None:
                    self._fresh.append((t_ns, line, slap))
        self._keeper.serve()
        self._look()
        self._collect_warnings()
        return [*self._believed(), *self._watermark()]

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
        self._keeper.stop()
        self._opened.close()

    def _open_pad(self, player: str, pad: PadSettings, factory: Any) -> None:
        line = Line(self._inbox, player, pad.active_high)
        self._lines[player] = line
        self._devices[player] = open_input(
            pad.pin,
            line,
            factory=factory,
            # One edge only: with both, the kernel reads the level later and may name the wrong one.
            edges="rising" if pad.active_high else "falling",
            active_high=pad.active_high,
        )

    def _open_chip(self, player: str, chip: Chip, now: Callable[[], int]) -> None:
        chip.set_up()
        device = self._devices[player]
        touch_line = TouchLine(chip, lambda: bool(device.is_active), now)
        self._touch_lines[player] = touch_line
        self._told_trouble[player] = None

        def wake() -> None:
            touch_line.hear()
            self._keeper.wake()

        self._lines[player].woken = wake

    def _write_beat(self, level: bool) -> None:
        self._output.value = level

    def _is_settled(self, t_ns: int) -> bool:
        first_ns = self.pulse.first_ns
        return first_ns is not None and t_ns >= first_ns + self._settle_ns

    def _slap(self, t_ns: int, line: Line, state: int) -> Slap | None:
        if line.player is None or not line.is_touch(state):
            return None
        chip = self._touch_lines.get(line.player)
        if chip is not None and not chip.was_touch(t_ns):
            return None
        if not self._is_settled(t_ns):
            self.ignored += 1
            return None
        if not line.health.touched(t_ns):
            return None
        return slap_of(line.player, self._settings[line.player], t_ns, self.stamp)

    def _believed(self) -> list[Slap]:
        """Touches that are old enough to tell them from a burst."""
        newest_ns = self.pulse.newest_ns
        until_ns = (0 if newest_ns is None else newest_ns) - BURST_WINDOW_NS
        ripe = [one for one in self._fresh if one[0] <= until_ns]
        self._fresh = [one for one in self._fresh if one[0] > until_ns]
        return [slap for t_ns, line, slap in ripe if not line.health.was_burst(t_ns)]

    def _look(self) -> None:
        """Read the levels: the only way to see a pad that is stuck, with one edge a pad."""
        if self.pulse.newest_ns is None or not self._is_settled(self.pulse.newest_ns):
            return
        for player, line in self._lines.items():
            try:
                active = self._is_held(player)
            except Exception:  # a chip that went away; the heartbeat is lost with it
                self._inbox.faults += 1
                return
            line.health.looked(self.pulse.newest_ns, is_active=active)

    def _is_held(self, player: str) -> bool:
        """The palm is on the pad. A touch chip's line only says that something is unread."""
        chip = self._touch_lines.get(player)
        return bool(self._devices[player].is_active) if chip is None else chip.is_touched

    def _collect_warnings(self) -> None:
        for player, line in self._lines.items():
            if line.health.state is not line.told:
                line.told = line.health.state
                self._warnings.append(PadWarning(line.told.value, player))
        for player, chip in self._touch_lines.items():
            if chip.trouble != self._told_trouble[player]:
                self._told_trouble[player] = chip.trouble
                self._warnings.append(PadWarning(chip.trouble or "well", player))
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
        if self._fresh:
            first_ns = min(slap.t_ns - slap.early_ns for _, _, slap in self._fresh)
            promised_ns = min(promised_ns, first_ns - 1)
        if promised_ns <= self._told_ns:
            return []
        self._told_ns = promised_ns
        return [Watermark(promised_ns, "pads")]
