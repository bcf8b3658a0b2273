"""A game with people: keys, pads or tablets; a camera or the drawn table; the box's own loop."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hardware.cameras import PI_CAMERA, open_camera
from hardware.gpio import kernel_factory
from hardware.joined_pads import JoinedPads
from hardware.keys import Keys
from hardware.pins import read_pins
from hardware.protocols import Camera, Pads
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.human_spit import HumanSpitPlayers
from hardware.simulated.humans import HumanPlayers
from hardware.simulated.usual_slaps import agreed_slaps
from hardware.simulated.world import World
from hardware.tablets import Tablets
from referee.rules.events import KERNEL, SOFTWARE, Observation, Slap
from referee.rules.position import Deal
from referee.rules.record import Header
from referee.rules.referee import Referee
from referee.rules.verdicts import Verdict
from referee.service.box import Box, Recorder, Recorders
from referee.service.calibration.file import Calibration, calibration_file, read_calibration
from referee.service.config import CameraSettings, Settings, with_camera
from referee.service.faults.looks import PileLook
from referee.service.faults.pads_look import PadsLook
from referee.service.faults.steady_camera import SteadyCamera
from referee.service.faults.watchman import Look
from referee.service.live_game import NewGame
from referee.service.log import LogWriter
from referee.service.real_box import real_pads
from referee.service.setup import Setup
from referee.service.watchers import Zone, around, camera_zones, drawn_zones, watchers_for

MODEL_FILE = Path("/proc/device-tree/model")
DRAWN_SIZE = (640, 480)
FRAMES_WAITING = 8
"""A slow computer loses pictures of the drawn table rather than falling behind for ever."""
HUMAN_TEMPO = 25.0
"""People set the pace; the table only keeps cards apart that are asked for at once."""


def is_pi() -> bool:
    """This is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in MODEL_FILE.read_text()
    except OSError:
        return False


@dataclass(slots=True)
class DrawnTable:
    """The simulated table under the hands of people."""

    world: World
    people: HumanPlayers | HumanSpitPlayers

    def advance(self, now_ns: int) -> None:
        """Let the drawn hands and cards move up to now."""
        self.world.advance(now_ns)


class PlayGame:
    """One game with people."""

    def __init__(
        self,
        settings: Settings,
        new: NewGame,
        *,
        camera: str | None,
        keys: bool = True,
        page: bool = False,
    ) -> None:
        """Lay the table.

        Args:
            settings: The box's settings.
            new: What is to be played, and where it is kept.
            camera: "pi", a number, a film or a folder; None: the drawn table.
            keys: Take keys 1-8 of this terminal as pads.
            page: A drawn table takes touches of the page as pads.

        Raises:
            RefereeError: A part cannot be had; the text says which and how to mend it.
        """
        setup, players = new.setup, new.setup.players
        settings = with_camera(settings, deck=setup.deck)
        self.table: DrawnTable | None = None
        calibration = Calibration() if camera is None else read_calibration(calibration_file())
        seen = with_calibration(settings.camera, calibration)
        self._looks: list[Look] = []
        pads: list[Pads] = []
        self.stamp = SOFTWARE
        if is_pi() and camera is not None:
            wired = real_pads(settings.pads, players, read_pins(), calibration, kernel_factory())
            pads.append(wired)
            self.stamp = KERNEL
            seats = {name: seat for seat, name in enumerate(players, 1)}
            self._looks.append(PadsLook(wired, seats))
        self.keys = Keys(players) if keys else None
        if self.keys is not None:
            pads.append(self.keys)
        self._tablets = Tablets(players) if page and camera is None else None
        if self._tablets is not None:
            pads.append(self._tablets)
        self.camera: Camera
        zones: Sequence[Zone | None]
        if camera is None:
            self.table = _drawn_table(setup)
            self.camera = SimulatedCamera(
                self.table.world,
                language=seen.deck,
                size=DRAWN_SIZE,
                most_waiting=FRAMES_WAITING,
            )
            zones = drawn_zones(setup.game, DRAWN_SIZE)
        else:
            self.camera = self._open_camera(camera, seen, calibration)
            zones = camera_zones(setup.game, seen.zone)
        self.zone = around(zones)
        self.referee = new.referee or Referee(
            setup.game,
            players,
            setup.house_rules,
            Deal(dealer=players[-1]),
            lockout_ms=settings.pads.lockout_ms,
        )
        if self.table is not None and new.table is not None:
            self.table.world.restore(new.table, self.referee.table, new.offset_ns)
        watchers = watchers_for(setup.game, players, seen, zones)
        told = {"demo": camera is None, "stamp": self.stamp, "deck": setup.deck}
        self._record = new.record(self.referee.header, told)
        self._looks.append(PileLook(watchers))
        self.box = Box(
            self.referee,
            [JoinedPads(pads)],
            self.camera,
            watchers,
            log=self._record,
            offset_ns=new.offset_ns,
            on_frame=new.on_frame,
        )

    @property
    def is_demo(self) -> bool:
        """Cards or pads are not real."""
        return self.table is not None

    @property
    def is_interactive(self) -> bool:
        """The page may touch pads and flip cards."""
        return self._tablets is not None

    @property
    def is_over(self) -> bool:
        """Somebody has won, or no picture will ever come again."""
        return self.referee.table.winner is not None or self.camera.is_finished

    def looks(self) -> Sequence[Look]:
        """The parts that can fail."""
        return self._looks

    def flip(self) -> None:
        """Space was pressed: the next card, on the drawn table."""
        if self.table is not None:
            self.table.people.flip_next()

    def use(self, player: str, place: int) -> None:
        """A stock pile's key was pressed: Spit on the drawn table."""
        if self.table is not None and isinstance(self.table.people, HumanSpitPlayers):
            self.table.people.use(player, place)

    def touch(self, player: str, t_ns: int) -> bool:
        """A touch of the page; False if it cannot be taken."""
        return self._tablets is not None and self._tablets.touch(player, t_ns)

    def wake(self) -> None:
        """Somebody sat down at a tablet."""
        if self._tablets is not None:
            self._tablets.wake()

    @property
    def lines(self) -> list[str]:
        """What the drawn players have before them: Spit."""
        if self.table is not None and isinstance(self.table.people, HumanSpitPlayers):
            return self.table.people.lines()
        return []

    def step(self) -> list[Verdict]:
        """Take what has come since the last step."""
        if self.table is not None:
            self.table.advance(time.monotonic_ns())
        before = len(self.referee.log)
        verdicts = self.box.step()
        if self.table is not None:
            for seen in self.referee.log[before:]:
                if isinstance(seen, Slap):
                    self.table.people.show_hand(seen.player)
        self._hear(verdicts)
        return verdicts

    def hear(self, told: Iterable[Observation]) -> list[Verdict]:
        """What comes from elsewhere than pads and camera, such as a ruling of the table."""
        verdicts = self.box.tell(told)
        self._hear(verdicts)
        return verdicts

    def snapshot(self) -> dict[str, Any] | None:
        """A drawn table at rest, as plain values; None: the table is real and keeps itself."""
        return self.table.world.snapshot() if self.table is not None else None

    def touches(self) -> list[Slap]:
        """Touches since the last call that nobody rules on: the game is over."""
        self.box.camera.frames()
        seen = [one for pads in self.box.pads for one in pads.observations()]
        return [one for one in seen if isinstance(one, Slap)]

    def finish(self) -> list[Verdict]:
        """Nothing more will come: decide what is held."""
        return self.referee.finish()

    def commands(self) -> list[str]:
        """Keys that are nobody's pad."""
        return self.keys.commands() if self.keys else []

    @property
    def state(self) -> str:
        """What the camera makes of the pile."""
        return self.box.watchers[0].state

    def close(self) -> None:
        """Release everything."""
        self.box.close()

    def _hear(self, verdicts: list[Verdict]) -> None:
        """The drawn table does with its cards what the box declared."""
        if self.table is not None:
            self.table.world.hear(verdicts, to_act=self.referee.table.to_act)

    def _open_camera(self, what: str, settings: CameraSettings, calibration: Calibration) -> Camera:
        """A camera; a live one is opened anew when it is lost."""
        camera = _open_camera(what, settings, calibration)
        if what != PI_CAMERA and not what.isdecimal():
            return camera
        steady = SteadyCamera(lambda: _open_camera(what, settings, calibration), camera=camera)
        self._looks.append(steady)
        return steady


def with_log(new: NewGame, path: Path | None) -> NewGame:
    """The same game, written to a log file, too."""
    if path is None:
        return new

    def record(header: Header, box: dict[str, Any]) -> Recorder:
        kept = new.record(header, box)
        return Recorders([LogWriter(path, header), *([kept] if kept is not None else [])])

    return replace(new, record=record)


def _open_camera(what: str, settings: CameraSettings, calibration: Calibration) -> Camera:
    """The camera; the Pi's own one with its calibrated exposure and focus."""
    lock = calibration.camera.lock(settings.frames_per_second) if calibration.camera else None
    if what == PI_CAMERA and lock is not None:
        from hardware.camera import PiCamera

        return PiCamera(lock)
    return open_camera(what)


def with_calibration(settings: CameraSettings, calibration: Calibration) -> CameraSettings:
    """What the settings leave open is taken from the calibration; a demo's is not used."""
    measured = calibration.camera
    if measured is None or measured.demo:
        return settings
    return CameraSettings(
        deck=settings.deck,
        card_height_px=settings.card_height_px or measured.card_height_px,
        zone=settings.zone or measured.zone,
        frames_per_second=settings.frames_per_second,
    )


def _drawn_table(setup: Setup) -> DrawnTable:
    """A table for people."""
    seated: list[HumanPlayers | HumanSpitPlayers] = []

    def seat(world: World) -> HumanPlayers | HumanSpitPlayers:
        spit = setup.game == "spit"
        seated.append(
            HumanSpitPlayers(world)
            if spit
            else HumanPlayers(world, agreed_slaps(setup.house_rules))
        )
        return seated[0]

    world = World(
        seed=setup.seed or 0,
        game=setup.game,
        players=setup.players,
        tempo=HUMAN_TEMPO,
        start_ns=time.monotonic_ns(),
        people=seat,
    )
    return DrawnTable(world, seated[0])
