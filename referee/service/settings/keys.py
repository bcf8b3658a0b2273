"""The keys of the settings file as a table, worked out from the fields and their types."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from referee.service.settings.fields import Section, Settings
from referee.service.settings.mistakes import NOTHING, Words, written

RULES = "rules"
"""The table whose keys are house rules."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the file."""

    table: str
    """Empty: the top of the file."""
    name: str
    kind: Any
    """Its type, with limits."""
    default: Any
    """None: what happens then stands in `about`."""
    about: str
    """English; the German sentence is in the catalogue."""
    choices: tuple[Any, ...] = ()
    """All values that it may have; empty: too many to list."""
    example: str = ""
    """As it is written in the file, for a key without default."""
    expected: Words = NOTHING

    @property
    def path(self) -> str:
        """Such as "pads.kind"."""
        return f"{self.table}.{self.name}" if self.table else self.name

    @property
    def line(self) -> str:
        """The line of the file that says what happens without it."""
        return f"{self.name} = {self.example if self.default is None else written(self.default)}"


@cache
def tables() -> dict[str, type[Section]]:
    """Name -> table, in the order of the file; the top of the file is ""."""
    hints = get_type_hints(Settings)
    found: dict[str, type[Section]] = {"": Settings}
    found.update((name, kind) for name, kind in hints.items() if _is_table(kind))
    return found


@cache
def keys() -> dict[str, Key]:
    """Path -> key, in the order of the file, without the house rules."""
    return {key.path: key for name, table in tables().items() for key in _keys(name, table)}


@cache
def names(table: str) -> tuple[str, ...]:
    """The keys of a table; for the top of the file the tables, too."""
    own = tuple(key.name for key in keys().values() if key.table == table)
    return own if table else (*own, RULES, *filter(None, tables()))


def _keys(name: str, table: type[Section]) -> Iterator[Key]:
    defaults = table()
    for field, kind in get_type_hints(table, include_extras=True).items():
        if not _is_table(kind) and field != RULES:
            yield _key(name, field, kind, getattr(defaults, field))


def _key(table: str, name: str, kind: Any, default: Any) -> Key:
    facts = [meta for meta in _unwrapped(kind) if hasattr(meta, "description")]
    extra: dict[str, str] = {}
    for meta in facts:
        extra.update(meta.extra or {})
    choices = next((get_args(part) for part in _unwrapped(kind) if _is_literal(part)), ())
    return Key(
        table=table,
        name=name,
        kind=kind,
        default=default,
        about=next(meta.description for meta in facts if meta.description),
        choices=choices,
        example=extra.get("example", ""),
        expected=_expected(kind, choices, extra.get("expected", "")),
    )


def _expected(kind: Any, choices: tuple[Any, ...], special: str) -> Words:
    """What a right value looks like."""
    if special:
        return Words(special)
    if choices:
        return one_of(choices)
    least, most = (_limit(kind, name) for name in ("ge", "le"))
    parts = _unwrapped(kind)
    if bool in parts:
        return Words("true or false")
    if int in parts:
        return whole_number(least, most)
    if float in parts:
        return Words("a number from {least} to {most}", least=least, most=most)
    return Words("text in quotation marks")


def one_of(choices: tuple[Any, ...] | list[str]) -> Words:
    """A list of values that are allowed."""
    return Words("one of {choices}", choices=", ".join(map(written, choices)))


def whole_number(least: object, most: object) -> Words:
    """A whole number within limits."""
    return Words("a whole number from {least} to {most}", least=least, most=most)


def _limit(kind: Any, name: str) -> object:
    found = (getattr(part, name, None) for part in _unwrapped(kind))
    return next((limit for limit in found if limit is not None), None)


def _unwrapped(kind: Any) -> list[Any]:
    """The parts of a type: `Annotated[int, limits] | None` -> int, limits, None."""
    if get_origin(kind) in (Annotated, Union, types.UnionType):
        return [part for inner in get_args(kind) for part in _unwrapped(inner)]
    return [kind]


def _is_literal(part: Any) -> bool:
    return get_origin(part) is Literal


def _is_table(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Section)
