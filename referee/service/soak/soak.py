"""Games one after the other while everything fails, and what the memory does meanwhile."""

from __future__ import annotations

import gc
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from referee.rules.errors import RefereeError
from referee.rules.referee import replay
from referee.rules.verdicts import Verdict
from referee.service.journal.journal import Journal
from referee.service.journal.resume import NOTICES
from referee.service.soak.game import SoakGame, SoakPlan
from referee.service.soak.judge import GameResult, judge

NS_PER_S = 1_000_000_000
LIMIT_NS = 1800 * NS_PER_S
"""A game that takes longer than half an hour will never end."""
GAMES_A_FILE = 20
SHARES = 5
"""The memory of the last part of the games is compared with that of the second one."""
GROWTH_MB = 4.0
GROWTH_OBJECTS = 0.02
"""More than this from the second to the last fifth of the games is called growth."""
STATM = Path("/proc/self/statm")
GAMES = ("slapjack", "ratscrew")


@dataclass(frozen=True, slots=True)
class Memory:
    """What this process holds after a game."""

    resident_mb: float
    objects: int
    """Python's own count, after a collection."""


@dataclass(frozen=True, slots=True)
class Soaked:
    """A game and the memory after it."""

    result: GameResult
    memory: Memory


def soak(
    games: int,
    hours: float,
    seed: int,
    *,
    plan: SoakPlan | None = None,
    on_game: Callable[[Soaked], None] = lambda _: None,
) -> list[Soaked]:
    """Play until there were so many games and so many hours of simulated play.

    Args:
        games: At least so many.
        hours: At least so much simulated time.
        seed: Of the first game; the next ones count on.
        plan: Troubles, pixels, pace; game and seed are set for each game.
        on_game: Told after each game.
    """
    plan = plan or SoakPlan(seed)
    done: list[Soaked] = []
    simulated_s = 0.0
    with tempfile.TemporaryDirectory(prefix="referee-soak-") as folder:
        while len(done) < games or simulated_s < hours * 3600:
            number = len(done)
            path = Path(folder) / f"season-{number // GAMES_A_FILE}.db"
            game = GAMES[number % len(GAMES)]
            result = play_one(replace(plan, seed=seed + number, game=game), path)
            simulated_s += result.simulated_s
            done.append(Soaked(result, memory()))
            on_game(done[-1])
    return done


def play_one(plan: SoakPlan, path: Path) -> GameResult:
    """Play one game and judge it.

    Args:
        plan: Game, people, troubles.
        path: The journal's file.
    """
    journal = Journal.open(path)
    game = SoakGame(plan, journal)
    try:
        game.play(LIMIT_NS)
        return judge(game, recorded=_is_recorded(game, journal))
    finally:
        journal.close()


def memory() -> Memory:
    """What this process holds now."""
    gc.collect()
    pages = int(STATM.read_text(encoding="ascii").split()[1])
    return Memory(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, len(gc.get_objects()))


def has_grown(done: Sequence[Soaked]) -> bool:
    """The memory is more in the last fifth of the games than in the second one."""
    part = len(done) // SHARES
    if part == 0:
        return False
    early, late = done[part : 2 * part], done[-part:]
    mb = [median(one.memory.resident_mb for one in some) for some in (early, late)]
    objects = [median(one.memory.objects for one in some) for some in (early, late)]
    return mb[1] - mb[0] > GROWTH_MB or objects[1] > (1 + GROWTH_OBJECTS) * objects[0]


def summary(done: Sequence[Soaked]) -> dict[str, object]:
    """All games together, as plain values."""
    results = [one.result for one in done]
    faults: Counter[str] = Counter()
    troubles: Counter[str] = Counter()
    for result in results:
        faults.update(result.faults)
        troubles.update(result.troubles)
    return {
        "games": len(results),
        "good": sum(result.is_good for result in results),
        "simulated_hours": round(sum(result.simulated_s for result in results) / 3600, 2),
        "frames": sum(result.frames for result in results),
        "flips": sum(result.flips for result in results),
        "slaps": sum(result.slaps for result in results),
        "wrong_verdicts": sum(len(result.wrong) for result in results),
        "in_declared_doubt": sum(result.doubts for result in results),
        "on_declared_faulty_pads": sum(result.under_fault for result in results),
        "cards_unread": sum(result.unread for result in results),
        "games_with_lost_cards": sum(result.is_off for result in results),
        "games_that_asked_for_a_recount": sum(bool(result.recounts) for result in results),
        "verdicts_while_suspended": sum(result.spoken_while_suspended for result in results),
        "games_without_a_winner": sum(result.winner is None for result in results),
        "games_not_recorded_right": sum(result.recorded is False for result in results),
        "memory_mb": [round(one.memory.resident_mb, 1) for one in (done[0], done[-1])],
        "memory_has_grown": has_grown(done),
        "faults": dict(sorted(faults.items())),
        "troubles": dict(sorted(troubles.items())),
    }


def _is_recorded(game: SoakGame, journal: Journal) -> bool | None:
    """The journal tells the game as it was; None: its disk was full."""
    if any(one.kind == "disk_full" for one in game.troubles.past) or game.record is None:
        return None
    try:
        log = journal.log(game.record.id)
        again = replay(log.header, log.observations)
    except RefereeError:
        return False
    return list(log.verdicts) == game.verdicts and _binding(again) == _binding(game.verdicts)


def _binding(said: Sequence[Verdict]) -> list[Verdict]:
    return [verdict for verdict in said if verdict.kind not in NOTICES]
