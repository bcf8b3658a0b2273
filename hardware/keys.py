"""Keys of a terminal as pads: 1 to 8 slap, everything else is a command.

A thread reads the keys, so that a slap's stamp does not wait for the box to draw a picture. A
keyboard's own delay is unknown; the stamp is a program's, with the doubt that belongs to it.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import sys
import termios
import threading
import time
import tty
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, TextIO

from hardware.clock import NS_PER_MS
from referee.rules.errors import RefereeError
from referee.rules.events import SOFTWARE, Observation, Slap, Watermark

KEY_DOUBT_NS = 20 * NS_PER_MS
"""Keyboards are polled every 8 to 10 ms, and a busy program reads them later."""
QUEUE_KEYS = 256
WAIT_S = 0.1
"""How long the reading thread waits before it looks whether it should end."""
ESCAPE = "\x1b"


class BadKeys(RefereeError, OSError):
    """Keys cannot be read here."""


class Keys:
    """Players at one keyboard."""

    def __init__(
        self,
        players: Sequence[str],
        *,
        now: Callable[[], int] = time.monotonic_ns,
        stream: TextIO | None = None,
        reads: bool = True,
    ) -> None:
        """Take over the terminal; `close` gives it back, and so does the end of the program.

        Args:
            players: In seat order; the first has key 1.
            now: The clock that stamps the keys.
            stream: The terminal; None: standard input.
            reads: Read in a thread of our own. False: somebody calls `read_keys`.

        Raises:
            BadKeys: It is no terminal.
        """
        self._players = list(players)
        self._now = now
        self._lock = threading.Lock()
        self._seen: deque[Slap] = deque(maxlen=QUEUE_KEYS)
        self._commands: deque[str] = deque(maxlen=QUEUE_KEYS)
        self._promised_ns = 0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._terminal, self._before = _take_over(stream or sys.stdin)
        atexit.register(self.close)
        if reads:
            self._thread = threading.Thread(target=self._run, name="keys", daemon=True)
            self._thread.start()

    def observations(self) -> list[Observation]:
        """Slaps since the last call, then the watermark: no earlier key is still to come."""
        with self._lock:
            promised_ns = self._now() - KEY_DOUBT_NS - 1
            slaps = list(self._seen)
            self._seen.clear()
        if promised_ns <= self._promised_ns:
            return [*slaps]
        self._promised_ns = promised_ns
        return [*slaps, Watermark(promised_ns, "pads")]

    def commands(self) -> list[str]:
        """Keys since the last call that are nobody's pad, such as " " or "q"."""
        with self._lock:
            commands = list(self._commands)
            self._commands.clear()
        return commands

    def close(self) -> None:
        """Give the terminal back. Safe to call twice."""
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=1)
        if self._before is not None:
            before, self._before = self._before, None
            with contextlib.suppress(termios.error):  # it may be gone
                termios.tcsetattr(self._terminal, termios.TCSADRAIN, before)
            atexit.unregister(self.close)

    def read_keys(self, wait_s: float = 0) -> bool:
        """Read what was typed.

        Returns:
            Whether the terminal is still there.
        """
        try:
            ready, _, _ = select.select([self._terminal], [], [], wait_s)
            if not ready:
                return True
            typed = os.read(self._terminal, QUEUE_KEYS)
        except OSError:  # the terminal was closed
            return False
        with self._lock:
            self._take(typed.decode("utf-8", errors="ignore"), self._now())
        return bool(typed)

    def _run(self) -> None:
        while not self._stop.is_set() and self.read_keys(WAIT_S):
            pass

    def _take(self, typed: str, t_ns: int) -> None:
        if typed.startswith(ESCAPE):  # an arrow key is three letters, but one key
            self._commands.append(typed)
            return
        for key in typed:
            seat = int(key) if key in "123456789" else 0
            if 0 < seat <= len(self._players):
                player = self._players[seat - 1]
                self._seen.append(Slap(t_ns, player, KEY_DOUBT_NS, KEY_DOUBT_NS, SOFTWARE))
            else:
                self._commands.append(key)


def _take_over(stream: TextIO) -> tuple[int, list[Any] | None]:
    """Let keys come one by one, without echo; Ctrl-C still ends the program."""
    try:
        terminal = stream.fileno()
        before = termios.tcgetattr(terminal)
        tty.setcbreak(terminal, termios.TCSADRAIN)
    except (OSError, ValueError, AttributeError, termios.error) as error:
        raise BadKeys(
            "keys 1-8 need a terminal, but the input is a file, a pipe or nothing "
            "(start the program in a terminal window)"
        ) from error
    return terminal, before
