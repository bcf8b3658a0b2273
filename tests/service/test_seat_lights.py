"""The lights at the pads shine for whoever won, and only for a while."""

import pytest

from hardware.announcement import Announcement
from hardware.gpio import mock_factory
from hardware.lights import SHINE_NS
from hardware.pins import Pins
from referee.service.seat_lights import open_buzzer, open_lights

PINS = Pins({}, 21, 20, lights={1: 4, 2: 17, 3: 18}, buzzer=15)


def lit(factory: object) -> list[int]:
    return [
        seat
        for seat, pin in PINS.lights.items()
        if factory.pin(pin).state  # type: ignore[attr-defined]
    ]


def said(kind: str, *seats: int) -> Announcement:
    return Announcement(kind, "check", seats)


def test_winner_shines_for_a_while() -> None:
    factory = mock_factory()
    lights = open_lights(PINS, factory)
    assert lights is not None
    lights.say(said("valid_slap", 2), 0)
    lights.step(SHINE_NS - 1)
    assert lit(factory) == [2]
    lights.step(SHINE_NS)
    assert lit(factory) == []
    lights.say(said("tie", 1, 3), SHINE_NS)
    assert lit(factory) == [1, 3]
    lights.close()


@pytest.mark.parametrize("kind", ["false_slap", "late_slap", "fault", "code", "eliminated"])
def test_nobody_shines_for_losing(kind: str) -> None:
    factory = mock_factory()
    lights = open_lights(PINS, factory)
    assert lights is not None
    lights.say(said(kind, 1), 0)
    assert lit(factory) == []
    lights.close()


def test_box_without_lights_or_buzzer_is_a_box() -> None:
    bare = Pins({}, 21, 20)
    assert open_lights(bare, mock_factory()) is None
    assert open_buzzer(bare, mock_factory()) is None


def test_pin_that_is_taken_leaves_the_box_dark_and_alive(caplog: pytest.LogCaptureFixture) -> None:
    factory = mock_factory()
    first, buzzer = open_lights(PINS, factory), open_buzzer(PINS, factory)
    assert open_lights(PINS, factory) is None
    assert open_buzzer(PINS, factory) is None
    assert len(caplog.records) == 2
    assert first is not None
    first.close()
    buzzer.close()
