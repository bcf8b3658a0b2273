"""The Pi's own camera through picamera2: every frame with the time at which its rows saw light.

picamera2 calls `pre_callback` in its camera thread for every frame that was completed; an exception
there would end that thread. So it copies picture and metadata into a bounded queue and does nothing
else. Exposure, gain, white balance and focus are fixed; a frame counts only once its own metadata
say that they are in force, which takes some frames.
"""

from __future__ import annotations

import importlib
import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np

from hardware.camera_lock import CameraLock
from hardware.clock import (
    NS_PER_MS,
    NS_PER_S,
    NS_PER_US,
    SourceClock,
    find_clock,
    is_plausible_age,
    us_to_ns,
)
from hardware.protocols import Frame, Image
from hardware.sensors import SensorMode, mode_of
from hardware.webcam import BadCamera
from referee.rules.events import KERNEL

__all__ = ["CameraLock", "CameraState", "PiCamera", "import_picamera2", "row_ns"]

logger = logging.getLogger(__name__)

BUFFERS = 8
QUEUE_FRAMES = 8
"""Copies that wait for the box: 133 ms at 60 frames/s, 32 MB."""
PROBE_FRAMES = 50
"""Frames that prove the camera's clock at start."""
GAP_FRAMES = 1.5
"""Stamps further apart than this many frames: one is missing."""
STALE_NS = 500 * NS_PER_MS
"""So long without a frame: the camera hangs (it happens after hours)."""
SETTLING_FRAMES = 120
"""New settings need some 3 frames; if they are not in force after 2 s, they never will be."""
AGE_LIMIT_NS = 1 * NS_PER_S


class CameraState(Enum):
    """What the camera is doing."""

    STARTING = "starting"
    """Its clock or its settings are not proven yet."""
    READY = "ready"
    STALE = "stale"
    """No frame for `STALE_NS`."""


@dataclass(frozen=True, slots=True)
class _Taken:
    """A frame as the camera thread leaves it."""

    image: Image
    metadata: Mapping[str, Any]
    arrived_ns: int


class PiCamera:
    """A camera on the Pi's own connector."""

    def __init__(
        self,
        lock: CameraLock | None = None,
        *,
        number: int = 0,
        now: Callable[[], int] = time.monotonic_ns,
        boottime_ahead: Callable[[], int] | None = None,
    ) -> None:
        """Configure the camera and start it.

        Args:
            lock: Settings from calibration; None: for a usual lamp.
            number: Which camera.
            now: The monotonic clock.
            boottime_ahead: CLOCK_BOOTTIME minus CLOCK_MONOTONIC.

        Raises:
            BadCamera: No picamera2, no camera, or an unknown one.
        """
        self.lost = 0
        """Frames that the sensor took and nobody saw."""
        self.faults = 0
        """Frames that could not be taken over."""
        self.implausible = 0
        """Frames whose stamp cannot be."""
        self._now = now
        self._boottime_ahead = boottime_ahead or _boottime_ahead_ns
        self._queue: deque[_Taken] = deque(maxlen=QUEUE_FRAMES)
        self._module = import_picamera2()
        self._camera = self._open(number)
        self.mode = mode_of(self._model())
        wanted = lock or CameraLock()
        # What the sensor cannot do would be counted as lost frames.
        fastest = min(wanted.frames_per_second, self.mode.fastest)
        self.lock = replace(wanted, frames_per_second=fastest)
        self._reset()
        self._start()

    @property
    def is_finished(self) -> bool:
        """A camera never ends."""
        return False

    def frames(self) -> list[Frame]:
        """Frames since the last call that were taken with the right settings.

        Raises:
            BadCamera: The settings are never in force.
            UnknownClock: The stamps fit no clock.
        """
        taken = [self._queue.popleft() for _ in range(len(self._queue))]
        return [frame for one in taken if (frame := self._frame(one)) is not None]

    def state(self, now_ns: int) -> CameraState:
        """What the camera is doing at this time."""
        if now_ns - self._heard_ns > STALE_NS:
            return CameraState.STALE
        return CameraState.READY if self._newest_ns is not None else CameraState.STARTING

    def restart(self) -> None:
        """Stop and start the camera that hangs; its clock and settings are proven again."""
        logger.warning("the camera gave no frame for %d ms: restart", STALE_NS // NS_PER_MS)
        self._camera.stop()
        self._queue.clear()
        self._reset()
        self._start()

    def close(self) -> None:
        """Release the camera. Safe to call twice."""
        if self._camera is not None:
            camera, self._camera = self._camera, None
            camera.stop()
            camera.close()

    def _open(self, number: int) -> Any:
        try:
            return self._module.Picamera2(number)
        except (IndexError, RuntimeError) as error:  # what picamera2 raises without a camera
            raise BadCamera(
                f"no camera {number}: {error}, expected one on the ribbon cable "
                "(rpicam-hello --list-cameras)"
            ) from error

    def _model(self) -> str:
        return str(self._camera.camera_properties.get("Model", "unknown"))

    def _reset(self) -> None:
        self._clock: SourceClock | None = None
        self._probe: list[tuple[int, int]] = []
        self._unsettled = 0
        self._newest_ns: int | None = None
        self._number = -1
        self._heard_ns = self._now()

    def _start(self) -> None:
        if "AfMode" not in self._camera.camera_controls and self.lock.lens_dioptres is not None:
            raise BadCamera(f"camera {self._model()} has no focus motor (lens_dioptres)")
        configuration = self._camera.create_video_configuration(
            # picamera2's "RGB888" is blue first in memory, as OpenCV wants it.
            main={"size": self.mode.size, "format": "RGB888"},
            sensor={"output_size": self.mode.size, "bit_depth": self.mode.bit_depth},
            buffer_count=BUFFERS,
            queue=False,
            controls=self.lock.controls(),
        )
        self._camera.configure(configuration)
        self._camera.pre_callback = self._take
        self._camera.start()

    def _take(self, request: Any) -> None:
        """Runs in the camera thread: copy, nothing else, and never raise."""
        try:
            with self._module.MappedArray(request, "main") as mapped:
                image = np.array(mapped.array[:, : self.mode.size[0], :3], dtype=np.uint8)
            self._queue.append(_Taken(image, request.get_metadata(), self._now()))
        except BaseException:  # whatever it is: the thread must live, or there are no frames
            self.faults += 1

    def _frame(self, taken: _Taken) -> Frame | None:
        self._heard_ns = max(self._heard_ns, taken.arrived_ns)
        stamp_ns = int(taken.metadata["SensorTimestamp"])
        if self._clock is None:
            self._prove_clock(stamp_ns, taken.arrived_ns)
            return None
        t_ns = self._clock.event_ns(stamp_ns)
        if not is_plausible_age(taken.arrived_ns - t_ns, AGE_LIMIT_NS):
            self.implausible += 1
            return None
        if not self._is_settled(taken.metadata):
            return None
        self._count(t_ns)
        line_ns = row_ns(self.mode, taken.image.shape[0])
        exposure_ns = us_to_ns(taken.metadata["ExposureTime"])
        return Frame(self._number, t_ns, exposure_ns, line_ns, taken.image, KERNEL)

    def _prove_clock(self, stamp_ns: int, arrived_ns: int) -> None:
        self._probe.append((stamp_ns, arrived_ns))
        if len(self._probe) >= PROBE_FRAMES:
            self._clock = find_clock(self._probe, self._boottime_ahead())

    def _is_settled(self, metadata: Mapping[str, Any]) -> bool:
        missing = self.lock.missing(metadata)
        self._unsettled = self._unsettled + 1 if missing else 0
        if self._unsettled > SETTLING_FRAMES:
            raise BadCamera(
                f"the camera does not take its settings: {', '.join(missing)} "
                "(referee calibrate camera)"
            )
        return not missing

    def _count(self, t_ns: int) -> None:
        """Number the frame; a gap in the stamps leaves numbers out."""
        frame_ns = self.lock.frame_us * NS_PER_US
        step = 1
        if self._newest_ns is not None and t_ns - self._newest_ns > GAP_FRAMES * frame_ns:
            step = round((t_ns - self._newest_ns) / frame_ns)
            self.lost += step - 1
        self._number += step
        self._newest_ns = t_ns


def row_ns(mode: SensorMode, rows: int) -> int:
    """Readout time of one row of the picture, which may be smaller than the sensor's mode."""
    return round(mode.line_ns * mode.size[1] / rows)


def _boottime_ahead_ns() -> int:
    """How long this computer has slept. The smallest of some looks: between two, time passes."""
    looks = (time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns() for _ in range(5))
    return min(looks, key=abs)


def import_picamera2() -> Any:
    """The library, which comes from apt and only on a Pi.

    Raises:
        BadCamera: It is not there.
    """
    try:
        return importlib.import_module("picamera2")
    except ImportError as error:
        raise BadCamera(
            f"no picamera2: {error}, expected a Raspberry Pi "
            "(sudo apt install python3-picamera2, and a virtual environment that sees it)"
        ) from error
