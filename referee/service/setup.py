"""What a table agrees on before a game: the game, who plays, the house rules, the deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.rules.errors import BadRules
from referee.rules.house_rules import HouseRules
from referee.rules.members import PLACES
from referee.rules.presets import PRESETS, preset_rules

GAMES = ("slapjack", "ratscrew", "spit")
DECKS = ("en", "de", "fr", "nl")
LONGEST_NAME = 24
"""Letters; longer ones fit no lane of a picture."""


@dataclass(frozen=True, slots=True)
class Setup:
    """One game to be played."""

    game: str
    players: tuple[str, ...]
    """In seat order."""
    house_rules: HouseRules
    deck: str
    """Index letters of the deck, or the name of one that was taught."""
    seed: int | None = None
    """Order of the cards of a drawn table; None: at random."""


def read_setup(asked: Mapping[str, Any], default_deck: str, taught: Sequence[str] = ()) -> Setup:
    """A set-up as the page asks for it.

    Args:
        asked: `game`, `players`, and if wanted `preset`, `rules` (option -> value), `deck`, `seed`.
        default_deck: Where the ask names none.
        taught: Names of own decks, besides the letters that all know.

    Raises:
        BadRules: Something in it cannot be played.
    """
    game = _one_of(asked.get("game"), GAMES, "game")
    players = read_players(asked.get("players"), game)
    preset = _one_of(asked.get("preset") or "family", PRESETS, "preset")
    options = asked.get("rules") or {}
    if not isinstance(options, Mapping):
        raise BadRules(f"bad rules: {options!r}, expected options with their values")
    deck = _one_of(asked.get("deck") or default_deck, (*DECKS, *taught), "deck")
    seed = asked.get("seed")
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
        raise BadRules(f"bad seed: {seed!r}, expected a whole number")
    return Setup(game, players, preset_rules(game, preset, dict(options)), deck, seed)


def read_players(names: object, game: str) -> tuple[str, ...]:
    """Names in seat order.

    Raises:
        BadRules: No names, too many or too few, equal ones, or one that cannot be a name.
    """
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise BadRules(f"bad players: {names!r}, expected a list of names")
    players = tuple(" ".join(name.split()) for name in names)
    most = 2 if game == "spit" else 8
    if not 2 <= len(players) <= most:
        raise BadRules(f"{len(players)} players, expected 2 to {most} in {game}")
    for name in players:
        if not name or len(name) > LONGEST_NAME or not name.isprintable() or name in PLACES:
            raise BadRules(f"bad name: {name!r}, expected 1 to {LONGEST_NAME} letters")
    if len({name.casefold() for name in players}) < len(players):
        raise BadRules(f"two players share a name: {', '.join(players)}")
    return players


def _one_of(word: object, words: tuple[str, ...], what: str) -> str:
    if not isinstance(word, str) or word not in words:
        raise BadRules(f"no such {what}: {word!r}, expected one of: {', '.join(words)}")
    return word
