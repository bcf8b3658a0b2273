"""Guides that the page leads people through: calibration, and teaching a deck.

A guide runs between two games, when pads and camera are free. A calibration talks and waits for
people, so it runs in a thread of its own; what it says is passed on by the box's loop.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from referee.locale import LANGUAGES, language, text
from referee.rules.errors import RefereeError
from referee.service.calibration.talk import Talk
from referee.service.link import Message

logger = logging.getLogger(__name__)

AREA = "box"
START, NEXT, CANCEL = "start", "next", "cancel"
STOP_S = 5.0


class Guide(Protocol):
    """Something that people are led through."""

    @property
    def is_over(self) -> bool:
        """It has ended, well or not."""

    def step(self) -> list[Message]:
        """What it has to say since the last call. Never waits."""

    def act(self, action: str) -> None:
        """Somebody pressed "next" or "cancel"."""

    def close(self) -> None:
        """Release everything. Safe to call twice."""


class Cancelled(RefereeError):
    """Somebody pressed cancel."""


class TalkGuide:
    """A calibration that talks."""

    def __init__(self, name: str, work: Callable[[Talk], bool], jpeg: Callable[[], str]) -> None:
        """Begin at once.

        Args:
            name: "camera" or "pads".
            work: The calibration; returns whether all is well.
            jpeg: A picture of what was found, base64; empty: none.
        """
        self._name, self._work, self._jpeg = name, work, jpeg
        self._said: SimpleQueue[Message] = SimpleQueue()
        self._pressed = threading.Event()
        self._cancelled = threading.Event()
        self._over = False
        self._lines: list[str] = []
        self._thread = threading.Thread(target=self._run, name=f"guide-{name}", daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """It has ended, well or not, and everything was said."""
        return self._over and self._said.empty()

    def step(self) -> list[Message]:
        """What it has to say since the last call."""
        said = []
        while True:
            try:
                said.append(self._said.get_nowait())
            except Empty:
                return said

    def act(self, action: str) -> None:
        """Somebody pressed "next" or "cancel"."""
        if action == CANCEL:
            self._cancelled.set()
        self._pressed.set()

    def close(self) -> None:
        """Stop it."""
        self.act(CANCEL)
        self._thread.join(STOP_S)

    # --- Talk, called by the thread ---

    def tell(self, line: str, grade: str = "") -> None:
        """Say something."""
        self._lines.append(line)
        self._send(line)

    def ask(self, line: str) -> None:
        """Wait until somebody presses "next".

        Raises:
            Cancelled: Somebody pressed "cancel".
        """
        self._pressed.clear()
        self._send(line, waits=True)
        self._stop_if_cancelled()
        self._pressed.wait()
        self._stop_if_cancelled()

    def progress(self, line: str) -> None:
        """Show how far it is.

        Raises:
            Cancelled: Somebody pressed "cancel".
        """
        self._stop_if_cancelled()
        self._send(line)

    def _stop_if_cancelled(self) -> None:
        if self._cancelled.is_set():
            raise Cancelled(text(AREA, "Stopped."))

    def _run(self) -> None:
        try:
            ok = self._work(self)
            self._end(ok, "\n".join(self._lines[-8:]))
        except RefereeError as error:
            self._end(False, str(error))
        except Exception as error:  # a guide must not end the box
            logger.exception("the guide %s failed", self._name)
            self._end(False, str(error))

    def _end(self, ok: bool, line: str) -> None:
        self._send(line, done=True, ok=ok, jpeg=self._jpeg() if ok else "", progress=1.0)
        self._over = True

    def _send(self, line: str, *, waits: bool = False, **more: Any) -> None:
        message: Message = {
            "type": "guide",
            "name": self._name,
            "step": "ask" if waits else "run",
            # A calibration speaks the language of the box.
            "sentence": dict.fromkeys(LANGUAGES, line),
            "language": language(),
            "progress": None,
            "done": False,
            "ok": None,
            "jpeg": "",
        }
        self._said.put(message | more)
