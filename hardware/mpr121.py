"""The MPR121 touch chip: its registers, set up for one pad a chip, and its status.

A chip that serves several players would be unfair: one interrupt line hides the second touch until
the status is read, and all electrodes share a time slot. So each player has a chip of his own, with
its interrupt line on a pin of its own. Every setting is read back: boards with worn contacts take
writes and forget them, and libraries have been found to read other registers than they wrote.

Source: NXP MPR121 data sheet and AN3944; resolution and thresholds from AN3892.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from referee.rules.errors import RefereeError

ADDRESSES = (0x5A, 0x5B, 0x5C, 0x5D)
"""What the pin ADDR can choose: four chips a bus."""
PI_BUS = 1
"""The I2C bus on header pins 3 and 5."""
MULTIPLEXER = 0x70
"""Address of the TCA9548A that splits the bus for more than four chips."""
CHANNELS = 2
"""Seats 1 to 4 hang on its channel 0, the others on channel 1."""
BUS_DEVICES = Path("/sys/bus/i2c/devices")

STATUS, OUT_OF_RANGE, BASELINE = 0x00, 0x02, 0x1E
SETUP, RUN, RESET = 0x5D, 0x5E, 0x80
"""The filter and timing register; electrode configuration, which starts the chip; soft reset."""
RESET_KEY = 0x63
STOPPED = 0x00
ONE_ELECTRODE = 0x81
"""Electrode 0 only; the baseline starts from what is measured first."""
TOUCHED_BIT = 0x0001
OVER_CURRENT_BIT = 0x8000
AUTO_SETUP_FAILED_BITS = 0xC000

SAMPLES_4_EVERY_MS = 0x20
"""Charge 0.5 us; a touch is told after 4 samples (SFI), one a millisecond (ESI): 4 ms at most. The
chip's own 0x24 samples every 16 ms: 64 ms."""
NO_DEBOUNCE = 0x00

SETTINGS: dict[int, int] = {
    # The baseline creeps after slow changes (damp, warmth) while the pad is free ...
    0x2B: 0x01,  # rising: largest step at once
    0x2C: 0x01,  # rising: step
    0x2D: 0x0E,  # rising: samples before a step
    0x2E: 0x00,  # rising: delay
    0x2F: 0x01,  # falling
    0x30: 0x05,
    0x31: 0x01,
    0x32: 0x00,
    # ... and stands still while it is touched, or a palm that rests would seem to let go.
    0x33: 0x00,
    0x34: 0x00,
    0x35: 0x00,
    0x41: 12,  # touched: counts below the baseline
    0x42: 6,  # released
    0x5B: NO_DEBOUNCE,
    0x5C: 0x10,  # 6 samples in the first filter, 16 uA
    SETUP: SAMPLES_4_EVERY_MS,
    # Charge found by the chip itself at start, for 3.3 V; never again later, it would be deaf then.
    0x7B: 0x09,
    0x7D: 200,
    0x7E: 130,
    0x7F: 180,
}
"""Register -> value, written in this order while the chip is stopped."""


class BadTouchChip(RefereeError, OSError):
    """A touch chip that is not there or does not take its settings."""


class Bus(Protocol):
    """The part of an I2C bus that is needed here; smbus2 has it."""

    def read_byte_data(self, address: int, register: int) -> int:
        """Read one register."""

    def read_word_data(self, address: int, register: int) -> int:
        """Read two registers in one go, the lower one in the low byte."""

    def write_byte_data(self, address: int, register: int, value: int) -> None:
        """Write one register."""


def open_bus(number: int = PI_BUS) -> Bus:
    """An I2C bus of this computer.

    Raises:
        BadTouchChip: No library, no bus, or no access.
    """
    try:
        library: Any = importlib.import_module("smbus2")
        return cast(Bus, library.SMBus(number))
    except ImportError as error:
        raise BadTouchChip(
            "no library for I2C, expected smbus2 for pads of kind mpr121 "
            "(pip install 'referee-box[pi]')"
        ) from error
    except OSError as error:
        raise BadTouchChip(
            f"no I2C bus {number}: {error.strerror}, expected /dev/i2c-{number} "
            "(sudo raspi-config nonint do_i2c 0, and the group i2c)"
        ) from error


def touch_buses(devices: Path = BUS_DEVICES, parent: int = PI_BUS) -> tuple[int, ...]:
    """The buses that hold touch chips: those behind the multiplexer, or else the Pi's own one.

    The kernel drives the multiplexer (dtoverlay=i2c-mux,pca9548) and gives each of its channels a
    bus of its own, whose number differs from Pi to Pi.

    Args:
        devices: Where the kernel lists buses and chips.
        parent: The bus of the multiplexer.
    """
    multiplexer = devices / f"{parent}-{MULTIPLEXER:04x}"
    try:
        names = [(multiplexer / f"channel-{at}").readlink().name for at in range(CHANNELS)]
        return tuple(int(name.removeprefix("i2c-")) for name in names)
    except (OSError, ValueError):
        return (parent,)


def place_of(seat: int, buses: tuple[int, ...] = (PI_BUS,)) -> tuple[int, int]:
    """Bus and address of a seat's chip: four a bus, in seat order.

    Args:
        seat: From 1.
        buses: From `touch_buses`.

    Raises:
        BadTouchChip: Too few buses.
    """
    at, address = divmod(seat - 1, len(ADDRESSES))
    if not 0 <= at < len(buses):
        raise BadTouchChip(
            f"no I2C address is left for the touch chip of seat {seat}, expected seats 1 to "
            f"{len(buses) * len(ADDRESSES)}, or a multiplexer TCA9548A at {MULTIPLEXER:#x} for "
            "eight (wiring/README.md)"
        )
    return buses[at], ADDRESSES[address]


def open_chip(seat: int) -> Mpr121:
    """The touch chip of a seat of this box. Nothing is written yet.

    Each has the bus opened for itself: an open bus remembers the chip it spoke to last, and two
    threads ask.

    Raises:
        BadTouchChip: No library, no bus, no access, or no address for so many seats.
    """
    bus, address = place_of(seat, touch_buses())
    return Mpr121(open_bus(bus), address)


@dataclass(frozen=True, slots=True)
class TouchStatus:
    """What the chip says about its electrode."""

    is_touched: bool
    over_current: bool = False
    """A short circuit; the chip has stopped itself."""


class Mpr121:
    """One chip."""

    def __init__(self, bus: Bus, address: int) -> None:
        """Take a chip over. Nothing is written until `set_up`."""
        self.bus = bus
        self.address = address

    def set_up(self) -> None:
        """Reset the chip, write every setting, read it back and start sensing.

        Raises:
            BadTouchChip: No answer, or a register holds something else than was written.
        """
        try:
            self._write(RESET, RESET_KEY)
            self._write(RUN, STOPPED)
            for register, value in SETTINGS.items():
                self._write(register, value)
            self._check_settings()
            self._write(RUN, ONE_ELECTRODE)
            self._check_register(RUN, ONE_ELECTRODE)
        except OSError as error:
            if isinstance(error, BadTouchChip):
                raise
            raise BadTouchChip(self._silent(error)) from error

    def status(self) -> TouchStatus:
        """Read whether the pad is touched. The chip lets go of its interrupt line by this.

        Raises:
            BadTouchChip: No answer.
        """
        word = self._word(STATUS)
        return TouchStatus(bool(word & TOUCHED_BIT), bool(word & OVER_CURRENT_BIT))

    def is_running(self) -> bool:
        """The chip still has its settings; after a power dip it has those of the factory.

        Raises:
            BadTouchChip: No answer.
        """
        try:
            found = [self.bus.read_byte_data(self.address, place) for place in (SETUP, RUN)]
        except OSError as error:
            raise BadTouchChip(self._silent(error)) from error
        return found == [SAMPLES_4_EVERY_MS, ONE_ELECTRODE]

    def answers(self) -> bool:
        """The chip is there. Asks nothing that would let go of its interrupt line."""
        try:
            self.bus.read_byte_data(self.address, SETUP)
        except OSError:
            return False
        return True

    def has_baseline(self) -> bool:
        """The chip could measure its electrode: a wire that is off or shorted shows here.

        Raises:
            BadTouchChip: No answer.
        """
        out_of_range = self._word(OUT_OF_RANGE)
        if out_of_range & (TOUCHED_BIT | AUTO_SETUP_FAILED_BITS):
            return False
        try:
            return self.bus.read_byte_data(self.address, BASELINE) > 0
        except OSError as error:
            raise BadTouchChip(self._silent(error)) from error

    def _check_settings(self) -> None:
        for register, value in SETTINGS.items():
            self._check_register(register, value)

    def _check_register(self, register: int, value: int) -> None:
        found = self.bus.read_byte_data(self.address, register)
        if found != value:
            raise BadTouchChip(
                f"touch chip {self.address:#x} holds {found:#04x} in register {register:#04x}, "
                f"expected {value:#04x} as written (check its supply, or replace it)"
            )

    def _write(self, register: int, value: int) -> None:
        self.bus.write_byte_data(self.address, register, value)

    def _word(self, register: int) -> int:
        try:
            return self.bus.read_word_data(self.address, register)
        except OSError as error:
            raise BadTouchChip(self._silent(error)) from error

    def _silent(self, error: OSError) -> str:
        return (
            f"touch chip {self.address:#x} does not answer: {error.strerror or error}, "
            "expected an MPR121 there (i2cdetect, then its wires)"
        )
