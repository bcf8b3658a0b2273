"""Drives the true lgpio thread and gpiozero's lgpio pins without a Pi. Run by test_lgpio_thread.

lgpio's C library delivers edges as 16-byte records through a pipe. Here the lines are only claimed
in name, and the records are written into the pipe by hand: everything from the pipe on is real.
Arguments: a JSON list of [pin, level, stamp in ns]; pin -1 makes the handler of pin 7 raise once.
--late-clock: our clock is an hour behind the stamps.
Pin 4 belongs to somebody else, whose handler raises.
--again: pads are opened, closed and opened again first; an edge of the closed ones comes late.
Prints one JSON object: the slaps and the warnings.
"""

import json
import struct
import sys
import threading
from pathlib import Path
from typing import Any

import lgpio
from gpiozero.pins import lgpio as gpiozero_lgpio

from hardware.gpio import open_input, protect_thread, stamp_quality
from hardware.pads import GpioPads, PadSettings

PADS = {"A": PadSettings(5), "B": PadSettings(6, active_high=False), "C": PadSettings(7)}
HEARTBEAT_IN = 20
PI_4 = 0xA03111
RECORD = "QBBBBI"
HOUR_NS = 3_600_000_000_000


def claim_in_name_only() -> None:
    def accept(*_: Any) -> int:
        return 0

    for name in (
        "gpiochip_open",
        "gpiochip_close",
        "gpio_claim_input",
        "gpio_claim_output",
        "gpio_claim_alert",
        "gpio_free",
        "gpio_read",
        "gpio_write",
    ):
        setattr(lgpio, name, accept)
    modes = {21: 2}  # the heartbeat's output
    lgpio.gpio_get_mode = lambda _, pin: modes.get(pin, 0)
    gpiozero_lgpio.LGPIOFactory._get_revision = lambda self: PI_4


OTHER = 4
"""A pin of somebody else."""


class Careless:
    """A listener of somebody else."""

    def __init__(self) -> None:
        self.was_called = threading.Event()
        self.device: Any = None

    def edge(self, ticks: float, state: int) -> None:
        self.was_called.set()
        raise ValueError("careless")


def send(edges: list[list[int]]) -> None:
    """Put edges into lgpio's pipe."""
    with open(next(Path().glob(".lgd-nfy*")), "wb", buffering=0) as pipe:
        for pin, level, t_ns in edges:
            line = 7 if pin == -1 else pin
            pipe.write(struct.pack(RECORD, t_ns, 0, line, level, 0, 0))


def play_and_close(factory: Any, careless: Careless) -> None:
    """Pads of a game before; one of their edges is delivered after they were closed."""
    pads = GpioPads(PADS, 21, HEARTBEAT_IN, factory, settle_ns=0, beats=False)
    pads.close()
    pads.close()
    send([[5, 1, 1], [OTHER, 1, 2]])
    careless.was_called.wait(30)


def main() -> None:
    edges = json.loads(sys.argv[1])
    claim_in_name_only()
    factory = gpiozero_lgpio.LGPIOFactory()
    protect_thread(factory)
    careless = Careless()
    careless.device = open_input(OTHER, careless, factory=factory, edges="rising", active_high=True)
    if "--again" in sys.argv:
        play_and_close(factory, careless)
    stamps = [t_ns for _, _, t_ns in edges]
    ours = [pin for pin, _, _ in edges if pin != OTHER]
    faults = iter([False, *(pin == -1 for pin in ours)])
    all_delivered = threading.Event()

    def now() -> int:
        """Called once when the pads open, then once an edge."""
        fault = next(faults)
        left = faults.__length_hint__()
        if left == 0:
            all_delivered.set()
        if fault:
            raise RuntimeError("a fault in the handler")
        late_ns = HOUR_NS if "--late-clock" in sys.argv else 0
        return (min(stamps) if left == len(ours) else max(stamps)) - late_ns

    pads = GpioPads(PADS, 21, HEARTBEAT_IN, factory, settle_ns=0, beats=False, now=now)
    send(edges)
    seen: list[Any] = []
    last_ns = max(t_ns for pin, _, t_ns in edges if pin == HEARTBEAT_IN)
    all_delivered.wait(30)
    beats = sum(pin == HEARTBEAT_IN for pin, _, _ in edges)
    while pads.pulse.newest_ns != last_ns and pads.pulse.wrong_clock < beats:
        seen += pads.observations()
    print(
        json.dumps(
            {
                "stamp": stamp_quality(factory),
                "slaps": [[slap.player, slap.t_ns] for slap in seen if slap.kind == "slap"],
                "warnings": [[told.what, told.n] for told in pads.warnings()],
            }
        )
    )


if __name__ == "__main__":
    main()
