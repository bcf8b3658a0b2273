"""A camera that comes back: opened anew when it is gone or hangs, and wrong stamps left out.

The game sees one camera that never raises. While it is away its watermark stands still: slaps
are held, and nothing is guessed.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable

from hardware.clock import NS_PER_MS, NS_PER_S, UnknownClock
from hardware.protocols import Camera, Frame
from hardware.webcam import BadCamera
from referee.service.doctor.codes import Code
from referee.service.faults.fault import Symptoms
from referee.service.faults.retry import Retry

logger = logging.getLogger(__name__)

STALE_NS = 500 * NS_PER_MS
"""So long without a good frame: the camera hangs. Source: hardware.camera."""
STARTING_NS = 5 * NS_PER_S
"""A camera that was just opened proves clock and settings first."""
WINDOW_NS = 2 * NS_PER_S
MISSING_SHARE = 0.05
"""More missing frames than this share of a window: the doubts become wider, people are told."""
AHEAD_NS = 1 * NS_PER_MS
"""A stamp further in the future than this is no time at which light was seen."""
SLOWEST_CHECKED = 10
"""Fewer frames than this in a window say nothing about a share."""


class SteadyCamera:
    """A live camera and whoever can open it anew. Not for films and folders: they end."""

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        *,
        now: Callable[[], int] = time.monotonic_ns,
        camera: Camera | None = None,
    ) -> None:
        """Begin; nothing is opened yet unless `camera` is.

        Args:
            open_camera: Opens the camera, or raises.
            now: The clock of the frames' stamps.
            camera: One that is open already.
        """
        self.reopened = 0
        """Times that it was opened anew."""
        self.left_out = 0
        """Frames that were old, doubled or of the future."""
        self._open = open_camera
        self._now = now
        self._camera = camera
        self._retry = Retry()
        self._code: Code | None = None
        self._reason = ""
        self._newest_ns = 0
        """Stamp of the newest good frame; holds beyond a restart, time goes on."""
        self._number: int | None = None
        self._deadline_ns = now() + STARTING_NS
        self._wrong_stamps = 0
        self._recent: deque[tuple[int, int]] = deque()
        """Arrival of a frame, and how many were missing before it."""
        self._missing = 0
        """Sum of these."""

    @property
    def is_finished(self) -> bool:
        """Never: it comes back."""
        return False

    def frames(self) -> list[Frame]:
        """Good frames since the last call, by their stamps. Never raises."""
        now_ns = self._now()
        if self._camera is None and not self._opened(now_ns):
            return []
        good = self._good(self._taken(now_ns), now_ns)
        if good:
            self._is_well(now_ns)
        elif now_ns > self._deadline_ns and self._camera is not None:
            clock = self._wrong_stamps > 0
            self._give_up(
                Code.CAMERA_CLOCK if clock else Code.CAMERA_STALLED,
                "its stamps are old or of the future" if clock else "no frame in time",
            )
        return good

    def symptoms(self, now_ns: int) -> Symptoms:
        """What is wrong with it now."""
        found: Symptoms = {}
        if self._code is not None:
            found[self._code, None] = self._reason
        while self._recent and self._recent[0][0] < now_ns - WINDOW_NS:
            self._missing -= self._recent.popleft()[1]
        missing = self._missing
        seen = len(self._recent)
        if seen >= SLOWEST_CHECKED and missing > MISSING_SHARE * (seen + missing):
            found[Code.FRAMES_MISSING, None] = f"{missing} of {seen + missing} frames"
        return found

    def close(self) -> None:
        """Release the camera. Safe to call twice."""
        camera, self._camera = self._camera, None
        if camera is not None:
            # A camera that hangs may refuse even this; what matters is that it is tried anew.
            with contextlib.suppress(Exception):
                camera.close()

    def _opened(self, now_ns: int) -> bool:
        if not self._retry.is_due(now_ns):
            return False
        try:
            self._camera = self._open()
        except Exception as error:  # no camera, no rights, the library: the game waits for it
            self._code, self._reason = Code.NO_CAMERA, str(error)
            return False
        self.reopened += 1
        self._number = None
        self._wrong_stamps = 0
        self._deadline_ns = self._now() + STARTING_NS
        return True

    def _taken(self, now_ns: int) -> list[Frame]:
        assert self._camera is not None
        try:
            taken = self._camera.frames()
        except UnknownClock as error:
            self._give_up(Code.CAMERA_CLOCK, str(error))
            return []
        except BadCamera as error:
            self._give_up(Code.EXPOSURE_IGNORED, str(error))
            return []
        except Exception as error:  # the library: whatever it is, another try may do
            logger.exception("the camera failed")
            self._give_up(Code.NO_CAMERA, str(error))
            return []
        if not taken and self._camera.is_finished:
            self._give_up(Code.NO_CAMERA, "it was unplugged")
        return taken

    def _good(self, taken: list[Frame], now_ns: int) -> list[Frame]:
        """Frames that are newer than all before; a watermark cannot be taken back."""
        good = []
        for frame in taken:
            if self._newest_ns < frame.t_ns <= now_ns + AHEAD_NS:
                self._count(frame, now_ns)
                self._newest_ns = frame.t_ns
                good.append(frame)
            else:
                self.left_out += 1
                self._wrong_stamps += 1
        return good

    def _count(self, frame: Frame, now_ns: int) -> None:
        before, self._number = self._number, frame.number
        missing = 0 if before is None else max(0, frame.number - before - 1)
        self._missing += missing
        self._recent.append((now_ns, missing))

    def _is_well(self, now_ns: int) -> None:
        self._code = None
        self._retry.was_good()
        self._wrong_stamps = 0
        self._deadline_ns = now_ns + STALE_NS

    def _give_up(self, code: Code, reason: str) -> None:
        """Let go of a camera that is no good; it is opened anew with the next calls."""
        self._code, self._reason = code, reason
        self.close()
