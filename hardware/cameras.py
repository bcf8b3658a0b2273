"""Which camera somebody means: a number, a film, a folder of pictures or the Pi's own."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from hardware.protocols import Camera

PI_CAMERA = "pi"


def open_camera(what: str, *, now: Callable[[], int] = time.monotonic_ns) -> Camera:
    """Open a camera.

    Args:
        what: "pi", the number of a webcam, or the path of a film or a folder of pictures.
        now: The monotonic clock.

    Raises:
        BadCamera: There is no such thing, or it gives no pictures.
    """
    if what == PI_CAMERA:
        from hardware.camera import PiCamera

        return PiCamera(now=now)
    path = Path(what)
    if path.is_dir():
        from hardware.folder import PictureFolder

        return PictureFolder(path, now=now)
    from hardware.webcam import Film, Webcam

    return Webcam(int(what), now=now) if what.isdecimal() else Film(path, now=now)
