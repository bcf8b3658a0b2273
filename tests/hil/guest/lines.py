"""Simulated GPIO lines in the guest: a bank with a Pi's label, hands that set levels, wires."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

CONFIG = Path("/sys/kernel/config/gpio-sim")
PI_LABEL = "pinctrl-bcm2711"
FORK = multiprocessing.get_context("fork")
SPIN_NS = 2_000_000


class Bank:
    """28 lines, as on a Pi's header."""

    def __init__(self, label: str = PI_LABEL, lines: int = 28) -> None:
        name = f"bank-{os.getpid()}-{len(list(CONFIG.iterdir()))}"
        folder = CONFIG / name / "bank0"
        folder.mkdir(parents=True)
        (folder / "num_lines").write_text(str(lines))
        (folder / "label").write_text(label)
        (CONFIG / name / "live").write_text("1")
        chip = (folder / "chip_name").read_text().strip()
        device = (CONFIG / name / "dev_name").read_text().strip()
        self.number = int(chip.removeprefix("gpiochip"))
        self._lines = Path("/sys/devices/platform") / device / chip

    def pull(self, line: int) -> int:
        """A file that sets the line's level; kept open, so that setting is quick."""
        return os.open(self._lines / f"sim_gpio{line}" / "pull", os.O_WRONLY)

    def level(self, line: int) -> int:
        """The line's level, also if the program drives it."""
        return int((self._lines / f"sim_gpio{line}" / "value").read_text())


def put(pull: int, level: int) -> tuple[int, int]:
    """Set a level.

    Returns:
        The monotonic clock before and after: the edge's stamp has to lie between.
    """
    word = b"pull-up" if level else b"pull-down"
    before_ns = time.monotonic_ns()
    os.pwrite(pull, word, 0)
    return before_ns, time.monotonic_ns()


def become_a_pi() -> None:
    """gpiozero asks /proc/cpuinfo which Pi this is: a Pi 4. Nothing of gpiozero is changed."""
    os.chdir(tempfile.mkdtemp())
    told = Path("/proc/cpuinfo").read_text()
    if "\nRevision" not in told:
        Path("/run/cpuinfo").write_text(f"{told}\nRevision\t: c03111\n")
        subprocess.run(["mount", "--bind", "/run/cpuinfo", "/proc/cpuinfo"], check=True)


def let_go_of_lines() -> None:
    """In a child: close the lines that were open when it was forked, or they stay busy for all."""
    for number in os.listdir("/proc/self/fd"):
        try:
            kind, _, what = os.readlink(f"/proc/self/fd/{number}").partition(":")
        except OSError:
            continue
        if kind == "anon_inode" and "gpio" in what:
            os.close(int(number))


class Wire:
    """Copies the level of a driven line to an input, as a jumper does; can be pulled out."""

    def __init__(self, bank: Bank, output: int, into: int, every_s: float = 0.004) -> None:
        self._bank, self._output, self._every_s = bank, output, every_s
        self._pull = bank.pull(into)
        self._process: Any = None

    def plug(self) -> None:
        self._process = FORK.Process(target=self._run, daemon=True)
        self._process.start()

    def unplug(self) -> None:
        self._process.kill()
        self._process.join()

    def _run(self) -> None:
        let_go_of_lines()
        last = None
        while True:
            level = self._bank.level(self._output)
            if level != last:
                put(self._pull, level)
                last = level
            time.sleep(self._every_s)


Move = tuple[float, Sequence[tuple[int, int]]]
"""Seconds from the start, and (line, level) that are set then, back to back."""
Done = tuple[int, int, int, int]
"""Line, level, clock before, clock after."""


class Hands:
    """Another process that sets levels at given times, and says when it really did.

    Hands that were held up go on from there: between two moves lies never less than was meant.
    """

    def __init__(self, bank: Bank, lines: Sequence[int]) -> None:
        self._pulls = {line: bank.pull(line) for line in lines}
        self._done: Any = FORK.Queue()
        self._process: Any = None

    def begin(self, moves: Sequence[Move]) -> None:
        self._process = FORK.Process(target=self._run, args=(list(moves),))
        self._process.start()

    def finished(self, meanwhile: Callable[[], None]) -> list[Done]:
        """Wait for the hands, doing something else all the time."""
        while self._done.empty():
            meanwhile()
        done: list[Done] = self._done.get()
        self._process.join()
        return done

    def _run(self, moves: list[Move]) -> None:
        let_go_of_lines()
        start_ns = time.monotonic_ns() + 100_000_000
        done: list[Done] = []
        for at_s, levels in moves:
            due_ns = start_ns + round(at_s * 1e9)
            while (left_ns := due_ns - time.monotonic_ns()) > 0:
                if left_ns > SPIN_NS:
                    time.sleep((left_ns - SPIN_NS / 2) / 1e9)
            start_ns -= left_ns
            for line, level in levels:
                done.append((line, level, *put(self._pulls[line], level)))
        self._done.put(done)
