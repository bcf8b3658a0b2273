"""Which factory gives the pins, and what its stamps are worth."""

import os
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from hardware import gpio
from hardware.gpio import (
    BadPin,
    NoKernelTime,
    check_chip,
    close_input,
    kernel_factory,
    mock_factory,
    open_input,
    open_output,
    stamp_quality,
)


class LGPIOFactory:
    """Stands for gpiozero's; known by the module that it comes from."""

    __module__ = "gpiozero.pins.lgpio"


class NativeFactory:
    """gpiozero's silent fallback, with stamps taken in Python."""

    __module__ = "gpiozero.pins.native"


@pytest.mark.parametrize(
    ("factory", "quality"),
    [(MockFactory(), "demo"), (LGPIOFactory(), "kernel"), (NativeFactory(), "software")],
)
def test_stamp_is_worth_what_the_factory_can_do(factory: Any, quality: str) -> None:
    assert stamp_quality(factory) == quality


@pytest.mark.parametrize("label", ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"])
def test_chip_of_the_header_is_accepted(label: str) -> None:
    check_chip([0, 54, "gpiochip0", label])


@pytest.mark.parametrize("found", [[0, 8, "gpiochip0", "raspberrypi-exp-gpio"], [-1], []])
def test_another_chip_is_refused(found: list[Any]) -> None:
    # The header was gpiochip4 on the first kernels of the Pi 5 and is gpiochip0 since 6.6.45.
    with pytest.raises(NoKernelTime, match="expected one of pinctrl-rp1"):
        check_chip(found)


@pytest.mark.skipif(Path("/proc/device-tree/model").exists(), reason="this may be a Pi")
def test_without_a_pi_the_refusal_is_one_sentence_and_the_folder_stays(tmp_path: Path) -> None:
    # lgpio's advice, LG_WD, makes the whole program change its folder.
    before = os.getcwd()
    with pytest.raises(NoKernelTime, match="no pins with kernel time stamps: ") as refused:
        kernel_factory(tmp_path)
    assert "\n" not in str(refused.value)
    assert os.getcwd() == before


def test_one_process_opens_a_chip_once(monkeypatch: pytest.MonkeyPatch) -> None:
    # A second factory finds its lines held by the first: the second game would have no pads.
    opened: list[int | None] = []

    def open_chip(folder: Path | None, chip: int | None) -> object:
        opened.append(chip)
        return object()

    monkeypatch.setattr(gpio, "_opened", {})
    monkeypatch.setattr(gpio, "_open_chip", open_chip)
    first = kernel_factory()
    assert kernel_factory() is first
    assert kernel_factory(chip=4) is not first
    assert opened == [None, 4]


def test_pin_in_use_is_refused() -> None:
    factory = mock_factory()
    first = open_output(5, factory=factory)
    with pytest.raises(BadPin, match="cannot drive pin 5: "):
        open_output(5, factory=factory)
    first.close()


class Heard:
    """A listener."""

    def __init__(self) -> None:
        self.edges: list[tuple[float, int]] = []

    def edge(self, ticks: float, state: int) -> None:
        self.edges.append((ticks, state))


class BusyPin(MockPin):
    """A line that a child process holds for a moment."""

    busy = 0
    closed = 0

    def close(self) -> None:
        type(self).closed += 1
        if type(self).busy:
            type(self).busy -= 1
            raise OSError("'GPIO busy'")
        super().close()


@pytest.fixture
def kernel_like(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Mock pins that are kept as those of the kernel are."""
    monkeypatch.setattr(BusyPin, "busy", 0)
    monkeypatch.setattr(BusyPin, "closed", 0)
    factory = MockFactory(pin_class=BusyPin)
    monkeypatch.setitem(gpio._ears, factory, {})
    return factory


def _open(factory: Any, listener: Heard, edges: str = "rising") -> Any:
    return open_input(5, listener, factory=factory, edges=edges, active_high=True)


def test_line_rests_between_two_games_and_is_never_closed(kernel_like: Any) -> None:
    # An edge that is delivered while its pin is closed finds a pin half closed.
    first, second = Heard(), Heard()
    device = _open(kernel_like, first)
    device.pin.when_changed(1.0, 1)
    close_input(device)
    device.pin.when_changed(2.0, 1)
    again = _open(kernel_like, second)
    assert again is device
    again.pin.when_changed(3.0, 1)
    assert (first.edges, second.edges) == ([(1.0, 1)], [(3.0, 1)])
    assert BusyPin.closed == 0


def test_line_in_use_is_not_lent_twice(kernel_like: Any) -> None:
    listener = Heard()
    _open(kernel_like, listener)
    with pytest.raises(BadPin, match="cannot listen to pin 5: "):
        _open(kernel_like, Heard())


@pytest.mark.parametrize("use", ["falling", "output"])
def test_line_that_rests_is_freed_for_another_use(
    kernel_like: Any, use: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpio, "BUSY_S", 0)
    close_input(_open(kernel_like, Heard()))
    BusyPin.busy = 3
    if use == "output":
        assert open_output(5, factory=kernel_like).pin.function == "output"
    else:
        assert _open(kernel_like, Heard(), use).pin.edges == "falling"
    assert BusyPin.busy == 0


def test_line_that_stays_busy_is_one_sentence(
    kernel_like: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpio, "BUSY_S", 0)
    close_input(_open(kernel_like, Heard()))
    BusyPin.busy = 10_000
    with pytest.raises(BadPin, match=r"cannot let go of .*GPIO5.*busy.*restart the box"):
        open_output(5, factory=kernel_like)
    BusyPin.busy = 0  # or closing it at the end fails, too
