"""In the guest: this project's own pads on kernel lines. `pads.py SCENARIO` prints one JSON object.

One process a scenario: lgpio has one delivering thread a process, and nothing starts it again.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from collections.abc import Sequence
from typing import Any

from lines import Bank, Done, Hands, Move, Wire, become_a_pi, put

from hardware.gpio import NoKernelTime, kernel_factory, open_input
from hardware.pad_settings import STAMP_NS
from hardware.pads import GpioPads, PadSettings, PadsState
from referee.rules.events import Slap, Watermark

PADS = (5, 6, 12, 13, 16, 19, 25, 26)
OUT, IN = 21, 20
GAMES = 5
JUDGED_NS = 500_000_000
"""Lockout, bursts and a pad that was chattering: all is known after this time."""
PATIENCE_S = 180.0
LOCKOUT_NS = 120_000_000
"""Of the rules' timeline: further touches are the same slap."""


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

    def look(self) -> None:
        """One round of the box's loop."""
        time.sleep(0.001)
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


def _us(values: Sequence[int]) -> dict[str, float]:
    ordered = sorted(values) or [0]
    return {
        "median": ordered[len(ordered) // 2] / 1000,
        "p95": ordered[int(0.95 * (len(ordered) - 1))] / 1000,
        "max": ordered[-1] / 1000,
    }


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
        "stamp_error_us": _us(error),
        "delay_us": _us(delay),
        "in_order_by_stamp": by_stamp == [f"p{line}" for line, level, _, _ in done if level],
        "in_order_by_arrival": stamps == sorted(stamps),
        "overtaken_by_watermark": box.overtaken,
        "kernel_stamps": {slap.stamp for slap, _ in box.slaps} == {"kernel"},
        "half_width_ns": sorted({slap.early_ns for slap, _ in box.slaps} | {STAMP_NS}),
    }


def single() -> dict[str, Any]:
    """One pad after the other."""
    box = Box()
    moves = [(i * 0.05, [(PADS[i // 2 % 8], 1 - i % 2)]) for i in range(96)]
    return _edges(box, box.play(moves))


def together() -> dict[str, Any]:
    """All eight pads at once, 25 times."""
    box = Box()
    moves = [(i * 0.2, [(pin, 1 - i % 2) for pin in PADS]) for i in range(50)]
    return _edges(box, box.play(moves))


def chatter() -> dict[str, Any]:
    """Eight hands at once, five bounces each: the first stamp counts, the rest is the same slap."""
    box = Box()
    moves = [
        (i * 0.4 + j * 0.0005, [(pin, 1 - j % 2) for pin in PADS])
        for i in range(10)
        for j in range(10)
    ]
    done = box.play(moves)
    touches = slaps = first_is_exact = 0
    late = []
    for pin in PADS:
        firsts = _firsts([(before, after) for line, level, before, after in done
                          if line == pin and level])  # fmt: skip
        mine = _firsts([(slap.t_ns, slap.t_ns) for slap, _ in box.slaps
                        if slap.player == f"p{pin}"])  # fmt: skip
        touches += len(firsts)
        slaps += len(mine)
        if len(mine) == len(firsts):
            for (before_ns, after_ns), (t_ns, _) in zip(firsts, mine, strict=True):
                first_is_exact += before_ns <= t_ns <= after_ns
                late.append(t_ns - before_ns)
    return {
        "touches": touches,
        "slaps_after_lockout": slaps,
        "edges_sent": sum(level for _, level, _, _ in done),
        "edges_heard": len(box.slaps),
        "first_is_exact": first_is_exact,
        "stamp_error_us": _us(late),
        "warnings": [warning.what for warning in box.pads.warnings()],
    }


def _firsts(times: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    firsts: list[tuple[int, int]] = []
    for time_ns in sorted(times):
        if not firsts or time_ns[0] - firsts[-1][0] > LOCKOUT_NS:
            firsts.append(time_ns)
    return firsts


def raising_handler() -> dict[str, Any]:
    """A handler of ours fails, one of somebody else raises: everybody else is heard."""
    box = Box()
    line = box.pads._lines["p5"]
    line.woken = lambda: 1 // 0

    class Careless:
        calls = 0

        def edge(self, ticks: float, state: int) -> None:
            self.calls += 1
            raise ValueError("a handler of somebody else")

    careless = Careless()
    device = open_input(4, careless, factory=box.factory, edges="rising", active_high=True)
    somebody = box.bank.pull(4)
    put(somebody, 1)
    box.play([(0.1, [(5, 1)]), (0.2, [(6, 1)])])
    heard = [slap.player for slap, _ in box.slaps]
    faults = [warning.n for warning in box.pads.warnings() if warning.what == "fault"]
    return {
        "heard": heard,
        "faults": faults,
        "careless_calls": careless.calls,
        "ready_again_after_s": box.wait_for(PadsState.READY, PATIENCE_S),
        "listening": device is not None,
    }


def dead_thread() -> dict[str, Any]:
    """Another library in this process ends lgpio's thread: the box notices, and rules no more."""
    box = Box()
    lgpio = importlib.import_module("lgpio")
    handle = box.factory._handle

    def careless(*_: int) -> None:
        raise ValueError("not through gpiozero")

    lgpio.gpio_claim_alert(handle, 4, lgpio.RISING_EDGE)
    callback = lgpio.callback(handle, 4, lgpio.RISING_EDGE, careless)
    put(box.bank.pull(4), 1)
    lgpio._notify_thread.join(PATIENCE_S)
    is_dead = not lgpio._notify_thread.is_alive()
    suspended_s = box.wait_for(PadsState.SUSPENDED, PATIENCE_S)
    return {
        "is_dead": is_dead,
        "suspended_after_ms": suspended_s * 1000,
        "listening": callback is not None,
    }


def game_after_game() -> dict[str, Any]:
    """Pads are closed and opened again while hands slap: the last game hears everything."""
    box = Box()
    for _ in range(GAMES):
        box.hands.begin([(i * 0.01, [(pin, 1 - i % 2) for pin in PADS]) for i in range(40)])
        box.pads.close()
        box.open()
        box.hands.finished(box.look)
    box.play([(0.1, [(pin, 0) for pin in PADS])])
    box.slaps.clear()
    moves = [(i * 0.2, [(pin, 1 - i % 2) for pin in PADS]) for i in range(10)]
    return {"games": 1 + GAMES} | _edges(box, box.play(moves))


def heartbeat_lost() -> dict[str, Any]:
    """The jumper is pulled out and plugged in again."""
    box = Box()
    box.wire.unplug()
    lost_s = box.wait_for(PadsState.SUSPENDED, PATIENCE_S)
    newest_ns = box.pads.pulse.newest_ns or 0
    silent_ns = time.monotonic_ns() - newest_ns
    held = box.watermark_ns
    box.hands.begin([(0, [(5, 1)])])
    box.hands.finished(box.look)
    for _ in range(1000):
        box.look()
    moved = box.watermark_ns - held
    box.wire.plug()
    back_s = box.wait_for(PadsState.READY, PATIENCE_S)
    return {
        "suspended_after_ms": lost_s * 1000,
        "silent_ms": silent_ns / 1e6,
        "watermark_moved_ns": moved,
        "ready_again_after_ms": back_s * 1000,
    }


def other_chip() -> dict[str, Any]:
    """Lines of another chip than the header's are refused, and say what was found."""
    become_a_pi()
    bank = Bank(label="expander")
    try:
        kernel_factory(chip=bank.number)
    except NoKernelTime as error:
        return {"refused": str(error)}
    return {"refused": None}


SCENARIOS = (
    single,
    together,
    chatter,
    raising_handler,
    dead_thread,
    game_after_game,
    heartbeat_lost,
    other_chip,
)


def main() -> None:
    scenario = next(one for one in SCENARIOS if one.__name__ == sys.argv[1])
    answer = scenario()
    print(json.dumps({"scenario": scenario.__name__} | answer), flush=True)
    os._exit(0)  # lgpio's thread and our wire still run: nothing to close in an orderly way


if __name__ == "__main__":
    main()
