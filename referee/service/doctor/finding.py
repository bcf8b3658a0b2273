"""What one check found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.locale import text
from referee.service.doctor.codes import AREA, Code


class State(StrEnum):
    """How bad it is."""

    GREEN = "green"
    AMBER = "amber"
    """The box plays, but worse than it could."""
    RED = "red"
    """The box cannot be trusted, or does not start."""
    SKIPPED = "skipped"
    """Not applicable here."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer of one check."""

    name: str
    """Of the check; the same in every language."""
    state: State
    found: str
    """What was there."""
    mend: str = ""
    """What to do about it; empty if nothing."""
    code: Code | None = None
    """What the display shows meanwhile."""


def say(message: str, **values: object) -> str:
    """A sentence in the language of the process, with its values filled in."""
    return text(AREA, message).format(**values)


def green(name: str, found: str) -> Finding:
    """All is well."""
    return Finding(name, State.GREEN, found)


def amber(name: str, code: Code, found: str, mend: str) -> Finding:
    """Playable."""
    return Finding(name, State.AMBER, found, mend, code)


def red(name: str, code: Code, found: str, mend: str) -> Finding:
    """Not to be trusted."""
    return Finding(name, State.RED, found, mend, code)


def skipped(name: str, why: str) -> Finding:
    """Not applicable."""
    return Finding(name, State.SKIPPED, why)
