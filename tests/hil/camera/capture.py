"""In the camera's root: our PiCamera on the true picamera2 and libcamera's virtual camera.

capture.py FRAMES FOLDER   writes each frame as a picture, prints stamps and counts as JSON

The virtual camera is no Pi sensor: it gives NV12 only, knows no raw modes and no controls, and its
metadata have nothing but the stamp. That, and only that, is bridged here. Thread, callback, queue,
clock and settings check are the product's own.
"""

from __future__ import annotations

import json
import mmap
import sys
import time
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

AGAIN = 30
"""Frames that prove that it runs again."""
PATIENCE_S = 90.0
WRONG_FRAMES = 3
"""A real sensor takes some frames until new settings are in force."""


class _Anything(type):
    def __getattr__(cls, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        return name


def without_a_screen() -> None:
    """picamera2 imports its preview's library, which is not in Debian, even for taking pictures."""
    stand_in = types.ModuleType("pykms")
    for name in ("PixelFormat", "PlaneType"):
        setattr(stand_in, name, _Anything(name, (), {}))
    sys.modules["pykms"] = stand_in


without_a_screen()
import libcamera  # noqa: E402
from picamera2 import Picamera2  # noqa: E402
from picamera2.allocators import LibcameraAllocator  # noqa: E402
from picamera2.allocators.allocator import Allocator, Sync  # noqa: E402

import hardware.camera as product  # noqa: E402


class WholeBuffer(Sync):
    """A frame buffer by the lengths of its planes: the virtual camera does not tell bytes used."""

    def __init__(self, _allocator: Any, buffer: Any, _write: bool) -> None:
        self._planes = buffer.planes

    def __enter__(self) -> mmap.mmap:
        length = max(plane.offset + plane.length for plane in self._planes)
        self._map = mmap.mmap(self._planes[0].fd, length)
        return self._map

    def __exit__(self, *_: object) -> None:
        self._map.close()


class Told:
    """A request whose metadata say what a Pi's sensor would say."""

    def __init__(self, request: Any, settled: bool) -> None:
        self.request = request
        self._settled = settled

    def get_metadata(self) -> Mapping[str, Any]:
        lock = product.CameraLock()
        exposure = lock.exposure_us if self._settled else 2 * lock.exposure_us
        told = {"ExposureTime": exposure, "AnalogueGain": lock.gain}
        return dict(self.request.get_metadata()) | told | {"ColourGains": lock.colour_gains}


class VirtualCamera(Picamera2):  # type: ignore[misc]
    """picamera2 with what the virtual camera lacks."""

    taken = 0

    def __init__(self, number: int) -> None:
        super().__init__(number, allocator=Allocator())
        self.allocator = LibcameraAllocator(self.camera)
        self.allocator.sync = WholeBuffer

    def _get_raw_modes(self) -> list[dict[str, Any]]:
        role = libcamera.StreamRole.VideoRecording
        offered = self.camera.generate_configuration([role]).at(0).formats
        return [
            {"format": str(pixels), "size": (size.width, size.height)}
            for pixels in offered.pixel_formats
            for size in offered.sizes(pixels)
        ]

    def create_video_configuration(self, main: Any = None, **_: Any) -> Any:
        wanted = {"format": "NV12", "size": (main or {}).get("size", (640, 480))}
        return super().create_video_configuration(wanted, buffer_count=4, queue=False)

    @property
    def pre_callback(self) -> Any:
        return self.__dict__.get("_wrapped")

    @pre_callback.setter
    def pre_callback(self, take: Callable[[Any], None] | None) -> None:
        def wrapped(request: Any) -> None:
            self.taken += 1
            if take is not None:
                take(Told(request, self.taken > WRONG_FRAMES))

        self.__dict__["_wrapped"] = None if take is None else wrapped


class MappedPicture:
    """What picamera2's MappedArray is: the pixels, blue first."""

    def __init__(self, told: Told, stream: str) -> None:
        layout = told.request.config[stream]
        width, height = layout["size"]
        rows = told.request.make_buffer(stream)[: layout["stride"] * height * 3 // 2]
        planes = np.ascontiguousarray(rows.reshape(height * 3 // 2, layout["stride"])[:, :width])
        # OpenCV takes grey levels 16 to 235 for all there are; a JPEG has all 256.
        stretched = cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_NV12)
        self.array = np.rint(stretched * (219 / 255) + 16).astype(np.uint8)

    def __enter__(self) -> MappedPicture:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def hung_up(camera: product.PiCamera) -> dict[str, Any]:
    """The library stops giving frames, as it does after hours; the box starts it again."""
    camera._camera.stop()
    began = time.monotonic()
    while camera.state(time.monotonic_ns()) is not product.CameraState.STALE:
        camera.frames()
        if time.monotonic() - began > PATIENCE_S:
            break
        time.sleep(0.001)
    stale_s = time.monotonic() - began
    hung = camera.state(time.monotonic_ns()).value
    camera.restart()
    restarted = camera.state(time.monotonic_ns()).value
    again: list[Any] = []
    while len(again) < AGAIN and time.monotonic() - began < PATIENCE_S:
        again += camera.frames()
        time.sleep(0.001)
    return {
        "hung": hung,
        "stale_after_s": stale_s,
        "restarted": restarted,
        "frames_again": len(again),
        "again_after_s": time.monotonic() - began - stale_s,
        "state_again": camera.state(time.monotonic_ns()).value,
    }


def main(wanted: int, folder: Path) -> None:
    library = types.SimpleNamespace(Picamera2=VirtualCamera, MappedArray=MappedPicture)
    product.import_picamera2 = lambda: library  # type: ignore[assignment]
    folder.mkdir(parents=True, exist_ok=True)
    camera = product.PiCamera()
    frames, ages = [], []
    end = time.monotonic() + 120
    while len(frames) < wanted and time.monotonic() < end:
        for frame in camera.frames():
            ages.append((time.monotonic_ns() - frame.t_ns) / 1e6)
            frames.append(frame)
        time.sleep(0.0002)
    state = camera.state(time.monotonic_ns()).value
    lost, faults, implausible = camera.lost, camera.faults, camera.implausible
    taken = camera._camera.taken
    hang = hung_up(camera)
    camera.close()
    for at, frame in enumerate(frames[:wanted]):
        cv2.imwrite(str(folder / f"{at:05d}.png"), frame.image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    stamps = [frame.t_ns for frame in frames]
    print(
        json.dumps(
            {
                "frames": len(frames),
                "taken": taken,
                "lost": lost,
                "faults": faults,
                "implausible": implausible,
                "state": state,
                "hang": hang,
                "sorted": stamps == sorted(stamps),
                "gap_ms": float(np.median(np.diff(stamps)) / 1e6),
                "age_ms": {"median": float(np.median(ages)), "max": max(ages)},
                "stamp": frames[0].stamp,
                "exposure_ns": frames[0].exposure_ns,
                "line_ns": frames[0].line_ns,
                "stamps": stamps[:wanted],
            }
        )
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
