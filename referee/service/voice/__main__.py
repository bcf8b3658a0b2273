"""The process that sounds: `python -m referee.service.voice` reads sounds, starts and stops them.

A line of standard input is a JSON object {"t_ns", "priority", "commands"}; a line of standard
output is a complaint, one a program. It ends when the box closes its input.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Callable
from typing import IO, Protocol

from referee.service.voice.queue import Queue, Sound

ROUND_S = 0.02
"""While something is heard, its end is looked for so often."""
LONGEST_COMPLAINT = 200


class Running(Protocol):
    """A command that sounds."""

    def poll(self) -> int | None:
        """Its exit code; None: it runs."""

    def stop(self) -> None:
        """End it now."""

    def complaint(self) -> str:
        """What was wrong, after its end; empty if all was well."""


class Started:
    """A command with what it complains about."""

    def __init__(self, command: tuple[str, ...]) -> None:
        """Start it.

        Raises:
            OSError: It cannot be started.
        """
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
            )
        except OSError:
            self._errors.close()
            raise

    def poll(self) -> int | None:
        """Its exit code; None: it runs."""
        return self._process.poll()

    def stop(self) -> None:
        """End it now."""
        self._process.kill()
        self._process.wait()
        self._errors.close()

    def complaint(self) -> str:
        """What it said last before it failed; empty if all was well."""
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        self._errors.close()
        said = [" ".join(line.split()) for line in lines if line.strip()]
        last = said[-1] if said else ""
        if self._process.returncode:
            return last or f"exit code {self._process.returncode}"
        # espeak-ng says that it has no loudspeaker, and ends with 0.
        return last if last.lower().startswith("error") else ""


class Player:
    """Starts and stops what the queue says."""

    def __init__(
        self,
        complain: Callable[[str], None],
        start: Callable[[tuple[str, ...]], Running] = Started,
    ) -> None:
        """Args: what takes a complaint; what starts a command (exchanged in tests)."""
        self._complain, self._start = complain, start
        self._queue = Queue()
        self._running: Running | None = None
        self._program = ""
        self._then: list[tuple[str, ...]] = []
        """Commands of the same sound that are still to come."""

    @property
    def is_busy(self) -> bool:
        """Something is heard."""
        return self._running is not None

    def take(self, line: bytes, now_ns: int) -> None:
        """A line from the box; what cannot be read is left out."""
        try:
            said = json.loads(line)
            commands = tuple(tuple(map(str, command)) for command in said["commands"])
            sound = Sound(int(said["t_ns"]), int(said["priority"]), commands)
        except (ValueError, KeyError, TypeError) as error:
            self._complain(f"sounds: not a sound: {error}")
            return
        if self._queue.take(sound):
            self._stop()
        if self._running is None:
            self._next(now_ns)

    def step(self, now_ns: int) -> None:
        """Look for the end of what is heard."""
        if self._running is None:
            return
        if self._queue.hangs(now_ns):
            self._stop()
            self._complain(f"{self._program}: it hung and was ended")
        elif self._running.poll() is None:
            return
        elif complaint := self._running.complaint():
            self._complain(f"{self._program}: {complaint}")
        self._running = None
        self._go_on(now_ns)

    def close(self) -> None:
        """Be silent."""
        self._stop()

    def _stop(self) -> None:
        running, self._running, self._then = self._running, None, []
        if running is not None:
            running.stop()

    def _next(self, now_ns: int) -> None:
        """Begin the sound whose turn it is, if there is one."""
        sound = self._queue.next(now_ns)
        self._then = list(sound.commands) if sound else []
        if self._then:
            self._go_on(now_ns)

    def _go_on(self, now_ns: int) -> None:
        """The next command that can be started: of this sound, else of the next one."""
        while self._then:
            command = self._then.pop(0)
            self._program = os.path.basename(command[0]) if command else ""
            try:
                self._running = self._start(command)
            except (OSError, ValueError, IndexError) as error:
                self._complain(f"{self._program}: {getattr(error, 'strerror', None) or error}")
            else:
                return
        self._next(now_ns)


class Complaints:
    """Says each complaint of a program once: a box without loudspeaker fails at every verdict."""

    def __init__(self) -> None:
        """Nothing was said."""
        self._programs: set[str] = set()

    def __call__(self, complaint: str) -> None:
        """Tell the box, if this program has not been complained about before."""
        program = complaint.partition(":")[0]
        if program not in self._programs:
            self._programs.add(program)
            with contextlib.suppress(OSError):
                os.write(1, f"{complaint[:LONGEST_COMPLAINT]}\n".encode())


def main() -> None:
    """Sound until the box hangs up."""
    player = Player(Complaints())
    inbox = selectors.DefaultSelector()
    inbox.register(0, selectors.EVENT_READ)
    rest = b""
    try:
        while True:
            if inbox.select(ROUND_S if player.is_busy else None):
                chunk = os.read(0, 65536)
                if not chunk:
                    return
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    player.take(line, time.monotonic_ns())
            player.step(time.monotonic_ns())
    finally:
        player.close()


if __name__ == "__main__":
    main()
