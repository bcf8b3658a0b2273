"""The Pi's camera, on a small picamera2 of our own that behaves like the real one."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType, TracebackType
from typing import Any, ClassVar

import numpy as np
import pytest

from hardware.camera import (
    PROBE_FRAMES,
    QUEUE_FRAMES,
    SETTLING_FRAMES,
    CameraLock,
    CameraState,
    PiCamera,
    row_ns,
)
from hardware.cameras import open_camera
from hardware.clock import NS_PER_MS, NS_PER_S, UnknownClock
from hardware.sensors import MODES, mode_of
from hardware.webcam import BadCamera

START_NS = 500 * NS_PER_S
FRAME_NS = 16_666_000
AGE_NS = 25 * NS_PER_MS
NIGHT_NS = 8 * 3600 * NS_PER_S
LOCK = CameraLock(exposure_us=4000, gain=4.0, lens_dioptres=2.0)


class Picamera2:
    """What we use of picamera2: the names, the order of calls, the thread's callback."""

    opened: ClassVar[list[Any]] = []
    model = "imx708_wide"
    controls_known = ("AfMode", "ExposureTime")

    def __init__(self, number: int) -> None:
        if number > 0:
            raise IndexError("list index out of range")
        self.camera_properties = {"Model": self.model}
        self.camera_controls = dict.fromkeys(self.controls_known)
        self.pre_callback: Callable[[Any], None] | None = None
        self.calls: list[str] = []
        self.configuration: dict[str, Any] = {}
        Picamera2.opened.append(self)

    def create_video_configuration(self, **parts: Any) -> dict[str, Any]:
        return parts

    def configure(self, configuration: dict[str, Any]) -> None:
        self.configuration = configuration
        self.calls.append("configure")

    def start(self) -> None:
        self.calls.append("start")

    def stop(self) -> None:
        self.calls.append("stop")

    def close(self) -> None:
        self.calls.append("close")


class Request:
    """A completed frame; rows of a picamera2 array may be padded on the right."""

    def __init__(self, metadata: dict[str, Any], rows: int) -> None:
        self.metadata = metadata
        self.array = np.zeros((rows, 1536 + 32, 3), np.uint8)

    def get_metadata(self) -> dict[str, Any]:
        return self.metadata


class MappedArray:
    """A view of a frame that ends with the `with` block."""

    def __init__(self, request: Request, stream: str) -> None:
        assert stream == "main"
        self.array = request.array

    def __enter__(self) -> "MappedArray":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.array[:] = 255  # whoever kept the view sees another frame


class Box:
    """A camera and the time."""

    def __init__(self, lock: CameraLock = LOCK, asleep_ns: int = 0) -> None:
        self.t_ns = START_NS
        self.camera = PiCamera(lock, now=lambda: self.t_ns, boottime_ahead=lambda: asleep_ns)
        self.device = Picamera2.opened[-1]
        self.frame_ns = FRAME_NS
        self.rows = 8
        """Few, to be quick; the real camera has 864."""

    def deliver(self, *, ahead_ns: int = 0, age_ns: int = AGE_NS, **metadata: Any) -> None:
        """One frame, stamped `age_ns` before it arrives, by a clock that is ahead."""
        self.t_ns += self.frame_ns
        told = {
            "SensorTimestamp": self.t_ns - age_ns + ahead_ns,
            "ExposureTime": 3996,
            "AnalogueGain": 4.0,
            "ColourGains": (2.0, 1.6),
            "LensPosition": 2.0,
        } | metadata
        assert self.device.pre_callback is not None
        self.device.pre_callback(Request(told, self.rows))

    def prove(self, **options: Any) -> None:
        for _ in range(PROBE_FRAMES):
            self.deliver(**options)
            assert self.camera.frames() == []


@pytest.fixture(autouse=True)
def _picamera2(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    module = ModuleType("picamera2")
    vars(module).update(Picamera2=Picamera2, MappedArray=MappedArray)
    monkeypatch.setitem(sys.modules, "picamera2", module)
    yield
    Picamera2.opened.clear()


def test_everything_is_fixed_before_the_start() -> None:
    box = Box()
    assert box.device.calls == ["configure", "start"]
    configuration = box.device.configuration
    assert configuration["sensor"] == {"output_size": (1536, 864), "bit_depth": 10}
    assert configuration["main"] == {"size": (1536, 864), "format": "RGB888"}
    assert configuration["queue"] is False
    assert configuration["controls"] == {
        "FrameDurationLimits": (16666, 16666),
        "AeEnable": False,
        "ExposureTime": 4000,
        "AnalogueGain": 4.0,
        "AwbEnable": False,
        "ColourGains": (2.0, 1.6),
        "NoiseReductionMode": 0,
        "AfMode": 0,
        "LensPosition": 2.0,
    }


@pytest.mark.parametrize(
    ("model", "wanted", "frame_us"),
    [
        ("imx708", 60, 16_666),  # a Pi 4
        ("imx708_wide", 120, 8_333),  # a Pi 5
        ("imx219", 60, 24_390),  # the sensor does 41
        ("ov5647", 120, 17_241),
        ("imx296", 120, 16_666),
        ("imx477", 120, 8_333),
        ("imx219", 30, 33_333),
    ],
)
def test_rate_is_the_wanted_one_as_far_as_the_sensor_can(
    monkeypatch: pytest.MonkeyPatch, model: str, wanted: int, frame_us: int
) -> None:
    monkeypatch.setattr(Picamera2, "model", model)
    monkeypatch.setattr(Picamera2, "controls_known", ("AfMode",))
    box = Box(replace(LOCK, frames_per_second=wanted))
    assert box.device.configuration["controls"]["FrameDurationLimits"] == (frame_us, frame_us)
    box.frame_ns = 1000 * frame_us
    box.prove()
    numbers = []
    for _ in range(10):
        box.deliver()
        numbers += [frame.number for frame in box.camera.frames()]
    assert (numbers, box.camera.lost) == (list(range(10)), 0)


def test_frame_has_the_light_window_of_its_rows() -> None:
    box = Box()
    box.prove()
    box.rows = 864
    box.deliver()
    (frame,) = box.camera.frames()
    assert frame.t_ns == box.t_ns - AGE_NS
    assert (frame.exposure_ns, frame.line_ns) == (3_996_000, 9_209)
    assert (frame.number, frame.stamp) == (0, "kernel")
    assert frame.image.shape == (864, 1536, 3)


def test_picture_is_a_copy() -> None:
    box = Box()
    box.prove()
    box.deliver()
    (frame,) = box.camera.frames()
    assert frame.image.max() == 0


def test_boottime_stamps_become_monotonic() -> None:
    # libcamera documents BOOTTIME; the drivers use MONOTONIC. A computer that slept tells.
    box = Box(asleep_ns=NIGHT_NS)
    box.prove(ahead_ns=NIGHT_NS)
    box.deliver(ahead_ns=NIGHT_NS)
    (frame,) = box.camera.frames()
    assert frame.t_ns == box.t_ns - AGE_NS


def test_stamps_of_no_clock_are_refused() -> None:
    box = Box()
    with pytest.raises(UnknownClock, match="fit no clock"):
        box.prove(age_ns=5 * NS_PER_S)


def test_frame_from_another_time_is_counted_and_left_out() -> None:
    box = Box()
    box.prove()
    box.deliver(age_ns=-1)
    box.deliver(age_ns=NS_PER_S)
    box.deliver()
    assert len(box.camera.frames()) == 1
    assert box.camera.implausible == 2


@pytest.mark.parametrize(
    "old",
    [
        {"ExposureTime": 8000},
        {"AnalogueGain": 1.0},
        {"ColourGains": (1.0, 1.6)},
        {"LensPosition": 0.0},
    ],
)
def test_frame_with_old_settings_does_not_count(old: dict[str, Any]) -> None:
    box = Box()
    box.prove()
    box.deliver(**old)
    assert box.camera.frames() == []
    box.deliver()
    assert [frame.number for frame in box.camera.frames()] == [0]


def test_settings_that_are_never_in_force_are_one_sentence() -> None:
    box = Box()
    box.prove()
    for _ in range(SETTLING_FRAMES):
        box.deliver(ExposureTime=8000)
        assert box.camera.frames() == []
    box.deliver(ExposureTime=8000)
    with pytest.raises(BadCamera, match="does not take its settings: exposure"):
        box.camera.frames()


def test_gap_in_the_stamps_is_a_lost_frame() -> None:
    box = Box()
    box.prove()
    box.deliver()
    box.t_ns += 2 * FRAME_NS
    box.deliver()
    box.deliver()
    assert [frame.number for frame in box.camera.frames()] == [0, 3, 4]
    assert box.camera.lost == 2


def test_slow_box_loses_frames_and_sees_it() -> None:
    box = Box()
    box.prove()
    box.deliver()
    box.camera.frames()
    for _ in range(QUEUE_FRAMES + 4):
        box.deliver()
    numbers = [frame.number for frame in box.camera.frames()]
    assert numbers == list(range(5, 5 + QUEUE_FRAMES))
    assert box.camera.lost == 4


def test_fault_in_the_camera_thread_is_counted() -> None:
    box = Box()
    box.prove()
    assert box.device.pre_callback is not None
    box.device.pre_callback(object())
    box.deliver()
    assert len(box.camera.frames()) == 1
    assert box.camera.faults == 1


def test_camera_that_hangs_is_stale_and_comes_back() -> None:
    box = Box()
    assert box.camera.state(box.t_ns) is CameraState.STARTING
    box.prove()
    box.deliver()
    box.camera.frames()
    assert box.camera.state(box.t_ns + 500 * NS_PER_MS) is CameraState.READY
    assert box.camera.state(box.t_ns + 500 * NS_PER_MS + 1) is CameraState.STALE
    box.t_ns += NS_PER_S
    box.camera.restart()
    assert box.device.calls == ["configure", "start", "stop", "configure", "start"]
    assert box.camera.state(box.t_ns) is CameraState.STARTING
    box.prove()
    box.deliver()
    assert len(box.camera.frames()) == 1
    box.camera.close()
    box.camera.close()
    assert box.device.calls[-2:] == ["stop", "close"]


def test_camera_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(BadCamera, match="no camera 1: list index out of range, expected"):
        PiCamera(number=1)


def test_camera_without_a_motor_cannot_be_focused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Picamera2, "controls_known", ("ExposureTime",))
    with pytest.raises(BadCamera, match="has no focus motor"):
        PiCamera(LOCK)
    PiCamera(CameraLock())


def test_camera_that_nobody_measured_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Picamera2, "model", "imx999")
    with pytest.raises(BadCamera, match="'imx999' has no known line time, expected one of imx708"):
        PiCamera()


def test_computer_without_picamera2_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(BadCamera, match=r"no picamera2: .*apt install python3-picamera2"):
        open_camera("pi")


def test_rows_of_a_smaller_picture_take_longer_each() -> None:
    assert row_ns(MODES["imx708"], 864) == 9_209
    assert row_ns(MODES["imx708"], 432) == 18_418
    assert row_ns(mode_of("imx296"), 544) == 0
