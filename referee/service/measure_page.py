"""What viewers cost: a demo game in real time with the page, without and with many of them.

The box, the page and the viewers are three processes, as in a living room. The same game is
played twice; a verdict is late if more time passes between the touch and the verdict than before.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.rules.house_rules import house_rules
from referee.rules.verdicts import Verdict
from referee.service.broadcast import Broadcast
from referee.service.coverage import Coverage
from referee.service.demo import SIZE, DemoGame, Plan, use_one_thread
from referee.service.link import Message
from referee.service.page_process import PageAddress, PageProcess
from referee.service.report import percentile
from referee.service.watchers import around, drawn_zones

NS_PER_S = 1_000_000_000
PORT = 18_980
TIMED = ("valid_slap", "false_slap", "tie", "doubt")
"""Verdicts on a slap: people wait for these."""
TOLD_NS = 80_000_000
"""Between two pictures of table and matrix, as the demo tells them."""
READY_S = 60.0
TEMPO = 2.5
"""Quick people: more verdicts a minute."""


@dataclass(slots=True)
class _Run:
    """What one game brought."""

    delays_ms: dict[tuple[str, int], float] = field(default_factory=dict)
    """Kind and event time of a verdict -> from the touch to the verdict, in real time."""
    rounds_ms: list[float] = field(default_factory=list)
    """From the moment a frame was due to the end of its round of the loop."""
    told_ns: dict[int, int] = field(default_factory=dict)
    """Number of a verdict -> when the page was told."""
    ready_s: float = 0.0
    page_cpu: float = 0.0
    """Share of a core."""
    box_mb: float = 0.0
    page_mb: float = 0.0
    seen_ms: list[float] = field(default_factory=list)
    """From the verdict to each viewer."""
    kb_a_second: float = 0.0
    """For each viewer."""


def measure_page(seconds: float, viewers: int, seed: int) -> dict[str, Any]:
    """Play the same stretch of a demo game without and with viewers.

    Args:
        seconds: Of each game, real time.
        viewers: How many watch the second one.
        seed: Of the game.
    """
    use_one_thread()
    alone, watched = _Table(seed).play(seconds, 0), _Table(seed).play(seconds, viewers)
    later_ms = [
        watched.delays_ms[verdict] - delay_ms
        for verdict, delay_ms in alone.delays_ms.items()
        if verdict in watched.delays_ms
    ]
    return {
        "page: start to ready, s": round(alone.ready_s, 2),
        "page: viewers": viewers,
        **_delays("alone", alone),
        **_delays("watched", watched),
        "later with viewers: ms, median": round(percentile(later_ms, 0.50), 1),
        "later with viewers: ms, 99 %": round(percentile(later_ms, 0.99), 1),
        "later with viewers: verdicts": len(later_ms),
        "verdict to viewer: ms, median": round(percentile(watched.seen_ms, 0.50), 1),
        "verdict to viewer: ms, 99 %": round(percentile(watched.seen_ms, 0.99), 1),
        "verdicts that arrived": len(watched.seen_ms),
        "page: kB a second for each viewer": round(watched.kb_a_second, 1),
        "page: % of a core, alone": round(100 * alone.page_cpu, 1),
        "page: % of a core, watched": round(100 * watched.page_cpu, 1),
        "memory: MB, box": round(watched.box_mb),
        "memory: MB, page": round(watched.page_mb),
    }


def _delays(name: str, run: _Run) -> dict[str, Any]:
    delays_ms = list(run.delays_ms.values())
    return {
        f"slap to verdict, {name}: ms, median": round(percentile(delays_ms, 0.50), 1),
        f"slap to verdict, {name}: ms, 99 %": round(percentile(delays_ms, 0.99), 1),
        f"slap to verdict, {name}: verdicts": len(delays_ms),
        f"frame to end of round, {name}: ms, 99 %": round(percentile(run.rounds_ms, 0.99), 2),
    }


class _Table:
    """A demo game in real time, and its page."""

    def __init__(self, seed: int) -> None:
        self._page: PageProcess | None = None
        self._broadcast = Broadcast(self._send)
        self._broadcast.box(demo=True, stamp="demo", state="playing", width=32, code="")
        self._broadcast.box(interactive=False, language="en", reason="", journal="")
        self._demo = DemoGame(
            Plan(seed=seed, tempo=TEMPO),
            house_rules("slapjack"),
            on_frame=lambda frame: self._cover.see(frame),
        )
        zone = around(drawn_zones("slapjack", SIZE))
        self._cover = Coverage(self._broadcast, self._demo.referee, 1, deck="de", zone=zone)
        self.run = _Run()

    def _send(self, message: Message) -> None:
        if message["type"] == "said":
            self.run.told_ns[int(message["n"])] = time.monotonic_ns()
        if self._page is not None:
            self._page.publish(message)

    def play(self, seconds: float, viewers: int) -> _Run:
        """Play, watched by so many."""
        began_s = time.monotonic()
        self._page = PageProcess(PageAddress(port=PORT), self._broadcast.greeting)
        self._page.keep(time.monotonic_ns())
        self._wait_until_ready(began_s)
        crowd = _crowd(viewers) if viewers else None
        pid = _child_of(os.getpid(), "referee.service.web")
        cpu_before_s = _cpu_s(pid)
        began_s = time.monotonic()
        self._loop(seconds)
        lasted_s = time.monotonic() - began_s
        self.run.page_cpu = (_cpu_s(pid) - cpu_before_s) / lasted_s
        self.run.box_mb, self.run.page_mb = _memory_mb(os.getpid()), _memory_mb(pid)
        if crowd is not None:
            self._hear(crowd, viewers, lasted_s)
        self._page.close()
        self._demo.close()
        return self.run

    def _wait_until_ready(self, began_s: float) -> None:
        assert self._page is not None
        while time.monotonic() - began_s < READY_S:
            if any(ask["ask"] == "ready" for ask in self._page.asks()):
                break
            time.sleep(0.005)
        self.run.ready_s = time.monotonic() - began_s

    def _loop(self, seconds: float) -> None:
        demo, told_ns = self._demo, 0
        offset_ns = time.monotonic_ns() - demo.world.now_ns
        end_ns = demo.world.now_ns + round(seconds * NS_PER_S)
        for step in demo.steps():
            self._cover.tell(step.verdicts)
            now_ns = time.monotonic_ns()
            self._note(step.verdicts, offset_ns, now_ns)
            if step.verdicts or now_ns - told_ns >= TOLD_NS:
                told_ns = now_ns
                self._cover.table(pile_state=demo.state, lines=[], now_ns=now_ns)
            due_ns = step.now_ns + offset_ns
            self.run.rounds_ms.append((time.monotonic_ns() - due_ns) / 1e6)
            if step.now_ns >= end_ns:
                return
            ahead_ns = due_ns + demo.camera.frame_ns - time.monotonic_ns()
            if ahead_ns > 0:
                time.sleep(ahead_ns / NS_PER_S)

    def _note(self, verdicts: tuple[Verdict, ...], offset_ns: int, now_ns: int) -> None:
        for verdict in verdicts:
            if verdict.kind in TIMED:
                late_ns = now_ns - verdict.t_ns - offset_ns
                self.run.delays_ms[verdict.kind, verdict.t_ns] = late_ns / 1e6

    def _hear(self, crowd: subprocess.Popen[str], viewers: int, lasted_s: float) -> None:
        told, _ = crowd.communicate()
        heard = json.loads(told)
        for arrived in heard["arrived"]:
            for number, at_ns in arrived:
                if number in self.run.told_ns:
                    self.run.seen_ms.append((at_ns - self.run.told_ns[number]) / 1e6)
        self.run.kb_a_second = heard["received"] / 1000 / lasted_s / viewers


def _crowd(viewers: int) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "referee.service.measure_viewers"]
    words += ["--port", str(PORT), "--viewers", str(viewers)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _child_of(parent: int, module: str) -> int:
    """Number of our child process that runs a module."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    for child in children:
        if module in Path(f"/proc/{child}/cmdline").read_text().split("\0"):
            return int(child)
    raise ProcessLookupError(module)


def _cpu_s(pid: int) -> float:
    """Processor time that a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _memory_mb(pid: int) -> float:
    """Memory of a process; what several share is counted by its share."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    kilobytes = next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes / 1024
