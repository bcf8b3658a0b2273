"""The set-up of a game as a form: what comes back, and what is wrong with it. Pure.

What a mistake is, is said here in the viewer's language beside its field; the box checks again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from referee.locale import text
from referee.rules.errors import RefereeError
from referee.rules.handbook_articles import articles
from referee.rules.house_rules import HouseRules, house_rules
from referee.rules.house_rules_check import CHOICES, LIMITS, MOST_MS
from referee.rules.presets import PRESETS, preset_rules
from referee.service.setup import DECKS, GAMES, LONGEST_NAME, read_setup

AREA = "page"
MOST_PLAYERS = {"slapjack": 8, "ratscrew": 8, "spit": 2}
DEMANDING = ("J", "Q", "K", "A")
MOST_OWED = 9
USUAL_NAMES = ("Ann", "Bo", "Cleo", "Dan")


class Fields(Protocol):
    """A submitted form."""

    def get(self, key: str, default: str, /) -> Any:
        """The last value of a field."""

    def getlist(self, key: str, /) -> list[Any]:
        """All values of a field."""


@dataclass(slots=True)
class Form:
    """What stands in the form."""

    game: str = "slapjack"
    players: list[str] = field(default_factory=lambda: list(USUAL_NAMES))
    preset: str = "family"
    values: dict[str, Any] = field(default_factory=dict)
    """Option -> value; texts where a number could not be read."""
    deck: str = "en"
    seed: str = ""
    mistakes: dict[str, str] = field(default_factory=dict)
    """Field -> sentence. `""`: about the whole."""

    def ask(self) -> dict[str, Any]:
        """What the box is asked: only what differs from the preset."""
        usual = values_of(preset_rules(self.game, self.preset), self.game)
        rules = {name: value for name, value in self.values.items() if value != usual[name]}
        asked: dict[str, Any] = {
            "game": self.game,
            "players": [name for name in self.players if name],
            "preset": self.preset,
            "rules": rules,
            "deck": self.deck,
        }
        return asked | ({"seed": int(self.seed)} if self.seed else {})


def values_of(rules: HouseRules, game: str) -> dict[str, Any]:
    """A game's options with their values, as the form holds them."""
    values = {each.option: getattr(rules, each.option) for each in articles(game)}
    for name, value in values.items():
        if name == "challenge":
            values[name] = dict(value)
        elif isinstance(value, tuple):
            values[name] = list(value)
    return values


def fresh(game: str, preset: str = "family") -> dict[str, Any]:
    """The options of a preset."""
    return values_of(preset_rules(game, preset), game)


def from_game(header: Mapping[str, Any] | None, deck: str, taught: Sequence[str] = ()) -> Form:
    """The set-up of the last game; without one, what is usual."""
    form = Form(deck=deck if deck in (*DECKS, *taught) else "en", values=fresh("slapjack"))
    if header is None:
        return form
    game = str(header.get("game", "slapjack"))
    try:
        rules = values_of(house_rules(game, dict(header.get("house_rules", {}))), game)
    except RefereeError:
        return form
    same = [name for name in PRESETS if fresh(game, name) == rules]
    form.game, form.values, form.preset = game, rules, same[0] if same else "family"
    form.players = list(map(str, header.get("players", ())))
    return form


# --- what came back -------------------------------------------------------------------------------


def read(fields: Fields, language: str, taught: Sequence[str] = ()) -> Form:
    """Read a submitted form; `mistakes` says what is wrong with it.

    Args:
        fields: As the browser sends them.
        language: Of the mistakes.
        taught: Names of own decks, besides the letters that all know.
    """
    game = _one_of(fields.get("game", ""), GAMES)
    form = Form(
        game=game,
        players=[
            " ".join(str(fields.get(f"player{seat}", "")).split())[:80]
            for seat in range(1, MOST_PLAYERS[game] + 1)
        ],
        preset=_one_of(fields.get("preset", ""), PRESETS),
        deck=_one_of(fields.get("deck", ""), (*DECKS, *taught)),
        seed=str(fields.get("seed", "")).strip()[:9],
    )
    form.values = {each.option: _value(each.option, fields, form) for each in articles(game)}
    _check(form, language, taught)
    return form


def _one_of(given: object, words: Sequence[str]) -> str:
    return given if isinstance(given, str) and given in words else words[0]


def _value(option: str, fields: Fields, form: Form) -> Any:
    """A value as the rules want it; what cannot be one stays as it was written."""
    default = getattr(preset_rules(form.game, form.preset), option)
    written = str(fields.get(option, "")).strip()[:40]
    if option == "triggers":
        return [str(each) for each in fields.getlist("triggers")]
    if option == "challenge":
        owed = {rank: str(fields.get(f"challenge_{rank}", "0")).strip() for rank in DEMANDING}
        return {
            rank: int(n) if _is_number(n) else n for rank, n in owed.items() if n not in ("", "0")
        }
    if isinstance(default, bool):
        return written == "true" if written else default
    if option in CHOICES:
        return written if written in CHOICES[option] else default
    return int(written) if _is_number(written) else written


def _is_number(written: str) -> bool:
    return written.isascii() and written.isdigit() and len(written) < 10


def _check(form: Form, language: str, taught: Sequence[str]) -> None:
    def wrong(where: str, literal: str, /, **fields: object) -> None:
        form.mistakes.setdefault(where, text(AREA, literal, language=language).format(**fields))

    _check_players(form, wrong)
    for option, value in form.values.items():
        if option in LIMITS or option.endswith("_ms"):
            least, most = LIMITS.get(option, (0, MOST_MS))
            if not isinstance(value, int) or not least <= value <= most:
                wrong(option, NUMBER, least=least, most=most)
    owed = form.values.get("challenge", {})
    if any(not isinstance(n, int) or not 1 <= n <= MOST_OWED for n in owed.values()):
        wrong("challenge", NUMBER, least=0, most=MOST_OWED)
    if form.game == "slapjack" and not form.values["triggers"]:
        wrong("triggers", "Choose at least one: otherwise nobody can win a pile.")
    if "joker" in form.values.get("triggers", ()) and not form.values["jokers"]:
        wrong("jokers", "A joker may be slapped, but there is none in the deck.")
    if form.values.get("pile_on_false_slap") and form.values["slap_ban"] == "pile":
        wrong("slap_ban", "A false slap gives the pile away: a ban until it is won would not last.")
    if form.seed and not _is_number(form.seed):
        wrong("seed", "A whole number, please, or nothing.")
    if not form.mistakes:
        try:
            read_setup(form.ask(), form.deck, taught)
        except RefereeError as error:
            form.mistakes[""] = str(error)


NUMBER = "A whole number from {least} to {most}, please."


def _check_players(form: Form, wrong: Any) -> None:
    named = [(seat, name) for seat, name in enumerate(form.players, 1) if name]
    most = MOST_PLAYERS[form.game]
    if len(named) < 2:
        wrong("players", "At least two players, please.")
    if form.game == "spit" and len(named) != most:
        wrong("players", "Spit is a game for two.")
    seen: set[str] = set()
    for seat, name in named:
        if len(name) > LONGEST_NAME or not name.isprintable():
            wrong(f"player{seat}", "At most {n} letters, please.", n=LONGEST_NAME)
        elif name.casefold() in seen:
            wrong(f"player{seat}", "Somebody else is called {name}, too.", name=name)
        elif name in ("pile", "pile_bottom", "pile0", "pile1"):
            wrong(f"player{seat}", "That is the name of a place on the table.")
        seen.add(name.casefold())
