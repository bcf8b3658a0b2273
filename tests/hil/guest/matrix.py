"""In the guest: this project's matrix on bit-banged kernel lines; the kernel's trace is the scope.

luma's own bit-banging drives data, clock and load; every level is read back from the kernel's
`gpio_value` events, shifted through a model of the chips' chain, and has to give the picture.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from lines import Bank, become_a_pi
from luma.core.interface.serial import bitbang
from luma.led_matrix.device import max7219
from PIL import Image

from hardware.display import MatrixDisplay
from hardware.drawing import draw
from referee.service.announce import announce_fault

DATA, CLOCK, LOAD = 10, 11, 8
TRACE = Path("/sys/kernel/tracing")
WORD_BITS = 16
WIDTH, CHIPS = 32, 4


class Lines:
    """What luma wants of RPi.GPIO, on lgpio."""

    OUT, LOW, HIGH = 0, 0, 1

    def __init__(self, chip: int) -> None:
        self._lgpio: Any = importlib.import_module("lgpio")
        self._handle = self._lgpio.gpiochip_open(chip)

    def setup(self, pin: int, _mode: int) -> None:
        self._lgpio.gpio_claim_output(self._handle, pin, 0)

    def output(self, pin: int, level: int) -> None:
        self._lgpio.gpio_write(self._handle, pin, int(bool(level)))


def chain(trace: str, base: int) -> tuple[list[dict[int, int]], set[int]]:
    """Registers of each chip, the nearest first, and how many bits came before each load."""
    level: dict[int, int] = {}
    shifted: list[int] = []
    counts: set[int] = set()
    chips: list[dict[int, int]] = [{} for _ in range(CHIPS)]
    for number, value in re.findall(r"gpio_value: (\d+) set (\d)", trace):
        line, now = int(number) - base, int(value)
        rises = now and not level.get(line, 0)
        if line == CLOCK and rises:
            shifted.append(level.get(DATA, 0))
        if line == LOAD and rises and shifted:
            counts.add(len(shifted))
            words = [shifted[i : i + WORD_BITS] for i in range(0, len(shifted), WORD_BITS)]
            # The last word in is the nearest chip's.
            for chip, bits in zip(chips, reversed(words), strict=False):
                word = int("".join(map(str, bits)), 2)
                chip[word >> 8 & 15] = word & 255
            shifted = []
        level[line] = now
    return chips, counts


def picture(chips: list[dict[int, int]]) -> Image.Image:
    """What the lights show: digit = column, bit = row, boards mounted a quarter turned."""
    whole = Image.new("1", (WIDTH, 8))
    for block, registers in enumerate(chips):
        part = Image.new("1", (8, 8))
        for column in range(8):
            for row in range(8):
                part.putpixel((column, row), 255 * (registers.get(column + 1, 0) >> row & 1))
        whole.paste(part.rotate(90), (8 * block, 0))
    return whole


def main() -> None:
    become_a_pi()
    bank = Bank()
    subprocess.run(["mount", "-t", "tracefs", "none", str(TRACE)], check=False)
    (TRACE / "buffer_size_kb").write_text("16384")
    wires = bitbang(gpio=Lines(bank.number), SCLK=CLOCK, SDA=DATA, CE=LOAD)
    device = max7219(wires, width=WIDTH, height=8, block_orientation=-90)
    display = MatrixDisplay(device, brightness=3, writes=False)
    wanted = draw(announce_fault("E21"), (WIDTH, 8))
    (TRACE / "trace").write_text("")
    (TRACE / "events/gpio/gpio_value/enable").write_text("1")
    start = time.monotonic()
    display.show(wanted)
    display.write()
    took_ms = (time.monotonic() - start) * 1000
    (TRACE / "events/gpio/gpio_value/enable").write_text("0")
    trace = (TRACE / "trace").read_text()
    numbers = [int(number) for number in re.findall(r"gpio_value: (\d+) set", trace)]
    chips, counts = chain(trace, min(numbers) - LOAD)
    shown = picture(chips)
    answer = {
        "scenario": sys.argv[1],
        "events": len(numbers),
        "bits_a_load": sorted(counts),
        "lit": int(np.sum(np.asarray(wanted))),
        "lit_on_the_wire": int(np.sum(np.asarray(shown))),
        "wrong_points": int(np.sum(np.asarray(wanted) != np.asarray(shown))),
        "rows": [chip.get(1) for chip in chips],
        "settings": [{name: chip.get(name) for name in (9, 10, 11, 12, 15)} for chip in chips],
        "failures": display.failures,
        "picture_ms": took_ms,
    }
    print(json.dumps(answer), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
