"""`referee settings`: check the settings file, show what is in force, edit it safely."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from referee.commands.settings_edit import edit
from referee.locale import text
from referee.rules.errors import RefereeError
from referee.rules.handbook import notation
from referee.service.calibration.file import (
    BadCalibration,
    Calibration,
    calibration_file,
    read_calibration,
)
from referee.service.config import BOX_SETTINGS, Mistake, Settings, read_settings
from referee.service.settings.check import check
from referee.service.settings.commented import commented
from referee.service.settings.in_force import InForce, in_force
from referee.service.settings.keys import RULES
from referee.service.settings.mistakes import written
from referee.service.settings.statements import Document

BAD_INPUT = 2


class What(StrEnum):
    """What to do with the file."""

    check = "check"
    show = "show"
    edit = "edit"


def run(
    what: Annotated[What, typer.Argument(help=text("settings", "check, show or edit."))],
    file: Annotated[
        Path | None,
        typer.Argument(
            help=text("settings", "Settings file; without it the box's, if there is one.")
        ),
    ] = None,
    as_commented: Annotated[
        bool,
        typer.Option(
            "--commented", help=text("settings", "show: write a file with every key explained.")
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help=text("settings", "show, check: for programs."))
    ] = False,
) -> None:
    """Check, show or edit the settings.

    Raises:
        typer.Exit: With code 2 if the file has mistakes.
        RefereeError: Nothing can be edited here.
    """
    path = file or (BOX_SETTINGS if BOX_SETTINGS.exists() else None)
    if what is What.edit:
        if path is None:
            raise RefereeError(text("settings", "no settings file here, expected its name"))
        edit(path)
        return
    settings, document, mistakes = _read(path)
    if what is What.check:
        _check(path, mistakes, as_json=as_json)
    elif as_commented:
        _refuse(mistakes)
        print(commented(document.tree), end="")
    else:
        _show(in_force(settings, document, _calibration()), mistakes, as_json=as_json)


def _read(path: Path | None) -> tuple[Settings, Document, list[Mistake]]:
    """The settings, the file and its mistakes."""
    if path is None:
        return Settings(), Document("settings"), []
    content, mistake = read_settings(path)
    if mistake is not None:
        return Settings(), Document(str(path)), [mistake]
    return check(content, str(path))


def _calibration() -> Calibration:
    try:
        return read_calibration(calibration_file())
    except BadCalibration as error:
        print(error, file=sys.stderr)
        return Calibration()


def _check(path: Path | None, mistakes: list[Mistake], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([_record(one) for one in mistakes], ensure_ascii=False, indent=1))
        if mistakes:
            raise typer.Exit(BAD_INPUT)
        return
    _refuse(mistakes)
    if path is None:
        print(text("settings", "There is no settings file: the defaults are in force."))
    else:
        print(text("settings", "{file}: everything is right.").format(file=path))


def _refuse(mistakes: list[Mistake]) -> None:
    """Every mistake in a line of its own.

    Raises:
        typer.Exit: With code 2, if there is one.
    """
    for mistake in mistakes:
        print(mistake.sentence(), file=sys.stderr)
    if mistakes:
        raise typer.Exit(BAD_INPUT)


def _record(mistake: Mistake) -> dict[str, object]:
    return {"line": mistake.line, "key": mistake.key, "sentence": mistake.sentences}


def _show(values: list[InForce], mistakes: list[Mistake], *, as_json: bool) -> None:
    if as_json:
        records = [
            {"key": one.path, "value": one.value, "from": one.origin.text("en")} for one in values
        ]
        print(json.dumps(records, ensure_ascii=False, indent=1))
    else:
        table = Table(box=None, pad_edge=False, show_header=False)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        table.add_column(no_wrap=True, style="bright_black")
        for one in values:
            table.add_row(one.path, _value(one).replace("[", r"\["), one.origin.text())
        Console(soft_wrap=False).print(table)
    _refuse(mistakes)


def _value(one: InForce) -> str:
    if one.value is None:
        return "-"
    if one.path.startswith(f"{RULES}."):
        return notation(one.value)
    return written(one.value)
