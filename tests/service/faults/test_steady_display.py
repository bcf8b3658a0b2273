"""The matrix that comes back."""

from typing import Any

import pytest
from luma.core.device import dummy
from PIL import Image

from hardware.display import BadDisplay, MatrixDisplay
from hardware.protocols import Display
from hardware.simulated.display import SimulatedDisplay
from referee.service.faults.looks import DisplayLook
from referee.service.faults.steady_display import SteadyDisplay
from referee.service.faults.watchman import Watchman

S = 1_000_000_000


class Driver:
    """Opens a matrix if it is there."""

    def __init__(self) -> None:
        self.is_there = False
        self.matrix = SimulatedDisplay()

    def open(self) -> Display:
        if not self.is_there:
            raise BadDisplay("no LED matrix: expected SPI to be on")
        return self.matrix


@pytest.fixture
def lit() -> Image.Image:
    return Image.new("1", (32, 8), 1)


def test_matrix_that_was_not_there_shows_the_newest_picture_when_it_is(lit: Image.Image) -> None:
    driver = Driver()
    display = SteadyDisplay(driver.open, now=lambda: 0)
    watchman = Watchman([display])
    display.show(lit)
    told = [(n, one.code.value, one.on) for n in range(60) for one in watchman.step(n * S)]
    assert told == [(0, "E31", True)]
    driver.is_there = True
    told = [(n, one.code.value, one.on) for n in range(60, 93) for one in watchman.step(n * S)]
    assert [one[1:] for one in told] == [("E31", False)]
    assert driver.matrix.picture.getbbox() == (0, 0, 32, 8)


def test_matrix_that_is_closed_is_not_opened_again() -> None:
    driver = Driver()
    display = SteadyDisplay(driver.open, now=lambda: 0)
    display.close()
    driver.is_there = True
    display.symptoms(60 * S)
    assert driver.matrix.is_dark
    display.close()


def test_matrix_that_stops_answering_is_told_and_set_up_again(lit: Image.Image) -> None:
    device = dummy(width=32, height=8, mode="1")
    sent: list[Any] = []
    is_dead = True

    def data(values: list[int]) -> None:
        if is_dead:
            raise OSError("no such device")
        sent.append(values)

    device.data = data
    device.contrast = lambda value: None
    display = MatrixDisplay(device, now=lambda: 0, writes=False)
    watchman = Watchman([DisplayLook(display)])
    display.show(lit)
    display.write()
    assert [(one.code.value, one.on) for one in watchman.step(0)] == [("E31", True)]
    is_dead = False
    display.write()
    changes = watchman.step(S) + watchman.step(2 * S)
    assert [(one.code.value, one.on) for one in changes] == [("E31", False)]
    assert sent
    display.close()
