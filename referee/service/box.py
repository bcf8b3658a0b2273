"""The box's loop: pads and camera in, verdicts out. One step a call; the caller owns the time.

No thread here: pads and cameras collect on their own, `step` takes what has come, asks the
referee, writes the log and hands every verdict to those who show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from hardware.protocols import Camera, Frame, Pads
from referee.rules.events import Observation, Watermark
from referee.rules.referee import Referee
from referee.rules.verdicts import Verdict
from referee.service.journal.clock import moved


class Watcher(Protocol):
    """What reads one pile: models.watch.PileWatcher."""

    @property
    def watermark_ns(self) -> int:
        """Up to here every frame has an answer."""

    @property
    def state(self) -> str:
        """What the pile looks like now, such as "still" or "hand"."""

    def see(self, image: object, *, t_ns: int, exposure_ns: int, line_ns: int) -> list[Observation]:
        """Take the next frame."""


class Recorder(Protocol):
    """What keeps a game: service.log.LogWriter or service.journal.record.GameRecord."""

    def write(self, observation: Observation, verdicts: Iterable[Verdict]) -> None:
        """Note what was seen and said; what was said may be shown when this returns."""

    def close(self) -> None:
        """Stop writing. Safe to call twice."""


class Recorders:
    """Several that keep the same game."""

    def __init__(self, recorders: Sequence[Recorder]) -> None:
        self._recorders = list(recorders)

    def write(self, observation: Observation, verdicts: Iterable[Verdict]) -> None:
        """Note it in all of them."""
        said = list(verdicts)
        for recorder in self._recorders:
            recorder.write(observation, said)

    def close(self) -> None:
        """Stop writing. Safe to call twice."""
        for recorder in self._recorders:
            recorder.close()


class Box:
    """A table in play."""

    def __init__(
        self,
        referee: Referee,
        pads: Iterable[Pads],
        camera: Camera,
        watchers: Sequence[Watcher],
        *,
        log: Recorder | None = None,
        offset_ns: int = 0,
        on_frame: Callable[[Frame], None] | None = None,
    ) -> None:
        """Tie the parts together.

        Args:
            referee: Decides.
            pads: Every source of slaps: pads, keys, buttons.
            camera: Source of frames.
            watchers: One a pile.
            log: Where to write everything, if anywhere.
            offset_ns: Added to every stamp: event time of a game that goes on after a power cut
                (referee.service.journal.clock).
            on_frame: Sees every frame after the watchers, for a view.
        """
        self.referee = referee
        self.pads = list(pads)
        self.camera = camera
        self.watchers = list(watchers)
        self.offset_ns = offset_ns
        self.frames = 0
        self._log = log
        self._on_frame = on_frame
        self._camera_watermark_ns = 0

    def step(self) -> list[Verdict]:
        """Take all that has come since the last step and rule on what can be decided."""
        seen = [observation for pads in self.pads for observation in pads.observations()]
        for frame in self.camera.frames():
            seen += self._look(frame)
        return self.tell(seen)

    def tell(self, observations: Iterable[Observation]) -> list[Verdict]:
        """Give observations to the referee and the log.

        Args:
            observations: With stamps of this boot's monotonic clock.

        Returns:
            What the referee declared.
        """
        said: list[Verdict] = []
        for stamped in observations:
            observation = moved(stamped, self.offset_ns)
            verdicts = self.referee.observe(observation)
            if self._log:
                self._log.write(observation, verdicts)
            said += verdicts
        return said

    def close(self) -> None:
        """Release everything. Safe to call twice."""
        for pads in self.pads:
            pads.close()
        self.camera.close()
        if self._log:
            self._log.close()

    def _look(self, frame: Frame) -> list[Observation]:
        self.frames += 1
        seen: list[Observation] = []
        for watcher in self.watchers:
            seen += watcher.see(
                frame.image, t_ns=frame.t_ns, exposure_ns=frame.exposure_ns, line_ns=frame.line_ns
            )
        watermark_ns = min(watcher.watermark_ns for watcher in self.watchers)
        if watermark_ns > self._camera_watermark_ns:
            self._camera_watermark_ns = watermark_ns
            seen.append(Watermark(watermark_ns, "camera"))
        if self._on_frame:
            self._on_frame(frame)
        return seen
