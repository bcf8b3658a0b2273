"""One game of the simulated box while things fail: real pads, stamps, camera watch and referee.

Only the reading of cards is left out unless pixels are asked for (hardware.simulated.true_sight).
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from random import Random
from typing import cast

from hardware.display import MatrixDisplay
from hardware.drawing import draw
from hardware.gpio import mock_factory
from hardware.pads import GpioPads, pad_of_kind
from hardware.pins import read_pins
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.faulty import KINDS, Troubles
from hardware.simulated.faulty_camera import FaultySocket
from hardware.simulated.faulty_pads import FaultyPads
from hardware.simulated.faulty_parts import FaultyMatrix, stepping_wall_clock
from hardware.simulated.pads import SimulatedPads
from hardware.simulated.players import SimulatedPlayers
from hardware.simulated.true_sight import TrueCamera, TrueWatcher
from hardware.simulated.usual_slaps import agreed_slaps
from hardware.simulated.world import World
from referee.rules.house_rules import house_rules
from referee.rules.position import Deal
from referee.rules.referee import Referee
from referee.rules.verdicts import Verdict
from referee.service.announce import announce, announce_fault
from referee.service.box import Box, Watcher
from referee.service.config import CameraSettings
from referee.service.faults.fault import FaultChange
from referee.service.faults.looks import AskLook, DisplayLook, PileLook
from referee.service.faults.pads_look import PadsLook
from referee.service.faults.steady_camera import SteadyCamera
from referee.service.faults.watchman import Watchman
from referee.service.journal.journal import Journal
from referee.service.journal.record import GameRecord
from referee.service.journal.resume import NOTICES
from referee.service.patient import PatientWatcher, WaitingWatcher
from referee.service.soak.full_disk import FullDisk
from referee.service.watchers import drawn_zones, watchers_for

NAMES = ("Ann", "Bo", "Cleo", "Dan", "Eve", "Fin")
SIZE = (640, 480)
MS = 1_000_000
SETTLE_NS = 500 * MS
PATIENT_NS = 300 * MS
"""So long people wait after the last look at a display that says that the box cannot see."""
LAST_HANDS_NS = 4000 * MS
"""Time for the winner to take his last pile."""
FRAMES_A_STEP = (1, 4)
"""A busy box takes several frames at once."""
WRITE_EVERY = 3
"""Steps between two pictures of the matrix."""
UNREAD_EVERY = 61
"""One laying in so many cannot be read."""


@dataclass(frozen=True, slots=True)
class SoakPlan:
    """What kind of game it is."""

    seed: int
    game: str = "slapjack"
    players: tuple[str, ...] = NAMES[:4]
    frames_per_second: float = 30.0
    tempo: float = 1.0
    pixels: bool = False
    kinds: tuple[str, ...] = tuple(KINDS)
    """Which troubles come."""


class SoakGame:
    """A game that plays itself while things fail."""

    def __init__(self, plan: SoakPlan, journal: Journal | None = None) -> None:
        """Lay the table.

        Args:
            plan: Game, people, troubles.
            journal: Where the game is kept, if anywhere.
        """
        self.plan = plan
        rules = house_rules(plan.game)
        people: list[SimulatedPlayers] = []

        def seat(world: World) -> SimulatedPlayers:
            people.append(SimulatedPlayers(world, agreed_slaps(rules)))
            return people[0]

        self.world = World(plan.seed, plan.game, plan.players, tempo=plan.tempo, people=seat)
        self.people = people[0]
        self.troubles = Troubles(plan.seed, plan.players, self.world.now_ns, plan.kinds)
        self.referee = Referee(plan.game, plan.players, rules, Deal(dealer=self.world.dealer))
        self.seats = {player: seat for seat, player in enumerate(plan.players, 1)}
        self.pads = self._pads()
        source = self._camera()
        socket = FaultySocket(source, self.troubles, self._now, plan.seed)
        self.camera = SteadyCamera(socket.open, now=self._now, camera=socket.open())
        self.matrix = FaultyMatrix(self.troubles, self._now)
        self.display = MatrixDisplay(self.matrix, now=self._now, writes=False)
        self.journal = journal
        self.record: GameRecord | None = None
        self.box = Box(self.referee, [self.pads], self.camera, self._watchers(), log=self._log())
        self.watchman = Watchman(
            [
                PadsLook(self.pads, self.seats),
                self.camera,
                PileLook(self.box.watchers),
                DisplayLook(self.display),
                AskLook(self._journal_trouble),
            ]
        )
        self.frame_ns = source.frame_ns
        self._rng = Random(f"soak {plan.seed}")
        self.verdicts: list[Verdict] = []
        self.changes: list[tuple[int, FaultChange]] = []
        """Every fault that came or went, with its time."""
        self.steps = 0
        self.spoken_while_suspended: list[Verdict] = []
        """Rulings on a time that no heartbeat covers: must stay empty."""

    def _now(self) -> int:
        return self.world.now_ns

    def _pads(self) -> GpioPads:
        pins, kind = read_pins(), pad_of_kind("at42qt1010", 0)
        pads = GpioPads(
            {name: pad_of_kind("at42qt1010", pins.pads[seat]) for name, seat in self.seats.items()},
            pins.heartbeat_out,
            pins.heartbeat_in,
            mock_factory(),
            settle_ns=SETTLE_NS,
            now=self._now,
            proves_clock=True,
        )
        faulty = FaultyPads(
            self.world,
            pads.pins,
            pads.heartbeat_pin,
            self.troubles,
            active_high=kind.active_high,
            keep_hand_down=self.people.keep_hand_down,
        )
        SimulatedPads(
            self.world,
            faulty.pins,
            faulty.heartbeat,
            fastest_ns=kind.fastest_ns,
            slowest_ns=kind.slowest_ns,
            active_high=kind.active_high,
        )
        self.world.follow(faulty)
        return pads

    def _camera(self) -> TrueCamera | SimulatedCamera:
        if self.plan.pixels:
            fps = self.plan.frames_per_second
            return SimulatedCamera(self.world, language="de", size=SIZE, fps=fps)
        return TrueCamera(self.world, fps=self.plan.frames_per_second)

    def _watchers(self) -> list[Watcher]:
        if not self.plan.pixels:
            watcher = TrueWatcher(unread_every=UNREAD_EVERY)
            patient = PatientWatcher(cast("WaitingWatcher", watcher), watcher.where)
            return [cast("Watcher", patient)]
        zones = drawn_zones(self.plan.game, SIZE)
        return watchers_for(self.plan.game, self.plan.players, CameraSettings(deck="de"), zones)

    def _log(self) -> FullDisk | None:
        if self.journal is None:
            return None
        told = {"demo": True, "stamp": "demo", "deck": "de", "boot": "", "version": ""}
        self.record = self.journal.begin(self.referee.header, told, time.time_ns() // MS)
        return FullDisk(self.record, self._is_full)

    def _is_full(self) -> bool:
        return self.troubles.now("disk_full", self._now()) is not None

    def _journal_trouble(self) -> tuple[str, str] | None:
        trouble = self.journal.trouble if self.journal else None
        return None if trouble is None else (trouble.code.value, trouble.detail)

    # --- playing ---

    def play(self, limit_ns: int) -> None:
        """Play until somebody has won, or the limit of simulated time is reached."""
        end_ns = self.world.now_ns + limit_ns
        with ExitStack() as stack:
            stack.callback(self.close)
            stack.enter_context(stepping_wall_clock(self.troubles, self._now))
            while not self.world.is_over and self.world.now_ns < end_ns:
                self.step()
            self._settle()
            if self.record is not None:
                self.record.end(self.referee.table, time.time_ns() // MS)

    def _settle(self) -> None:
        """Let the last hands take their cards: nothing is flipped any more."""
        end_ns = self.world.now_ns + LAST_HANDS_NS
        while self.world.now_ns < end_ns:
            self.step()

    def step(self) -> None:
        """One round of the box's loop, which is sometimes late."""
        self.steps += 1
        frames = self._rng.randint(*FRAMES_A_STEP)
        self.world.advance(self.world.now_ns + frames * self.frame_ns)
        was_suspended = self.watchman.is_suspended
        verdicts = self.box.step()
        changes = self.watchman.step(self.world.now_ns)
        if was_suspended and self.watchman.is_suspended:
            self.spoken_while_suspended += [one for one in verdicts if self._is_uncovered(one)]
        verdicts = verdicts + self.box.tell(self.world.observations())
        if verdicts:
            self.world.hear(verdicts, to_act=self.referee.table.to_act)
        self.verdicts += verdicts
        self.changes += [(self.world.now_ns, change) for change in changes]
        if self.watchman.is_blind or self.watchman.is_suspended:
            self.people.be_patient(self.world.now_ns + PATIENT_NS)
        self._show(verdicts, changes)

    def _is_uncovered(self, verdict: Verdict) -> bool:
        """Edges that were only late still cover what came before them."""
        newest_ns = self.pads.pulse.newest_ns or 0
        return verdict.kind not in NOTICES and verdict.t_ns > newest_ns

    def _show(self, verdicts: Iterable[Verdict], changes: Iterable[FaultChange]) -> None:
        """Write what is said to the matrix, as the box does."""
        said = [announce(verdict, self.seats) for verdict in verdicts]
        said += [announce_fault(one.code, one.seat) for one in changes if one.on]
        for announcement in said:
            if announcement is not None:
                self.display.show(draw(announcement, self.display.size, demo=True))
        if self.steps % WRITE_EVERY == 0:
            self.display.write()

    def close(self) -> None:
        """Release everything."""
        self.box.close()
        self.display.close()
