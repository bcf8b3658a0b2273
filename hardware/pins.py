"""Which pin does what: reads wiring/pins.toml and refuses what cannot be wired."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.rules.errors import RefereeError

HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21,
    25: 22, 11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36,
    26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""BCM number -> position on the 40-pin header of every Pi since the B+."""

RESERVED = {
    0: "the HAT's memory",
    1: "the HAT's memory",
    2: "I2C",
    3: "I2C",
    8: "SPI",
    9: "SPI",
    10: "SPI",
    11: "SPI",
}
"""Pins that have another job. 7 is SPI's second chip select, which the installer leaves out
(dtoverlay=spi0-1cs): the only matrix hangs on the first one."""
SECTIONS = ("pads", "heartbeat", "lights", "buzzer", "off")
SEATS = range(1, 9)
_PACKAGED = Path(__file__).parent / "pins.toml"
_IN_THE_REPOSITORY = Path(__file__).parent.parent / "wiring" / "pins.toml"


class BadPins(RefereeError, ValueError):
    """A pin file that cannot be wired like this."""


@dataclass(frozen=True, slots=True)
class Pins:
    """Where everything is wired, in BCM numbers."""

    pads: dict[int, int]
    """Seat -> pin."""
    heartbeat_out: int
    heartbeat_in: int
    lights: dict[int, int] = field(default_factory=dict)
    """Seat -> pin; seats without a light are missing."""
    buzzer: int | None = None
    off: int | None = None
    """The off button, which the kernel watches, not this program."""


def pins_file() -> Path:
    """The file that came with the program."""
    return _PACKAGED if _PACKAGED.exists() else _IN_THE_REPOSITORY


def read_pins(path: Path | None = None) -> Pins:
    """Read and check a pin file.

    Args:
        path: The file; None: the one that came with the program.

    Raises:
        BadPins: It cannot be read, or two things cannot be wired like this.
    """
    path = path or pins_file()
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise BadPins(f"cannot read pins {path}: {reason}, expected a TOML file") from error
    return parse_pins(content, str(path))


def parse_pins(content: str, name: str = "wiring/pins.toml") -> Pins:
    """Read pins from TOML.

    Raises:
        BadPins: See `read_pins`.
    """
    try:
        tables = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise BadPins(f"{name}: not a TOML file: {error} (mend that line)") from error
    lines = _lines(content)
    taken: dict[int, str] = {}
    for section, key, pin in _entries(tables, name):
        where = f"{name} line {lines.get((section, key), 1)}: [{section}] {key} = {pin!r}"
        _check_pin(pin, where)
        if pin in taken:
            raise BadPins(f"{where}: that pin is taken by {taken[pin]}, expected a free one")
        taken[pin] = f"[{section}] {key}"
    return _pins(tables, name)


def _entries(tables: dict[str, Any], name: str) -> Iterator[tuple[str, str, Any]]:
    for section, table in tables.items():
        if section not in SECTIONS or not isinstance(table, dict):
            raise BadPins(f"{name}: unknown part {section!r}, expected {', '.join(SECTIONS)}")
        for key, pin in table.items():
            _check_key(section, key, name)
            yield section, key, pin


def _check_key(section: str, key: str, name: str) -> None:
    known = {"heartbeat": ["out", "in"], "buzzer": ["pin"], "off": ["pin"]}.get(section)
    known = known or [str(seat) for seat in SEATS]
    if key not in known:
        raise BadPins(f"{name}: [{section}] {key}: no such entry, expected {' '.join(known)}")


def _check_pin(pin: Any, where: str) -> None:
    if not isinstance(pin, int) or isinstance(pin, bool) or pin not in HEADER:
        raise BadPins(f"{where}: no such pin, expected a BCM number from 0 to 27")
    if pin in RESERVED:
        raise BadPins(f"{where}: that pin belongs to {RESERVED[pin]}, expected a free one")


def _pins(tables: dict[str, Any], name: str) -> Pins:
    pads, heartbeat = tables.get("pads", {}), tables.get("heartbeat", {})
    if not pads:
        raise BadPins(f"{name}: no [pads], expected a pin for each seat")
    if set(heartbeat) != {"out", "in"}:
        raise BadPins(f"{name}: [heartbeat] expected both out and in")
    return Pins(
        pads={int(seat): pin for seat, pin in sorted(pads.items())},
        heartbeat_out=heartbeat["out"],
        heartbeat_in=heartbeat["in"],
        lights={int(seat): pin for seat, pin in sorted(tables.get("lights", {}).items())},
        buzzer=tables.get("buzzer", {}).get("pin"),
        off=tables.get("off", {}).get("pin"),
    )


def _lines(content: str) -> dict[tuple[str, str], int]:
    """(part, entry) -> number of its line; tomllib does not tell."""
    found, section = {}, ""
    for number, line in enumerate(content.splitlines(), start=1):
        code = line.partition("#")[0].strip()
        if code.startswith("["):
            section = code.strip("[] ")
        elif "=" in code:
            found[section, code.partition("=")[0].strip(" \"'")] = number
    return found
