"""Which factory gives the pins, and what its stamps are worth."""

import os
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from hardware import gpio
from hardware.gpio import (
    BadPin,
    NoKernelTime,
    check_chip,
    kernel_factory,
    mock_factory,
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
