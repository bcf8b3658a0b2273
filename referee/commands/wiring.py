"""`referee wiring`: which wire goes where, as a picture of the Pi's header and as a list."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from hardware.pins import HEADER, read_pins
from referee.locale import text
from referee.service.config import load_settings
from referee.service.wires import (
    CHIPS_ON_A_BUS,
    GROUNDS,
    RAIL_GROUND,
    V3,
    Wire,
    address_of,
    wires,
)

AREA = "wiring"
POWER = {1: "3V3", 2: "5V", 4: "5V", V3: "3V3"} | dict.fromkeys(GROUNDS, "GND")
HEADER_ROWS = 20
PARTS = {
    "matrix": "LED matrix",
    "heartbeat": "heartbeat",
    "buzzer": "buzzer",
    "off button": "off button",
    "multiplexer": "multiplexer",
}


def say(message: str, **values: object) -> str:
    """A sentence in the language of the process, with its values filled in."""
    return text(AREA, message).format(**values)


def run(
    players: Annotated[int | None, typer.Option(help="How many seats; default: 4.")] = None,
    pads: Annotated[
        str | None, typer.Option(help="at42qt1010, ttp223 or mpr121; default: at42qt1010.")
    ] = None,
) -> None:
    """Print the pin table.

    Raises:
        BadWiring: There is no such kind of pad, or no pin for so many seats.
    """
    settings = load_settings(None)
    number = len(settings.players) if players is None else players
    kind = pads or settings.pads.kind
    every = wires(read_pins(), number, kind)
    console = Console()
    console.print(say("{players} players, {kind} pads. The header seen from above, USB below:",
                      players=number, kind=kind))  # fmt: skip
    console.print(_header(every))
    console.print(_list(every))
    for note in _notes(number, kind):
        console.print(f"- {note}")


def name_of(part: str) -> str:
    """A part in the language of the process."""
    if part.startswith("seat "):
        return say("seat {n}", n=part.split()[1])
    return say(PARTS[part])


def _header(every: list[Wire]) -> Table:
    """The forty pins, two a row, as they lie on the board."""
    use: dict[int, list[str]] = {}
    for wire in every:
        over_the_rail = wire.pin is None and wire.position in (V3, RAIL_GROUND)
        words = say("rail") if over_the_rail else f"{name_of(wire.part)} {wire.end}"
        if words not in use.setdefault(wire.position, []):
            use[wire.position].append(words)
    table = Table(box=None, pad_edge=False, show_header=False)
    for side in ("right", "right", "right", "left", "left", "left"):
        table.add_column(justify=side, no_wrap=True)
    for row in range(HEADER_ROWS):
        left, right = 2 * row + 1, 2 * row + 2
        table.add_row(
            _use(use, left),
            _printed(left),
            str(left),
            str(right),
            _printed(right),
            _use(use, right),
        )
    return table


def _use(use: dict[int, list[str]], position: int) -> str:
    words = use.get(position)
    return f"[bold]{' + '.join(_shortened(words))}[/]" if words else "[bright_black]-[/]"


def _shortened(words: list[str]) -> list[str]:
    """A bus that goes to every seat is named once."""
    return words if len(words) < 3 else [words[0], "..."]


def _printed(position: int) -> str:
    numbers = {place: number for number, place in HEADER.items()}
    return POWER.get(position) or f"GPIO{numbers[position]}"


def _list(every: list[Wire]) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in (say("part"), say("its pin"), say("Pi"), say("header")):
        table.add_column(title, no_wrap=True)
    for wire in every:
        over_the_rail = wire.pin is None and wire.position in (V3, RAIL_GROUND)
        where = f"{wire.position} ({say('rail')})" if over_the_rail else str(wire.position)
        table.add_row(name_of(wire.part), wire.end, wire.on_the_pi, where)
    return table


def _notes(players: int, kind: str) -> list[str]:
    notes = [
        say("Switch the Pi off before you touch a wire. No pin stands 5 V but the two 5V ones."),
        say("Heartbeat: join its two pins with a resistor of 1 kOhm (a jumper works, too)."),
        say("Light of a seat: pin, 330 Ohm, LED, GND."),
    ]
    if kind == "mpr121":
        seats = (f"{seat}: {' ADDR-'.join(address_of(seat))}" for seat in range(1, players + 1))
        notes.append(say("MPR121 addresses by seat: {seats}", seats=", ".join(seats)))
        notes.append(say("Each IRQ needs 10 kOhm to 3V3, if its board has none."))
    if kind == "mpr121" and players > CHIPS_ON_A_BUS:
        notes.append(say("Seats 1 to 4 on channel 0 of the multiplexer, the others on channel 1."))
    if kind == "ttp223":
        notes.append(say("TTP223 pads are for demos: they answer up to 60 ms late."))
    return notes
