"""`referee calibrate pads|camera|light`: measure this box and remember it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from referee.locale import text
from referee.rules.errors import RefereeError
from referee.service.calibration.file import calibration_file
from referee.service.calibration.latency import WANTED_TAPS
from referee.service.config import load_settings
from referee.service.play import is_pi

BOX_SETTINGS = Path("/etc/referee/referee.toml")
DEMO_FILE = Path("calibration-demo.toml")


STYLES = {"good": ("+", "green"), "poor": ("!", "yellow"), "bad": ("X", "bold red")}
"""Never colour alone: some do not see it, and a log has none."""


class TerminalTalk:
    """Talks to the person in front of the terminal."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._status = Console(stderr=True).status("")

    def tell(self, line: str, grade: str = "") -> None:
        """Say something."""
        self._status.stop()
        sign, style = STYLES.get(grade, ("", ""))
        self._console.print(Text(f"{sign} {line}" if sign else line, style), soft_wrap=True)

    def ask(self, line: str) -> None:
        """Wait for the Enter key.

        Raises:
            RefereeError: Nobody is there to press it.
        """
        self.tell(line)
        try:
            input()
        except EOFError as error:
            raise RefereeError(
                text("calibrate", "nobody pressed Enter, expected a terminal (ssh -t)")
            ) from error

    def progress(self, line: str) -> None:
        """Show how far it is, if somebody can see it."""
        self._status.update(line)
        self._status.start()


class What(StrEnum):
    """What can be measured."""

    pads = "pads"
    camera = "camera"
    light = "light"


class CardFormat(StrEnum):
    """Sizes of cards."""

    poker = "poker"
    bridge = "bridge"
    skat = "skat"


def run(
    what: Annotated[What, typer.Argument(help="pads, camera or light.")],
    camera: Annotated[
        str | None,
        typer.Option(help="pi, a webcam's number, a film or a folder of pictures."),
    ] = None,
    seat: Annotated[
        list[int] | None, typer.Option(min=1, max=8, help="Only these pads; may be repeated.")
    ] = None,
    taps: Annotated[int, typer.Option(min=50, max=1000, help="Taps on each pad.")] = WANTED_TAPS,
    foil: Annotated[
        int | None, typer.Option(help="Pin of the foil; default: the heartbeat's input.")
    ] = None,
    card: Annotated[CardFormat, typer.Option(help="Size of the card.")] = CardFormat.poker,
    places: Annotated[
        int, typer.Option(min=1, max=9, help="Places at which the light is measured.")
    ] = 2,
    demo: Annotated[bool, typer.Option("--demo", help="Without a box: everything simulated.")] = (
        False
    ),
    seed: Annotated[int, typer.Option(help="Of the demo.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Calibration file.")] = None,
    picture: Annotated[Path, typer.Option(help="Where the camera's view goes.")] = Path(
        "calibration.png"
    ),
    settings: Annotated[
        Path | None, typer.Option(help="Settings file; default: the box's, if there is one.")
    ] = None,
) -> None:
    """Measure this box.

    Raises:
        typer.Exit: With code 1 if something is bad.
        RefereeError: It cannot be measured like this; the sentence says how to mend it.
    """
    agreed = load_settings(settings or (BOX_SETTINGS if BOX_SETTINGS.exists() else None))
    if demo and camera is not None:
        raise RefereeError("both --demo and --camera, expected one of them")
    demo = demo or (what is What.camera and camera is None and not is_pi())
    # What was not measured on the box must never become the box's calibration.
    file = out or (DEMO_FILE if demo else calibration_file())
    talk = TerminalTalk()
    if what is What.pads:
        from referee.service.calibration.measure_pads import measure_pads

        good = measure_pads(
            agreed, file, talk, seats=seat, taps=taps, foil=foil, demo=demo, seed=seed
        )
    elif what is What.camera:
        from referee.service.calibration.measure_camera import measure_camera

        good = measure_camera(
            agreed,
            file,
            talk,
            camera=camera,
            card=card.value,
            picture=picture,
            demo=demo,
            seed=seed,
        )
    else:
        from referee.service.calibration.measure_light import measure_light

        good = measure_light(
            agreed, file, talk, camera=camera or "pi", places=places, demo=demo, seed=seed
        )
    if not good:
        raise typer.Exit(1)
