"""Finds exposure, gain, white balance and focus for this table's light, once, to fix them for ever.

The Pi's own automatics look at the table for a moment. What they arrive at is translated to the
short exposure that flying cards need.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardware.camera import import_picamera2
from hardware.camera_lock import CameraLock
from hardware.webcam import BadCamera

EXPOSURE_US = 4000
"""Longer, and a card in flight smears over its own index."""
HIGHEST_GAIN = 16.0
SETTLING_FRAMES = 60
"""The automatics need about a second."""


def find_lock(number: int = 0, frames_per_second: int = 60) -> CameraLock:
    """Let the automatics look, then switch them off.

    Raises:
        BadCamera: No camera, or it does not say what it arrived at.
    """
    library = import_picamera2()
    try:
        camera = library.Picamera2(number)
    except (IndexError, RuntimeError) as error:
        raise BadCamera(
            f"no camera {number}: {error}, expected one on the ribbon cable "
            "(rpicam-hello --list-cameras)"
        ) from error
    try:
        return _look(camera, frames_per_second)
    finally:
        camera.stop()
        camera.close()


def _look(camera: Any, frames_per_second: int) -> CameraLock:
    has_motor = "AfMode" in camera.camera_controls
    camera.configure(camera.create_video_configuration(controls={"AeEnable": True}))
    camera.start()
    if has_motor and not camera.autofocus_cycle():
        raise BadCamera("the camera finds no focus, expected a card in the middle of the mat")
    metadata: Mapping[str, Any] = {}
    for _ in range(SETTLING_FRAMES):
        metadata = camera.capture_metadata()
    return lock_of(metadata, has_motor=has_motor, frames_per_second=frames_per_second)


def lock_of(
    metadata: Mapping[str, Any], *, has_motor: bool, frames_per_second: int = 60
) -> CameraLock:
    """The same brightness with a short exposure: what it lacks in time becomes gain.

    Args:
        metadata: Of a frame after the automatics settled.
        has_motor: The lens can be focused.
        frames_per_second: For the lock.

    Raises:
        BadCamera: Something is missing.
    """
    try:
        light = metadata["ExposureTime"] * metadata["AnalogueGain"]
        red, blue = metadata["ColourGains"]
        lens = round(float(metadata["LensPosition"]), 2) if has_motor else None
    except KeyError as error:
        raise BadCamera(
            f"the camera does not tell its {error.args[0]} (update libcamera)"
        ) from error
    gain = min(HIGHEST_GAIN, max(1.0, light / EXPOSURE_US))
    return CameraLock(
        EXPOSURE_US, round(gain, 2), (round(red, 3), round(blue, 3)), lens, frames_per_second
    )
