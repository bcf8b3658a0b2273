"""House rules as people write them: which options exist, which values, which contradict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from referee.rules.cards import RANKS
from referee.rules.errors import BadRules

if TYPE_CHECKING:
    from referee.rules.house_rules import HouseRules

GAMES = ("slapjack", "ratscrew", "spit")
SHORT_NAMES = {"ers": "ratscrew"}

TRIGGER_NAMES = (
    "jack",
    "pair",
    "sandwich",
    "top_bottom",
    "marriage",
    "marriage_either",
    "tens",
    "divorce",
    "run3",
    "run4",
    "king",
    "ace",
    "queen",
    "marriage_same_suit",
    "ten_sandwich",
    "six_nine",
    "four_apart",
    "flush3",
    "flush4",
    "joker",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
)
"""In the order in which they are reported if several apply."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "lead_after_slap": ("next_after_flipper", "winner", "next_after_winner"),
    "slap_in": ("once", "never", "always"),
    "chance_ends_on": ("jack", "any"),
    "out_false_slap": ("eliminate", "ignore"),
    "simultaneous_out": ("runout_order", "shared"),
    "tie_rule": ("replay", "split", "next_trigger"),
    "late_slap": ("free", "penalty"),
    "empty_pile_slap": ("ignore", "penalty"),
    "repeat_slap": ("ignore", "penalty"),
    "out_of_turn": ("return", "burn"),
    "won_pile": ("bottom", "shuffle"),
    "all_out": ("return",),
    "call_out": ("off", "required"),
    "penalty": ("flipper", "all", "pile"),
    "self_penalty": ("pile", "none", "next"),
    "broke_payer": ("next_pays", "challenger_wins"),
    "lead_after_challenge": ("winner", "next"),
    "tens_ace": ("one", "none"),
    "doubt": ("benefit", "let"),
    "slap_ban": ("none", "cards", "pile"),
}
"""Option -> its values."""

LIMITS: Mapping[str, tuple[int, int]] = {
    "penalty_cards": (0, 52),
    "burn": (0, 52),
    "slap_ban_cards": (1, 104),
    "decks": (1, 2),
    "jokers": (0, 8),
}
"""Option -> least and most."""

MOST_MS = 60_000
"""No window at a table is longer than a minute."""

ONLY_FOR: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("penalty", "penalty_cards", "self_penalty"), ("slapjack",)),
    **dict.fromkeys(
        (
            "burn",
            "challenge",
            "slap_after_payment",
            "claim_window_ms",
            "broke_payer",
            "lead_after_challenge",
            "challenge_ends_chance",
            "burn_counts_for_bottom",
            "ten_stops",
        ),
        ("ratscrew",),
    ),
    **dict.fromkeys(("equal_rank", "race_ms", "partial_stack", "spit_slap_race"), ("spit",)),
    **dict.fromkeys(("tie_ms", "doubt"), GAMES),
}
"""Option -> the games that know it; all others belong to both slap games."""


def games_of(option: str) -> tuple[str, ...]:
    """Which games know an option."""
    return ONLY_FOR.get(option, ("slapjack", "ratscrew"))


def check_values(
    game: str, options: Mapping[str, object], defaults: HouseRules
) -> tuple[str, dict[str, object]]:
    """Return the game's full name and the options with values of the right kind.

    Raises:
        BadRules: No such game, option or value.
    """
    name = SHORT_NAMES.get(game, game)
    if name not in GAMES:
        raise BadRules(f"no such game: {game!r}, expected slapjack, ratscrew or spit")
    known = [field for field in defaults.__dataclass_fields__ if name in games_of(field)]
    for option in options:
        if option not in known:
            raise BadRules(f"no such house rule in {name}: {option!r}, expected {_any_of(known)}")
    read = {
        option: _read(option, value, getattr(defaults, option)) for option, value in options.items()
    }
    return name, read


def refuse_contradictions(game: str, rules: HouseRules) -> None:
    """Two options that cannot both be meant.

    Raises:
        BadRules: Says which two.
    """
    for reason in (
        _no_trigger(game, rules),
        _joker_without_jokers(rules),
        _ban_of_no_length(rules),
    ):
        if reason:
            raise BadRules(f"house rules contradict each other: {reason}")


def _no_trigger(game: str, rules: HouseRules) -> str:
    if game == "slapjack" and not rules.triggers:
        return "the game is slapjack and triggers is empty, so that no pile can be won"
    return ""


def _joker_without_jokers(rules: HouseRules) -> str:
    if "joker" in rules.triggers and not rules.jokers:
        return "triggers has 'joker' and jokers is 0, put the number of jokers in the deck"
    return ""


def _ban_of_no_length(rules: HouseRules) -> str:
    if rules.pile_on_false_slap and rules.slap_ban == "pile":
        return (
            "pile_on_false_slap is true and slap_ban is 'pile', "
            "but the pile is gone at once, so that the ban would never last"
        )
    return ""


def _read(option: str, value: object, default: object) -> object:
    if option == "triggers":
        return _read_triggers(value)
    if option == "challenge":
        return _read_challenge(value)
    if option in CHOICES:
        if value not in CHOICES[option]:
            raise _bad_value(option, value, _any_of(CHOICES[option]))
        return value
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise _bad_value(option, value, "true or false")
        return value
    least, most = LIMITS.get(option, (0, MOST_MS))
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise _bad_value(option, value, f"a whole number {least} to {most}")
    return value


def _read_triggers(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or any(name not in TRIGGER_NAMES for name in value):
        raise _bad_value("triggers", value, f"a list of {_any_of(TRIGGER_NAMES)}")
    return tuple(name for name in TRIGGER_NAMES if name in value)


def _read_challenge(value: object) -> tuple[tuple[str, int], ...]:
    try:
        pairs = dict(value) if isinstance(value, Mapping | list | tuple) else None
    except (TypeError, ValueError):
        pairs = None
    if pairs is None or any(
        rank not in RANKS or isinstance(owed, bool) or not isinstance(owed, int) or owed < 1
        for rank, owed in pairs.items()
    ):
        raise _bad_value("challenge", value, 'ranks and cards owed, such as {"J": 1, "Q": 2}')
    return tuple(pairs.items())


def _bad_value(option: str, value: object, expected: str) -> BadRules:
    return BadRules(f"bad house rule {option}: {value!r}, expected {expected}")


def _any_of(names: tuple[str, ...] | list[str]) -> str:
    return " ".join(names)
