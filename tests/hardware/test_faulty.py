"""The simulated box fails as it is told: nothing more, nothing less."""

import time
from collections import Counter
from typing import Any

import numpy as np
import pytest

from hardware.gpio import mock_factory, open_input
from hardware.protocols import Frame
from hardware.simulated.faulty import JUMPS_MS, KINDS, BadTrouble, Trouble, Troubles
from hardware.simulated.faulty_camera import FaultySocket
from hardware.simulated.faulty_pads import STORM_EDGE_NS, FaultyPads
from hardware.simulated.faulty_parts import FaultyMatrix, stepping_wall_clock
from hardware.webcam import BadCamera

MS = 1_000_000
S = 1_000_000_000
FRAME_NS = 20 * MS
PLAYERS = ("Ann", "Bo")
PICTURE = np.zeros((1, 1, 3), np.uint8)


class Told(Troubles):
    """Only the troubles that a test tells."""

    def __init__(self, *told: tuple[str, int, int], jump_ns: int = 0) -> None:
        super().__init__(0, PLAYERS, 0, ())
        self._told = [Trouble(kind, a * MS, b * MS, "Bo", jump_ns) for kind, a, b in told]

    def newest(self, kind: str, now_ns: int) -> Trouble | None:
        begun = [one for one in self._told if one.kind == kind and one.begin_ns <= now_ns]
        return begun[-1] if begun else None


class Table:
    """A clock, and a camera that gives a frame every 20 ms."""

    def __init__(self) -> None:
        self.now_ns = 0
        self.is_finished = False
        self._given = 0

    def frames(self) -> list[Frame]:
        due = range(self._given, self.now_ns // FRAME_NS)
        self._given = max(self._given, self.now_ns // FRAME_NS)
        return [Frame(n, n * FRAME_NS, 0, 0, PICTURE) for n in due]

    def close(self) -> None:
        """Nothing."""


def _watched(troubles: Troubles, ms: int) -> list[int]:
    """Stamps of the frames in ms, as they came."""
    table = Table()
    camera = FaultySocket(table, troubles, lambda: table.now_ns, 1).open()
    seen: list[int] = []
    while table.now_ns < ms * MS:
        table.now_ns += FRAME_NS
        seen += [frame.t_ns // MS for frame in camera.frames()]
        assert not camera.is_finished
    return seen


# --- the plan ------------------------------------------------------------------------------------


def test_same_seed_gives_the_same_troubles() -> None:
    def drawn(seed: int) -> list[Trouble]:
        troubles = Troubles(seed, PLAYERS, S)
        for now_ns in range(0, 300 * S, 100 * MS):
            for kind in KINDS:
                troubles.now(kind, now_ns)
        return troubles.past

    assert drawn(1) == drawn(1) != drawn(2)
    assert set(Counter(one.kind for one in drawn(1))) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_trouble_is_there_from_its_begin_to_before_its_end(kind: str) -> None:
    troubles = Troubles(3, PLAYERS, S, [kind])
    troubles.now(kind, 600 * S)
    fresh = Troubles(3, PLAYERS, S, [kind])
    for one in troubles.past:
        assert fresh.now(kind, one.begin_ns - 1) is None
        assert fresh.now(kind, one.begin_ns) == fresh.now(kind, one.end_ns - 1) == one
        assert fresh.now(kind, one.end_ns) is None
        assert fresh.newest(kind, one.end_ns) == one
        assert JUMPS_MS[0] * MS <= abs(one.jump_ns) <= JUMPS_MS[1] * MS


def test_kind_that_was_not_asked_for_never_comes() -> None:
    troubles = Troubles(3, PLAYERS, S, ["pad_storm"])
    assert troubles.now("camera_gone", 9999 * S) is None


def test_unknown_trouble_is_refused() -> None:
    with pytest.raises(BadTrouble, match="no such trouble: 'ghosts', expected one of camera_hangs"):
        Troubles(1, PLAYERS, 0, ["ghosts"])


# --- the camera ----------------------------------------------------------------------------------


def test_camera_without_trouble_passes_every_frame_on() -> None:
    assert _watched(Told(), 200) == list(range(0, 200, 20))


def test_camera_that_hangs_gives_nothing_until_it_is_opened_anew() -> None:
    table = Table()
    socket = FaultySocket(table, Told(("camera_hangs", 100, 101)), lambda: table.now_ns, 1)
    camera = socket.open()
    table.now_ns = 90 * MS
    assert len(camera.frames()) == 4
    table.now_ns = 500 * MS
    assert camera.frames() == []
    assert not camera.is_finished
    camera = socket.open()
    table.now_ns = 540 * MS
    assert [frame.t_ns // MS for frame in camera.frames()] == [500, 520]


def test_camera_that_is_gone_cannot_be_opened_meanwhile() -> None:
    table = Table()
    socket = FaultySocket(table, Told(("camera_gone", 100, 300)), lambda: table.now_ns, 1)
    camera = socket.open()
    table.now_ns = 200 * MS
    assert camera.frames() == []
    assert camera.is_finished
    with pytest.raises(BadCamera, match="unplugged"):
        socket.open()
    table.now_ns = 300 * MS
    assert not socket.open().is_finished


def test_frames_are_lost_doubled_swapped_only_while_they_are() -> None:
    for kind in ("frames_lost", "frames_doubled", "frames_swapped"):
        stamps = _watched(Told((kind, 1000, 3000)), 4000)
        before = [t_ms for t_ms in stamps if t_ms < 980]
        during = [t_ms for t_ms in stamps if 980 <= t_ms < 2960]
        assert before == list(range(0, 980, 20))
        assert during != list(range(980, 2960, 20)), kind
        if kind == "frames_lost":
            assert 40 < len(during) < 90
        elif kind == "frames_doubled":
            assert len(during) > len(set(during)) > 95
        else:
            assert sorted(during)[:-1] == list(range(980, 2960, 20))[: len(during) - 1]


def test_stamps_jump_and_come_back() -> None:
    stamps = _watched(Told(("frame_stamps_jump", 100, 200), jump_ns=7 * S), 300)
    assert [t_ms for t_ms in stamps if t_ms >= 7000] == [7080, 7100, 7120, 7140, 7160]
    assert stamps[-1] == 280


# --- the pads ------------------------------------------------------------------------------------


class Ear:
    """Listens to a pin."""

    def __init__(self) -> None:
        self.edges: list[tuple[int, int]] = []

    def edge(self, ticks: float, state: int) -> None:
        self.edges.append((round(ticks * 1e9), state))


class Pads:
    """Three pins under troubles: two pads and the heartbeat."""

    def __init__(self, troubles: Troubles) -> None:
        self.now_ns = 0
        factory = mock_factory()
        self.ears = {name: Ear() for name in (*PLAYERS, "heart")}
        self.devices = {
            name: open_input(5 + n, ear, factory=factory, edges="rising", active_high=True)
            for n, (name, ear) in enumerate(self.ears.items())
        }
        pins = {name: self.devices[name].pin for name in PLAYERS}
        self.rests: list[tuple[str, int]] = []
        world: Any = self
        self.faulty = FaultyPads(
            world,
            pins,
            self.devices["heart"].pin,
            troubles,
            keep_hand_down=lambda player, until_ns: self.rests.append((player, until_ns)),
        )

    def edge(self, name: str, ms: int, level: int = 1) -> None:
        self.now_ns = ms * MS
        pin = self.faulty.heartbeat if name == "heart" else self.faulty.pins[name]
        pin.when_changed(ms / 1e3, level)

    def wait(self, ms: int) -> None:
        self.now_ns = ms * MS
        self.faulty.advance(self.now_ns)

    def heard(self, name: str) -> list[int]:
        return [t_ns // MS for t_ns, _ in self.ears[name].edges]


def test_edges_without_trouble_are_passed_on() -> None:
    pads = Pads(Told())
    pads.edge("Ann", 10)
    pads.edge("heart", 20)
    assert (pads.heard("Ann"), pads.heard("heart"), pads.heard("Bo")) == ([10], [20], [])


def test_heartbeat_whose_wire_is_off_is_not_heard_but_pads_are() -> None:
    pads = Pads(Told(("heartbeat_lost", 100, 500)))
    for ms in (90, 100, 499, 500):
        pads.edge("heart", ms)
        pads.edge("Ann", ms)
    assert pads.heard("heart") == [90, 500]
    assert pads.heard("Ann") == [90, 100, 499, 500]


def test_edges_that_are_delayed_come_in_order_afterwards() -> None:
    pads = Pads(Told(("edges_delayed", 100, 200)))
    pads.edge("Ann", 110)
    pads.wait(120)
    assert pads.heard("Ann") == []
    pads.wait(200)
    pads.edge("Ann", 210)
    assert pads.heard("Ann") == [110, 210]


def test_stamps_of_edges_jump_while_they_do() -> None:
    pads = Pads(Told(("pad_stamps_jump", 100, 200), jump_ns=3 * S))
    for ms in (99, 150, 200):
        pads.edge("Ann", ms)
    assert pads.heard("Ann") == [99, 3150, 200]


def test_storm_is_ten_thousand_edges_a_second_on_one_pad() -> None:
    pads = Pads(Told(("pad_storm", 100, 200)))
    for ms in range(0, 300, 7):
        pads.wait(ms)
    assert len(pads.ears["Bo"].edges) == 100 * MS // STORM_EDGE_NS == 1000
    assert [level for _, level in pads.ears["Bo"].edges[:4]] == [1, 0, 1, 0]
    assert pads.heard("Ann") == []


def test_palm_that_rests_keeps_the_pad_active_and_makes_no_edge() -> None:
    pads = Pads(Told(("pad_stuck", 100, 3000)))
    pads.edge("Bo", 200)
    assert pads.devices["Bo"].is_active
    assert pads.rests == [("Bo", 3000 * MS)]
    pads.edge("Bo", 400, 0)
    pads.edge("Bo", 900)
    pads.edge("Ann", 900)
    assert (pads.heard("Bo"), pads.heard("Ann")) == ([200], [900])
    pads.wait(3000)
    assert not pads.devices["Bo"].is_active
    pads.edge("Bo", 3100)
    assert pads.heard("Bo") == [200, 3100]


# --- the rest ------------------------------------------------------------------------------------


def test_matrix_raises_while_it_is_gone() -> None:
    now = {"ns": 0}
    matrix = FaultyMatrix(Told(("display_gone", 100, 200)), lambda: now["ns"])
    matrix.display(None)
    now["ns"] = 150 * MS
    with pytest.raises(OSError, match="does not answer"):
        matrix.display(None)
    with pytest.raises(OSError, match="does not answer"):
        matrix.show()
    now["ns"] = 200 * MS
    matrix.data([1, 2])
    assert matrix.written == 1


def test_wall_clock_steps_and_the_monotonic_one_does_not() -> None:
    now = {"ns": 0}
    troubles = Told(("wall_clock_steps", 100, 101), jump_ns=-30 * S)
    true = time.time
    with stepping_wall_clock(troubles, lambda: now["ns"]):
        before = time.time()
        now["ns"] = 200 * MS
        assert time.time() < before - 29_000
        assert time.time_ns() < before * 1e9 - 29_000 * 1e9
    assert time.time is true
