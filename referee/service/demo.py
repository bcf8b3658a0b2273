"""A game on the simulated table: drawn frames and mock pin edges in, verdicts out.

Nothing of the table's truth reaches the referee: the camera's pixels go through the shipped nets,
the touches through gpiozero's mock pins. The simulated people hear the verdicts, as people do.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hardware.gpio import mock_factory
from hardware.pads import GpioPads, pad_of_kind
from hardware.pins import read_pins
from hardware.protocols import Frame
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.pads import SimulatedPads
from hardware.simulated.usual_slaps import agreed_slaps
from hardware.simulated.world import World
from referee.rules.house_rules import HouseRules
from referee.rules.position import Deal
from referee.rules.referee import Referee
from referee.rules.verdicts import Verdict
from referee.service.box import Box
from referee.service.config import CameraSettings
from referee.service.log import LogWriter
from referee.service.score import Score, score
from referee.service.watchers import drawn_zones, watchers_for

NAMES = ("Ann", "Bo", "Cleo", "Dan", "Eve", "Fin", "Gus", "Hal")
SIZE = (640, 480)
SETTLED_NS = 500_000_000


@dataclass(frozen=True, slots=True)
class Plan:
    """What kind of game the demo plays."""

    game: str = "slapjack"
    players: tuple[str, ...] = NAMES[:4]
    seed: int = 1
    pad_kind: str = "at42qt1010"
    deck: Literal["en", "de", "fr", "nl"] = "de"
    style: str = "classic"
    tempo: float = 1.0
    frames_per_second: float = 60.0


@dataclass(frozen=True, slots=True)
class Step:
    """What one frame brought."""

    now_ns: int
    """World time."""
    verdicts: tuple[Verdict, ...]
    worked_ns: int
    """Real time from the frame to the verdicts."""


class DemoGame:
    """One game that plays itself."""

    def __init__(
        self,
        plan: Plan,
        house_rules: HouseRules,
        *,
        log: Path | None = None,
        on_frame: Callable[[Frame], None] | None = None,
    ) -> None:
        """Lay the table.

        Args:
            plan: Game, people, seed.
            house_rules: What the table agreed.
            log: Where to write the log, if anywhere.
            on_frame: Sees every frame, for a view.
        """
        self.plan = plan
        self.world = World(
            seed=plan.seed,
            game=plan.game,
            players=plan.players,
            tempo=plan.tempo,
            is_slappable=agreed_slaps(house_rules),
        )
        self.camera = SimulatedCamera(
            self.world,
            style=plan.style,
            language=plan.deck,
            size=SIZE,
            fps=plan.frames_per_second,
        )
        self.referee = Referee(plan.game, plan.players, house_rules, Deal(dealer=self.world.dealer))
        writer = LogWriter(log, self.referee.header) if log else None
        watchers = watchers_for(
            plan.game,
            plan.players,
            CameraSettings(deck=plan.deck),
            drawn_zones(plan.game, SIZE),
        )
        self.pads = self._pads()
        self.box = Box(
            self.referee, [self.pads], self.camera, watchers, log=writer, on_frame=on_frame
        )
        self.verdicts: list[Verdict] = []

    def _pads(self) -> GpioPads:
        pins = read_pins()
        pads = GpioPads(
            {
                player: pad_of_kind(self.plan.pad_kind, pins.pads[seat])
                for seat, player in enumerate(self.plan.players, 1)
            },
            pins.heartbeat_out,
            pins.heartbeat_in,
            mock_factory(),
            settle_ns=SETTLED_NS,
        )
        kind = pad_of_kind(self.plan.pad_kind, 0)
        SimulatedPads(
            self.world,
            pads.pins,
            pads.heartbeat_pin,
            fastest_ns=kind.fastest_ns,
            slowest_ns=kind.slowest_ns,
            active_high=kind.active_high,
        )
        return pads

    def steps(self) -> Iterator[Step]:
        """Play frame by frame until somebody has won."""
        while not self.world.is_over:
            self.world.advance(self.world.now_ns + self.camera.frame_ns)
            began_ns = time.monotonic_ns()
            verdicts = self.box.step()
            verdicts += self.box.tell(self.world.observations())
            self.world.hear(verdicts, to_act=self.referee.table.to_act)
            self.verdicts += verdicts
            yield Step(self.world.now_ns, tuple(verdicts), time.monotonic_ns() - began_ns)

    @property
    def state(self) -> str:
        """What the pile looks like to the camera."""
        return self.box.watchers[0].state

    def score(self) -> Score:
        """The referee against the truth."""
        return score(self.world.truth.slaps, self.verdicts)

    def close(self) -> None:
        """Release pins and files."""
        self.box.close()


def use_one_thread() -> None:
    """Let OpenCV work on one core: more would not be faster on such small pictures."""
    import cv2

    cv2.setNumThreads(1)
