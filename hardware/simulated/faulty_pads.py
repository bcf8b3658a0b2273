"""Pins that fail: a palm that rests, storms of edges, stamps that jump, a wire that comes off.

Stands between the simulated table's pads and the pins of `hardware.pads`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hardware.simulated.faulty import MS, Trouble, Troubles
from hardware.simulated.world import World

STORM_EDGE_NS = 100_000
"""10,000 edges a second."""

Edge = tuple[float, int]
"""Stamp in seconds, level."""


def _nobody(player: str, until_ns: int) -> None:
    """Nobody's palm."""


class FaultyPin:
    """One pin that passes edges on, late, wrong or not at all."""

    def __init__(self, pads: FaultyPads, pin: Any, player: str | None) -> None:
        self._pads, self._pin, self._player = pads, pin, player

    @property
    def when_changed(self) -> Callable[[float, int], None]:
        """Takes an edge of the simulated table."""
        return self._take

    def pass_on(self, edge: Edge) -> None:
        """Give an edge to whoever listens."""
        listener = self._pin.when_changed
        if listener is not None:
            listener(*edge)

    def set_level(self, level: int) -> None:
        """Hold the pin at a level, without an edge."""
        edges, self._pin.edges = self._pin.edges, "none"
        if level:
            self._pin.drive_high()
        else:
            self._pin.drive_low()
        self._pin.edges = edges

    def _take(self, ticks: float, level: int) -> None:
        self._pads.take(self, self._player, (ticks, level))


class FaultyPads:
    """All pins of one table."""

    def __init__(
        self,
        world: World,
        pins: Mapping[str, Any],
        heartbeat: Any,
        troubles: Troubles,
        *,
        active_high: bool = True,
        keep_hand_down: Callable[[str, int], None] = _nobody,
    ) -> None:
        """Stand in for the pins.

        Args:
            world: The table and its time.
            pins: Player -> mock pin of the pads.
            heartbeat: Mock pin at which the heartbeat comes back.
            troubles: What fails when.
            active_high: Level of a touched pad.
            keep_hand_down: Told when a player leaves his palm on his pad, and until when.
        """
        self.pins = {player: FaultyPin(self, pin, player) for player, pin in pins.items()}
        self.heartbeat = FaultyPin(self, heartbeat, None)
        self._world, self._troubles = world, troubles
        self._keep_hand_down = keep_hand_down
        self._touched = int(active_high)
        self._late: list[tuple[FaultyPin, Edge]] = []
        self._held: dict[str, int] = {}
        """Player -> until when his palm rests."""
        self._stormed_ns = world.now_ns

    def take(self, pin: FaultyPin, player: str | None, edge: Edge) -> None:
        """One edge of the simulated table."""
        t_ns = round(edge[0] * 1e9)
        if player is None and self._troubles.now("heartbeat_lost", self._world.now_ns):
            return
        if player is not None and self._rests(player, t_ns, edge[1]):
            return
        jump = self._troubles.now("pad_stamps_jump", self._world.now_ns)
        if jump is not None:
            edge = (max(0, t_ns + jump.jump_ns) / 1e9, edge[1])
        if self._late or self._troubles.now("edges_delayed", self._world.now_ns):
            self._late.append((pin, edge))
        else:
            pin.pass_on(edge)

    def advance(self, until_ns: int) -> None:
        """Time has passed: storms, palms that are lifted, edges that come late after all."""
        storm = self._troubles.newest("pad_storm", until_ns)
        if storm is not None:
            self._storm(storm, until_ns)
        for player in [name for name, end_ns in self._held.items() if end_ns <= until_ns]:
            del self._held[player]
            self.pins[player].set_level(1 - self._touched)
        if self._late and not self._troubles.now("edges_delayed", until_ns):
            late, self._late = self._late, []
            for pin, edge in late:
                pin.pass_on(edge)

    def _rests(self, player: str, t_ns: int, level: int) -> bool:
        """The palm lies on the pad already: there is no edge."""
        if player in self._held:
            return True
        stuck = self._troubles.now("pad_stuck", self._world.now_ns)
        if stuck is None or stuck.player != player or level != self._touched:
            return False
        self._held[player] = max(stuck.end_ns, t_ns + 2500 * MS)
        self._keep_hand_down(player, self._held[player])
        self.pins[player].set_level(self._touched)
        return False

    def _storm(self, storm: Trouble, until_ns: int) -> None:
        """The pad flutters: with every edge it changes its level."""
        t_ns = max(storm.begin_ns, self._stormed_ns)
        pin = self.pins[storm.player]
        while t_ns < min(until_ns, storm.end_ns):
            t_ns += STORM_EDGE_NS
            pin.pass_on((t_ns / 1e9, (t_ns // STORM_EDGE_NS) % 2))
        self._stormed_ns = t_ns
