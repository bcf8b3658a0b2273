"""A camera that hangs, is unplugged, loses, swaps and doubles frames, and whose stamps jump."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from hardware.protocols import Camera, Frame
from hardware.simulated.faulty import Trouble, Troubles
from hardware.webcam import BadCamera

LOST_SHARE = 0.4
"""Of the frames while frames are lost, and of those that are swapped or doubled."""


class FaultySocket:
    """Where a simulated camera is plugged in: opens it, unless it is gone."""

    def __init__(
        self, camera: Camera, troubles: Troubles, now: Callable[[], int], seed: int
    ) -> None:
        """Plug a camera in.

        Args:
            camera: Gives good frames.
            troubles: What fails when.
            now: The time of its table.
            seed: Which frames are hit.
        """
        self.camera = camera
        self.troubles = troubles
        self.now = now
        self.rng = Random(f"faulty camera {seed}")

    def open(self) -> Camera:
        """Open the camera anew.

        Raises:
            BadCamera: It is gone at the moment.
        """
        if self.troubles.now("camera_gone", self.now()):
            raise BadCamera("no camera at the simulated table, expected one (it is unplugged)")
        return FaultyCamera(self)


class FaultyCamera:
    """One opening of the camera: once it hangs or is gone, it gives no frame any more."""

    def __init__(self, socket: FaultySocket) -> None:
        self._socket = socket
        self._ends = self._ended()
        self._number = 0
        self._kept: Frame | None = None
        socket.camera.frames()  # what was due while nobody had it open

    @property
    def is_finished(self) -> bool:
        """It was unplugged."""
        return self._gone() is not self._ends[1]

    def frames(self) -> list[Frame]:
        """Frames since the last call, as bad as the troubles want them."""
        due = self._socket.camera.frames()
        if self._ended() != self._ends:
            return []
        return [bad for frame in due for bad in self._hit(frame)]

    def close(self) -> None:
        """Nothing to release: the table's camera is opened anew."""

    def _gone(self) -> Trouble | None:
        return self._socket.troubles.newest("camera_gone", self._socket.now())

    def _ended(self) -> tuple[Trouble | None, Trouble | None]:
        """What has ended openings of this camera so far."""
        now_ns = self._socket.now()
        return self._socket.troubles.newest("camera_hangs", now_ns), self._gone()

    def _hit(self, frame: Frame) -> list[Frame]:
        """One good frame becomes none, one or two."""
        frame = replace(frame, number=self._number)
        self._number += 1
        troubles, now_ns, rng = self._socket.troubles, self._socket.now(), self._socket.rng
        jump = troubles.now("frame_stamps_jump", now_ns)
        if jump is not None:
            frame = replace(frame, t_ns=frame.t_ns + jump.jump_ns)
        if troubles.now("frames_lost", now_ns) and rng.random() < LOST_SHARE:
            return []
        if troubles.now("frames_doubled", now_ns) and rng.random() < LOST_SHARE:
            return [frame, frame]
        kept, self._kept = self._kept, None
        if kept is not None:
            return [frame, kept]
        if troubles.now("frames_swapped", now_ns) and rng.random() < LOST_SHARE:
            self._kept = frame
            return []
        return [frame]
