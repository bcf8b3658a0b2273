"""The table [rules]: every house rule on its own, then all of them together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from referee.rules.errors import BadRules
from referee.rules.house_rules import HouseRules
from referee.rules.house_rules_check import (
    CHOICES,
    GAMES,
    LIMITS,
    MOST_MS,
    TRIGGER_NAMES,
    check_values,
    games_of,
)
from referee.rules.presets import preset_rules
from referee.service.settings.keys import RULES, one_of, whole_number
from referee.service.settings.mend import correct_value, or_delete
from referee.service.settings.mistakes import Mistake, Words, nearest, shortened
from referee.service.settings.statements import Document

OPTIONS = tuple(HouseRules.__slots__)
"""Every house rule of every game."""


def options_of(game: str) -> list[str]:
    """The house rules that a game knows."""
    return [option for option in OPTIONS if game in games_of(option)]


def check_rules(
    document: Document, rules: Mapping[str, Any], game: str | None, preset: str | None
) -> tuple[dict[str, Any], list[Mistake]]:
    """The good house rules, and what is wrong with the others.

    Args:
        document: The file they stand in.
        rules: The table [rules].
        game: The game of the file; None: it cannot be known.
        preset: What they are on top of.
    """
    good: dict[str, Any] = {}
    mistakes: list[Mistake] = []
    for option, value in rules.items():
        wrong = _wrong(option, value, game)
        if wrong is None:
            good[option] = value
        else:
            mistakes.append(_at(document, option, wrong))
    if game is not None:
        mistakes += [_at(document, "", wrong) for wrong in _contradiction(game, preset, good)]
    return ({} if mistakes else good), mistakes


Wrong = tuple[Words, Words, Words]


def _at(document: Document, option: str, wrong: Wrong) -> Mistake:
    path = f"{RULES}.{option}" if option else RULES
    return Mistake(document.name, document.line_of(*path.split(".", 1)), path, *wrong)


def _wrong(option: str, value: Any, asked: str | None) -> Wrong | None:
    game = asked or games_of(option)[0]
    known = options_of(game)
    if option not in OPTIONS:
        return _unknown(option, game, known)
    if option not in known:
        found = Words("is no house rule of {game}, but of {games}", game=game, games=_games(option))
        return found, Words("one that the game knows"), or_delete()
    try:
        check_values(game, {option: value}, HouseRules())
    except BadRules:
        expected, choices = _expected(option)
        found = Words("found {value}", value=shortened(value))
        return found, expected, correct_value(value, choices)
    return None


def _unknown(option: str, game: str, known: list[str]) -> Wrong:
    meant = nearest(option, known) or nearest(option, OPTIONS)
    return (
        Words("there is no such house rule"),
        Words("one that `referee rules --game {game}` prints", game=game),
        Words('did you mean "{name}"?', name=meant) if meant else or_delete(),
    )


def _games(option: str) -> str:
    return ", ".join(game for game in GAMES if game in games_of(option))


def _expected(option: str) -> tuple[Words, tuple[Any, ...]]:
    if option == "triggers":
        names = ", ".join(TRIGGER_NAMES)
        return Words("a list of some of these: {names}", names=names), TRIGGER_NAMES
    if option == "challenge":
        return Words("ranks and the cards owed, such as {example}", example="{ J = 1, Q = 2 }"), ()
    if option in CHOICES:
        return one_of(CHOICES[option]), CHOICES[option]
    if isinstance(getattr(HouseRules(), option), bool):
        return Words("true or false"), (True, False)
    return whole_number(*LIMITS.get(option, (0, MOST_MS))), ()


def _contradiction(game: str, preset: str | None, good: Mapping[str, Any]) -> Iterator[Wrong]:
    try:
        preset_rules(game, preset or "family", good)
    except BadRules as error:
        reason = str(error).partition("contradict each other: ")[2] or str(error)
        found = Words("two of them contradict each other: {reason}", reason=Words(reason))
        yield found, Words("rules that go together"), Words("change one of the two")
