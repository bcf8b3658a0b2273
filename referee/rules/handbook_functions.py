"""Every rule function of the box, read from its own docstring.

A rule is a function whose docstring ends with `Source:`. Its first sentence says what the rule is,
the source says on which sheet and under which heading it stands, or that it is the box's own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

GAMES = ("slapjack", "ratscrew", "spit")

SHEETS = {"slapjack": "Slapjack", "ratscrew": "Egyptian Ratscrew", "spit": "Spit"}
"""Game -> the name of its rule sheet, as written in the sources."""

_FOLDER = Path(__file__).parent
_SOURCE = re.compile(r"^\s*Source:\s*(.+?)(?:\n\s*\n|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RuleFunction:
    """One rule, where it is decided and where it stands on the sheet."""

    summary: str
    """First sentence of the docstring, in English."""
    source: str
    """Sheet and heading."""
    name: str
    """The function, with its class if it has one."""
    file: str
    """Below the repository's root."""
    line: int


def rule_functions(game: str) -> tuple[RuleFunction, ...]:
    """All rules of a game, in the order of the files and within them."""
    return tuple(
        rule
        for path in sorted(_FOLDER.glob("*.py"))
        for rule in _in_file(path)
        if game in _games_of(rule.source, path.stem)
    )


def _in_file(path: Path) -> Iterator[RuleFunction]:
    for owner, node in _functions(ast.parse(path.read_text(encoding="utf-8"))):
        docstring = ast.get_docstring(node) or ""
        source = _SOURCE.search(docstring)
        if source is None:
            continue
        yield RuleFunction(
            summary=_joined(docstring.split("\n\n")[0]),
            source=_joined(source.group(1)),
            name=f"{owner}.{node.name}" if owner else node.name,
            file=f"referee/rules/{path.name}",
            line=node.lineno,
        )


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """All functions and methods, with the name of the class they are in."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield "", node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield node.name, inner


def _games_of(source: str, module: str) -> set[str]:
    """The games a rule is for: those whose sheet it names, else those its file is about."""
    named = {game for game, sheet in SHEETS.items() if f"{sheet}," in source}
    if named:
        return named
    own = {game for game in GAMES if module.startswith(game)}
    return own or {"slapjack", "ratscrew"}


def _joined(text: str) -> str:
    return " ".join(text.split())
