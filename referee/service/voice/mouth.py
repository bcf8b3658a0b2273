"""The box's end: a process that sounds, told without ever waiting for it."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Sequence

from hardware.clock import NS_PER_MS

logger = logging.getLogger(__name__)

RETRY_NS = 10_000 * NS_PER_MS
"""A process that died is started again, but not sooner than this after its last start."""
LONGEST_LINE = 4096
"""Bytes that a pipe takes whole or not at all (POSIX: PIPE_BUF, here that of Linux)."""
STOP_S = 1.0
WORDS = (sys.executable, "-m", "referee.service.voice")


class Mouth:
    """Sends sounds to a process of their own."""

    def __init__(self, words: Sequence[str] = WORDS) -> None:
        """Prepare; the first sound or `keep` starts it.

        Args:
            words: The command of the process; exchanged in tests.
        """
        self._words = tuple(words)
        self._process: subprocess.Popen[bytes] | None = None
        self._started_ns: int | None = None
        self._complained: set[str] = set()
        self._heard = b""

    def keep(self, now_ns: int) -> None:
        """Start the process if it does not run, and log what it complains about."""
        self._hear()
        if self._process is None and (
            self._started_ns is None or now_ns - self._started_ns >= RETRY_NS
        ):
            self._begin(now_ns)

    def send(self, t_ns: int, priority: int, commands: Sequence[Sequence[str]]) -> None:
        """Ask for a sound; it is dropped if the process cannot take it at once."""
        sound = {"t_ns": t_ns, "priority": priority, "commands": [list(one) for one in commands]}
        line = (json.dumps(sound) + "\n").encode()
        self.keep(t_ns)
        if self._process is None or self._process.stdin is None or len(line) > LONGEST_LINE:
            return
        try:
            os.write(self._process.stdin.fileno(), line)
        except BlockingIOError:
            self._complain("sounds", "they are not taken: one was left out")
        except OSError:
            self._lose()

    def close(self) -> None:
        """Fall silent. Safe to call twice."""
        process, self._process = self._process, None
        if process is None:
            return
        _close_pipes(process)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            _kill(process)

    def _begin(self, now_ns: int) -> None:
        self._started_ns = now_ns
        try:
            process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the box; it closes the pipe
                bufsize=0,
            )
        except OSError as error:
            self._complain("sounds", str(error.strerror))
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
        self._process, self._heard = process, b""

    def _hear(self) -> None:
        if self._process is None or self._process.stdout is None:
            return
        try:
            chunk = os.read(self._process.stdout.fileno(), LONGEST_LINE)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self._lose()
            return
        *lines, self._heard = (self._heard + chunk).split(b"\n")
        for line in lines:
            program, _, reason = line.decode(errors="replace").partition(": ")
            self._complain(program, reason)

    def _lose(self) -> None:
        """The process is gone: the box goes on without a sound, and tries again later."""
        process, self._process = self._process, None
        if process is not None:
            _close_pipes(process)
            _kill(process)
            self._complain("sounds", "their process ended; it is started again")

    def _complain(self, program: str, reason: str) -> None:
        """One line in the log for each program, not one for each verdict."""
        if program not in self._complained:
            self._complained.add(program)
            logger.warning("%s: %s; the game goes on without", program, reason)


def _close_pipes(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End it together with what it started: its session is its own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
