"""When what fails at a simulated table: a plan of troubles, the same for the same seed.

Each kind of trouble comes again and again, at its own pace, so that they also fall together. The
plan only says when; `faulty_camera.py`, `faulty_pads.py` and `faulty_parts.py` do it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from referee.rules.errors import RefereeError

MS = 1_000_000


class BadTrouble(RefereeError, ValueError):
    """A trouble that nobody knows."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a trouble comes and how long it lasts, each from a range in ms."""

    pause_ms: tuple[int, int]
    lasts_ms: tuple[int, int]


KINDS: dict[str, Pace] = {
    # The camera hangs until it is opened anew; or it is gone, and cannot be opened meanwhile.
    "camera_hangs": Pace((20_000, 90_000), (1, 1)),
    "camera_gone": Pace((60_000, 240_000), (1_000, 9_000)),
    "frames_lost": Pace((10_000, 40_000), (300, 3_000)),
    "frames_swapped": Pace((10_000, 40_000), (300, 3_000)),
    "frames_doubled": Pace((10_000, 40_000), (300, 3_000)),
    "frame_stamps_jump": Pace((20_000, 60_000), (100, 1_500)),
    # Pads: a palm that rests, 10,000 edges a second, a wire that comes off, a thread that stalls.
    "pad_stuck": Pace((20_000, 60_000), (2_500, 6_000)),
    "pad_storm": Pace((40_000, 120_000), (100, 600)),
    "pad_stamps_jump": Pace((30_000, 90_000), (50, 500)),
    "heartbeat_lost": Pace((20_000, 60_000), (350, 3_000)),
    "edges_delayed": Pace((20_000, 60_000), (50, 1_000)),
    "display_gone": Pace((20_000, 60_000), (500, 5_000)),
    "disk_full": Pace((60_000, 200_000), (500, 10_000)),
    "wall_clock_steps": Pace((5_000, 30_000), (1, 1)),
}
"""Every trouble of the simulated box."""

JUMPS_MS = (40, 30_000)
"""Stamps that jump by less than the age of a frame look like any other."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """One stretch of time in which something fails."""

    kind: str
    begin_ns: int
    end_ns: int
    player: str
    """Whose pad, if it is about one."""
    jump_ns: int
    """By how much stamps or clocks jump, if they do."""


class Troubles:
    """All troubles of one game, drawn as time goes on."""

    def __init__(
        self, seed: int, players: Sequence[str], start_ns: int, kinds: Iterable[str] = KINDS
    ) -> None:
        """Begin.

        Args:
            seed: The same seed, the same troubles.
            players: Whose pads may fail.
            start_ns: Nothing fails before this time.
            kinds: Which troubles come; names of `KINDS`.

        Raises:
            BadTrouble: There is no such kind.
        """
        self.past: list[Trouble] = []
        """Every trouble that has begun, in the order in which somebody noticed."""
        self._players = tuple(players)
        self._next: dict[str, Trouble] = {}
        self._begun: dict[str, Trouble] = {}
        self._rng: dict[str, Random] = {}
        for kind in kinds:
            if kind not in KINDS:
                raise BadTrouble(f"no such trouble: {kind!r}, expected one of {', '.join(KINDS)}")
            self._rng[kind] = Random(f"trouble {seed} {kind}")
            self._next[kind] = self._drawn(kind, start_ns)

    def newest(self, kind: str, now_ns: int) -> Trouble | None:
        """The last trouble of this kind that has begun; it may be over. Time never goes back."""
        while kind in self._next and self._next[kind].begin_ns <= now_ns:
            coming = self._begun[kind] = self._next[kind]
            self.past.append(coming)
            self._next[kind] = self._drawn(kind, coming.end_ns)
        return self._begun.get(kind)

    def now(self, kind: str, now_ns: int) -> Trouble | None:
        """The trouble of this kind at this time."""
        newest = self.newest(kind, now_ns)
        return newest if newest is not None and now_ns < newest.end_ns else None

    def _drawn(self, kind: str, after_ns: int) -> Trouble:
        rng, pace = self._rng[kind], KINDS[kind]
        begin_ns = after_ns + rng.randint(*pace.pause_ms) * MS
        end_ns = begin_ns + rng.randint(*pace.lasts_ms) * MS
        jump_ns = rng.choice((-1, 1)) * rng.randint(*JUMPS_MS) * MS
        return Trouble(kind, begin_ns, end_ns, rng.choice(self._players), jump_ns)
