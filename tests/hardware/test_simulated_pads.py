"""Touches of the simulated people as edges on gpiozero's mock pins."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from gpiozero import InputDevice
from gpiozero.pins.mock import MockFactory

from hardware.simulated.pads import HEARTBEAT_NS, SimulatedPads
from hardware.simulated.world import World

STEP_NS = 16_666_667
Edge = tuple[str, int, int]
"""Whose pin, stamp in ns, level."""
EXACT_NS = 2
"""Stamps travel as seconds in floating point."""


class Listener:
    """A pin that writes down what it is told."""

    def __init__(self, edges: list[Edge], name: str) -> None:
        self._edges, self._name = edges, name

    @property
    def when_changed(self) -> Callable[[float, int], None]:
        return self._told

    def _told(self, ticks: float, state: int) -> None:
        self._edges.append((self._name, round(ticks * 1e9), state))


def play(seed: int, step_ns: int = STEP_NS, **options: int) -> tuple[World, list[Edge]]:
    world = World(seed)
    edges: list[Edge] = []
    pins = {name: Listener(edges, name) for name in world.players}
    SimulatedPads(world, pins, Listener(edges, "beat"), **options)  # type: ignore[arg-type]
    while world.now_ns < world.start_ns + 40_000_000_000:
        world.advance(world.now_ns + STEP_NS)
        flips = world.truth.flips
        to_act = world.players[len(flips) % 4]
        world.hear([], to_act if flips and flips[-1].rest_ns < world.now_ns else world.players[0])
    return world, edges


def test_every_touch_becomes_an_edge_late_by_the_pad_s_latency() -> None:
    world, edges = play(1)
    slaps = [slap for slap in world.truth.slaps if slap.edge_ns is not None]
    assert len(slaps) > 5
    for slap in slaps:
        assert slap.edge_ns is not None
        assert 9_000_000 <= slap.edge_ns - slap.touch_ns <= 12_000_000
        if slap.edge_ns <= world.now_ns:
            told = [t for name, t, level in edges if name == slap.player and level == 1]
            assert min(abs(t - slap.edge_ns) for t in told) <= EXACT_NS
    presses = [edge for edge in edges if edge[0] != "beat" and edge[2] == 1]
    assert len(presses) == sum(s.edge_ns <= world.now_ns for s in slaps if s.edge_ns)


def test_a_slower_pad_is_later() -> None:
    world, _ = play(1, fastest_ns=60_000_000, slowest_ns=60_000_000)
    late = {s.edge_ns - s.touch_ns for s in world.truth.slaps if s.edge_ns is not None}
    assert late == {60_000_000}


def test_edges_and_heartbeats_come_in_the_order_of_their_stamps() -> None:
    _, edges = play(2)
    stamps = [t for _, t, _ in edges]
    assert stamps == sorted(stamps)


def test_the_heart_beats_fifty_times_a_second_and_alternates() -> None:
    world, edges = play(0)
    beats = [(t, level) for name, t, level in edges if name == "beat"]
    assert len(beats) == 40_000_000_000 // HEARTBEAT_NS + 1
    assert all(
        abs(t - world.start_ns - i * HEARTBEAT_NS) <= EXACT_NS for i, (t, _) in enumerate(beats)
    )
    assert all(a[1] != b[1] for a, b in pairwise(beats))


def test_levels_are_turned_round_for_pads_that_pull_low() -> None:
    _, high = play(1)
    _, low = play(1, active_high=False)
    touched = [(n, t, 1 - level) for n, t, level in low if n != "beat"]
    assert touched == [edge for edge in high if edge[0] != "beat"]


def test_edges_reach_a_listener_on_gpiozero_s_mock_pins() -> None:
    factory = MockFactory()
    world = World(1, players=("Ann", "Bo"))
    devices = {
        name: InputDevice(5 + i, pin_factory=factory) for i, name in enumerate(world.players)
    }
    told: list[tuple[float, int]] = []

    class Box:
        def edge(self, ticks: float, state: int) -> None:
            told.append((ticks, state))

    box = Box()
    for device in devices.values():
        device.pin.when_changed = box.edge
    SimulatedPads(world, {name: device.pin for name, device in devices.items()}, None)
    while world.now_ns < world.start_ns + 60_000_000_000:
        world.advance(world.now_ns + STEP_NS)
        flips = world.truth.flips
        world.hear([], world.players[len(flips) % 2])
    edges = [s.edge_ns for s in world.truth.slaps if s.edge_ns and s.edge_ns <= world.now_ns]
    presses = [round(ticks * 1e9) for ticks, state in told if state == 1]
    assert presses == pytest.approx(sorted(edges), abs=EXACT_NS)
    assert presses
    for device in devices.values():
        device.close()


def test_a_pin_without_a_listener_harms_nobody() -> None:
    class Deaf:
        when_changed = None

    world = World(1)
    SimulatedPads(world, {name: Deaf() for name in world.players}, Deaf())
    world.advance(world.start_ns + 5_000_000_000)
    assert world.now_ns == world.start_ns + 5_000_000_000
