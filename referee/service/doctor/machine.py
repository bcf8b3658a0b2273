"""The computer as the doctor sees it: files, commands and clocks, each replaceable by a test."""

from __future__ import annotations

import fcntl
import grp
import importlib.metadata
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hardware.pins import Pins, read_pins
from referee.service.config import Settings
from referee.service.doctor.finding import say

COMMAND_NOT_FOUND = 127
COMMAND_LASTS_S = 120
"""Drawing and reading cards takes a Pi 4 half a minute; a command that needs longer hangs."""
GET_CHIP_INFO = 0x8044B401
"""ioctl of linux/gpio.h: GPIO_GET_CHIPINFO_IOCTL, which fills name[32], label[32], lines."""
CHIP_INFO_BYTES = 68


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command said."""

    code: int
    out: str = ""
    error: str = ""

    @property
    def last_line(self) -> str:
        """Where Python and most programs say what went wrong."""
        lines = [line.strip() for line in (self.error or self.out).splitlines() if line.strip()]
        return lines[-1] if lines else f"exit code {self.code}"


@dataclass(frozen=True, slots=True)
class Clocks:
    """The kernel's clocks, read at the same time, in ns."""

    monotonic_ns: int
    boottime_ns: int
    realtime_ns: int


def run_command(words: Sequence[str]) -> Answer:
    """Run a command in a fresh folder of its own, because `import lgpio` leaves a pipe behind."""
    with tempfile.TemporaryDirectory(prefix="referee-doctor-") as folder:
        try:
            done = subprocess.run(
                list(words),
                capture_output=True,
                text=True,
                errors="replace",
                timeout=COMMAND_LASTS_S,
                cwd=folder,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Answer(1, error=f"no answer within {COMMAND_LASTS_S} s")
        except OSError as error:
            return Answer(COMMAND_NOT_FOUND, error=str(error))
    return Answer(done.returncode, done.stdout, done.stderr)


def read_clocks() -> Clocks:
    """Read the kernel's clocks."""
    return Clocks(
        time.clock_gettime_ns(time.CLOCK_MONOTONIC),
        time.clock_gettime_ns(time.CLOCK_BOOTTIME),
        time.clock_gettime_ns(time.CLOCK_REALTIME),
    )


def read_chip_label(device: Path) -> str | None:
    """Ask the kernel whose pins a /dev/gpiochip has; None: it cannot be opened."""
    answer = bytearray(CHIP_INFO_BYTES)
    try:
        with device.open("rb", buffering=0) as chip:
            fcntl.ioctl(chip, GET_CHIP_INFO, answer)
    except OSError:
        return None
    return bytes(answer[32:64]).partition(b"\0")[0].decode(errors="replace")


def version_of(package: str) -> str | None:
    """The version that Python would import; None: not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def own_groups() -> frozenset[str]:
    """The groups of this process."""
    names = set()
    for number in {os.getegid(), *os.getgroups()}:
        try:
            names.add(grp.getgrgid(number).gr_name)
        except KeyError:
            names.add(str(number))
    return frozenset(names)


def own_name() -> str:
    """The user of this process."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


@dataclass(frozen=True, slots=True)
class Machine:
    """Everything that a check may ask. The defaults are this computer."""

    settings: Settings = field(default_factory=Settings)
    settings_fault: str = ""
    """What is wrong with the settings file, if anything; then `settings` are the defaults."""
    root: Path = Path("/")
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    folder: Path = field(default_factory=Path.cwd)
    scratch: Path = field(default_factory=lambda: Path(tempfile.gettempdir()))
    python: str = sys.executable
    user: str = field(default_factory=own_name)
    groups: frozenset[str] = field(default_factory=own_groups)
    run: Callable[[Sequence[str]], Answer] = run_command
    clocks: Callable[[], Clocks] = read_clocks
    chip_label: Callable[[Path], str | None] = read_chip_label
    is_usable: Callable[[Path], bool] = lambda path: os.access(path, os.R_OK | os.W_OK)
    free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
    version: Callable[[str], str | None] = version_of
    pins: Callable[[], Pins] = read_pins

    def path(self, name: str) -> Path:
        """A path of this computer, written with its leading slash."""
        return self.root / name.lstrip("/")

    def read(self, name: str) -> str | None:
        """A text file without trailing zero bytes and spaces; None: it cannot be read."""
        try:
            return self.path(name).read_text(errors="replace").strip("\0\n ")
        except OSError:
            return None

    def devices(self, pattern: str) -> list[Path]:
        """The devices of a pattern such as "spidev0.*", in order of their names."""
        return sorted(self.path("/dev").glob(pattern))

    @property
    def model(self) -> str | None:
        """Such as "Raspberry Pi 5 Model B Rev 1.0"; None: this is no Pi."""
        model = self.read("/proc/device-tree/model")
        return model if model and "Raspberry Pi" in model else None

    @property
    def generation(self) -> int:
        """4 for a Pi 4, 400 or CM4; 3 for the Zero 2; 1 for what has no number; 0: no Pi."""
        model = self.model
        if model is None:
            return 0
        number = re.search(r"Raspberry Pi (?:Compute Module |Zero )?(\d)", model)
        found = int(number.group(1)) if number else 1
        return 3 if "Zero 2" in model else found

    @property
    def boot_config(self) -> str:
        """The firmware's settings, without comments; empty: there are none."""
        names = ("/boot/firmware/config.txt", "/boot/config.txt")
        content = next((text for name in names if (text := self.read(name)) is not None), "")
        lines = (line.partition("#")[0].strip() for line in content.splitlines())
        return "\n".join(line for line in lines if line)


def join_groups(machine: Machine, names: str) -> str:
    """How this user gets the rights of some groups."""
    return say("sudo usermod -aG {names} {user}, then log in again", names=names, user=machine.user)


def at_least(found: str, wanted: Sequence[int]) -> bool:
    """Compare a version such as "6.12.25+rpt" with numbers."""
    numbers = [int(number) for number in re.findall(r"\d+", found)]
    return numbers[: len(wanted)] >= list(wanted)
