"""The LED matrix: MAX7219 chips through luma, written from a thread of its own.

Long chains lose their settings by electrical noise and then stay dark or garbled for hours; so the
settings are sent again now and then, and whenever writing failed. A lost display stops no game.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from luma.core.error import Error as LumaError
from luma.core.interface.serial import noop, spi
from luma.led_matrix.const import max7219 as registers
from luma.led_matrix.device import max7219
from PIL import Image

from hardware.clock import NS_PER_S
from referee.rules.errors import RefereeError

logger = logging.getLogger(__name__)

BUS_HZ = 1_000_000
"""Slow enough for long wires; 64 points take 1 ms."""
RENEW_NS = 30 * NS_PER_S
"""Time after which the settings are sent again."""
HIGHEST_BRIGHTNESS = 15
BRIGHTNESS_STEP = 16
"""luma counts to 255, the chip to 15."""
WAIT_S = 1.0


class BadDisplay(RefereeError, OSError):
    """A matrix that cannot be driven."""


def open_matrix(
    width: int = 32, *, brightness: int = 3, block_orientation: int = -90
) -> MatrixDisplay:
    """The matrix at the Pi's SPI pins. RPi.GPIO is not needed and not touched.

    Args:
        width: In points, a multiple of 8.
        brightness: 0 to 15.
        block_orientation: How the blocks are turned on the board: 0, 90, -90 or 180.

    Raises:
        BadDisplay: SPI is off or the library for it is missing.
    """
    try:
        serial = spi(port=0, device=0, gpio=noop(), bus_speed_hz=BUS_HZ)
        device = max7219(serial, width=width, height=8, block_orientation=block_orientation)
    except (LumaError, OSError, ImportError, AssertionError) as error:
        raise BadDisplay(
            f"no LED matrix: {error}, expected SPI to be on (sudo raspi-config nonint do_spi 0)"
        ) from error
    return MatrixDisplay(device, brightness=brightness)


class NoDisplay:
    """A box without a matrix: everything else works."""

    def __init__(self, width: int = 32) -> None:
        self.size = (width, 8)

    def show(self, picture: Image.Image) -> None:
        """Nothing to show it on."""

    def close(self) -> None:
        """Nothing to close."""


class MatrixDisplay:
    """A luma device that is written to in the background; the newest picture wins."""

    def __init__(
        self,
        device: Any,
        *,
        brightness: int = 3,
        now: Callable[[], int] = time.monotonic_ns,
        writes: bool = True,
    ) -> None:
        """Take a device over.

        Args:
            device: luma's max7219, or its dummy.
            brightness: 0 to 15.
            now: The monotonic clock, for sending the settings again.
            writes: Write in a thread of our own. False: somebody calls `write`.
        """
        if not 0 <= brightness <= HIGHEST_BRIGHTNESS:
            raise BadDisplay(f"no such brightness: {brightness}, expected 0 to 15 (display)")
        self.failures = 0
        """Writes that failed."""
        self._device = device
        self._brightness = brightness
        self._now = now
        self._picture: Image.Image | None = None
        self._renewed_ns: int | None = None
        self._changed = threading.Event()
        self._closed = False
        self._thread: threading.Thread | None = None
        if writes:
            self._thread = threading.Thread(target=self._run, name="display", daemon=True)
            self._thread.start()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in points."""
        return (self._device.width, self._device.height)

    @property
    def is_lost(self) -> bool:
        """The last write failed."""
        return self.failures > 0 and self._renewed_ns is None

    def show(self, picture: Image.Image) -> None:
        """Show a picture as soon as possible. Never waits, never raises for a lost display."""
        if picture.size != self.size or picture.mode != "1":
            raise BadDisplay(
                f"a picture of {picture.size} and mode {picture.mode!r} on a matrix of {self.size}"
            )
        self._picture = picture
        self._changed.set()

    def write(self) -> None:
        """Write the newest picture, if there is one, and the settings if it is time."""
        self._changed.clear()
        try:
            if self._renewed_ns is None or self._now() - self._renewed_ns >= RENEW_NS:
                self._renew()
            if self._picture is not None:
                self._device.display(self._picture)
        except Exception as error:  # the bus, the wire, the library: a game goes on without it
            if not self.is_lost:
                logger.error("the LED matrix does not answer: %s", error)
            self.failures += 1
            self._renewed_ns = None

    def close(self) -> None:
        """Go dark. Safe to call twice."""
        if self._closed:
            return
        self._stop()
        self._picture = Image.new("1", self.size)
        self.write()

    def leave(self) -> None:
        """Let go of the matrix, which goes on showing its picture after the program's end."""
        if self._closed:
            return
        self._stop()
        self._device.persist = True  # luma would darken it
        self.write()

    def _stop(self) -> None:
        self._closed = True
        self._changed.set()
        if self._thread is not None:
            self._thread.join(timeout=2)

    def _renew(self) -> None:
        """Send the settings, without clearing what is shown."""
        for register, value in (
            (registers.SCANLIMIT, 7),
            (registers.DECODEMODE, 0),
            (registers.DISPLAYTEST, 0),
        ):
            self._device.data([register, value] * (self._device.width // 8))
        self._device.contrast(self._brightness * BRIGHTNESS_STEP)
        self._device.show()
        self._renewed_ns = self._now()

    def _run(self) -> None:
        while not self._closed:
            self._changed.wait(WAIT_S)
            self.write()
