"""Draws the wiring diagrams from pins.toml: WireViz files, and SVG and PNG if WireViz is there.

python wiring/draw.py            writes wiring/diagrams/*.yml
python wiring/draw.py --pictures also draws them (pip install wireviz; apt install graphviz)
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from hardware.pins import read_pins
from referee.service.wires import (
    CHIPS_ON_A_BUS,
    MULTIPLEXER,
    PAD_KINDS,
    RAIL_GROUND,
    V3,
    Wire,
    address_of,
    wires,
)

FOLDER = Path(__file__).parent / "diagrams"
SIZES = (2, 4, 8)
PNG_COLOURS = 32
"""Enough for lines and letters, and a fifth of the bytes."""

COLOURS = {"5V": "RD", "VCC": "RD", "3V3": "OG", "GND": "BK", "SDA": "BU", "SCL": "WH"}
COLOURS |= {"OUT": "YE", "I/O": "YE", "IRQ": "YE", "LIGHT": "GN", "DIN": "BU", "CS": "WH"}
COLOURS |= {"CLK": "YE", "+": "YE", "-": "BK", "1": "YE", "2": "BK", "A": "VT", "B": "VT"}

BOARDS = {"at42qt1010": "AT42QT1010", "ttp223": "TTP223", "mpr121": "MPR121"}
PARTS = {
    "rail": ("Rail / Verteiler", "terminal block / Klemme"),
    "matrix": ("LED matrix / LED-Matrix", "MAX7219"),
    "buzzer": ("Buzzer / Summer", "active / aktiv, 3.3 V"),
    "off button": ("Off button / Ausschalter", "push button / Taster"),
    "heartbeat": ("Heartbeat / Herzschlag", "resistor / Widerstand 1k"),
    MULTIPLEXER: ("Multiplexer", "TCA9548A, 0x70"),
}
"""Part -> what it is, and which one."""
OPTIONAL = "may be left out / darf fehlen"
NOTES = {
    "matrix": "DIN, CS, CLK: through / über 74AHCT125",
    "buzzer": OPTIONAL,
    "off button": OPTIONAL,
}
RAIL = [
    Wire(V3, None, "rail", "3V3"),
    Wire(RAIL_GROUND, None, "rail", "GND"),
]


@dataclass(frozen=True, slots=True)
class Row:
    """One part with its cable: drawn from left to right, the rows one below the other."""

    name: str
    what: str
    which: str
    left: list[tuple[str, str]]
    """(position on the header, name) of each wire at the Pi, the rail or the multiplexer."""
    right: list[str]
    note: str = ""

    @property
    def begin(self) -> str:
        """Where its wires come from."""
        names = {name.split()[0] for _, name in self.left}
        others = [word for word in ("rail", "multiplexer") if word in names]
        return " + ".join(["Raspberry Pi", *others])

    def connectors(self) -> str:
        """Both ends."""
        places = ", ".join(place for place, _ in self.left)
        labels = ", ".join(f"'{label}'" for _, label in self.left)
        numbers = ", ".join(str(number) for number in range(1, len(self.right) + 1))
        ends = ", ".join(f"'{end}'" for end in self.right)
        note = f"    notes: '{self.note}'\n" if self.note else ""
        return (
            f"  PI_{self.name}:\n    type: {self.begin}\n    show_pincount: false\n"
            f"    show_name: false\n    pins: [{places}]\n    pinlabels: [{labels}]\n"
            f"  {self.name}:\n    type: '{self.what}'\n    subtype: '{self.which}'\n"
            f"    show_pincount: false\n    show_name: false\n"
            f"    pins: [{numbers}]\n    pinlabels: [{ends}]\n{note}"
        )

    def cable(self) -> str:
        """Its colours."""
        colours = ", ".join(COLOURS[end] for end in self.right)
        return (
            f"  W_{self.name}:\n    wirecount: {len(self.right)}\n    colors: [{colours}]\n"
            "    show_name: false\n    show_wirecount: false\n"
        )

    def connection(self) -> str:
        """Straight through."""
        numbers = f"[1-{len(self.right)}]"
        places = ", ".join(place for place, _ in self.left)
        return (
            f"  -\n    - PI_{self.name}: [{places}]\n    - W_{self.name}: {numbers}\n"
            f"    - {self.name}: {numbers}\n"
        )


def diagram(players: int, kind: str, drawn: Iterable[Wire]) -> str:
    """The WireViz file of one box."""
    every = [*RAIL, *drawn]
    parts = dict.fromkeys(wire.part for wire in every)
    rows = [_row(part, kind, players, [w for w in every if w.part == part]) for part in parts]
    rows.reverse()  # Graphviz puts the first one at the bottom
    return (
        f"# {players} players, {kind}: written by wiring/draw.py from wiring/pins.toml\n"
        "options: {bgcolor: white, color_mode: short}\n"
        f"connectors:\n{''.join(row.connectors() for row in rows)}"
        f"cables:\n{''.join(row.cable() for row in rows)}"
        f"connections:\n{''.join(row.connection() for row in rows)}"
    )


def _row(part: str, kind: str, players: int, own: list[Wire]) -> Row:
    name = part.upper().replace(" ", "")
    left = [_left(wire) for wire in own]
    right = [wire.end for wire in own]
    if not part.startswith("seat"):
        return Row(name, *PARTS[part], left, right, NOTES.get(part, ""))
    seat = int(part.split()[1])
    if kind == "mpr121" and players > CHIPS_ON_A_BUS:
        channel = (seat - 1) // CHIPS_ON_A_BUS
        left[2:2] = [(f"SD{channel}", "multiplexer"), (f"SC{channel}", "multiplexer")]
        right[2:2] = ["SDA", "SCL"]
    note = ""
    if kind == "mpr121":
        address, to = address_of(seat)
        note = f"{address}: ADDR - {to}. 10k: IRQ - 3V3"
    return Row(name, f"Seat / Platz {seat}", f"{BOARDS[kind]}, LED + 330R", left, right, note)


def _left(wire: Wire) -> tuple[str, str]:
    over_the_rail = wire.part != "rail" and wire.position in (V3, RAIL_GROUND) and wire.pin is None
    if over_the_rail:
        return f"R{1 if wire.position == V3 else 2}", f"rail {wire.on_the_pi}"
    return str(wire.position), wire.on_the_pi


def write_all(folder: Path = FOLDER) -> list[Path]:
    """Write the WireViz files of all boxes that the build guide shows."""
    pins = read_pins(Path(__file__).parent / "pins.toml")
    folder.mkdir(exist_ok=True)
    written = []
    for kind in PAD_KINDS:
        for players in SIZES:
            path = folder / f"{players}-players-{kind}.yml"
            path.write_text(diagram(players, kind, wires(pins, players, kind)))
            written.append(path)
    return written


def draw_pictures(paths: list[Path], wireviz: str) -> None:
    """Let WireViz draw, then make the pictures small."""
    for path in paths:
        subprocess.run([wireviz, "-f", "ps", str(path)], check=True, stdout=subprocess.DEVNULL)
        picture = path.with_suffix(".png")
        with Image.open(picture) as drawn:
            size = (drawn.width * 2 // 3, drawn.height * 2 // 3)
            small = drawn.convert("RGB").resize(size, Image.Resampling.LANCZOS)
            few = small.quantize(PNG_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
            few.save(picture, optimize=True)
        sketch = path.with_suffix(".svg")
        lines = re.sub(r"<!--.*?-->\n?", "", sketch.read_text(), flags=re.DOTALL)
        sketch.write_text(lines)


def main() -> int:
    """Write the files, and draw them if asked to."""
    parser = argparse.ArgumentParser(description="Draw the wiring diagrams from pins.toml.")
    parser.add_argument("--pictures", action="store_true", help="draw SVG and PNG, too")
    asked = parser.parse_args()
    written = write_all()
    if not asked.pictures:
        return 0
    wireviz = shutil.which("wireviz")
    if wireviz is None or shutil.which("dot") is None:
        print("needs wireviz (pip install wireviz) and Graphviz (apt)", file=sys.stderr)
        return 1
    draw_pictures(written, wireviz)
    return 0


if __name__ == "__main__":
    sys.exit(main())
