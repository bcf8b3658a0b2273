"""A display that only remembers its pictures."""

from __future__ import annotations

from collections import deque

from PIL import Image as PilImage

from referee.rules.errors import RefereeError

REMEMBERED = 64
"""So many pictures are kept."""


class BadPicture(RefereeError, ValueError):
    """A picture that does not fit the display."""


class SimulatedDisplay:
    """An LED matrix in memory: a peer of the real one."""

    def __init__(self, width: int = 32, height: int = 8) -> None:
        self._size = (width, height)
        self.pictures: deque[PilImage.Image] = deque(maxlen=REMEMBERED)
        """The last pictures, mode "1", newest last."""
        self.is_dark = True

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in points."""
        return self._size

    @property
    def picture(self) -> PilImage.Image:
        """What is lit now."""
        if self.is_dark or not self.pictures:
            return PilImage.new("1", self._size)
        return self.pictures[-1]

    def show(self, picture: PilImage.Image) -> None:
        """Show a picture."""
        if picture.mode != "1" or picture.size != self._size:
            raise BadPicture(
                f"picture of mode {picture.mode!r} and size {picture.size}, "
                f"expected mode '1' and size {self._size}"
            )
        self.pictures.append(picture.copy())
        self.is_dark = False

    def close(self) -> None:
        """Go dark."""
        self.is_dark = True
