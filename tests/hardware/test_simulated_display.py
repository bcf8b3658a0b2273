"""The display in memory."""

from __future__ import annotations

import pytest
from PIL import Image

from hardware.protocols import Display
from hardware.simulated.display import REMEMBERED, BadPicture, SimulatedDisplay


def test_it_obeys_the_protocol_and_starts_dark() -> None:
    display: Display = SimulatedDisplay(64, 8)
    assert display.size == (64, 8)
    assert SimulatedDisplay().picture.getbbox() is None


def test_it_remembers_the_last_pictures() -> None:
    display = SimulatedDisplay()
    for i in range(REMEMBERED + 5):
        picture = Image.new("1", (32, 8))
        picture.putpixel((i % 32, 0), 1)
        display.show(picture)
    assert len(display.pictures) == REMEMBERED
    assert display.picture.getbbox() == ((REMEMBERED + 4) % 32, 0, (REMEMBERED + 4) % 32 + 1, 1)


def test_a_shown_picture_does_not_change_afterwards() -> None:
    display = SimulatedDisplay()
    picture = Image.new("1", (32, 8))
    display.show(picture)
    picture.putpixel((3, 3), 1)
    assert display.picture.getbbox() is None


def test_closing_twice_goes_dark() -> None:
    display = SimulatedDisplay()
    display.show(Image.new("1", (32, 8), 1))
    display.close()
    display.close()
    assert display.picture.getbbox() is None


@pytest.mark.parametrize(("mode", "size"), [("L", (32, 8)), ("1", (8, 32))])
def test_a_picture_that_does_not_fit_is_refused(mode: str, size: tuple[int, int]) -> None:
    with pytest.raises(BadPicture, match="expected mode '1' and size"):
        SimulatedDisplay().show(Image.new(mode, size))
