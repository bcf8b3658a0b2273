"""Options that several commands share, and the words to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from referee.locale import text
from referee.rules.house_rules import HouseRules
from referee.rules.presets import preset_rules, read_option
from referee.service.config import Settings


class GameName(StrEnum):
    """The games."""

    slapjack = "slapjack"
    ratscrew = "ratscrew"
    spit = "spit"


class PadKind(StrEnum):
    """Kinds of touch pads."""

    at42qt1010 = "at42qt1010"
    mpr121 = "mpr121"
    ttp223 = "ttp223"


class DeckName(StrEnum):
    """Index letters of a deck."""

    en = "en"
    de = "de"
    fr = "fr"
    nl = "nl"


class Width(StrEnum):
    """Points of the LED matrix from left to right; it is 8 high."""

    narrow = "32"
    wide = "64"


GameOption = Annotated[GameName | None, typer.Option(help=text("cli", "Which game."))]
PresetOption = Annotated[
    str | None, typer.Option(help=text("cli", "House rules: `referee rules` lists them."))
]
RuleOptions = Annotated[
    list[str] | None, typer.Option("--set", help=text("cli", "One house rule: option=value."))
]
LogOption = Annotated[Path | None, typer.Option(help=text("cli", "Write the log here."))]
PageOption = Annotated[
    bool, typer.Option(help=text("cli", "Show the page for phones and projectors."))
]
ShareOption = Annotated[
    bool, typer.Option("--share", help=text("cli", "Let the whole network see the page."))
]
SettingsOption = Annotated[Path | None, typer.Option(help=text("cli", "A settings file (TOML)."))]


def agreed_rules(
    settings: Settings, game: str, preset: str | None, options: Sequence[str]
) -> HouseRules:
    """House rules of a settings file, with a preset and single options of the command over them.

    Raises:
        BadRules: No such preset or option, or two that contradict each other.
    """
    changed = dict(settings.rules) if game == settings.game else {}
    return preset_rules(
        game, preset or settings.preset or "family", changed | dict(map(read_option, options))
    )
