"""tomllib's complaints in the words of somebody who writes a settings file for the first time."""

from __future__ import annotations

import re

from referee.service.settings.mistakes import Mistake, Words, shortened

_PLACE = re.compile(r"\s*\(at [^)]*\)$")
_CURLY = "„“”‚‘’«»"
_STRAIGHT = str.maketrans(dict.fromkeys(_CURLY, '"'))
_WORD = re.compile(r"[^\W\d][\w .+-]*")
_DECIMAL_COMMA = re.compile(r"\d+,\d+")
LONGEST_LINE = 60


def explain(
    name: str, line: int, content: str, reason: str, table: tuple[str, ...] = ()
) -> Mistake:
    """A line that is not TOML.

    Args:
        name: The file.
        line: Its number, from 1.
        content: The line.
        reason: What tomllib says.
        table: Where the line stands.
    """
    code = content.partition("#")[0].strip()
    return Mistake(name, line, _key(code, table), *_explain(code, reason))


def _key(code: str, table: tuple[str, ...]) -> str:
    """What the line is about, as far as that can be seen."""
    begins = re.match(r"\[*\s*([\w.-]*)", code)
    key = begins[1] if begins else ""
    return key if code.startswith("[") else ".".join(filter(None, (*table, key)))


def twice(name: str, line: int, what: str, earlier: int) -> Mistake:
    """A key or table that stands in the file a second time."""
    return Mistake(
        name,
        line,
        what,
        Words("is there twice, first in line {line}", line=earlier),
        Words("it once"),
        Words("put both together and delete one"),
    )


def open_table(name: str, line: int, what: str) -> Mistake:
    """[[table]] instead of [table]."""
    return Mistake(
        name,
        line,
        what,
        Words("two brackets"),
        Words("one bracket"),
        Words("write {example}", example=f"[{what}]"),
    )


def unreadable(name: str, line: int | None, reason: str) -> Mistake:
    """Not TOML, for another reason."""
    return Mistake(name, line, "", *_in_general("", reason))


Explanation = tuple[Words, Words, Words]


def _explain(content: str, reason: str) -> Explanation:
    key, equals, value = (part.strip() for part in content.partition("="))
    if any(letter in content for letter in _CURLY):
        return (
            Words("curved quotation marks"),
            Words("straight ones"),
            _write(content.translate(_STRAIGHT)),
        )
    if content.startswith("["):
        return _table(content)
    if not equals:
        return _without_equals(content)
    if not value:
        return (
            Words("no value behind {key} =", key=key),
            Words("a value"),
            Words("write a value, or put # in front of the line"),
        )
    return _value(key, value, reason)


def _table(content: str) -> Explanation:
    name = content.strip("[] ")
    return (
        Words("a table {content} that is not closed", content=_line(content)),
        Words("its name in brackets, alone in its line"),
        _write(f"[{name}]" if re.fullmatch(r"\w+", name) else "[pads]"),
    )


def _without_equals(content: str) -> Explanation:
    key, colon, value = (part.strip() for part in content.partition(":"))
    line = f"{key} = {value}" if colon and value else 'language = "de"'
    return (
        Words("a line without =: {content}", content=_line(content)),
        Words("key = value"),
        _write(line),
    )


def _value(key: str, value: str, reason: str) -> Explanation:
    if value in ("True", "False", "TRUE", "FALSE"):
        return (
            Words("found {value}", value=value),
            Words("true or false"),
            _write(value.lower(), key),
        )
    if "newline" in reason and _DECIMAL_COMMA.fullmatch(value):
        point = value.replace(",", ".")
        return Words("a comma in a number: {value}", value=value), Words("a point"), _write(point)
    if value.startswith("[") and ("Unclosed" in reason or "end of document" in reason):
        return (
            Words("a list that is not closed: {content}", content=_line(value)),
            Words("commas between its entries and ] at its end"),
            Words("add what is missing"),
        )
    if value[0] in "\"'" and value.count(value[0]) == 1:
        return (
            Words("a quotation mark that is not closed: {content}", content=_line(value)),
            Words("one at either end"),
            _write(f'"{value[1:].strip()}"', key),
        )
    if _WORD.fullmatch(value):
        return (
            Words("text without quotation marks: {content}", content=_line(value)),
            Words("text in quotation marks"),
            _write(shortened(value), key),
        )
    return _in_general(f"{key} = {value}", reason)


def _in_general(content: str, reason: str) -> Explanation:
    return (
        Words("{content} is not TOML: {reason}", content=_line(content), reason=_plain(reason))
        if content
        else Words("this is not TOML: {reason}", reason=_plain(reason)),
        Words("key = value"),
        Words("mend that line, or put # in front of it"),
    )


def _write(line: str, key: str = "") -> Words:
    return Words("write {example}", example=f"{key} = {line}" if key else line)


def _plain(reason: str) -> str:
    return " ".join(_PLACE.sub("", reason).split())


def _line(content: str) -> str:
    printable = "".join(letter if letter.isprintable() else "?" for letter in content)
    return printable if len(printable) <= LONGEST_LINE else printable[: LONGEST_LINE - 1] + "…"
