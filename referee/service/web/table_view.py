"""The live table in words and numbers, ready for a template. Pure."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from referee.locale import text
from referee.rules.cards import parse_card
from referee.rules.errors import RefereeError
from referee.rules.record import verdict_from_record
from referee.service.doctor.codes import Code
from referee.service.sentences import card_name, sentence
from referee.service.web.cards import Face, face
from referee.service.web.countdowns import banned
from referee.service.web.hub import Hub

QUIET = ("card_seen", "ignored_slap", "late_event", "legal_play", "legal_move", "layout")
"""Verdicts that the list leaves out: several a second."""
BARE = {"width_ns": 0, "margin_ns": None, "benefit": False}
"""Fields without which a sentence says nothing of times."""
SMALL = ("late_slap", "legal_play", "hold")
"""Verdicts that are not worth large letters: they would cover the winner."""
CARDS_AFTER = 2
"""So many cards after a verdict it is no news any more."""
SHOWN = 40
"""Verdicts in the list."""
MARKS = {
    "valid_slap": "good",
    "challenge_won": "good",
    "judge_award": "good",
    "back_in": "good",
    "false_slap": "bad",
    "illegal_play": "bad",
    "judge_penalty": "bad",
    "eliminated": "bad",
    "tie": "open",
    "doubt": "open",
    "hold": "open",
    "pending_slap": "open",
    "ask_table": "open",
    "out_of_cards": "open",
    "unreadable": "open",
    "correction": "table",
    "game_over": "won",
}
"""Kind of verdict -> its colour in the list; the others are plain."""


@dataclass(frozen=True, slots=True)
class Player:
    """One place at the table."""

    seat: int
    name: str
    count: int
    status: str
    """`""`, `"last_chance"` or `"out"`."""
    is_next: bool
    owes: int
    """Cards still due to a challenge."""
    banned: int | None
    """Cards until he may slap again; 0: until the pile is won; None: he may slap."""
    place: str
    """Class names: where it stands around the pile."""


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile in the middle."""

    count: int
    top: Face | None
    top_words: str


@dataclass(frozen=True, slots=True)
class Said:
    """One line of the list."""

    n: int
    seconds: str
    """Since the first observation."""
    words: str
    times: str
    """Margin and doubt; empty: nothing to say."""
    mark: str
    is_struck: bool
    is_again: bool


@dataclass(frozen=True, slots=True)
class Headline:
    """What stands above the table in large letters."""

    words: str
    times: str
    mark: str


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and how to mend it."""

    code: str
    seat: int | None
    wrong: str
    mend: str


def players_of(hub: Hub) -> list[Player]:
    """Everybody at the table, in seat order."""
    view = hub.view
    names = hub.players
    counts = dict(view.get("counts") or view.get("cards") or {})
    status, challenge = view.get("status") or {}, view.get("challenge")
    return [
        Player(
            seat=seat,
            name=name,
            count=int(counts.get(name, 0)),
            status=str(status.get(name, "")),
            is_next=view.get("to_act") == name,
            owes=int(challenge[2]) if challenge and challenge[1] == name else 0,
            banned=banned(hub, name),
            place=place(seat, len(names)),
        )
        for seat, name in enumerate(names, 1)
    ]


def place(seat: int, players: int) -> str:
    """Where a seat stands: clockwise from the bottom, the pile in the middle.

    Returns:
        Class names such as "side-top of-2 nth-1".
    """
    sides = _sides(players)
    for side, seats in sides:
        if seat in seats:
            at = seats.index(seat)
            # Clockwise: the bottom is filled from right to left, the top from left to right.
            nth = len(seats) - at if side == "bottom" else at + 1
            return f"side-{side} of-{len(seats)} nth-{nth}"
    return "side-bottom of-1 nth-1"


def _sides(players: int) -> list[tuple[str, list[int]]]:
    """Seats at each side of the table, clockwise."""
    left = right = 1 if players > 2 else 0
    if players == 3:
        left, right = 1, 1
    long = players - left - right
    bottom = (long + 1) // 2
    numbers = [bottom, left, long - bottom, right]
    seats = iter(range(1, players + 1))
    return [
        (side, [next(seats) for _ in range(number)])
        for side, number in zip(("bottom", "left", "top", "right"), numbers, strict=True)
    ]


def piles_of(hub: Hub, language: str) -> list[Pile]:
    """The pile, or the two of Spit."""
    view = hub.view
    counts = view["piles"] or [view["pile"]]
    tops = _tops(hub, len(counts)) if view["piles"] else [view["top"]]
    return [
        pile_of(hub, top, int(count), language) for count, top in zip(counts, tops, strict=True)
    ]


def pile_of(hub: Hub, top: str | None, count: int, language: str) -> Pile:
    """A pile with its top card as the game's deck writes it."""
    deck = str((hub.game or {}).get("deck", "en"))
    return Pile(count, face(top, deck) if top and count else None, _words(top, count, language))


def _tops(hub: Hub, piles: int) -> list[str | None]:
    """Spit: the newest card that lay on each pile."""
    tops: list[str | None] = [None] * piles
    for record in hub.seen:
        number = record.get("pile", 0)
        if record["kind"] == "flip" and number < piles:
            tops[number] = record["card"]
    return tops


def _words(top: str | None, count: int, language: str) -> str:
    if not top or not count:
        return ""
    try:
        return card_name(parse_card(top), language)
    except RefereeError:
        return top


def said_of(hub: Hub, n: int, language: str) -> Said | None:
    """A verdict as a line; None: the list leaves it out."""
    record = hub.verdicts.records[n]
    kind = record["verdict"]
    if kind in QUIET:
        return None
    words, times = words_of(record, language)
    return Said(
        n=n,
        seconds=_seconds(hub, record),
        words=words,
        times=times,
        mark=MARKS.get(kind, "plain"),
        is_struck=n in hub.verdicts.struck,
        is_again=n in hub.verdicts.again,
    )


def words_of(record: dict[str, Any], language: str) -> tuple[str, str]:
    """A verdict's sentence, and apart from it what it says about margin and doubt."""
    try:
        verdict = verdict_from_record(record)
    except RefereeError:
        return str(record["verdict"]).replace("_", " "), ""
    named = {field.name for field in fields(verdict)}
    bare: Any = {name: none for name, none in BARE.items() if name in named}
    words = sentence(replace(verdict, **bare), language)
    times = sentence(verdict, language)[len(words) :].strip()
    return words, times.replace("± ", "±\u00a0").replace(" ms", "\u00a0ms")


def _seconds(hub: Hub, record: dict[str, Any]) -> str:
    first = next((one["t_ns"] for one in hub.seen), record["t_ns"])
    seconds = max(0, record["t_ns"] - first) // 1_000_000_000
    return f"{seconds // 60}:{seconds % 60:02d}"


def headline_of(hub: Hub, language: str) -> Headline | None:
    """The newest verdict worth large letters; after some cards more, whose turn it is."""
    cards = 0
    for n in range(len(hub.verdicts.records) - 1, -1, -1):
        record = hub.verdicts.records[n]
        if n in hub.verdicts.struck:
            continue
        cards += record["verdict"] == "card_seen"
        if cards >= CARDS_AFTER and hub.view["to_act"]:
            turns = text("page", "{player} turns a card", language=language)
            return Headline(turns.format(player=hub.view["to_act"]), "", "calm")
        if record["verdict"] not in (*QUIET, *SMALL):
            words, times = words_of(record, language)
            return Headline(words, times, MARKS.get(record["verdict"], "plain"))
    return None


def last_said(hub: Hub, language: str) -> list[Said]:
    """The newest verdicts, newest first."""
    lines: list[Said] = []
    for n in range(len(hub.verdicts.records) - 1, -1, -1):
        line = said_of(hub, n, language)
        if line is not None:
            lines.append(line)
        if len(lines) == SHOWN:
            break
    return lines


def faults_of(hub: Hub, language: str) -> list[Fault]:
    """What is wrong now."""
    found = []
    for (code, seat), _ in sorted(hub.faults.items(), key=lambda item: item[0][0]):
        try:
            known = Code(code)
            found.append(Fault(code, seat, known.sentence(language), known.mend(language)))
        except ValueError:
            found.append(Fault(code, seat, "", ""))
    return found
