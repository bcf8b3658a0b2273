"""In the guest: this project's MPR121 code against i2c-stub registers and a kernel interrupt line.

i2c-stub is a table of registers: what the finger writes there, the box reads. It does nothing when
it is read, so the finger is told, and lets the line go, as the chip would. The chip sets its status
and pulls its line in one step; a lock makes that one step here, too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from lines import FORK, Bank, Wire, become_a_pi, put

from hardware.gpio import kernel_factory
from hardware.mpr121 import ADDRESSES, SETTINGS, Mpr121, TouchStatus, open_bus
from hardware.pads import GpioPads, PadSettings, PadsState
from referee.rules.events import Slap

PADS = (5, 6)
OUT, IN = 21, 20
TOUCHES = 24
PAUSE_S = 0.15
PATIENCE_S = 180.0


class StubChip(Mpr121):
    """The chip, and word to the finger when its status was read."""

    def __init__(self, bus: Any, address: int) -> None:
        super().__init__(bus, address)
        self.step = FORK.Lock()
        self.was_read = FORK.Event()

    def status(self) -> TouchStatus:
        with self.step:
            status = super().status()
            self.was_read.set()
        return status

    def change(self, status: int, pull: int, bus: Any) -> tuple[int, int]:
        """What the chip does when a palm comes or goes; the clock before and after its edge."""
        with self.step:
            self.was_read.clear()
            bus.write_word_data(self.address, 0x00, status)
            return put(pull, 0)


def _bus_number() -> int:
    chips = ",".join(map(hex, ADDRESSES[:2]))
    subprocess.run(["modprobe", "i2c-stub", f"chip_addr={chips}"], check=True)
    for folder in Path("/sys/bus/i2c/devices").glob("i2c-*"):
        if "stub" in (folder / "name").read_text().lower():
            return int(folder.name.removeprefix("i2c-"))
    raise SystemExit("no stub bus")


class Table:
    """Two players with a chip each."""

    def __init__(self, *, is_down: bool = False) -> None:
        become_a_pi()
        self.number = _bus_number()
        self.bank = Bank()
        self.bus: Any = open_bus(self.number)
        self.pulls = [self.bank.pull(pin) for pin in PADS]
        for pull in self.pulls:
            put(pull, 1)
        if is_down:
            put(self.pulls[0], 0)
        for address in ADDRESSES[:2]:
            self.bus.write_byte_data(address, 0x1E, 0x9C)  # the stub measures nothing
        # A bus object remembers which chip it spoke to last: as in the box, each chip has its own.
        self.chips = [StubChip(open_bus(self.number), address) for address in ADDRESSES[:2]]
        self.pads = GpioPads(
            {f"p{pin}": PadSettings(pin, active_high=False) for pin in PADS},
            OUT,
            IN,
            kernel_factory(chip=self.bank.number),
            settle_ns=0,
            chips={f"p{pin}": chip for pin, chip in zip(PADS, self.chips, strict=True)},
        )
        self.slaps: list[tuple[Slap, int]] = []
        Wire(self.bank, OUT, IN).plug()
        while self.pads.state(time.monotonic_ns()) is not PadsState.READY:
            self.look()

    def look(self) -> None:
        time.sleep(0.003)
        for seen in self.pads.observations():
            if isinstance(seen, Slap):
                self.slaps.append((seen, time.monotonic_ns()))


def touches() -> dict[str, Any]:
    """24 touches by two players in turn, each with its release."""
    table = Table()
    settled = {place: table.bus.read_byte_data(ADDRESSES[0], place) for place in SETTINGS}
    done: Any = FORK.Queue()

    def finger() -> None:
        bus: Any = open_bus(table.number)
        for turn in range(TOUCHES):
            player = turn % 2
            chip, pull = table.chips[player], table.pulls[player]
            for status in (1, 0):
                before_ns, after_ns = chip.change(status, pull, bus)
                if status:
                    done.put((player, before_ns, after_ns))
                chip.was_read.wait(PATIENCE_S)
                put(pull, 1)
                time.sleep(PAUSE_S)
        done.put(None)

    FORK.Process(target=finger).start()
    touched = []
    end_ns = None  # a heartbeat after it proves that every edge has come
    while end_ns is None or (table.pads.pulse.newest_ns or 0) < end_ns:
        table.look()
        while not done.empty():
            one = done.get()
            if one is None:
                end_ns = time.monotonic_ns() + 200_000_000
            else:
                touched.append(one)
    table.look()
    inside = [
        before_ns <= slap.t_ns <= after_ns and slap.player == f"p{PADS[player]}"
        for (player, before_ns, after_ns), (slap, _) in zip(touched, table.slaps, strict=False)
    ]
    delays = sorted(at - slap.t_ns for slap, at in table.slaps) or [0]
    return {
        "touches": len(touched),
        "slaps": len(table.slaps),
        "inside": sum(inside),
        "settings_as_written": settled == SETTINGS,
        "too_late": table.pads.pulse.wrong_clock,
        "forced_reads": sum(line.forced for line in table.pads._touch_lines.values()),
        "warnings": [warning.what for warning in table.pads.warnings()],
        "delay_ms": {
            "median": delays[len(delays) // 2] / 1e6,
            "max": delays[-1] / 1e6,
        },
    }


def forgotten_line() -> dict[str, Any]:
    """The line is down before anybody listens: no edge will ever come."""
    table = Table(is_down=True)
    line = table.pads._touch_lines["p5"]
    start = time.monotonic()
    while not line.forced and time.monotonic() - start < PATIENCE_S:
        table.look()
    return {
        "forced": line.forced,
        "slaps": len(table.slaps),
        "after_ms": (time.monotonic() - start) * 1000,
    }


def main() -> None:
    scenario = {one.__name__: one for one in (touches, forgotten_line)}[sys.argv[1]]
    print(json.dumps({"scenario": sys.argv[1]} | scenario()), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
