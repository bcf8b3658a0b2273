"""The guides of one box: which calibration each of them runs, and where it is written."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from referee.service.calibration.file import calibration_file
from referee.service.calibration.latency import WANTED_TAPS
from referee.service.calibration.talk import Talk
from referee.service.guides import Guide, TalkGuide
from referee.service.settings.fields import Settings

DEMO_FILE = "calibration-demo.toml"
"""What was not measured on the box must never become the box's calibration."""
VIEW_FILE = "camera-view.png"
SHOWN_PX = 640


def guides_of(
    settings: Settings, camera: str | None, *, is_box: bool, folder: Path
) -> dict[str, Callable[[], Guide]]:
    """Name of a guide -> begins it.

    Args:
        settings: Of the box.
        camera: What is looked through; None: the drawn table.
        is_box: There are real pads.
        folder: Where pictures and a demo's calibration go.
    """
    view = folder / VIEW_FILE

    def file(real: bool) -> Path:
        return calibration_file() if real else folder / DEMO_FILE

    def pads(talk: Talk) -> bool:
        from referee.service.calibration.measure_pads import measure_pads

        return measure_pads(settings, file(is_box), talk, taps=WANTED_TAPS, demo=not is_box)

    def look(talk: Talk) -> bool:
        from referee.service.calibration.measure_camera import measure_camera

        folder.mkdir(parents=True, exist_ok=True)
        return measure_camera(
            settings,
            file(camera is not None),
            talk,
            camera=camera,
            card="poker",
            picture=view,
            demo=camera is None,
        )

    def enrol() -> Guide:
        from referee.service.enrol_guide import LateGuide, begin_enrolment

        return LateGuide(lambda: begin_enrolment(settings, camera))

    return {
        "enrol": enrol,
        "pads": lambda: TalkGuide("pads", pads, lambda: ""),
        "camera": lambda: TalkGuide("camera", look, lambda: jpeg_of(view)),
    }


def jpeg_of(path: Path) -> str:
    """A picture file as a small JPEG, base64; empty if there is none."""
    try:
        with Image.open(path) as picture:
            small = picture.convert("RGB")
    except OSError:
        return ""
    small.thumbnail((SHOWN_PX, SHOWN_PX))
    out = io.BytesIO()
    small.save(out, format="JPEG", quality=80)
    return base64.b64encode(out.getvalue()).decode()
