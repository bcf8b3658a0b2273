"""The settings file with every key explained in German and English."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from referee.locale import LANGUAGES, text
from referee.rules.handbook_articles import ARTICLES
from referee.rules.house_rules import house_rules
from referee.rules.house_rules_check import CHOICES, GAMES, games_of
from referee.service.settings.keys import RULES, Key, keys, tables
from referee.service.settings.mistakes import AREA, written

WIDTH = 98

TITLE = (
    "Settings of this box. A line that begins with # and a space explains the line below it. "
    "A line that begins with # alone says what holds without it: take the # away to change it.",
    "Check it: referee settings check. In force: referee settings show. "
    "After a change: sudo systemctl restart referee",
)
ABOUT_RULES = (
    "House rules of your own table, on top of the preset. What each value means at the table is "
    "printed by `referee rules --game {game}`; below each rule stands what is usual in it.",
)
OTHER_GAMES = "Only in {games}:"


def commented(content: Mapping[str, Any] | None = None) -> str:
    """The text of a settings file with all keys.

    Args:
        content: What a file says already, table by table; None: nothing.
    """
    tree = content or {}
    lines: list[str] = []
    for sentence in TITLE:
        lines += _both(sentence)
    for table in tables():
        inside = tree.get(table, {}) if table else tree
        if table:
            lines += ["", "", *_both(tables()[table].__doc__ or ""), f"[{table}]"]
        for key in keys().values():
            if key.table == table:
                lines += ["", *_about(key), _line(key, inside)]
    lines += _rules(str(tree.get("game", "slapjack")), tree.get(RULES, {}))
    return "\n".join(lines) + "\n"


def _about(key: Key) -> list[str]:
    lines = _both(key.about)
    if key.choices:
        lines.append(f"# {' | '.join(map(written, key.choices))}")
    return lines


def _line(key: Key, inside: Mapping[str, Any]) -> str:
    if key.name in inside:
        return f"{key.name} = {written(inside[key.name])}"
    return f"#{key.line}"


def _rules(game: str, agreed: Mapping[str, Any]) -> Iterator[str]:
    """The house rules of the game, then those that only other games know."""
    yield from ["", ""]
    for sentence in ABOUT_RULES:
        yield from _both(sentence, game=game)
    yield f"[{RULES}]"
    options = [article.option for article in ARTICLES]
    for option in options:
        if game in games_of(option):
            yield from _rule(option, game, agreed)
    for other in GAMES:
        own = [option for option in options if game not in games_of(option)]
        own = [option for option in own if games_of(option)[0] == other]
        if own:
            yield ""
            yield from _both(OTHER_GAMES, games=", ".join(games_of(own[0])))
        for option in own:
            yield from _rule(option, other, {})


def _rule(option: str, game: str, agreed: Mapping[str, Any]) -> Iterator[str]:
    article = next(article for article in ARTICLES if article.option == option)
    usual = getattr(house_rules(game), option)
    yield ""
    for language in LANGUAGES:
        said = (
            text("handbook", sentence, language=language).replace("{n}", number)
            for sentence, number in article.sentences(usual)
        )
        yield from _wrapped(" ".join(said))
    if option in CHOICES:
        yield f"# {' | '.join(map(written, CHOICES[option]))}"
    if option in agreed:
        yield f"{option} = {written(agreed[option])}"
    else:
        yield f"#{option} = {_written_rule(getattr(house_rules(game), option))}"


def _written_rule(value: Any) -> str:
    """A house rule as it stands in a settings file."""
    pairs = isinstance(value, tuple) and all(isinstance(one, tuple) for one in value) and value
    return written(dict(value) if pairs else value)


def _both(sentence: str, **facts: str) -> list[str]:
    """A comment in English and German."""
    lines = []
    for language in LANGUAGES:
        said = text(AREA, sentence, language=language)
        lines += _wrapped(said.format(**facts) if facts else said)
    return lines


def _wrapped(sentence: str) -> list[str]:
    return textwrap.wrap(
        sentence,
        WIDTH,
        initial_indent="# ",
        subsequent_indent="# ",
        break_on_hyphens=False,
        break_long_words=False,
    )
