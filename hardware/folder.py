"""A folder of pictures as a camera: one card a picture, for trying things out at home."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image as Pil
from PIL import ImageOps, UnidentifiedImageError

from hardware.clock import ms_to_ns
from hardware.protocols import Frame, Image
from hardware.webcam import DUE_AT_ONCE, BadCamera
from referee.rules.events import SOFTWARE

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")
INTERVAL_MS = 1500.0
"""A calm game: one card every one and a half seconds."""
FRAMES_PER_PICTURE = 5
"""A card is read once the picture stands still, so each picture is several frames."""


class PictureFolder:
    """The pictures of a folder, by name; "2.jpg" comes before "10.jpg"."""

    def __init__(
        self,
        path: Path,
        *,
        interval_ms: float = INTERVAL_MS,
        frames_per_picture: int = FRAMES_PER_PICTURE,
        now: Callable[[], int] = time.monotonic_ns,
        paced: bool = True,
    ) -> None:
        """Open a folder.

        Args:
            path: The folder.
            interval_ms: Time that each picture is shown.
            frames_per_picture: How often each is handed over in that time.
            now: The clock from which the time is counted.
            paced: Hand a frame over only when its time has come; False: one a call, at once.

        Raises:
            BadCamera: No folder, no pictures in it, or a file that is no picture.
        """
        self.paths = picture_paths(path)
        self._frame_ns = ms_to_ns(interval_ms) // frames_per_picture
        self._each = frames_per_picture
        self._now = now
        self._paced = paced
        self._start_ns = now()
        self._number = 0
        self._shown: tuple[int, Image] | None = None

    @property
    def is_finished(self) -> bool:
        """All pictures were shown."""
        return self._number >= len(self.paths) * self._each

    def frames(self) -> list[Frame]:
        """Frames whose time has come since the last call."""
        seen: list[Frame] = []
        most = DUE_AT_ONCE if self._paced else 1
        while not self.is_finished and len(seen) < most:
            t_ns = self._start_ns + self._number * self._frame_ns
            if self._paced and t_ns > self._now():
                break
            image = self._image(self._number // self._each)
            # One frame after the other: nothing is known about the time between two pictures.
            seen.append(Frame(self._number, t_ns, self._frame_ns, 0, image, SOFTWARE))
            self._number += 1
        return seen

    def close(self) -> None:
        """Nothing more will come. Safe to call twice."""
        self._number = len(self.paths) * self._each

    def _image(self, at: int) -> Image:
        if self._shown is None or self._shown[0] != at:
            self._shown = (at, read_picture(self.paths[at]))
        return self._shown[1]


def picture_paths(folder: Path) -> list[Path]:
    """The pictures of a folder, by name, numbers by value.

    Raises:
        BadCamera: No folder, or no pictures in it.
    """
    if not folder.is_dir():
        raise BadCamera(f"no folder at {folder}, expected one with pictures")
    found = [path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES]
    if not found:
        raise BadCamera(f"no pictures in {folder}, expected files such as 01.jpg")
    return sorted(found, key=_by_number)


def _by_number(path: Path) -> list[tuple[int, int, str]]:
    parts = re.split(r"(\d+)", path.name.lower())
    return [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts]


def read_picture(path: Path) -> Image:
    """A picture, BGR, turned as the camera was held (EXIF).

    Raises:
        BadCamera: It cannot be read.
    """
    try:
        with Pil.open(path) as opened:
            turned = ImageOps.exif_transpose(opened).convert("RGB")
    except (UnidentifiedImageError, OSError, ValueError, Pil.DecompressionBombError) as error:
        raise BadCamera(f"not a picture: {path}, expected JPEG, PNG, BMP or WebP") from error
    image: Image = np.ascontiguousarray(np.asarray(turned, dtype=np.uint8)[:, :, ::-1])
    return image
