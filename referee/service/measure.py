"""The figures of `referee bench`: reading, delays, wrong verdicts. One thread, nothing shown."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from hardware.drawing import draw
from referee.rules.events import Observation
from referee.rules.house_rules import house_rules
from referee.rules.measure import Score as RaceScore
from referee.rules.measure import race_scores
from referee.service.announce import announce
from referee.service.box import Watcher
from referee.service.demo import DemoGame, Plan, use_one_thread
from referee.service.report import percentile

NS_PER_S = 1_000_000_000
MATRIX = (32, 8)
TIMED_VERDICTS = ("valid_slap", "false_slap", "tie", "doubt")
"""Verdicts whose delay from the slap to the light is measured."""


@dataclass(slots=True)
class TimedWatcher:
    """A watcher with a stop watch."""

    inner: Watcher
    took_ms: list[float] = field(default_factory=list)

    @property
    def watermark_ns(self) -> int:
        """The watcher's."""
        return self.inner.watermark_ns

    @property
    def state(self) -> str:
        """The watcher's."""
        return self.inner.state

    def see(self, image: Any, *, t_ns: int, exposure_ns: int, line_ns: int) -> list[Observation]:
        """Let the watcher look, and note how long it took."""
        began_ns = time.perf_counter_ns()
        seen = self.inner.see(image, t_ns=t_ns, exposure_ns=exposure_ns, line_ns=line_ns)
        self.took_ms.append((time.perf_counter_ns() - began_ns) / 1e6)
        return seen


def measure_demo(seconds: float, seed: int) -> dict[str, Any]:
    """Play a stretch of the demo and time it.

    Args:
        seconds: Simulated time; the game may end sooner.
        seed: Of the game.
    """
    use_one_thread()
    demo = DemoGame(Plan(seed=seed), house_rules("slapjack"))
    seats = {player: seat for seat, player in enumerate(demo.plan.players, 1)}
    timed = [TimedWatcher(watcher) for watcher in demo.box.watchers]
    demo.box.watchers = list(timed)
    end_ns = demo.world.now_ns + round(seconds * NS_PER_S)
    delays_ms: list[float] = []
    began_s = time.perf_counter()
    for step in demo.steps():
        for verdict in step.verdicts:
            drawing_ns = time.perf_counter_ns()
            announcement = announce(verdict, seats)
            if announcement is not None:
                draw(announcement, MATRIX, demo=True)
            if verdict.kind in TIMED_VERDICTS:
                worked_ns = step.worked_ns + time.perf_counter_ns() - drawing_ns
                delays_ms.append((step.now_ns - verdict.t_ns + worked_ns) / 1e6)
        if step.now_ns >= end_ns:
            break
    took_s = time.perf_counter() - began_s
    judged = demo.score()
    demo.close()
    took_ms = [ms for watcher in timed for ms in watcher.took_ms]
    slaps = len(judged.slaps)
    return {
        "demo: frames a second, drawn, read and ruled on": round(demo.box.frames / took_s, 1),
        "reading: frames a second": round(1000 * len(took_ms) / sum(took_ms), 1),
        "reading: ms a frame, median": round(percentile(took_ms, 0.50), 2),
        "reading: ms a frame, 95 %": round(percentile(took_ms, 0.95), 2),
        "slap to light: ms, median": round(percentile(delays_ms, 0.50), 1),
        "slap to light: ms, 99 %": round(percentile(delays_ms, 0.99), 1),
        "demo: slaps": slaps,
        "demo: wrong verdicts per 1000 slaps": round(1000 * judged.wrong / max(1, slaps), 2),
        "demo: in declared doubt per 1000 slaps": round(1000 * judged.doubts / max(1, slaps), 2),
    }


def measure_races(slaps: int, seed: int) -> dict[str, Any]:
    """Random races through the rules alone: how often the declared doubt was not enough."""
    total = sum(race_scores(slaps, seed), start=RaceScore())
    return {
        "races: slaps": total.slaps,
        "races: piles won": total.wins,
        "races: wrong winner outside declared doubt": total.wrong_wins,
        "races: wrong price outside declared doubt": total.wrong_falses,
        "races: wrong winner inside declared doubt": total.wrong_doubts,
        "races: dead heats": total.ties,
        "races: doubts": total.doubts,
    }
