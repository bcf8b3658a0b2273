"""A disk that takes no more: the kernel itself refuses to let the journal's files grow."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from referee.rules.events import Observation
from referee.rules.verdicts import Verdict
from referee.service.box import Recorder

MOST_BYTES = 4096
"""No file may become longer than this while the disk is full."""


class FullDisk:
    """Keeps a game in a journal, on a disk that is full now and then."""

    def __init__(self, recorder: Recorder, is_full: Callable[[], bool]) -> None:
        """Begin.

        Args:
            recorder: The journal's record of the game.
            is_full: Whether the disk is full now.
        """
        self._recorder, self._is_full = recorder, is_full

    def write(self, observation: Observation, verdicts: Iterable[Verdict]) -> None:
        """Note what was seen and said."""
        if not self._is_full():
            self._recorder.write(observation, verdicts)
            return
        with no_room():
            self._recorder.write(observation, verdicts)

    def close(self) -> None:
        """Stop writing."""
        self._recorder.close()


@contextmanager
def no_room() -> Iterator[None]:
    """No file of this process can grow. Python ignores the signal that comes with it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
