"""Every wire of a box, from the pin file: for the diagrams, the build guide and `referee wiring`.

Positions are those of the 40-pin header; the pin file has the BCM numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.pins import HEADER, Pins
from referee.rules.errors import RefereeError

PAD_KINDS = ("at42qt1010", "ttp223", "mpr121")
PLAYERS = range(2, 9)

V5, V3 = 2, 17
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
"""Positions of 5 V, 3.3 V (between GPIO 22 and 24, in the middle of the header) and ground."""
RAIL_GROUND = 20
SDA, SCL = 2, 3
DIN, CS, CLK = 10, 8, 11
"""BCM numbers of I2C 1 and SPI 0: fixed by the Pi, so not in the pin file."""

MULTIPLEXER = "multiplexer"
CHIPS_ON_A_BUS = 4
"""An MPR121 has four addresses, 0x5A to 0x5D."""
ADDRESSES = (("0x5A", "GND"), ("0x5B", "3V3"), ("0x5C", "SDA"), ("0x5D", "SCL"))
"""Address -> where the chip's ADDR goes."""


class BadWiring(RefereeError, ValueError):
    """A box that cannot be wired like this."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire from the Pi to a part of the box."""

    position: int
    """On the header; 3.3 V and ground of the seats go over a rail (terminal block)."""
    pin: int | None
    """BCM number; None: power or ground."""
    part: str
    """Such as "seat 3", "matrix", "heartbeat", "buzzer", "off button"."""
    end: str
    """The pin of that part, as printed on its board."""

    @property
    def on_the_pi(self) -> str:
        """What the Pi's end is called."""
        power = {V5: "5V", V3: "3V3"}
        return f"GPIO{self.pin}" if self.pin is not None else power.get(self.position, "GND")


def wires(pins: Pins, players: int, kind: str) -> list[Wire]:
    """All wires of a box.

    Raises:
        BadWiring: There is no such kind, or no pin for so many seats.
    """
    if kind not in PAD_KINDS:
        raise BadWiring(f"no such kind of pad: {kind!r}, expected one of {', '.join(PAD_KINDS)}")
    if players not in PLAYERS or not set(range(1, players + 1)) <= set(pins.pads):
        most = len(pins.pads)
        raise BadWiring(
            f"cannot wire {players} players, expected 2 to {most} ([pads] in wiring/pins.toml)"
        )
    return [*_matrix(), *_seats(pins, players, kind), *_extras(pins)]


def _matrix() -> Iterator[Wire]:
    part = "matrix"
    yield Wire(V5, None, part, "VCC")
    yield Wire(_ground_near(V5), None, part, "GND")
    for pin, end in ((DIN, "DIN"), (CS, "CS"), (CLK, "CLK")):
        yield Wire(HEADER[pin], pin, part, end)


def _seats(pins: Pins, players: int, kind: str) -> Iterator[Wire]:
    touched = {"at42qt1010": "OUT", "ttp223": "I/O", "mpr121": "IRQ"}[kind]
    if kind == "mpr121" and players > CHIPS_ON_A_BUS:
        yield from _on_i2c(MULTIPLEXER)
    for seat in range(1, players + 1):
        part = f"seat {seat}"
        if kind == "mpr121" and players <= CHIPS_ON_A_BUS:
            yield from _on_i2c(part)
        else:
            yield from _power(part)
        yield Wire(HEADER[pins.pads[seat]], pins.pads[seat], part, touched)
        if seat in pins.lights:
            yield Wire(HEADER[pins.lights[seat]], pins.lights[seat], part, "LIGHT")


def _power(part: str) -> Iterator[Wire]:
    yield Wire(V3, None, part, "3V3")
    yield Wire(RAIL_GROUND, None, part, "GND")


def _on_i2c(part: str) -> Iterator[Wire]:
    yield from _power(part)
    yield Wire(HEADER[SDA], SDA, part, "SDA")
    yield Wire(HEADER[SCL], SCL, part, "SCL")


def _extras(pins: Pins) -> Iterator[Wire]:
    yield Wire(HEADER[pins.heartbeat_out], pins.heartbeat_out, "heartbeat", "A")
    yield Wire(HEADER[pins.heartbeat_in], pins.heartbeat_in, "heartbeat", "B")
    for part, pin, ends in (("buzzer", pins.buzzer, "+-"), ("off button", pins.off, "12")):
        if pin is not None:
            yield Wire(HEADER[pin], pin, part, ends[0])
            yield Wire(_ground_near(HEADER[pin]), None, part, ends[1])


def _ground_near(position: int) -> int:
    return min(GROUNDS, key=lambda ground: abs(ground - position))


def address_of(seat: int) -> tuple[str, str]:
    """The I2C address of a seat's MPR121, and where its ADDR pin goes."""
    return ADDRESSES[(seat - 1) % CHIPS_ON_A_BUS]
