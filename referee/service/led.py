"""What the matrix shows now: announcements in turn by priority, else everybody's counts. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from PIL import Image

from hardware.announcement import Announcement, Priority
from hardware.counts import draw_counts
from hardware.drawing import Size, draw, steps

NS_PER_MS = 1_000_000
QUEUE = 4
"""More would speak of what nobody remembers."""
LEAST_SHOWN_NS = 600 * NS_PER_MS
"""A verdict is not pushed away sooner by one of the same weight."""


class LedShow:
    """Decides which picture the matrix shows at a time that the caller names."""

    def __init__(self, size: Size, *, demo: bool) -> None:
        """Begin with nothing to say.

        Args:
            size: Width and height of the matrix.
            demo: Keep the demo's point lit.
        """
        self.size = size
        self.demo = demo
        self._waiting: deque[Announcement] = deque(maxlen=QUEUE)
        self._now: Announcement | None = None
        self._began_ns = 0
        self._film: list[tuple[Image.Image, int]] = []

    def say(self, announcement: Announcement, now_ns: int) -> Image.Image:
        """Announce something: at once if it matters more than what is shown, else in turn.

        Returns:
            The first picture of the announcement.
        """
        busy = self._now is not None and not self._is_over(now_ns)
        if busy and self._now is not None and not self._yields(announcement, now_ns):
            self._waiting.append(announcement)
        else:
            self._begin(announcement, now_ns)
        return draw(announcement, self.size, demo=self.demo)

    def picture(
        self, now_ns: int, counts: Sequence[int | None], to_act: int | None = None
    ) -> Image.Image:
        """The picture to show now.

        Args:
            now_ns: The caller's time.
            counts: Cards held by seat, for the time between announcements.
            to_act: Whose seat's turn it is.
        """
        if self._now is not None and self._is_over(now_ns):
            self._now = None
            if self._waiting:
                self._begin(self._waiting.popleft(), now_ns)
        if self._now is None:
            return draw_counts(counts, self.size, to_act=to_act, demo=self.demo)
        elapsed_ms = (now_ns - self._began_ns) // NS_PER_MS
        for picture, duration_ms in self._film:
            if elapsed_ms < duration_ms:
                return picture
            elapsed_ms -= duration_ms
        return self._film[-1][0]

    def _begin(self, announcement: Announcement, now_ns: int) -> None:
        self._now, self._began_ns = announcement, now_ns
        self._film = list(steps(announcement, self.size, demo=self.demo))

    def _is_over(self, now_ns: int) -> bool:
        return now_ns - self._began_ns >= sum(ms for _, ms in self._film) * NS_PER_MS

    def _yields(self, announcement: Announcement, now_ns: int) -> bool:
        assert self._now is not None
        if announcement.priority > self._now.priority:
            return True
        old_enough = now_ns - self._began_ns >= LEAST_SHOWN_NS
        return (
            announcement.priority >= self._now.priority
            and old_enough
            and self._now.priority < Priority.END
        )
