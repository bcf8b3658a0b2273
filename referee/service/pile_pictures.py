"""The last seconds of the pile as small pictures, for the photo finish: before the card and after.

Only the pile's part of the picture is ever kept, and only in memory.
"""

from __future__ import annotations

import io
from collections import deque

from PIL import Image

from hardware.protocols import Frame
from hardware.protocols import Image as Pixels

WIDTH_PX = 240
QUALITY = 80
KEPT = 90
"""Pictures: six seconds at `EVERY_NS`."""
EVERY_NS = 66_000_000
"""Least time between two pictures."""

Zone = tuple[int, int, int, int]
"""Left, top, width, height in px."""


class PilePictures:
    """A short memory of the pile."""

    def __init__(self, zone: Zone | None) -> None:
        """Begin with nothing.

        Args:
            zone: Where the pile lies; None: unknown, so that nothing may be kept.
        """
        self._zone = zone
        self._kept: deque[tuple[int, Pixels]] = deque(maxlen=KEPT)

    def see(self, frame: Frame) -> None:
        """Take a frame; most are passed over."""
        if self._zone is None or (self._kept and frame.t_ns - self._kept[-1][0] < EVERY_NS):
            return
        self._kept.append((frame.t_ns, crop(frame.image, self._zone)))

    def before(self, t_ns: int) -> bytes | None:
        """The last picture until then as JPEG; None: none is kept."""
        return next((jpeg(pixels) for at, pixels in reversed(self._kept) if at <= t_ns), None)

    def after(self, t_ns: int) -> bytes | None:
        """The first picture from then on as JPEG; None: none is kept."""
        return next((jpeg(pixels) for at, pixels in self._kept if at >= t_ns), None)

    def newest(self) -> bytes | None:
        """The newest picture as JPEG; None: none is kept."""
        return jpeg(self._kept[-1][1]) if self._kept else None


def crop(image: Pixels, zone: Zone) -> Pixels:
    """The pile's part of a picture, thinned out to about `WIDTH_PX`; a copy.

    Args:
        image: BGR, shape (height, width, 3).
        zone: Where the pile lies.
    """
    left, top, width, height = zone
    step = max(1, width // WIDTH_PX)
    return image[max(top, 0) : top + height : step, max(left, 0) : left + width : step].copy()


def jpeg(pixels: Pixels) -> bytes:
    """A BGR picture as a JPEG file."""
    out = io.BytesIO()
    Image.fromarray(pixels[:, :, ::-1]).save(out, format="JPEG", quality=QUALITY)
    return out.getvalue()
