"""Scenarios: real disputes as data, played through the same door as the box's observations.

The format is defined in tests/scenarios/README.md. Times there are milliseconds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.rules.cards import Card, parse_card
from referee.rules.errors import BadNotation, RefereeError
from referee.rules.events import (
    Award,
    Burn,
    Call,
    CardIs,
    Choose,
    Flip,
    HiddenCard,
    Move,
    Observation,
    Penalty,
    Play,
    Slap,
    SpitCard,
    Stuck,
    Tick,
    Undo,
    VoidFlip,
    VoidSlap,
)
from referee.rules.house_rules import house_rules
from referee.rules.house_rules_check import SHORT_NAMES
from referee.rules.position import Deal, Position, SpitPosition, Start
from referee.rules.record import Header
from referee.rules.referee import Referee

NS_PER_MS = 1_000_000

Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One situation: how it begins, what happens, what must be announced."""

    name: str
    title: str
    header: Header
    observations: tuple[tuple[int, Observation], ...]
    """In order of arrival, with the time of arrival in milliseconds."""
    expect: tuple[Plain, ...]
    final: Plain


# --- reading -------------------------------------------------------------------------------------


def read_scenarios(path: Path) -> Iterator[Scenario]:
    """Read a file with one scenario a line.

    Raises:
        BadNotation: The file cannot be read, or a line is no scenario; says which line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadNotation(f"cannot read {path}: {_why(error)}") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield parse_scenario(json.loads(line))
            except (RefereeError, ValueError) as error:
                raise BadNotation(f"{path}, line {number}: {_why(error)}") from error


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return (error.strerror or type(error).__name__).lower()
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON object ({error.msg.lower()} at column {error.colno})"
    if isinstance(error, UnicodeDecodeError):
        return "no text in UTF-8"
    return str(error)


def parse_scenario(line: object) -> Scenario:
    """Read one scenario.

    Raises:
        BadNotation: A field is missing or cannot be read.
        BadRules: An option does not exist.
    """
    if not isinstance(line, Mapping):
        raise BadNotation(f"a scenario is an object with id, game and events, not {line!r:.40}")
    try:
        return _parse(line)
    except KeyError as error:
        raise BadNotation(f"scenario without the field {error}") from error
    except (TypeError, AttributeError, IndexError) as error:
        raise BadNotation(f"scenario that cannot be read: {error}") from error


def _parse(line: Plain) -> Scenario:
    game = SHORT_NAMES.get(line["game"]) or str(line["game"])
    header = Header(
        game=game,
        players=tuple(line["players"]),
        house_rules=house_rules(game, line.get("options", {})),
        start=_start(game, line["initial"]),
        lockout_ms=0,
    )
    seen = [
        (_whole(event.get("arrive_ms", event["t_ms"])), _event(event, number))
        for number, event in enumerate(line["events"])
    ]
    seen.sort(key=lambda each: each[0])
    final = line.get("final", {})
    _check_players(header, seen)
    return Scenario(
        str(line["id"]),
        str(line.get("title", "")),
        header,
        tuple(seen),
        tuple(line["expect"]),
        final,
    )


def _check_players(header: Header, seen: list[tuple[int, Observation]]) -> None:
    """Refuse what the referee would refuse, while the line is still known."""
    Referee(header.game, header.players, header.house_rules, header.start)
    for _, observation in seen:
        player = getattr(observation, "player", None)
        if player is not None and player not in header.players:
            names = " ".join(header.players)
            raise BadNotation(f"{player!r} does not play, expected one of {names}")


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadNotation(f"bad time: {value!r}, expected whole milliseconds")
    return value


def _start(game: str, initial: Plain) -> Start:
    if initial.get("deal"):
        totals = tuple(dict(initial.get("totals", {})).items())
        return Deal(dealer=initial.get("dealer"), totals=totals)
    if game == "spit":
        return SpitPosition(
            tableau=tuple(
                (player, tuple(_cards(stack) for stack in stacks))
                for player, stacks in initial["tableau"].items()
            ),
            deck=tuple(initial["deck"].items()),
            piles=tuple(_cards(pile) for pile in initial["piles"]),
            pile_hidden=tuple(initial.get("pile_hidden", ())),
            phase=initial.get("phase", "play"),
            need=tuple(initial.get("need", ())),
        )
    return Position(
        counts=tuple(initial["counts"].items()),
        pile=_cards(initial.get("pile", ())),
        pile_burn=initial.get("pile_burn", 0),
        last_flipper=initial.get("last_flipper") or None,
        to_act=initial.get("to_act"),
        status=tuple(dict(initial.get("status", {})).items()),
        ran_out=tuple(initial.get("ran_out", ())),
        eliminated=tuple(initial.get("eliminated", ())),
    )


def _cards(texts: Any) -> tuple[Card, ...]:
    return tuple(parse_card(text) for text in texts)


def _event(event: Plain, number: int) -> Observation:
    """An event; its number in the file orders events of one kind and time."""
    kind = event["ruling"] if event["kind"] == "judge" else event["kind"]
    make = _EVENTS.get(kind)
    if make is None:
        raise BadNotation(f"no such event: {kind!r}, expected one of {' '.join(_EVENTS)}")
    return make(event, _whole(event["t_ms"]) * NS_PER_MS, number)


def _ref_ns(event: Plain) -> int:
    return _whole(event["ref_t_ms"]) * NS_PER_MS


_EVENTS: dict[str, Callable[[Plain, int, int], Observation]] = {
    "flip": lambda e, t, n: Flip(t, parse_card(e["card"]), e.get("player"), seq=n),
    "slap": lambda e, t, n: Slap(t, e["player"], seq=n),
    "call": lambda e, t, n: Call(t, e["player"], seq=n),
    "burn": lambda e, t, n: Burn(t, e["player"], _cards(e["cards"]), seq=n),
    "pass_time": lambda e, t, n: Tick(t, seq=n),
    "play": lambda e, t, n: Play(t, e["player"], parse_card(e["card"]), e["pile"], seq=n),
    "move": lambda e, t, n: Move(t, e["player"], e["from"], e["to"], seq=n),
    "spit": lambda e, t, n: SpitCard(t, e["player"], parse_card(e["card"]), seq=n),
    "stuck": lambda e, t, n: Stuck(t, e["player"], seq=n),
    "choose": lambda e, t, n: Choose(t, e["player"], e["pile"], seq=n),
    "void_slap": lambda e, t, n: VoidSlap(t, e["player"], _ref_ns(e), seq=n),
    "card_is": lambda e, t, n: CardIs(t, parse_card(e["card"]), _ref_ns(e), seq=n),
    "void_flip": lambda e, t, n: VoidFlip(t, _ref_ns(e), seq=n),
    "award": lambda e, t, n: Award(t, e["player"], seq=n),
    "penalty": lambda e, t, n: Penalty(t, e["player"], e["to"], e["n"], seq=n),
    "hidden_card": lambda e, t, n: HiddenCard(t, e["player"], e["n"], seq=n),
    "undo": lambda e, t, n: Undo(t, seq=n),
}
