"""`referee enrol`: teach the box a deck of your own."""

from __future__ import annotations

import select
import sys
import time
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.console import Console
from rich.text import Text

from hardware.cameras import PI_CAMERA, open_camera
from hardware.display import NoDisplay
from hardware.protocols import Display
from hardware.simulated.deck import Language as DeckLetters
from models.decks import LANGUAGES
from models.enrol.folder import FolderTeaching, named_pictures
from models.enrol.profile import (
    check_name,
    decks_folder,
    profile_file,
    taught_decks,
    write_profile,
)
from models.enrol.teaching import CHECKS, LOOKS, Teaching
from models.reader import Reader
from referee.commands.choices import DeckName, SettingsOption, Width
from referee.locale import language, text
from referee.rules.errors import RefereeError
from referee.service.config import load_settings
from referee.service.enrolment import Enrolment, Told
from referee.service.enrolment_demo import DrawnTeaching
from referee.service.enrolment_words import done_sentence, skipped_sentence, trouble_sentence
from referee.service.play import is_pi
from referee.service.real_box import open_display

DRAWN = "drawn"
STEP_S = 0.02
"""Pause between two looks at a real camera."""
STYLES = {True: ("+", "green"), False: ("X", "bold red"), None: (">", "bold")}
"""Good, bad, wanted: never colour alone."""


def run(
    name: Annotated[
        str, typer.Option(help=text("enrol", "How the deck is called from now on, such as oma."))
    ] = "",
    camera: Annotated[
        str | None,
        typer.Option(
            help=text(
                "enrol",
                "pi, a webcam's number, a film, a folder of pictures named A-1.jpg, 10H.jpg, "
                "or drawn.",
            )
        ),
    ] = None,
    deck: Annotated[
        DeckName | None,
        typer.Option(help=text("enrol", "Letters in the corners: en, de, fr or nl.")),
    ] = None,
    looks: Annotated[
        int, typer.Option(min=2, max=6, help=text("enrol", "How often each card is looked at."))
    ] = LOOKS,
    check: Annotated[
        int,
        typer.Option(
            min=4, max=13, help=text("enrol", "Cards that are asked for again at the end.")
        ),
    ] = CHECKS,
    out: Annotated[
        Path | None,
        typer.Option(help=text("enrol", "Where the deck is kept; default: with the others.")),
    ] = None,
    names: Annotated[
        bool, typer.Option("--list", help=text("enrol", "Only print which decks were taught here."))
    ] = False,
    style: Annotated[str, typer.Option(help=text("enrol", "Look of the drawn deck."))] = "classic",
    seed: Annotated[int, typer.Option(help=text("enrol", "Of the drawn table."))] = 1,
    width: Annotated[
        Width, typer.Option(help=text("enrol", "Width of the LED matrix."))
    ] = Width.narrow,
    settings: SettingsOption = None,
) -> None:
    """Teach one deck.

    Raises:
        typer.Exit: With code 1 if the deck was refused.
        RefereeError: It cannot be taught like this; the sentence says how to mend it.
    """
    if names:
        _print_names()
        return
    if not name:
        raise RefereeError("the deck needs a name, expected a word such as oma (--name oma)")
    agreed = load_settings(settings)
    letters = _letters(deck.value if deck else agreed.camera.deck)
    file = out or profile_file(check_name(name))
    source = camera or (PI_CAMERA if is_pi() else DRAWN)
    if Path(source).is_dir():
        good = _from_folder(Path(source), name, letters, file)
    else:
        is_drawn = source == DRAWN
        reader = Reader(letters)
        teaching = Teaching(reader, name, letters, looks=looks, checks=check, demo=is_drawn)
        table = DrawnTeaching(seed=seed, style=style, language=letters) if is_drawn else None
        enrolment = Enrolment(
            teaching, table or open_camera(source), deck=letters, file=file, demo=is_drawn
        )
        display: Display = NoDisplay(int(width))
        if is_pi() and not is_drawn:
            display = open_display(agreed.display)
        try:
            good = Guide(enrolment, display, table).run()
        finally:
            enrolment.close()
            display.close()
    if not good:
        raise typer.Exit(1)


def _letters(deck: str) -> DeckLetters:
    """Of a settings file: its deck may be one that was taught."""
    return cast("DeckLetters", deck if deck in LANGUAGES else "en")


class Guide:
    """The terminal and the LED matrix around one deck being taught."""

    def __init__(
        self, enrolment: Enrolment, display: Display, table: DrawnTeaching | None = None
    ) -> None:
        """Prepare; nothing is shown yet."""
        self._enrolment, self._display, self._table = enrolment, display, table
        self._console = Console(highlight=False)

    def run(self) -> bool:
        """Guide to the end; whether the deck was learned."""
        if self._table is not None:
            self._print(
                "!", "yellow", text("enrol", "DEMO: the table, the deck and the hands are drawn.")
            )
        elif sys.stdin.isatty():
            line = text("enrol", "Enter: this is the card that was asked for. q and Enter: stop.")
            self._print(" ", "", line)
        self._tell(self._enrolment.first())
        while not self._enrolment.is_over:
            if self._table is not None:
                self._table.teacher.obey(self._enrolment.teaching.ask)
            else:
                time.sleep(STEP_S)
            for told in [*self._enrolment.step(), *self._pressed()]:
                self._tell(told)
            self._show()
        return bool(self._enrolment.ok)

    def _pressed(self) -> list[Told]:
        """Enter insists, q ends."""
        if self._table is not None or not sys.stdin.isatty():
            return []
        ready, _, _ = select.select([sys.stdin], [], [], 0)
        if not ready:
            return []
        line = sys.stdin.readline()
        return self._enrolment.act("next" if line.strip() == "" and line else "cancel")

    def _tell(self, told: Told) -> None:
        self._print(*STYLES[told.good], told.sentences[language()])
        self._show()

    def _print(self, sign: str, style: str, line: str) -> None:
        self._console.print(Text(f"{sign} {line}", style), soft_wrap=True)

    def _show(self) -> None:
        self._display.show(self._enrolment.picture(self._display.size))


def _from_folder(folder: Path, name: str, letters: str, file: Path) -> bool:
    """Teach from pictures; whether the deck was learned."""
    teaching = FolderTeaching(Reader(letters), name, letters)
    skipped = 0
    for one in teaching.learn(named_pictures(folder)):
        typer.echo(f"{one.path.name}: {skipped_sentence(one, letters)}")
        skipped += 1
    if skipped:
        typer.echo(text("enrol", "Pictures that taught nothing: {count}.").format(count=skipped))
    if teaching.trouble is not None or teaching.profile is None:
        assert teaching.trouble is not None
        typer.echo(f"X {trouble_sentence(teaching.trouble, letters)}")
        return False
    if teaching.checked:
        line = text("enrol", "Pictures of {count} cards held back as a test: read.")
        typer.echo(line.format(count=teaching.checked))
    write_profile(teaching.profile, file)
    typer.echo(f"+ {done_sentence(teaching.profile, file)}")
    return True


def _print_names() -> None:
    names = taught_decks(decks_folder())
    if names:
        line = text("enrol", "Decks that were taught here: {names}")
        typer.echo(line.format(names=", ".join(names)))
    else:
        typer.echo(text("enrol", "No deck was taught here yet: referee enrol --name oma"))
