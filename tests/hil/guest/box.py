"""In the guest: a box with eight pads on kernel lines, and what was observed of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from lines import Bank, Done, Hands, Move, Wire, become_a_pi

from hardware.clock import seconds_to_ns
from hardware.gpio import kernel_factory
from hardware.pad_settings import STAMP_NS
from hardware.pads import GpioPads, PadSettings, PadsState
from referee.rules.events import Slap, Watermark

PADS = (5, 6, 12, 13, 16, 19, 25, 26)
OUT, IN = 21, 20
JUDGED_NS = 500_000_000
"""Lockout, bursts and a pad that was chattering: all is known after this time."""
PATIENCE_S = 180.0
ROUNDS = 10
"""As often hands move again that a busy machine held up, at most."""


class Box:
    """Eight pads, the heartbeat's jumper, and everything that was observed."""

    def __init__(self) -> None:
        become_a_pi()
        self.bank = Bank()
        self.hands = Hands(self.bank, PADS)
        self.wire = Wire(self.bank, OUT, IN)
        self.slaps: list[tuple[Slap, int]] = []
        self.overtaken = 0
        self.wire.plug()
        self.open()

    def open(self) -> None:
        """Open the pads as a new game does."""
        self.factory = kernel_factory(chip=self.bank.number)
        self.watermark_ns = 0
        self.pads = GpioPads(
            {f"p{pin}": PadSettings(pin) for pin in PADS}, OUT, IN, self.factory, settle_ns=0
        )
        self.wait_for(PadsState.READY, PATIENCE_S)

    def overhear(self) -> list[tuple[str, int]]:
        """Player and stamp of each edge from now on, as it is delivered, before our code has it."""
        delivered: list[tuple[str, int]] = []
        for player, line in self.pads._lines.items():

            def heard(
                ticks: float, state: int, player: str = player, edge: Any = line.edge
            ) -> None:
                delivered.append((player, seconds_to_ns(ticks)))
                edge(ticks, state)

            line.edge = heard  # type: ignore[method-assign]
        return delivered

    def look(self) -> None:
        """One round of the box's loop."""
        time.sleep(0.003)
        for seen in self.pads.observations():
            if isinstance(seen, Slap):
                self.slaps.append((seen, time.monotonic_ns()))
                self.overtaken += seen.t_ns - seen.early_ns <= self.watermark_ns
            elif isinstance(seen, Watermark):
                self.watermark_ns = seen.t_ns

    def wait_for(self, state: PadsState, limit_s: float) -> float:
        """Seconds until the pads are in this state."""
        start = time.monotonic()
        while self.pads.state(time.monotonic_ns()) is not state:
            if time.monotonic() - start > limit_s:
                raise SystemExit(f"not {state} within {limit_s} s")
            self.look()
        return time.monotonic() - start

    def play(self, moves: Sequence[Move]) -> list[Done]:
        """Let the hands do something and look until everything has come."""
        self.hands.begin(moves)
        done = self.hands.finished(self.look)
        self.hear_until(time.monotonic_ns())
        return done

    def hear_until(self, t_ns: int) -> None:
        """Look until a heartbeat proves that every edge before this time has come, and been judged.

        A busy machine lets that take seconds; without a heartbeat nothing ever comes.
        """
        end = time.monotonic() + PATIENCE_S
        while (self.pads.pulse.newest_ns or 0) < t_ns + JUDGED_NS and time.monotonic() < end:
            self.look()
        self.look()


def in_us(values: Sequence[int]) -> dict[str, float]:
    ordered = sorted(values) or [0]
    return {
        "median": ordered[len(ordered) // 2] / 1000,
        "p95": ordered[int(0.95 * (len(ordered) - 1))] / 1000,
        "max": ordered[-1] / 1000,
    }


def edges(box: Box, moves: Sequence[Move]) -> dict[str, Any]:
    """What the box made of the hands' touches.

    A machine whose processors are held up may deliver an edge after a later heartbeat. Then the
    box tells so and leaves it out, for it has promised that none is to come; and the hands move
    once more. A touch that is lost without a word is counted in every round.
    """
    rounds = silently = 0
    while True:
        rounds += 1
        box.slaps.clear()
        before = box.pads.pulse.wrong_clock
        answer = _edges(box, box.play(moves))
        too_late = box.pads.pulse.wrong_clock - before
        silently += max(0, answer["lost"] - too_late)
        if not too_late or rounds == ROUNDS:
            return answer | {"rounds": rounds, "too_late": too_late, "lost_silently": silently}


def _edges(box: Box, done: Sequence[Done]) -> dict[str, Any]:
    """Every touch with its slap, pad by pad."""
    error, delay, outside, lost, extra = [], [], 0, 0, 0
    for pin in PADS:
        touches = [(before, after) for line, level, before, after in done if line == pin and level]
        mine = [(slap, at) for slap, at in box.slaps if slap.player == f"p{pin}"]
        lost += max(0, len(touches) - len(mine))
        extra += max(0, len(mine) - len(touches))
        if len(touches) != len(mine):
            continue
        for (before_ns, after_ns), (slap, at_ns) in zip(touches, mine, strict=True):
            error.append(slap.t_ns - before_ns)
            delay.append(at_ns - slap.t_ns)
            outside += not before_ns <= slap.t_ns <= after_ns
    by_stamp = [slap.player for slap, _ in sorted(box.slaps, key=lambda one: one[0].t_ns)]
    stamps = [slap.t_ns for slap, _ in box.slaps]
    return {
        "touches": sum(level for _, level, _, _ in done),
        "slaps": len(box.slaps),
        "lost": lost,
        "extra": extra,
        "outside": outside,
        "stamp_error_us": in_us(error),
        "delay_us": in_us(delay),
        "in_order_by_stamp": by_stamp == [f"p{line}" for line, level, _, _ in done if level],
        "in_order_by_arrival": stamps == sorted(stamps),
        "overtaken_by_watermark": box.overtaken,
        "kernel_stamps": {slap.stamp for slap, _ in box.slaps} == {"kernel"},
        "half_width_ns": sorted({slap.early_ns for slap, _ in box.slaps} | {STAMP_NS}),
    }
