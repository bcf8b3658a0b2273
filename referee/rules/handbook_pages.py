"""One page a game: house rules, and every rule with the function that decides it.

Written from the articles of the handbook and from the rule functions' own docstrings, so that a
page cannot say anything else than the program. A test writes them anew and compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from referee.rules.handbook import OWN, notation
from referee.rules.handbook_articles import articles
from referee.rules.handbook_functions import SHEETS, rule_functions
from referee.rules.handbook_spit import TABLE, TABLE_NOTES
from referee.rules.handbook_triggers import trigger_source
from referee.rules.house_rules import house_rules

Translate = Callable[[str], str]
"""English sentence -> the page's language."""


def page(game: str, translate: Translate) -> str:
    """The page of a game, in Markdown.

    Args:
        game: "slapjack", "ratscrew" or "spit".
        translate: Turns an English sentence into the page's language.
    """
    lines = [
        f"# {SHEETS[game]}",
        "",
        translate("Written from the program itself; do not edit. To write it anew:"),
        "`referee rules --write-pages`",
        "",
        *_rules_table(game, translate),
        *(_real_table(translate) if game == "spit" else ()),
        *_house_rules(game, translate),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _rules_table(game: str, translate: Translate) -> Iterator[str]:
    yield f"## {translate('Every rule, where it is decided and where it stands')}"
    yield ""
    yield from _row(*map(translate, ("rule", "on the sheet", "function", "file")))
    yield "|---|---|---|---|"
    for rule in rule_functions(game):
        source = translated_source(rule.source, translate)
        yield from _row(translate(rule.summary), source, f"`{rule.name}`", f"`{rule.file}`")
    yield ""


def _house_rules(game: str, translate: Translate) -> Iterator[str]:
    yield f"## {translate('House rules')}"
    yield ""
    yield translate("What a table may agree on. The value in force without a word is marked *.")
    yield ""
    yield from _row(*map(translate, ("setting", "value", "at the table", "on the sheet")))
    yield "|---|---|---|---|"
    rules = house_rules(game)
    for article in articles(game):
        default = getattr(rules, article.option)
        chosen = _keys_of(default, article.values)
        for value, sentence in article.values.items():
            mark = " *" if value in chosen else ""
            number = notation(default) if mark else "N"
            source = article.source_for(game)
            if article.option == "triggers":
                source = trigger_source(game, value)
            yield from _row(
                f"`{article.option}`",
                f"`{number if value == '#' else value}`{mark}",
                translate(sentence).replace("{n}", number),
                translated_source(source, translate),
            )
    yield ""


def _keys_of(value: object, values: Mapping[str, str]) -> set[str]:
    """Which of an article's values are in force."""
    written = notation(value)
    if written in values:
        return {written}
    if isinstance(value, tuple | list | frozenset | set) and "#" not in values:
        return set(map(str, value))
    return {"#"}


def _real_table(translate: Translate) -> Iterator[str]:
    yield f"## {translate('At a real table')}"
    yield ""
    for note in TABLE_NOTES:
        yield f"- {translate(note)}"
    yield ""
    yield from _row(*map(translate, ("the table waits", "a new card", "a touched pad")))
    yield "|---|---|---|"
    for row in TABLE:
        yield from _row(*map(translate, row))
    yield ""


def translated_source(source: str, translate: Translate) -> str:
    """Headings stay as they stand on the sheet; our own words are translated."""
    if source.startswith(OWN):
        return translate(OWN)
    return source.rstrip(".").replace(" and ", f" {translate('and')} ")


def _row(*cells: str) -> Iterator[str]:
    yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
