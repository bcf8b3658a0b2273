"""`referee doctor`: look at everything that can be wrong with this box, and say how to mend it."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from hardware.display import BadDisplay, open_matrix
from hardware.drawing import steps
from referee.locale import LANGUAGES, choose_language
from referee.service.config import BadSettings, DisplaySettings, Settings, load_settings
from referee.service.doctor.codes import Code
from referee.service.doctor.examination import examine, to_record, worst
from referee.service.doctor.finding import Finding, State, say
from referee.service.doctor.machine import Machine
from referee.service.doctor.shown import announce_finding

BOX_SETTINGS = Path("/etc/referee/referee.toml")
SHOWN_S = 8
COLOURS = {
    State.GREEN: "green",
    State.AMBER: "yellow",
    State.RED: "bold red",
    State.SKIPPED: "bright_black",
}
WORDS = {
    State.GREEN: "good",
    State.AMBER: "poor",
    State.RED: "BAD",
    State.SKIPPED: "-",
}
"""Never colour alone: some do not see it, and a log has none."""


def run(
    as_json: Annotated[
        bool, typer.Option("--json", help="For programs: a list of records.")
    ] = False,
    settings: Annotated[
        Path | None, typer.Option(help="Settings file; default: the box's, if there is one.")
    ] = None,
    codes: Annotated[bool, typer.Option("--codes", help="Only print the fault codes.")] = False,
    display: Annotated[
        bool, typer.Option("--display", help="Show the worst finding on the LED matrix, too.")
    ] = False,
    language: Annotated[str | None, typer.Option(help="de or en.")] = None,
) -> None:
    """Examine this computer.

    Raises:
        typer.Exit: With code 1 if anything is red.
    """
    if language:
        _choose(language)
    if codes:
        Console().print(_code_table())
        return
    machine = _machine(settings)
    findings = _examine(machine, quiet=as_json)
    if as_json:
        print(
            json.dumps([to_record(finding) for finding in findings], ensure_ascii=False, indent=1)
        )
    else:
        _show(findings, has_display=machine.model is not None)
    if display:
        _show_on_the_matrix(findings, machine.settings.display)
    if any(finding.state is State.RED for finding in findings):
        raise typer.Exit(1)


def _choose(language: str) -> None:
    if language not in LANGUAGES:
        raise typer.BadParameter(f"no such language: {language!r}, expected de or en")
    choose_language(language)


def _machine(path: Path | None) -> Machine:
    """This computer; wrong settings are a finding, not an end."""
    file = path or (BOX_SETTINGS if BOX_SETTINGS.exists() else None)
    try:
        return Machine(settings=load_settings(file))
    except BadSettings as error:
        return Machine(settings=Settings(), settings_fault=str(error))


def _examine(machine: Machine, *, quiet: bool) -> list[Finding]:
    if quiet:
        return list(examine(machine))
    findings = []
    with Console(stderr=True).status(say("Examining ...")) as status:
        for finding in examine(machine):
            findings.append(finding)
            status.update(say("Examining ...") + f" {say(finding.name)}")
    return findings


def _show(findings: list[Finding], *, has_display: bool) -> None:
    console = Console()
    table = Table(box=None, pad_edge=False, show_header=False)
    for _ in ("state", "name"):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in findings:
        word = f"[{COLOURS[finding.state]}]{say(WORDS[finding.state])}[/]"
        table.add_row(word, say(finding.name), _answer(finding))
    console.print(table)
    console.print(_summary(findings, has_display=has_display))


def _answer(finding: Finding) -> str:
    """What was found, and under it what to do."""
    found = finding.found.replace("[", r"\[")
    if not finding.mend:
        return found
    code = f"{finding.code}: " if finding.code else ""
    return f"{code}{found}\n[bold]-> {finding.mend.replace('[', chr(92) + '[')}[/]"


def _summary(findings: list[Finding], *, has_display: bool) -> str:
    count = Counter(finding.state for finding in findings)
    line = say(
        "{good} good, {poor} poor, {bad} bad, {skipped} not applicable.",
        good=count[State.GREEN],
        poor=count[State.AMBER],
        bad=count[State.RED],
        skipped=count[State.SKIPPED],
    )
    first = worst(findings)
    if has_display and first and first.code:
        line += " " + say("The display shows {code}.", code=first.code.value)
    return line


def _show_on_the_matrix(findings: list[Finding], wanted: DisplaySettings) -> None:
    """Long enough to be read from the other end of the table.

    Raises:
        BadDisplay: It is switched off, missing, or the service drives it just now.
    """
    running = [f for f in findings if f.name == "SPI owners" and f.found != "0"]
    if running and running[0].state is not State.SKIPPED:
        raise BadDisplay(
            "the LED matrix is driven by another program, expected none "
            "(sudo systemctl stop referee)"
        )
    matrix = open_matrix(
        wanted.width, brightness=wanted.brightness, block_orientation=wanted.block_orientation
    )
    try:
        for picture, duration_ms in steps(announce_finding(worst(findings)), matrix.size):
            matrix.show(picture)
            time.sleep(duration_ms / 1000)
        time.sleep(SHOWN_S)
    finally:
        matrix.close()


def _code_table() -> Table:
    table = Table(box=None, pad_edge=False)
    for title in (say("code"), say("what is wrong"), say("what to do")):
        table.add_column(title)
    for code in Code:
        table.add_row(code.value, code.sentence(), code.mend())
    return table
