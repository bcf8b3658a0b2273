"""A settings file checked as a whole: every mistake, and settings from what is right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.service.settings.fields import Settings, WrongValue, read_value, with_values
from referee.service.settings.keys import RULES, Key, keys, names, tables
from referee.service.settings.meaning import MEANINGS
from referee.service.settings.mend import correct_value, or_delete
from referee.service.settings.mistakes import Mistake, Words, nearest, shortened, written
from referee.service.settings.rules_part import OPTIONS, check_rules
from referee.service.settings.statements import Document, read_document

Values = dict[str, dict[str, Any]]
"""Table -> key -> value."""

ONLY_HERE = "127.0.0.1"
HARMLESS = ("page.port", "page.names", "page.keep_pictures")
"""Mistakes in these do not open the page to anybody."""


def check(content: str, name: str) -> tuple[Settings, Document, list[Mistake]]:
    """Check a settings file.

    Args:
        content: Its text.
        name: How to call it.

    Returns:
        The settings, with defaults where the file is wrong; the file; all mistakes by line.
    """
    document = read_document(content, name)
    mistakes = list(document.mistakes)
    values: Values = {}
    for table in tables():
        inside = document.tree if not table else document.tree.get(table, {})
        if not isinstance(inside, dict):
            mistakes.append(_no_table(document, table, inside))
            continue
        for key, value in inside.items():
            wrong = _read(document, table, key, value, values)
            mistakes += [wrong] if wrong else []
    settings = with_values(Settings(), values)
    game = None if any(mistake.key == "game" for mistake in mistakes) else settings.game
    rules, wrong_rules = _rules(document, game, settings.preset)
    mistakes += wrong_rules
    values.setdefault("", {})[RULES] = rules
    if any(map(_may_open_the_page, mistakes)):
        values.setdefault("page", {})["bind"] = ONLY_HERE
    mistakes.sort(key=lambda mistake: mistake.line or 0)
    return with_values(Settings(), values), document, mistakes


def _read(document: Document, table: str, name: str, value: Any, values: Values) -> Mistake | None:
    """Take over one value, or say what is wrong with it."""
    if not table and name in (RULES, *filter(None, tables())):
        return None
    path = f"{table}.{name}" if table else name
    line = document.line_of(*([table, name] if table else [name]))
    key = keys().get(path)
    if key is None:
        return Mistake(document.name, line, path, *_unknown(table, name, value))
    try:
        read = read_value(key.kind, value)
        if path in MEANINGS and read is not None and not MEANINGS[path](read):
            raise WrongValue
    except WrongValue:
        return Mistake(document.name, line, path, *_wrong(key, value))
    values.setdefault(table, {})[name] = read
    return None


Wrong = tuple[Words, Words, Words]


def _wrong(key: Key, value: Any) -> Wrong:
    default = written(key.default) if key.default is not None else ""
    choices = (True, False) if key.kind is bool or isinstance(key.default, bool) else key.choices
    return (
        Words("found {value}", value=shortened(value)),
        key.expected,
        correct_value(value, choices, default),
    )


def _unknown(table: str, name: str, value: Any) -> Wrong:
    is_table = isinstance(value, dict) and not table
    found = Words("there is no such table") if is_table else Words("there is no such key")
    return found, Words("one of {choices}", choices=", ".join(names(table))), _meant(table, name)


def _meant(table: str, name: str) -> Words:
    """The name that was mistyped, or the table where it belongs."""
    meant = nearest(name, names(table))
    if meant:
        return Words('did you mean "{name}"?', name=meant)
    for home in _homes(name):
        where = f"[{home}]" if home else Words("the top of the file, above the first [table]")
        return Words("it belongs under {where}", where=where)
    return or_delete()


def _homes(name: str) -> Iterator[str]:
    yield from (key.table for key in keys().values() if key.name == name)
    if name in OPTIONS:
        yield RULES


def _no_table(document: Document, table: str, value: Any) -> Mistake:
    return Mistake(
        document.name,
        document.line_of(table),
        table,
        Words("found {value}", value=shortened(value)),
        Words("a table"),
        Words("write {example}", example=f"[{table}]"),
    )


def _rules(
    document: Document, game: str | None, preset: str | None
) -> tuple[dict[str, Any], list[Mistake]]:
    rules = document.tree.get(RULES, {})
    if not isinstance(rules, dict):
        return {}, [_no_table(document, RULES, rules)]
    return check_rules(document, rules, game, preset)


def _may_open_the_page(mistake: Mistake) -> bool:
    """Nobody knows whether the family wanted others to see the page."""
    return mistake.key.split(".")[0] == "page" and mistake.key not in HARMLESS
