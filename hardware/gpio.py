"""Pins: the only file that meets gpiozero and lgpio.

gpiozero falls back silently to pin factories that stamp edges in Python, some 5 to 90 ms late on a
busy machine. So no default factory is ever used: the caller says which one, and `stamp_quality`
says what its stamps are worth.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import tempfile
import time
from pathlib import Path
from typing import Any, Protocol

from gpiozero import InputDevice, LEDBoard, OutputDevice
from gpiozero.exc import GPIOZeroError
from gpiozero.pins.mock import MockFactory, MockPin

from referee.rules.errors import RefereeError
from referee.rules.events import DEMO, KERNEL, SOFTWARE

logger = logging.getLogger(__name__)

HEADER_PINS = range(28)
"""BCM numbers of the 40-pin header."""
CHIP_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The chips behind the header of a Pi 5, of a Pi 4, and of the older ones."""


class BadPin(RefereeError, ValueError):
    """A pin that cannot be what it should be."""


class NoKernelTime(RefereeError, RuntimeError):
    """The pins cannot be had with the kernel's time stamps."""


class Edges(Protocol):
    """Somebody who listens to a pin."""

    def edge(self, ticks: float, state: int) -> None:
        """The pin changed to `state` at `ticks`, in seconds of the factory's clock."""


BUSY_S = 0.01
BUSY_TIMES = 300
"""A child process holds all lines until it has begun its program, some ms later."""

_opened: dict[int | None, Any] = {}
"""Chip -> its factory in this process."""


class _Ear:
    """Hears a pin for as long as the process lives, for whoever wants to know at the moment."""

    def __init__(self, device: Any, wish: tuple[str, bool, bool], listener: Edges) -> None:
        self.device, self.wish = device, wish
        self.listener: Edges | None = listener

    def edge(self, ticks: float, state: int) -> None:
        """Runs in the delivering thread."""
        listener = self.listener
        if listener is not None:
            listener.edge(ticks, state)


_ears: dict[Any, dict[int, _Ear]] = {}
"""Factory of the kernel's pins -> pin -> its ear."""


def mock_factory() -> Any:
    """Pins of a table that exists only in this program. Driven by their tests or the demo."""
    return MockFactory()


def kernel_factory(folder: Path | None = None, chip: int | None = None) -> Any:
    """The pins of a Pi through lgpio, which hands on the kernel's time stamps.

    There is one for the whole process, never closed: a second one could not have the lines that
    the first one holds, and a late edge of a closed one would end lgpio's only delivering thread.

    Args:
        folder: Where lgpio may put its pipe; None: a fresh temporary folder. It has to be
            writable, or lgpio cannot even be imported.
        chip: Number of the gpiochip; None: gpiozero's choice for this Pi.

    Raises:
        NoKernelTime: lgpio is missing, no Pi is here, or the chip is another one.
    """
    if chip not in _opened:
        _opened[chip] = _open_chip(folder, chip)
    return _opened[chip]


def _open_chip(folder: Path | None, chip: int | None) -> Any:
    try:
        with contextlib.chdir(folder or tempfile.mkdtemp(prefix="referee-lgpio-")):
            lgpio = importlib.import_module("lgpio")
            module = importlib.import_module("gpiozero.pins.lgpio")
        factory = module.LGPIOFactory(chip)
    except (ImportError, OSError, GPIOZeroError) as error:
        raise NoKernelTime(
            f"no pins with kernel time stamps: {error}, expected a Raspberry Pi with lgpio "
            "(sudo apt install python3-lgpio)"
        ) from error
    except Exception as error:  # lgpio.error is no OSError; without lgpio it cannot be named
        raise NoKernelTime(
            f"no pins with kernel time stamps: {error}, expected access to /dev/gpiochip* "
            "(add the user to the group gpio)"
        ) from error
    check_chip(lgpio.gpio_get_chip_info(factory._handle))
    protect_thread(factory)
    return factory


def protect_thread(factory: Any) -> None:
    """Make pins whose handlers cannot end lgpio's only delivering thread by an exception.

    A handler may fail, and so does gpiozero itself when an edge is delivered while its pin is being
    closed. The thread is never started again, and every pad would be deaf for ever.
    """

    class SafePin(factory.pin_class):  # type: ignore[misc]
        def _call_when_changed(self, *edge: int) -> None:
            try:
                super()._call_when_changed(*edge)
            except Exception:
                logger.exception("the handler of pin %s failed", self.info.name)

    factory.pin_class = SafePin
    _ears[factory] = {}


def check_chip(found: list[Any]) -> None:
    """Refuse a chip that is not the header's.

    Args:
        found: lgpio's answer: status, number of lines, name, label.
    """
    label = str(found[3]) if len(found) > 3 else "unknown"
    if not label.startswith(CHIP_LABELS):
        raise NoKernelTime(
            f"the pins belong to {label!r}, expected one of {', '.join(CHIP_LABELS)} "
            "(the header's chip changed its number: update gpiozero)"
        )


def stamp_quality(factory: Any) -> str:
    """What the stamps of a factory are worth: "kernel", "software" or "demo"."""
    if isinstance(factory, MockFactory):
        return DEMO
    kernel = type(factory).__module__ == "gpiozero.pins.lgpio"
    return KERNEL if kernel else SOFTWARE


def open_input(
    pin: int,
    listener: Edges,
    *,
    factory: Any,
    edges: str,
    active_high: bool,
    pulls_up: bool = False,
) -> Any:
    """Listen to a pin. Never with `bounce_time`: it moves the stamp and swallows short taps.

    Args:
        pin: BCM number.
        listener: Its bound method `edge` is held weakly, so somebody else must hold it.
        factory: From `mock_factory` or `kernel_factory`.
        edges: "rising", "falling" or "both".
        active_high: The level that means "touched".
        pulls_up: Use the Pi's own resistor, for a bare contact to ground.

    Raises:
        BadPin: There is no such pin, or it is taken.
    """
    wish = (edges, active_high, pulls_up)
    ears = _ears.get(factory, {})
    rests = ears.get(pin)
    if rests is not None and rests.listener is None:
        if rests.wish == wish:
            rests.listener = listener
            return rests.device
        _free(pin, factory)
    try:
        pull_up, active = (True, None) if pulls_up else (None, active_high)
        device = InputDevice(pin, pull_up=pull_up, active_state=active, pin_factory=factory)
        if isinstance(device.pin, MockPin) and not active_high:
            device.pin.drive_high()  # the resistor on the touch chip's board
        device.pin.edges = edges
        if factory in _ears:
            ears[pin] = _Ear(device, wish, listener)
            device.pin.when_changed = ears[pin].edge
        else:
            device.pin.when_changed = listener.edge
    except GPIOZeroError as error:
        raise BadPin(f"cannot listen to pin {pin}: {error} (wiring/pins.toml)") from error
    return device


def close_input(device: Any) -> None:
    """Listen no more.

    A line of the kernel stays open and rests for the next game: an edge that is delivered while
    its pin is closed would find a pin half closed. To be called once.
    """
    ears = _ears.get(device.pin_factory, {}).values()
    ear = next((one for one in ears if one.device is device), None)
    if ear is None:
        device.close()
    else:
        ear.listener = None


def _free(pin: int, factory: Any) -> None:
    """Close a line that rests, for another use of it."""
    ear = _ears.get(factory, {}).get(pin)
    if ear is None or ear.listener is not None:
        return
    close_output(ear.device)
    del _ears[factory][pin]


def close_output(device: Any) -> None:
    """Let go of a pin, or of a board of them. Safe to call twice.

    Raises:
        BadPin: It stays busy.
    """
    for tries_left in reversed(range(BUSY_TIMES)):
        try:
            device.close()
        except Exception as error:  # lgpio.error is no OSError; without lgpio it cannot be named
            if "busy" not in str(error) or not tries_left:
                raise BadPin(f"cannot let go of {device!r}: {error} (restart the box)") from error
            time.sleep(BUSY_S)
        else:
            return


def open_output(pin: int, *, factory: Any) -> Any:
    """Drive a pin, low at first.

    Raises:
        BadPin: There is no such pin, or it is taken.
    """
    _free(pin, factory)
    try:
        return OutputDevice(pin, pin_factory=factory)
    except GPIOZeroError as error:
        raise BadPin(f"cannot drive pin {pin}: {error} (wiring/pins.toml)") from error


def open_lights(pins: tuple[int, ...], *, factory: Any) -> Any:
    """Drive one light a pin, dark at first.

    Raises:
        BadPin: There is no such pin, or it is taken.
    """
    try:
        return LEDBoard(*pins, pin_factory=factory)
    except GPIOZeroError as error:
        raise BadPin(f"cannot drive lights on pins {pins}: {error} (wiring/pins.toml)") from error
