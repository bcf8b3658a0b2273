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

from box import PADS, PATIENCE_S, ROUNDS, Box, edges, in_us
from lines import Bank, become_a_pi, put

from hardware.gpio import NoKernelTime, kernel_factory, open_input
from hardware.pads import PadsState

GAMES = 5
LOCKOUT_NS = 120_000_000
"""Of the rules' timeline: further touches are the same slap."""


def single() -> dict[str, Any]:
    """One pad after the other."""
    box = Box()
    moves = [(i * 0.05, [(PADS[i // 2 % 8], 1 - i % 2)]) for i in range(96)]
    return edges(box, moves)


def together() -> dict[str, Any]:
    """All eight pads at once, 25 times."""
    box = Box()
    moves = [(i * 0.1, [(pin, 1 - i % 2) for pin in PADS]) for i in range(50)]
    return edges(box, moves)


def chatter() -> dict[str, Any]:
    """Eight hands at once, five bounces each: the first stamp counts, the rest is the same slap.

    Hands that a busy machine holds up within a bounce for longer than the lockout do touch twice:
    other ones slap in their stead, and they are only counted. The kernel keeps one stamp a line
    until its own thread has run: when that is late, it delivers the second bounce, not the first.
    """
    box = Box()
    delivered = box.overhear()
    touches = one_slap = first_is_delivered = first_is_exact = outside = told = held_up = 0
    late = []
    moves = [
        (i * 0.4 + j * 0.0005, [(pin, 1 - j % 2) for pin in PADS])
        for i in range(10)
        for j in range(10)
    ]
    for _ in range(ROUNDS):
        before = box.pads.pulse.wrong_clock
        done = box.play(moves)
        if box.pads.pulse.wrong_clock > before:  # told too late: see `edges`
            held_up += 10 * len(PADS)
            continue
        for bounce in (
            done[at : at + 10 * len(PADS)] for at in range(0, len(done), 10 * len(PADS))
        ):
            if bounce[-1][3] - bounce[0][2] > LOCKOUT_NS:
                held_up += len(PADS)
                continue
            for pin in PADS:
                writes = [one[2:] for one in bounce if one[:2] == (pin, 1)]
                heard = _stamps(box, pin, writes[0][0], bounce[-1][3])
                touches += 1
                told += len(heard)
                one_slap += len(_firsts(heard)) == 1
                if not heard:
                    continue
                end_ns = bounce[-1][3]
                kernels = [
                    t for who, t in delivered if who == f"p{pin}" and writes[0][0] <= t <= end_ns
                ]
                first_is_delivered += heard[0] == min(kernels)
                outside += not any(before <= heard[0] <= after for before, after in writes)
                first_is_exact += heard[0] <= writes[0][1]
                late.append(heard[0] - writes[0][0])
        if touches >= 80:
            break
    return {
        "touches": touches,
        "held_up": held_up,
        "one_slap": one_slap,
        "edges_sent": 5 * touches,
        "edges_heard": told,
        "first_is_delivered": first_is_delivered,
        "first_is_exact": first_is_exact,
        "outside": outside,
        "stamp_error_us": in_us(late),
        "warnings": [warning.what for warning in box.pads.warnings()],
    }


def _stamps(box: Box, pin: int, begin_ns: int, end_ns: int) -> list[int]:
    """Stamps of a pad's slaps in a time."""
    mine = [slap.t_ns for slap, _ in box.slaps if slap.player == f"p{pin}"]
    return sorted(t_ns for t_ns in mine if begin_ns <= t_ns <= end_ns)


def _firsts(stamps: Sequence[int]) -> list[int]:
    """What the lockout leaves of them."""
    firsts: list[int] = []
    for t_ns in stamps:
        if not firsts or t_ns - firsts[-1] > LOCKOUT_NS:
            firsts.append(t_ns)
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
    moves = [(i * 0.2, [(pin, 1 - i % 2) for pin in PADS]) for i in range(10)]
    return {"games": 1 + GAMES} | edges(box, moves)


def heartbeat_lost() -> dict[str, Any]:
    """The jumper is pulled out and plugged in again; a pad is touched meanwhile.

    Beats from before it was pulled out may be heard late on a busy machine, and move the watermark
    then: rightly so, but never beyond that time. Once the touch is heard, so is each of them.
    """
    box = Box()
    box.wire.unplug()
    unplugged_ns = time.monotonic_ns()
    lost_s = box.wait_for(PadsState.SUSPENDED, PATIENCE_S)
    box.hands.begin([(0, [(5, 1)])])
    box.hands.finished(box.look)
    end = time.monotonic() + PATIENCE_S
    while not box.pads._fresh and time.monotonic() < end:
        box.look()
    box.wait_for(PadsState.SUSPENDED, PATIENCE_S)
    silent_ns = time.monotonic_ns() - (box.pads.pulse.newest_ns or 0)
    held_ns = box.watermark_ns
    for _ in range(300):
        box.look()
    meanwhile = {
        "touch_was_heard": bool(box.pads._fresh),
        "slaps_meanwhile": len(box.slaps),
        "watermark_before_unplugging": 0 < box.watermark_ns < unplugged_ns,
        "watermark_moved_ns": box.watermark_ns - held_ns,
        "state_meanwhile": box.pads.state(time.monotonic_ns()).value,
    }
    box.wire.plug()
    back_s = box.wait_for(PadsState.READY, PATIENCE_S)
    return meanwhile | {
        "suspended_after_ms": lost_s * 1000,
        "silent_ms": silent_ns / 1e6,
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
