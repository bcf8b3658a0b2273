"""What the matrix shows at a moment: announcements one after the other, the counts between them.

Pure: the caller says what time it is. A new announcement appears at once unless the one before has
not yet been seen; then it waits its turn, and news of little weight gives way.
"""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from hardware.announcement import Announcement, Priority
from hardware.clock import NS_PER_MS
from hardware.drawing import Size, Step, blank, steps

SEEN_NS = 1200 * NS_PER_MS
"""After this time an announcement may be replaced by one that waits."""
WAITING = 4
"""Most announcements that wait; beyond that the least important goes."""


class Screen:
    """The order of pictures on one matrix."""

    def __init__(self, size: Size, *, demo: bool = False) -> None:
        self.size = size
        self._demo = demo
        self._rest = blank(size)
        self._saying: Announcement | None = None
        self._since_ns = 0
        self._steps: Iterator[Step] = iter(())
        self._shown: Image.Image = self._rest
        self._until_ns = 0
        self._waiting: list[Announcement] = []

    def rest(self, picture: Image.Image) -> None:
        """Show this picture while there is nothing to say: the counts."""
        self._rest = picture

    def say(self, announcement: Announcement, now_ns: int) -> None:
        """Say something now, or as soon as its turn comes."""
        if self._saying is None or self._gives_way_to(announcement):
            self._begin(announcement, now_ns)
            return
        self._waiting.append(announcement)
        if len(self._waiting) > WAITING:
            self._waiting.remove(min(self._waiting, key=lambda waiting: waiting.priority))

    def picture(self, now_ns: int) -> Image.Image:
        """The picture for this time."""
        if self._saying is not None and self._waiting and now_ns - self._since_ns >= SEEN_NS:
            self._begin(self._waiting.pop(0), now_ns)
        while self._saying is not None and now_ns >= self._until_ns:
            self._next_step(now_ns)
        return self._rest if self._saying is None else self._shown

    def is_saying(self, kind: str) -> bool:
        """The last picture belongs to an announcement of this kind."""
        return self._saying is not None and self._saying.kind == kind

    def _gives_way_to(self, announcement: Announcement) -> bool:
        """News of little weight, or anything to a fault."""
        assert self._saying is not None
        running = self._saying.priority
        return announcement.priority > running and (
            running is Priority.NEWS or announcement.priority is Priority.FAULT
        )

    def _begin(self, announcement: Announcement, now_ns: int) -> None:
        self._saying = announcement
        self._since_ns = now_ns
        self._steps = steps(announcement, self.size, demo=self._demo)
        self._until_ns = now_ns
        self._next_step(now_ns)

    def _next_step(self, now_ns: int) -> None:
        step = next(self._steps, None)
        if step is not None:
            self._shown, duration_ms = step
            self._until_ns += duration_ms * NS_PER_MS
        elif self._waiting:
            self._begin(self._waiting.pop(0), now_ns)
        else:
            self._saying = None
