"""Webcams and films through OpenCV: pictures with honest, wide time stamps.

A webcam's own stamp is the kernel's at best and its arrival at worst; either way it may be wrong by
a frame and 10 ms more, and the frame says so. A film's frames have the times that the film gives
them, counted from the moment at which it was opened.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.clock import NS_PER_MS, NS_PER_S, is_plausible_age, ms_to_ns
from hardware.protocols import Frame, Image
from referee.rules.errors import RefereeError
from referee.rules.events import SOFTWARE

WEBCAM_DOUBT_NS = 10 * NS_PER_MS
"""Beyond one frame. Source: uvcvideo recovers the device's clock that well."""
OLDEST_NS = 1 * NS_PER_S
"""A webcam's stamp that is older is not on our clock; OpenCV also gives 0 for "unknown"."""
USUAL_RATE = 30.0
"""Frames a second, where the source does not tell."""
PLAUSIBLE_RATES = (1.0, 1000.0)
QUEUE_FRAMES = 8
"""More pictures than this wait for nobody: the oldest are dropped, and their numbers show it."""
DUE_AT_ONCE = 8
"""Frames of a film handed over at once, when reading them fell behind."""


class BadCamera(RefereeError, OSError):
    """A source of pictures that gives none."""


class Film:
    """A video file, played at its own speed."""

    def __init__(
        self, path: Path, *, now: Callable[[], int] = time.monotonic_ns, paced: bool = True
    ) -> None:
        """Open a film.

        Args:
            path: The file.
            now: The clock from which the film's time is counted.
            paced: Hand a frame over only when its time has come; False: one a call, at once.

        Raises:
            BadCamera: It is missing or no film.
        """
        if not path.is_file():
            raise BadCamera(f"no film at {path}, expected a video file such as game.mp4")
        self._video = _open(str(path))
        self._ahead = self._read()
        if self._ahead is None:
            self._video.release()
            raise BadCamera(f"not a film: {path}, expected a video file such as game.mp4")
        self._frame_ns = round(NS_PER_S / _rate(self._video))
        self._now = now
        self._paced = paced
        self._start_ns = now()
        self._number = 0
        self._position_ns = 0

    @property
    def is_finished(self) -> bool:
        """The film is over."""
        return self._ahead is None

    def frames(self) -> list[Frame]:
        """Frames whose time has come since the last call."""
        seen: list[Frame] = []
        most = DUE_AT_ONCE if self._paced else 1
        while self._ahead is not None and len(seen) < most:
            t_ns = self._start_ns + self._position_ns
            if self._paced and t_ns > self._now():
                break
            seen.append(Frame(self._number, t_ns, self._frame_ns, 0, self._ahead, SOFTWARE))
            self._advance()
        return seen

    def close(self) -> None:
        """Let the file go. Safe to call twice."""
        self._ahead = None
        self._video.release()

    def _advance(self) -> None:
        self._ahead = self._read()
        self._number += 1
        told_ns = ms_to_ns(max(0.0, self._video.get(cv2.CAP_PROP_POS_MSEC)))
        by_rate_ns = self._position_ns + self._frame_ns
        # A film may have a rate of its own for every frame; some only have an average.
        self._position_ns = told_ns if told_ns > self._position_ns else by_rate_ns

    def _read(self) -> Image | None:
        return _picture(self._video)


class Webcam:
    """A camera on USB, read in a thread of its own."""

    def __init__(
        self,
        index: int,
        *,
        now: Callable[[], int] = time.monotonic_ns,
        reads: bool = True,
        video: Any = None,
    ) -> None:
        """Open a camera.

        Args:
            index: Number of the camera, 0 for the first.
            now: The monotonic clock.
            reads: Read in a thread of our own. False: somebody calls `read_frame`.
            video: Something that behaves like `cv2.VideoCapture`; None: the camera `index`.

        Raises:
            BadCamera: It is not there or gives no picture.
        """
        self._video = video if video is not None else _open(index)
        if not self._video.isOpened() or _picture(self._video) is None:
            self._video.release()
            raise BadCamera(f"no picture from camera {index}, expected one that is plugged in")
        self._frame_ns = round(NS_PER_S / _rate(self._video))
        self._now = now
        self._number = 0
        self._newest_ns = 0
        self._queue: deque[Frame] = deque(maxlen=QUEUE_FRAMES)
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        if reads:
            self._thread = threading.Thread(target=self._run, name="webcam", daemon=True)
            self._thread.start()

    @property
    def is_finished(self) -> bool:
        """The camera was unplugged, and every frame has been taken."""
        return self._over.is_set() and not self._queue

    def frames(self) -> list[Frame]:
        """Frames since the last call, oldest first."""
        return [self._queue.popleft() for _ in range(len(self._queue))]

    def close(self) -> None:
        """Release the camera. Safe to call twice."""
        self._over.set()
        if self._thread is not None:
            self._thread.join(timeout=2)
        self._video.release()

    def read_frame(self) -> bool:
        """Wait for one picture.

        Returns:
            Whether there was one.
        """
        image = _picture(self._video)
        if image is None:
            return False
        frame = self._stamped(image, self._now())
        self._queue.append(frame)
        self._number += 1
        self._newest_ns = frame.t_ns
        return True

    def _stamped(self, image: Image, arrived_ns: int) -> Frame:
        """The frame with the whole span in which it may have seen light."""
        told_ms = self._video.get(cv2.CAP_PROP_POS_MSEC)
        told_ns = round(told_ms * NS_PER_MS) if np.isfinite(told_ms) else 0
        known = is_plausible_age(arrived_ns - told_ns, OLDEST_NS)
        middle_ns = told_ns if known else arrived_ns - self._frame_ns
        doubt_ns = self._frame_ns + WEBCAM_DOUBT_NS
        last_ns = min(arrived_ns, middle_ns + doubt_ns)
        t_ns = max(last_ns, self._newest_ns + 1)
        return Frame(self._number, t_ns, t_ns - (middle_ns - doubt_ns), 0, image, SOFTWARE)

    def _run(self) -> None:
        while not self._over.is_set() and self.read_frame():
            pass
        self._over.set()


def _open(source: int | str) -> Any:
    """OpenCV's capture, without its own chatter: we say ourselves what is wrong."""
    set_level = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
    set_level(0)
    return cv2.VideoCapture(source)


def _picture(video: Any) -> Image | None:
    """The next picture, BGR; None: there is none."""
    there, picture = video.read()
    if not there or picture is None:
        return None
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    image: Image = np.asarray(picture, dtype=np.uint8)
    return image


def _rate(video: Any) -> float:
    rate = float(video.get(cv2.CAP_PROP_FPS))
    low, high = PLAUSIBLE_RATES
    return rate if low <= rate <= high else USUAL_RATE
