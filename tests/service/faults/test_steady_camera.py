"""The camera that comes back, in game time."""

from collections.abc import Callable

import numpy as np
import pytest

from hardware.clock import UnknownClock
from hardware.protocols import Frame
from hardware.webcam import BadCamera
from referee.service.doctor.codes import Code
from referee.service.faults.steady_camera import STALE_NS, STARTING_NS, SteadyCamera
from referee.service.faults.watchman import Watchman

MS = 1_000_000
S = 1_000_000_000
FRAME_NS = 16_666_667
PICTURE = np.zeros((2, 2, 3), np.uint8)


class Camera:
    """A camera that gives what somebody puts into it."""

    def __init__(self) -> None:
        self.ready: list[Frame] = []
        self.error: Exception | None = None
        self.is_finished = False
        self.closed = 0

    def frames(self) -> list[Frame]:
        if self.error is not None:
            raise self.error
        ready, self.ready = self.ready, []
        return ready

    def close(self) -> None:
        self.closed += 1


class Bench:
    """A steady camera, its clock, and what it opens."""

    def __init__(self) -> None:
        self.now_ns = 100 * S
        self.can_open = True
        self.opened: list[Camera] = []
        self.camera = SteadyCamera(self.open, now=lambda: self.now_ns)
        self.watchman = Watchman([self.camera])
        self.told: list[tuple[str, bool]] = []
        self.number = 0

    def open(self) -> Camera:
        if not self.can_open:
            raise BadCamera("no camera 0, expected one on the ribbon cable")
        self.opened.append(Camera())
        self.number = 0
        return self.opened[-1]

    def step(self, *frames: Frame) -> list[Frame]:
        if self.opened:
            self.opened[-1].ready += frames
        seen = self.camera.frames()
        changes = self.watchman.step(self.now_ns)
        self.told += [(change.code.value, change.on) for change in changes]
        return seen

    def frame(self, t_ns: int | None = None, skip: int = 0) -> Frame:
        self.number += 1 + skip
        t_ns = self.now_ns - 20 * MS if t_ns is None else t_ns
        return Frame(self.number, t_ns, 4 * MS, 0, PICTURE)

    def run(self, ns: int, *, gives: Callable[[], list[Frame]] | None = None) -> int:
        """Let time pass; returns how many frames the game saw."""
        end_ns, seen = self.now_ns + ns, 0
        while self.now_ns < end_ns:
            self.now_ns += FRAME_NS
            seen += len(self.step(*(gives() if gives else [self.frame()])))
        return seen


@pytest.fixture
def bench() -> Bench:
    bench = Bench()
    bench.step()
    return bench


def test_good_frames_pass_and_nothing_is_told(bench: Bench) -> None:
    assert bench.run(2 * S) == 120
    assert bench.told == []


@pytest.mark.parametrize(("silent_ns", "told"), [(STALE_NS, []), (STALE_NS + 1, [("E12", True)])])
def test_camera_that_hangs_is_told_after_half_a_second(
    bench: Bench, silent_ns: int, told: list[tuple[str, bool]]
) -> None:
    bench.run(S)
    bench.now_ns += silent_ns
    bench.step()
    assert bench.told == told
    assert bench.opened[0].closed == len(told)


def test_camera_that_hangs_is_opened_anew_and_well_with_its_first_frame(bench: Bench) -> None:
    bench.run(S)
    bench.run(2 * S, gives=list)
    assert len(bench.opened) == 2
    assert bench.told == [("E12", True)]
    bench.run(100 * MS)
    assert bench.told == [("E12", True), ("E12", False)]


def test_camera_that_was_just_opened_has_time_to_prove_itself(bench: Bench) -> None:
    bench.run(STARTING_NS - 100 * MS, gives=list)
    assert (bench.told, len(bench.opened)) == ([], 1)
    bench.run(200 * MS, gives=list)
    assert bench.told == [("E12", True)]


def test_unplugged_camera_is_tried_with_growing_pauses_until_it_is_back(bench: Bench) -> None:
    bench.run(S)
    bench.opened[-1].is_finished = True
    bench.can_open = False
    bench.run(60 * S, gives=list)
    assert bench.told == [("E11", True)]
    bench.can_open = True
    bench.run(31 * S)
    assert bench.told == [("E11", True), ("E11", False)]


def test_box_that_starts_without_a_camera_takes_it_when_it_comes() -> None:
    bench = Bench()
    bench.can_open = False
    bench.run(3 * S, gives=list)
    assert bench.told == [("E11", True)]
    bench.can_open = True
    bench.run(5 * S, gives=list)
    assert bench.run(S) > 50
    assert bench.told == [("E11", True), ("E11", False)]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UnknownClock("fits no clock"), "E13"),
        (BadCamera("does not take its settings"), "E15"),
        (RuntimeError("the library"), "E11"),
    ],
)
def test_camera_that_fails_never_raises_and_is_opened_anew(
    bench: Bench, error: Exception, code: str
) -> None:
    bench.run(S)
    bench.opened[-1].error = error
    bench.run(2 * S)
    bench.run(2 * S)
    assert bench.told == [(code, True), (code, False)]
    assert len(bench.opened) == 2


def test_old_doubled_and_future_frames_are_left_out(bench: Bench) -> None:
    bench.run(S)
    newest_ns = bench.now_ns - 20 * MS
    frames = [newest_ns, newest_ns - FRAME_NS, bench.now_ns + 2 * MS, newest_ns + 1]
    seen = bench.step(*(bench.frame(t_ns) for t_ns in frames))
    assert [frame.t_ns for frame in seen] == [newest_ns + 1]
    assert bench.camera.left_out == 3


def test_frames_that_are_swapped_come_in_order_or_not_at_all(bench: Bench) -> None:
    bench.run(S)
    bench.now_ns += 2 * FRAME_NS
    late, early = bench.frame(bench.now_ns - 20 * MS), bench.frame(bench.now_ns - 30 * MS)
    assert bench.step(late, early) == [late]


@pytest.mark.parametrize("jump_ns", [-5 * S, 5 * S])
def test_stamps_that_jump_for_good_are_told_and_the_camera_is_opened_anew(
    bench: Bench, jump_ns: int
) -> None:
    bench.run(S)
    assert bench.run(S, gives=lambda: [bench.frame(bench.now_ns + jump_ns)]) == 0
    assert bench.told == [("E13", True)]
    bench.run(3 * S)
    assert bench.told == [("E13", True), ("E13", False)]


def test_missing_frames_are_told_while_they_are_many(bench: Bench) -> None:
    bench.run(4 * S, gives=lambda: [bench.frame(skip=int(bench.number % 10 == 0))])
    assert bench.told == [("E14", True)]
    bench.run(6 * S)
    assert bench.told == [("E14", True), ("E14", False)]


def test_one_missing_frame_in_two_seconds_is_nobody_s_business(bench: Bench) -> None:
    bench.run(S)
    bench.number += 1
    bench.run(4 * S)
    assert bench.told == []


def test_closing_twice_is_safe_even_if_the_camera_refuses(bench: Bench) -> None:
    def refuse() -> None:
        raise RuntimeError("it hangs")

    bench.opened[-1].close = refuse  # type: ignore[method-assign]
    bench.camera.close()
    bench.camera.close()
    assert Code.NO_CAMERA.value == "E11"
