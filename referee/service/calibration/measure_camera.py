"""`referee calibrate camera`: one look at a card in the middle of the mat."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hardware.cameras import PI_CAMERA, open_camera
from hardware.clock import NS_PER_MS
from hardware.lock_finder import find_lock
from hardware.protocols import Camera, Image
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.world import World
from hardware.webcam import BadCamera
from referee.locale import text
from referee.rules.errors import RefereeError
from referee.service.calibration.advice import Advice, Grade, advice_on
from referee.service.calibration.file import (
    CameraMeasured,
    read_calibration,
    write_calibration,
)
from referee.service.calibration.picture import draw_view
from referee.service.calibration.scene import CameraView, look
from referee.service.calibration.talk import Talk
from referee.service.config import Settings

WANTED_FRAMES = 15
PATIENCE_S = 15.0
ROUND_S = 0.02
FIRST_CARD_NS = 2_200 * NS_PER_MS
"""By then a simulated player has laid the first card."""


class BadPicture(RefereeError, OSError):
    """The picture cannot be written."""


def measure_camera(
    settings: Settings,
    file: Path,
    talk: Talk,
    *,
    camera: str | None,
    card: str,
    picture: Path,
    demo: bool = False,
    seed: int = 1,
) -> bool:
    """Look, judge, draw and write down.

    Args:
        settings: Frame rate.
        file: Calibration file.
        talk: To the person at the table.
        camera: What to open; None: the Pi's own.
        card: Size of the card: a key of `scene.CARD_MM`.
        picture: Where the picture of the view goes.
        demo: Use the simulated table.
        seed: Of that table.

    Returns:
        Nothing is bad.

    Raises:
        RefereeError: No camera, no picture, no card.
    """
    images, measured = _images(settings, talk, camera or PI_CAMERA, demo=demo, seed=seed)
    view = look(images, card)
    advice = advice_on(view)
    for one in advice:
        talk.tell(f"{one.topic}: {one.found}" + (f" -> {one.mend}" if one.mend else ""), one.grade)
    _save(images[-1], view, advice, picture, demo=demo)
    talk.tell(text("calibrate", "picture: {path}").format(path=picture))
    known = read_calibration(file)
    write_calibration(file, replace(known, camera=_measured(view, measured, demo=demo)))
    talk.tell(text("calibrate", "written: {path}").format(path=file))
    return all(one.grade is not Grade.BAD for one in advice)


def _images(
    settings: Settings, talk: Talk, camera: str, *, demo: bool, seed: int
) -> tuple[list[Image], dict[str, object]]:
    if demo:
        talk.tell(text("calibrate", "DEMO: the simulated table."))
        return _simulated(seed), {}
    lock: dict[str, object] = {}
    if camera == PI_CAMERA:
        found = find_lock(frames_per_second=settings.camera.frames_per_second)
        names = ("exposure_us", "gain", "colour_gains", "lens_dioptres")
        lock = {name: getattr(found, name) for name in names}
        from hardware.camera import PiCamera

        return collect(PiCamera(found), time.sleep), lock
    return collect(open_camera(camera), time.sleep), lock


def _simulated(seed: int) -> list[Image]:
    world = World(seed=seed, surface="mat")
    camera = SimulatedCamera(world)
    world.advance(world.now_ns + FIRST_CARD_NS)
    return [frame.image for frame in camera.frames()[-WANTED_FRAMES:]]


def collect(camera: Camera, wait: Callable[[float], None]) -> list[Image]:
    """Frames until there are enough, or the film is over; the camera is closed then.

    Raises:
        BadCamera: It gives none.
    """
    images: list[Image] = []
    waited_s = 0.0
    try:
        while len(images) < WANTED_FRAMES and not camera.is_finished and waited_s < PATIENCE_S:
            images += [frame.image for frame in camera.frames()]
            wait(ROUND_S)
            waited_s += ROUND_S
    finally:
        camera.close()
    if not images:
        raise BadCamera(
            f"no picture within {PATIENCE_S:.0f} s, expected some from the camera (referee doctor)"
        )
    return images


def _save(
    image: Image, view: CameraView, advice: list[Advice], picture: Path, *, demo: bool
) -> None:
    try:
        draw_view(image, view, advice, demo=demo).save(picture)
    except (OSError, ValueError) as error:
        raise BadPicture(
            f"cannot write {picture}: {error}, expected a name such as view.png (--picture)"
        ) from error


def _measured(view: CameraView, lock: dict[str, object], *, demo: bool) -> CameraMeasured:
    return CameraMeasured(
        card_height_px=view.card.height_px,
        zone=view.zone,
        mm_per_px=view.mm_per_px,
        size=view.size,
        edge_px=view.card.edge_px,
        paper=view.card.paper,
        mat=view.mat or (),
        demo=demo,
        **lock,  # type: ignore[arg-type]
    )
