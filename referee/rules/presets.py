"""Presets: house rules that go together, under one name.

`family` is what the rule sheets and a patient table expect; the others say what they change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from referee.rules.errors import BadRules
from referee.rules.house_rules import HouseRules, house_rules
from referee.rules.house_rules_check import SHORT_NAMES

_NUMBER = re.compile(r"-?[0-9]{1,9}")

PRESETS = ("family", "strict", "kids", "tournament", "classic")

PRESET_MEANINGS: Mapping[str, str] = {
    "family": "What the rule sheets and a patient table expect.",
    "strict": "Every wrong hand costs.",
    "kids": "Nobody falls out for a slip, and close calls are shared.",
    "tournament": "Nothing is decided that the box does not know for certain.",
    "classic": "The letter of the rule sheet.",
}
"""Preset -> one sentence."""

_SLAP_STRICT = {
    "late_slap": "penalty",
    "repeat_slap": "penalty",
    "empty_pile_slap": "penalty",
    "out_of_turn": "burn",
}
_SLAP_KIDS = {
    "slap_in": "always",
    "out_false_slap": "ignore",
    "cover_grace_ms": 300,
    "tie_ms": 30,
    "tie_rule": "split",
}
_SLAP_TOURNAMENT = {"doubt": "let", "out_of_turn": "burn", "min_reaction_ms": 100}

_OPTIONS: Mapping[str, Mapping[str, Mapping[str, object]]] = {
    "slapjack": {
        "strict": {**_SLAP_STRICT, "penalty": "all"},
        "kids": _SLAP_KIDS,
        "tournament": _SLAP_TOURNAMENT,
        "classic": {"self_penalty": "none"},
    },
    "ratscrew": {
        "strict": _SLAP_STRICT,
        "kids": {**_SLAP_KIDS, "burn": 1},
        "tournament": _SLAP_TOURNAMENT,
        "classic": {"out_false_slap": "ignore"},
    },
    "spit": {
        "strict": {"race_ms": 0},
        "kids": {"equal_rank": True, "tie_ms": 30},
        "tournament": {"doubt": "let"},
    },
}
"""Game -> preset -> what differs from the game's defaults."""


def preset_options(game: str, preset: str) -> dict[str, object]:
    """What a preset changes for a game.

    Raises:
        BadRules: No such preset.
    """
    if preset not in PRESETS:
        raise BadRules(f"no such preset: {preset!r}, expected {' '.join(PRESETS)}")
    return dict(_OPTIONS.get(SHORT_NAMES.get(game, game), {}).get(preset, {}))


def preset_rules(
    game: str, preset: str = "family", options: Mapping[str, object] | None = None
) -> HouseRules:
    """House rules of a preset, with a table's own options over them.

    Raises:
        BadRules: No such game, preset, option or value, or two contradict each other.
    """
    return house_rules(game, {**preset_options(game, preset), **(options or {})})


def read_option(written: str) -> tuple[str, object]:
    """Read one house rule as written in a command: `tie_ms=5`, `triggers=jack,pair`.

    Raises:
        BadRules: There is no `=` in it, or nothing in front of it.
    """
    name, equals, value = (part.strip() for part in written.partition("="))
    if not equals or not name:
        raise BadRules(f"bad house rule: {written!r}, expected option=value such as tie_ms=5")
    return name, _read_value(name, value)


def _read_value(name: str, value: str) -> object:
    if name == "triggers":
        return [] if value == "none" else [each.strip() for each in value.split(",")]
    if name == "challenge":
        return {} if value == "none" else dict(_read_owed(each) for each in value.split(","))
    if value in ("true", "false"):
        return value == "true"
    return int(value) if _NUMBER.fullmatch(value) else value


def _read_owed(written: str) -> tuple[str, object]:
    rank, _, owed = (part.strip() for part in written.partition("="))
    return rank, int(owed) if _NUMBER.fullmatch(owed) else owed
