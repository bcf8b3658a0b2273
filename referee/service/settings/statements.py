"""A TOML text as single statements with their lines; what cannot be read costs only itself.

tomllib tells the line of the first error and no line of a value. So the text is given to it one
statement at a time: a statement grows by a line for as long as tomllib says that it ends too early.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from referee.service.settings.mistakes import Mistake
from referee.service.settings.syntax import explain, open_table, twice, unreadable

_TOO_SHORT = "at end of document"
_LINE = re.compile(r"at line (\d+)")
_BEGINS = re.compile(r"\s*($|#|\[|[\w\"'.-]+\s*=)")
"""A line with which a statement may begin."""

KeyPath = tuple[str, ...]


@dataclass(slots=True)
class Document:
    """What a settings file says, and where."""

    name: str
    tree: dict[str, Any] = field(default_factory=dict)
    lines: dict[KeyPath, int] = field(default_factory=dict)
    """Key or table -> its line, from 1."""
    headers: dict[KeyPath, int] = field(default_factory=dict)
    """Table -> the line of its [header]."""
    mistakes: list[Mistake] = field(default_factory=list)
    """What is not TOML."""

    def line_of(self, *path: str) -> int | None:
        """The line of a key, else that of the table around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)


def read_document(content: str, name: str) -> Document:
    """Read a TOML text as far as it can be read.

    Args:
        content: The text.
        name: How to call the file.
    """
    document = Document(name)
    lines = content.replace("\r\n", "\n").split("\n")
    table: KeyPath | None = ()
    for first, statement, reason in _statements(lines):
        if reason:
            document.mistakes.append(explain(name, first, lines[first - 1], reason, table or ()))
            if lines[first - 1].lstrip().startswith("["):
                table = None  # nobody knows where the lines below it belong
        elif lines[first - 1].lstrip().startswith("["):
            table = _open(document, statement, first)
        elif table is not None:
            for path, value in _leaves(statement):
                _put(document, (*table, *path), value, first)
    if not document.mistakes:
        _read_whole(document, content)
    return document


def _statements(lines: list[str]) -> Iterator[tuple[int, dict[str, Any], str]]:
    """First line, content and error (empty: none) of each statement."""
    at = 0
    while at < len(lines):
        end, statement, reason = _statement(lines, at)
        if reason or statement:
            yield at + 1, statement, reason
        at = end


def _statement(lines: list[str], at: int) -> tuple[int, dict[str, Any], str]:
    """The line behind a statement that begins at a line (from 0), its content, its error."""
    reason = ""
    for end in range(at + 1, len(lines) + 1):
        try:
            return end, tomllib.loads("\n".join([*lines[at:end], ""])), ""
        except (ValueError, RecursionError) as error:  # also from a number without end
            reason = str(error)
        if _TOO_SHORT not in reason:
            wrong = _LINE.search(reason)
            later = int(wrong[1]) - 1 if wrong else 0
            return _next_beginning(lines, at + later) if later else at + 1, {}, reason
    return at + 1, {}, reason


def _next_beginning(lines: list[str], at: int) -> int:
    while at < len(lines) and not _BEGINS.match(lines[at]):
        at += 1
    return at


def _open(document: Document, statement: dict[str, Any], line: int) -> KeyPath | None:
    """The table that a header opens."""
    path: KeyPath = ()
    inside: Any = statement
    while isinstance(inside, dict) and inside:
        name = next(iter(inside))
        path, inside = (*path, name), inside[name]
    if isinstance(inside, list):
        document.mistakes.append(open_table(document.name, line, ".".join(path)))
    elif path in document.headers:
        earlier = document.headers[path]
        document.mistakes.append(twice(document.name, line, f"[{'.'.join(path)}]", earlier))
    document.headers.setdefault(path, line)
    _put(document, path, {}, line)
    return path


def _leaves(statement: dict[str, Any], path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    for name, value in statement.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*path, name))
        else:
            yield (*path, name), value


def _put(document: Document, path: KeyPath, value: Any, line: int) -> None:
    """Hang a value into the tree; one that stands there already is named."""
    tree: Any = document.tree
    for name in path[:-1]:
        tree = tree.setdefault(name, {})
        if not isinstance(tree, dict):
            return  # `a = 1` and then `a.b = 2`: the whole text is refused below
    known = tree.get(path[-1])
    if known is None:
        tree[path[-1]] = value
    elif value != {} or not isinstance(known, dict):
        earlier = document.line_of(*path) or line
        document.mistakes.append(twice(document.name, line, ".".join(path), earlier))
    for depth in range(1, len(path) + 1):
        document.lines.setdefault(path[:depth], line)


def _read_whole(document: Document, content: str) -> None:
    """The last word: statements that are good one by one may still not go together."""
    try:
        tomllib.loads(content)
    except (ValueError, RecursionError) as error:
        wrong = _LINE.search(str(error))
        line = int(wrong[1]) if wrong else None
        document.mistakes.append(unreadable(document.name, line, str(error)))
