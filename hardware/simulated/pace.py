"""When the frames of a simulated camera are read out."""

from __future__ import annotations

from collections.abc import Iterator


class Pace:
    """An even row of frames."""

    def __init__(self, now_ns: int, *, fps: float, exposure_ns: int, readout_ns: int) -> None:
        """Begin.

        Args:
            now_ns: The light of the first frame begins now.
            fps: Frames a second.
            exposure_ns: How long each row sees light.
            readout_ns: From the first row to the end of the last one.
        """
        self._start_ns = now_ns + exposure_ns
        self._fps, self._readout_ns = fps, readout_ns
        self._number = 0

    @property
    def frame_ns(self) -> int:
        """Time from frame to frame."""
        return round(1e9 / self._fps)

    def due(self, now_ns: int, most_waiting: int | None = None) -> Iterator[tuple[int, int]]:
        """Number and stamp of every frame that has been read out by now, and was not yet taken.

        Args:
            now_ns: The simulated time.
            most_waiting: So many are kept; older ones are lost. None: none is ever lost.
        """
        while most_waiting is not None and self._is_out(self._number + most_waiting, now_ns):
            self._number += 1
        while self._is_out(self._number, now_ns):
            self._number += 1
            yield self._number - 1, self._stamp_ns(self._number - 1)

    def _is_out(self, number: int, now_ns: int) -> bool:
        return self._stamp_ns(number) + self._readout_ns <= now_ns

    def _stamp_ns(self, number: int) -> int:
        return self._start_ns + round(number * 1e9 / self._fps)
