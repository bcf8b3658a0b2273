"""A game with people: keys or pads, a camera or the drawn table, the same loop as the box."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hardware.cameras import PI_CAMERA, open_camera
from hardware.display import NoDisplay
from hardware.gpio import kernel_factory
from hardware.keys import Keys
from hardware.pins import read_pins
from hardware.protocols import Camera, Display, Frame, Pads
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.human_spit import HumanSpitPlayers
from hardware.simulated.humans import HumanPlayers
from hardware.simulated.usual_slaps import agreed_slaps
from hardware.simulated.world import World
from referee.rules.events import Ruling, Slap
from referee.rules.house_rules import HouseRules
from referee.rules.position import Deal
from referee.rules.referee import Referee
from referee.rules.verdicts import Verdict
from referee.service.box import Box
from referee.service.calibration.file import Calibration, calibration_file, read_calibration
from referee.service.config import CameraSettings, Settings
from referee.service.log import LogWriter
from referee.service.real_box import real_display, real_pads
from referee.service.watchers import Zone, camera_zones, drawn_zones, watchers_for

MODEL_FILE = Path("/proc/device-tree/model")
DRAWN_SIZE = (640, 480)
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
        house_rules: HouseRules,
        *,
        game: str,
        players: Sequence[str],
        camera: str | None,
        seed: int = 0,
        log: Path | None = None,
        keys: bool = True,
    ) -> None:
        """Lay the table.

        Args:
            settings: The box's settings.
            house_rules: What the table agreed.
            game: Which game.
            players: In seat order.
            camera: "pi", a number, a film or a folder; None: the drawn table.
            seed: Order of the cards of the drawn table.
            log: Where to write the log, if anywhere.
            keys: Take keys 1-8 of this terminal as pads.

        Raises:
            RefereeError: A part cannot be had; the text says which and how to mend it.
        """
        self.table: DrawnTable | None = None
        calibration = Calibration() if camera is None else read_calibration(calibration_file())
        seen = with_calibration(settings.camera, calibration)
        self.display: Display = NoDisplay(settings.display.width)
        pads: list[Pads] = []
        if is_pi() and camera is not None:
            pads.append(
                real_pads(settings.pads.kind, players, read_pins(), calibration, kernel_factory())
            )
            self.display = real_display(settings.display)
        self.keys = Keys(players) if keys else None
        if self.keys is not None:
            pads.append(self.keys)
        self.camera: Camera
        if camera is None:
            self.table = _drawn_table(game, players, house_rules, seed)
            self.camera = SimulatedCamera(
                self.table.world, language=settings.camera.deck, size=DRAWN_SIZE
            )
        else:
            self.camera = _open_camera(camera, seen, calibration)
        self.referee = Referee(
            game,
            players,
            house_rules,
            Deal(dealer=players[-1]),
            lockout_ms=settings.pads.lockout_ms,
        )
        writer = LogWriter(log, self.referee.header) if log else None
        zones: Sequence[Zone | None] = (
            drawn_zones(game, DRAWN_SIZE) if camera is None else camera_zones(game, seen.zone)
        )
        watchers = watchers_for(game, players, seen, zones)
        self.frame: Frame | None = None
        self.box = Box(
            self.referee, pads, self.camera, watchers, log=writer, on_frame=self._keep_frame
        )

    @property
    def is_demo(self) -> bool:
        """Cards or pads are not real."""
        return self.table is not None

    @property
    def is_over(self) -> bool:
        """Somebody has won, or no picture will ever come again."""
        return self.referee.table.winner is not None or self.camera.is_finished

    def flip(self) -> None:
        """Space was pressed: the next card, on the drawn table."""
        if self.table is not None:
            self.table.people.flip_next()

    def use(self, player: str, place: int) -> None:
        """A stock pile's key was pressed: Spit on the drawn table."""
        if self.table is not None and isinstance(self.table.people, HumanSpitPlayers):
            self.table.people.use(player, place)

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

    def tell(self, ruling: Ruling) -> list[Verdict]:
        """The table overrules the box."""
        verdicts = self.box.tell([ruling])
        self._hear(verdicts)
        return verdicts

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

    def _hear(self, verdicts: list[Verdict]) -> None:
        """The drawn table does with its cards what the box declared."""
        if self.table is not None:
            self.table.world.hear(verdicts, to_act=self.referee.table.to_act)

    def _keep_frame(self, frame: Frame) -> None:
        self.frame = frame

    def close(self) -> None:
        """Release everything."""
        self.box.close()
        self.display.close()


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


def _drawn_table(
    game: str, players: Sequence[str], house_rules: HouseRules, seed: int
) -> DrawnTable:
    seated: list[HumanPlayers | HumanSpitPlayers] = []

    def seat(world: World) -> HumanPlayers | HumanSpitPlayers:
        spit = game == "spit"
        seated.append(
            HumanSpitPlayers(world) if spit else HumanPlayers(world, agreed_slaps(house_rules))
        )
        return seated[0]

    world = World(
        seed=seed,
        game=game,
        players=players,
        tempo=HUMAN_TEMPO,
        start_ns=time.monotonic_ns(),
        people=seat,
    )
    return DrawnTable(world, seated[0])
