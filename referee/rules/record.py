"""Observations, verdicts and the start of a game as plain records (JSON), and back.

A log is one header record, then one record an observation. Times stay integer nanoseconds, cards
their notation, `cards_moved` a list of `{"from", "to", "n"}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from referee.rules import events, verdicts
from referee.rules.cards import Card, parse_card
from referee.rules.errors import BadLog, RefereeError
from referee.rules.events import Observation, Ruling
from referee.rules.house_rules import HouseRules, house_rules
from referee.rules.house_rules_check import games_of
from referee.rules.position import Deal, Position, SpitPosition, Start
from referee.rules.verdicts import CardsMoved, Verdict

SCHEMA = 1
"""Version of these records. A log of another version is refused."""

Record = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a log begins with: everything that its observations do not say."""

    game: str
    players: tuple[str, ...]
    house_rules: HouseRules
    start: Start
    lockout_ms: int = 120
    """A pad's further touches within this time of the first are the same slap."""


# --- to records ----------------------------------------------------------------------------------


def to_record(item: Observation | Verdict) -> Record:
    """Write an observation or a verdict as a plain record."""
    if isinstance(item, Verdict):
        head: Record = {"verdict": item.kind}
    elif isinstance(item, Ruling):
        head = {"kind": item.kind, "ruling": item.ruling}
    else:
        head = {"kind": item.kind}
    return head | {field.name: _plain(getattr(item, field.name)) for field in fields(item)}


def header_to_record(header: Header) -> Record:
    """Write the start of a log."""
    rules = header.house_rules
    return {
        "schema": SCHEMA,
        "game": header.game,
        "players": list(header.players),
        "house_rules": {
            field.name: dict(rules.challenge)
            if field.name == "challenge"
            else _plain(getattr(rules, field.name))
            for field in fields(rules)
            if header.game in games_of(field.name)
        },
        "start": {"kind": _START_KINDS[type(header.start)]}
        | {field.name: _plain(getattr(header.start, field.name)) for field in fields(header.start)},
        "lockout_ms": header.lockout_ms,
    }


def _plain(value: object) -> Any:
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, CardsMoved):
        return {"from": value.source, "to": value.target, "n": value.n}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value


# --- from records --------------------------------------------------------------------------------

_START_KINDS: Mapping[type[Start], str] = {
    Deal: "deal",
    Position: "position",
    SpitPosition: "spit_position",
}


def observation_from_record(record: object) -> Observation:
    """Read an observation.

    Raises:
        BadLog: The record is not one that `to_record` writes.
    """
    fields_of = _mapping(record, "an observation")
    key = (_name(fields_of.get("kind")), _name(fields_of.get("ruling")))
    known = _observations().get(key)
    if known is None:
        raise BadLog(f"no such observation: kind {key[0]!r}, expected one of {_names(0)}")
    return _build(known, fields_of)


def verdict_from_record(record: object) -> Verdict:
    """Read a verdict.

    Raises:
        BadLog: The record is not one that `to_record` writes.
    """
    fields_of = _mapping(record, "a verdict")
    known = _verdicts().get(_name(fields_of.get("verdict")))
    if known is None:
        raise BadLog(f"no such verdict: {fields_of.get('verdict')!r}, expected one of section 6")
    return _build(known, fields_of)


def header_from_record(record: object) -> Header:
    """Read the start of a log.

    Raises:
        BadLog: The record is no header, or one of another version.
        BadRules: The house rules in it do not exist or contradict each other.
    """
    fields_of = _mapping(record, "the start of a log")
    if fields_of.get("schema") != SCHEMA:
        raise BadLog(
            f"log of schema {fields_of.get('schema')!r}, expected {SCHEMA}: "
            "it was written by another version of this program, or is no log"
        )
    game = _read(str, fields_of.get("game"), "game")
    start = _mapping(fields_of.get("start"), "the start of a game")
    kinds = {name: cls for cls, name in _START_KINDS.items()}
    kind = _name(start.get("kind"))
    if kind not in kinds:
        raise BadLog(f"no such start: {start.get('kind')!r}, expected one of {' '.join(kinds)}")
    return Header(
        game=game,
        players=_read(tuple[str, ...], fields_of.get("players"), "players"),
        house_rules=house_rules(game, _mapping(fields_of.get("house_rules"), "house rules")),
        start=_build(kinds[kind], start),
        lockout_ms=_read(int, fields_of.get("lockout_ms"), "lockout_ms"),
    )


def _name(value: object) -> str:
    return value if isinstance(value, str) else ""


def _mapping(record: object, what: str) -> Mapping[str, Any]:
    if not isinstance(record, Mapping):
        raise BadLog(f"not {what}: {record!r}, expected an object with names and values")
    return record


def _build(cls: type[T], record: Mapping[str, Any]) -> T:
    hints = _hints(cast(Any, cls))
    given = {
        name: _read(hint, record[name], name) for name, hint in hints.items() if name in record
    }
    try:
        return cls(**given)
    except TypeError as error:
        missing = [field.name for field in fields(cls) if _is_needed(field, given)]  # type: ignore[arg-type]
        raise BadLog(f"{cls.__name__} without {' '.join(missing)}") from error


def _is_needed(field: Field[Any], given: Mapping[str, Any]) -> bool:
    return field.name not in given and field.default is MISSING


@cache
def _hints(cls: Any) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}


def _read(hint: Any, value: Any, name: str) -> Any:
    """Turn a plain value into what a field's type asks for."""
    read = _readers().get(hint) or _reader_of(hint)
    try:
        return read(value, name)
    except RefereeError:
        raise
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise BadLog(f"bad {name}: {value!r}, expected {_named(hint)}") from error


def _named(hint: Any) -> str:
    return str(hint.__name__) if isinstance(hint, type) else str(hint)


@cache
def _readers() -> dict[Any, Callable[[Any, str], Any]]:
    return {
        int: _exactly(int),
        str: _exactly(str),
        bool: _exactly(bool),
        float: lambda value, name: float(_exactly(int, float)(value, name)),
        Card: lambda value, name: parse_card(_exactly(str)(value, name)),
        CardsMoved: lambda value, name: CardsMoved(
            _exactly(str)(value["from"], name),
            _exactly(str)(value["to"], name),
            _exactly(int)(value["n"], name),
        ),
    }


def _exactly(*types: type[Any]) -> Callable[[Any, str], Any]:
    def read(value: Any, name: str) -> Any:
        if type(value) not in types:
            raise TypeError(name)
        return value

    return read


def _reader_of(hint: Any) -> Callable[[Any, str], Any]:
    """Optional values and tuples."""
    inner = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        kind = next(each for each in inner if each is not NoneType)
        return lambda value, name: None if value is None else _read(kind, value, name)
    if len(inner) == 2 and inner[1] is Ellipsis:
        return lambda value, name: tuple(
            _read(inner[0], each, name) for each in _exactly(list, tuple)(value, name)
        )
    return lambda value, name: tuple(
        _read(kind, each, name)
        for kind, each in zip(inner, _exactly(list, tuple)(value, name), strict=True)
    )


@cache
def _observations() -> dict[tuple[Any, Any], type[Observation]]:
    return {(cls.kind, getattr(cls, "ruling", "")): cls for cls in _concrete(events, Observation)}


@cache
def _verdicts() -> dict[Any, type[Verdict]]:
    return {cls.kind: cls for cls in _concrete(verdicts, Verdict)}


def _concrete(module: Any, root: type[T]) -> list[type[T]]:
    found = [each for each in vars(module).values() if isinstance(each, type)]
    kinds: list[type[T]] = [each for each in found if issubclass(each, root)]
    return [cls for cls in kinds if cls not in (root, Ruling)]


def _names(at: int) -> str:
    return " ".join(sorted({str(key[at]) for key in _observations()}))
