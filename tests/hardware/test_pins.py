"""The pin file: the one that is shipped, and every mistake in one sentence."""

from pathlib import Path

import pytest

from hardware.pins import HEADER, BadPins, parse_pins, pins_file, read_pins
from referee.service.wires import GROUNDS

GOOD = "[pads]\n1 = 5\n2 = 6\n[heartbeat]\nout = 21\nin = 20\n"


def test_shipped_pins_serve_eight_players_and_leave_spi_and_i2c_free() -> None:
    pins = read_pins()
    assert list(pins.pads) == list(range(1, 9))
    one_each = [*pins.pads.values(), *pins.lights.values(), pins.heartbeat_in, pins.heartbeat_out]
    one_each += [pin for pin in (pins.buzzer, pins.off) if pin is not None]
    assert len(set(one_each)) == len(one_each) == 8 + len(pins.lights) + 4
    assert not set(one_each) & {0, 1, 2, 3, 8, 9, 10, 11}


def test_shipped_off_button_lies_beside_a_ground() -> None:
    # Two neighbouring contacts take an ordinary two-pin plug.
    off = read_pins().off
    assert off is not None
    assert HEADER[off] - 1 in GROUNDS


def test_heartbeat_pins_are_neighbours_on_the_header() -> None:
    pins = read_pins()
    assert abs(HEADER[pins.heartbeat_in] - HEADER[pins.heartbeat_out]) == 2


def test_header_names_each_position_once() -> None:
    assert sorted(HEADER) == list(range(28))
    assert len(set(HEADER.values())) == 28


def test_shipped_file_is_the_one_in_wiring() -> None:
    assert pins_file().name == "pins.toml"


def test_lights_buzzer_and_off_button_may_be_missing() -> None:
    pins = parse_pins(GOOD)
    assert (pins.pads, pins.lights, pins.buzzer) == ({1: 5, 2: 6}, {}, None)
    assert pins.off is None


def test_off_button_is_read() -> None:
    assert parse_pins(f"{GOOD}[off]\npin = 7\n").off == 7


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (GOOD.replace("2 = 6", "2 = 8"), "p line 3: [pads] 2 = 8: that pin belongs to SPI"),
        (GOOD.replace("2 = 6", "2 = 3"), "p line 3: [pads] 2 = 3: that pin belongs to I2C"),
        (GOOD.replace("2 = 6", "2 = 5"), "p line 3: [pads] 2 = 5: that pin is taken by [pads] 1"),
        (GOOD.replace("2 = 6", "2 = 28"), "p line 3: [pads] 2 = 28: no such pin, expected a BCM"),
        (GOOD.replace("2 = 6", "2 = true"), "[pads] 2 = True: no such pin"),
        (GOOD.replace("2 = 6", "2 = 'x'"), "[pads] 2 = 'x': no such pin"),
        (GOOD.replace("in = 20", "in = 5"), "p line 6: [heartbeat] in = 5: that pin is taken by"),
        (GOOD.replace("in = 20", ""), "[heartbeat] expected both out and in"),
        (
            GOOD + "[off]\npin = 20\n",
            "p line 8: [off] pin = 20: that pin is taken by [heartbeat] in",
        ),
        (GOOD + "[off]\npin = 8\n", "p line 8: [off] pin = 8: that pin belongs to SPI"),
        (GOOD + "[off]\nhold_s = 2\n", "[off] hold_s: no such entry, expected pin"),
        (GOOD.replace("2 = 6", "9 = 6"), "[pads] 9: no such entry, expected 1 2 3"),
        (GOOD.replace("[pads]", "[pad]"), "unknown part 'pad', expected pads, heartbeat"),
        ("[heartbeat]\nout = 21\nin = 20\n", "no [pads]"),
        ("pads = 3", "unknown part 'pads'"),
        ("[pads", "not a TOML file"),
    ],
)
def test_mistake_is_one_sentence_that_names_the_line(content: str, said: str) -> None:
    with pytest.raises(BadPins) as refused:
        parse_pins(content, "p")
    assert str(refused.value).startswith("p")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadPins, match=r"cannot read pins .*expected a TOML file"):
        read_pins(tmp_path / "none.toml")
