"""The real parts, from settings, wiring and calibration; pins are gpiozero's mock pins."""

from dataclasses import replace

import pytest

from hardware.gpio import mock_factory
from hardware.pads import GpioPads
from hardware.pins import read_pins
from referee.service.calibration.file import Calibration, CameraMeasured, PadMeasured
from referee.service.config import BadSettings, CameraSettings, PadsSettings
from referee.service.play import with_calibration
from referee.service.real_box import measured_pad, real_pads

MEASURED = PadMeasured(
    fastest_ms=8.0,
    slowest_ms=10.0,
    median_ms=9.0,
    taps=100,
    missed=0,
    idle_correlation=0.0,
    accuracy="competition",
)
CAMERA = CameraMeasured(
    card_height_px=180.0,
    zone=(10, 20, 300, 200),
    mm_per_px=0.5,
    size=(640, 480),
    edge_px=1.0,
    paper=200.0,
)


def test_pads_are_opened_on_the_wired_pins() -> None:
    pins = read_pins()
    pads = real_pads(PadsSettings(), ("Ann", "Bo"), pins, Calibration(), mock_factory())
    assert isinstance(pads, GpioPads)
    assert [pads.pins[name].info.name for name in ("Ann", "Bo")] == [
        f"GPIO{pins.pads[seat]}" for seat in (1, 2)
    ]
    pads.close()


def test_pad_whose_board_idles_high_is_touched_by_a_falling_edge() -> None:
    wanted = PadsSettings(kind="ttp223", idle_high=(2,))
    pads = real_pads(wanted, ("Ann", "Bo"), read_pins(), Calibration(), mock_factory())
    assert {name: pin.edges for name, pin in pads.pins.items()} == {
        "Ann": "rising",
        "Bo": "falling",
    }
    pads.close()


def test_more_players_than_pads_is_one_sentence() -> None:
    names = tuple(f"P{number}" for number in range(10))
    with pytest.raises(BadSettings, match="10 players, but only 8 pads are wired"):
        real_pads(PadsSettings(kind="ttp223"), names, read_pins(), Calibration(), mock_factory())


def test_measured_delay_replaces_that_of_the_kind() -> None:
    measured = measured_pad(PadsSettings(), 5, 1, Calibration(pads={1: MEASURED}))
    assert (measured.fastest_ns, measured.slowest_ns) == (8_000_000, 10_000_000)


@pytest.mark.parametrize("pads", [{2: MEASURED}, {1: replace(MEASURED, demo=True)}])
def test_other_pads_and_demos_say_nothing_about_a_pad(pads: dict[int, PadMeasured]) -> None:
    pad = measured_pad(PadsSettings(), 5, 1, Calibration(pads=pads))
    assert (pad.fastest_ns, pad.slowest_ns) == (9_000_000, 12_000_000)


def test_settings_win_over_the_calibration_and_it_over_nothing() -> None:
    calibration = Calibration(camera=CAMERA)
    found = with_calibration(CameraSettings(deck="de"), calibration)
    assert (found.deck, found.card_height_px, found.zone) == ("de", 180.0, CAMERA.zone)
    own = with_calibration(CameraSettings(card_height_px=150.0), calibration)
    assert own.card_height_px == 150.0
    demo = Calibration(camera=replace(CAMERA, demo=True))
    assert with_calibration(CameraSettings(), demo) == CameraSettings()
