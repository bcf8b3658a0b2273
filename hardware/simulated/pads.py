"""Simulated pads: every touch becomes an edge on a pin, late by the pad's latency."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from random import Random
from typing import Protocol

from hardware.simulated.world import World

HEARTBEAT_NS = 20_000_000
"""Half a period of the heartbeat line: 50 edges per second."""


class Pin(Protocol):
    """A gpiozero pin: whoever waits for its edges."""

    @property
    def when_changed(self) -> Callable[[float, int], None] | None:
        """Called with the stamp in seconds and the new level."""


class SimulatedPads:
    """Feeds the pins of `hardware.pads` with the touches of the world's people."""

    def __init__(
        self,
        world: World,
        pins: Mapping[str, Pin],
        heartbeat: Pin | None,
        *,
        fastest_ns: int = 9_000_000,
        slowest_ns: int = 12_000_000,
        active_high: bool = True,
    ) -> None:
        """Join a world.

        Args:
            world: Whose people touch the pads.
            pins: Each player's pin.
            heartbeat: The input of the heartbeat line; None: there is none.
            fastest_ns: Least time from touch to edge (an AT42QT1010: 9 ms).
            slowest_ns: Most time from touch to edge (12 ms).
            active_high: Level of a touched pad.
        """
        self._world = world
        self._pins, self._heartbeat = dict(pins), heartbeat
        self._fastest_ns, self._slowest_ns = fastest_ns, slowest_ns
        self._touched = 1 if active_high else 0
        self._rng = Random(f"pads {world.seed}")
        self._slaps_done = 0
        self._edges: list[tuple[int, int, str, int]] = []
        self._order = 0
        self._beat_ns, self._level = world.now_ns, 1
        world.follow(self)

    def advance(self, until_ns: int) -> None:
        """Tell the pins every edge up to a time, in the order of their stamps."""
        self._collect()
        while True:
            edge_ns = self._edges[0][0] if self._edges else until_ns + 1
            if min(edge_ns, self._beat_ns) > until_ns:
                return
            if edge_ns <= self._beat_ns:
                t_ns, _, player, level = heapq.heappop(self._edges)
                _tell(self._pins[player], t_ns, level)
            else:
                self._beat()

    def _collect(self) -> None:
        slaps = self._world.truth.slaps
        while self._slaps_done < len(slaps):
            slap = slaps[self._slaps_done]
            self._slaps_done += 1
            if slap.player not in self._pins:
                continue
            slap.edge_ns = slap.touch_ns + self._latency_ns()
            self._push(slap.edge_ns, slap.player, self._touched)
            released_ns = max(slap.release_ns + self._latency_ns(), slap.edge_ns + 1)
            self._push(released_ns, slap.player, 1 - self._touched)

    def _latency_ns(self) -> int:
        return self._rng.randint(self._fastest_ns, self._slowest_ns)

    def _push(self, t_ns: int, player: str, level: int) -> None:
        self._order += 1
        heapq.heappush(self._edges, (t_ns, self._order, player, level))

    def _beat(self) -> None:
        if self._heartbeat is not None:
            _tell(self._heartbeat, self._beat_ns, self._level)
        self._level = 1 - self._level
        self._beat_ns += HEARTBEAT_NS


def _tell(pin: Pin, t_ns: int, level: int) -> None:
    listener = pin.when_changed
    if listener is not None:
        listener(t_ns / 1e9, level)
