"""Wires: nothing twice, nothing forgotten, and the diagrams show the pin file as it is."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image

from hardware.pins import HEADER, RESERVED, Pins, read_pins
from referee.cli import BAD_INPUT
from referee.commands import wiring
from referee.locale import choose_language, text
from referee.rules.errors import RefereeError
from referee.service.wires import (
    GROUNDS,
    PAD_KINDS,
    V3,
    V5,
    BadWiring,
    Wire,
    address_of,
    wires,
)

FOLDER = Path(__file__).parent.parent / "wiring"
PINS = read_pins(FOLDER / "pins.toml")
ALL_BOXES = [(players, kind) for players in range(2, 9) for kind in PAD_KINDS]
DRAWN_BOXES = [(players, kind) for players in (2, 4, 8) for kind in PAD_KINDS]


@pytest.fixture(scope="module")
def draw() -> ModuleType:
    spec = importlib.util.spec_from_file_location("wiring_draw", FOLDER / "draw.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("players", "kind"), ALL_BOXES)
def test_every_pin_has_one_wire_but_the_bus(players: int, kind: str) -> None:
    drawn = wires(PINS, players, kind)
    pins = Counter(wire.pin for wire in drawn if wire.pin is not None and wire.pin not in (2, 3))
    assert set(pins.values()) == {1}
    for wire in drawn:
        if wire.pin is None:
            assert wire.position in (*GROUNDS, V3, V5)
        else:
            assert wire.position == HEADER[wire.pin]
            assert wire.on_the_pi == f"GPIO{wire.pin}"


@pytest.mark.parametrize(("players", "kind"), ALL_BOXES)
def test_every_seat_gets_power_and_its_own_pad_pin(players: int, kind: str) -> None:
    drawn = wires(PINS, players, kind)
    for seat in range(1, players + 1):
        own = {wire.end: wire for wire in drawn if wire.part == f"seat {seat}"}
        touched = next(wire for end, wire in own.items() if end in ("OUT", "I/O", "IRQ"))
        assert touched.pin == PINS.pads[seat]
        assert own["3V3"].on_the_pi == "3V3", "a pad on 5 V kills the Pi's pin"
        assert own["GND"].on_the_pi == "GND"
    assert not [wire for wire in drawn if wire.part == f"seat {players + 1}"]


def test_only_the_matrix_gets_5_volts() -> None:
    for players, kind in ALL_BOXES:
        fed = {wire.part for wire in wires(PINS, players, kind) if wire.on_the_pi == "5V"}
        assert fed == {"matrix"}


def test_pin_file_uses_no_pin_of_the_matrix_or_the_touch_bus() -> None:
    used = {*PINS.pads.values(), *PINS.lights.values(), PINS.heartbeat_out, PINS.heartbeat_in}
    used |= {pin for pin in (PINS.buzzer, PINS.off) if pin is not None}
    assert not used & {2, 3, 8, 9, 10, 11, 0, 1}
    assert {2, 3, 8, 9, 10, 11, 0, 1} <= set(RESERVED)


def test_four_touch_chips_share_a_bus_and_more_need_the_multiplexer() -> None:
    assert len({address_of(seat) for seat in range(1, 5)}) == 4
    assert address_of(5) == address_of(1)
    for players, has_it in ((4, False), (5, True)):
        parts = {wire.part for wire in wires(PINS, players, "mpr121")}
        assert ("multiplexer" in parts) is has_it
    seats = [wire for wire in wires(PINS, 5, "mpr121") if wire.part.startswith("seat")]
    assert not [wire for wire in seats if wire.end == "SDA"]


def test_off_button_goes_to_its_pin_and_the_ground_beside_it() -> None:
    one, two = (wire for wire in wires(PINS, 2, "ttp223") if wire.part == "off button")
    assert (one.pin, one.end, two.on_the_pi, two.end) == (PINS.off, "1", "GND", "2")
    assert abs(one.position - two.position) == 1


def test_what_is_not_in_the_pin_file_is_not_wired() -> None:
    few = Pins({1: 5, 2: 6}, heartbeat_out=21, heartbeat_in=20)
    parts = {wire.part for wire in wires(few, 2, "ttp223")}
    assert parts == {"matrix", "seat 1", "seat 2", "heartbeat"}
    assert not [wire for wire in wires(few, 2, "ttp223") if wire.end == "LIGHT"]


@pytest.mark.parametrize(
    ("players", "kind", "said"),
    [
        (1, "ttp223", "cannot wire 1 players, expected 2 to 8"),
        (9, "ttp223", "cannot wire 9 players, expected 2 to 8"),
        (4, "ttp224", "no such kind of pad: 'ttp224', expected one of at42qt1010"),
    ],
)
def test_box_that_cannot_be_wired_is_one_sentence(players: int, kind: str, said: str) -> None:
    with pytest.raises(BadWiring, match=re.escape(said)):
        wires(PINS, players, kind)


# --- the diagrams


@pytest.mark.parametrize(("players", "kind"), DRAWN_BOXES)
def test_diagram_is_of_this_pin_file(draw: ModuleType, players: int, kind: str) -> None:
    stored = (FOLDER / f"diagrams/{players}-players-{kind}.yml").read_text()
    drawn = draw.diagram(players, kind, wires(PINS, players, kind))
    assert stored == drawn, "run: python wiring/draw.py --pictures"


@pytest.mark.parametrize(("players", "kind"), DRAWN_BOXES)
def test_picture_names_every_wire(players: int, kind: str) -> None:
    # Old pictures beside new files would be believed: so the picture itself is read.
    shown = re.findall(r"<text[^>]*>([^<]*)</text>", _svg(players, kind))
    for wire in wires(PINS, players, kind):
        assert wire.on_the_pi in " ".join(shown)
    pads = {f"GPIO{PINS.pads[seat]}" for seat in range(1, players + 1)}
    assert pads <= set(shown)


def _svg(players: int, kind: str) -> str:
    return (FOLDER / f"diagrams/{players}-players-{kind}.svg").read_text()


def test_pictures_are_small_and_readable() -> None:
    for players, kind in DRAWN_BOXES:
        path = FOLDER / f"diagrams/{players}-players-{kind}.png"
        assert path.stat().st_size < 150_000
        assert len(_svg(players, kind)) < 250_000
        with Image.open(path) as picture:
            assert picture.width >= 500


@pytest.mark.parametrize("name", ["README.md", "README.de.md"])
def test_build_guide_shows_every_diagram_and_no_broken_link(name: str) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", (FOLDER / name).read_text())
    assert all((FOLDER / link).exists() for link in links)
    for players, kind in DRAWN_BOXES:
        assert {f"diagrams/{players}-players-{kind}.{end}" for end in ("png", "svg")} <= set(links)


# --- the command


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ("seat 4 OUT", "GPIO13", "heartbeat A")), ("de", ("Platz 4 OUT", "Herzschlag A"))],
)
def test_table_is_printed_in_both_languages(
    language: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    choose_language(language)
    try:
        wiring.run(players=4, pads="at42qt1010")
    finally:
        choose_language("en")
    shown = capsys.readouterr().out
    assert all(word in shown for word in words)
    assert len([line for line in shown.splitlines() if re.search(r"\d  ?\d+ ", line)]) >= 20


def test_table_has_every_wire(capsys: pytest.CaptureFixture[str]) -> None:
    wiring.run(players=8, pads="mpr121")
    shown = capsys.readouterr().out
    for wire in wires(PINS, 8, "mpr121"):
        pattern = rf"{wiring.name_of(wire.part)} +{re.escape(wire.end)} +{wire.on_the_pi} +"
        assert re.search(pattern + str(wire.position), shown), wire
    assert "8: 0x5D ADDR-SCL" in " ".join(shown.split())


def test_mistake_is_a_sentence_of_ours() -> None:
    with pytest.raises(RefereeError):
        wiring.run(players=12)
    assert BAD_INPUT == 2


def test_every_sentence_is_there_in_german() -> None:
    source = (FOLDER.parent / "referee/commands/wiring.py").read_text()
    messages = set(re.findall(r'say\(\s*"([^"]+)"', source)) | set(wiring.PARTS.values())
    assert len(messages) >= 15
    choose_language("de")
    try:
        untranslated = {m for m in messages if text(wiring.AREA, m) == m}
    finally:
        choose_language("en")
    assert untranslated <= {"Pi"}


def test_wire_knows_its_name_on_the_pi() -> None:
    assert Wire(V5, None, "matrix", "VCC").on_the_pi == "5V"
    assert Wire(GROUNDS[0], None, "matrix", "GND").on_the_pi == "GND"
