"""Words that several commands let people choose from."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

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
