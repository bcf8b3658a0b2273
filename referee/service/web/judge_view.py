"""What the judge may correct, in words: the last slaps, the last cards, the last payment. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.locale import text
from referee.rules.cards import parse_card
from referee.rules.errors import RefereeError
from referee.rules.record import verdict_from_record
from referee.service.sentences import card_name, sentence
from referee.service.web.hub import Hub

AREA = "page"
LISTED = 8
ABOUT_SLAPS = (
    "valid_slap",
    "false_slap",
    "late_slap",
    "pending_slap",
    "ignored_slap",
    "doubt",
    "tie",
)
SETTLES = ("valid_slap", "false_slap", "let", "doubt", "tie", "ignored_slap", "game_over")
"""Verdicts after which an older question to the table is answered."""
ASKS = ("ask_table", "pending_slap", "hold")


@dataclass(frozen=True, slots=True)
class SlapLine:
    """A slap that may be struck out."""

    player: str
    t_ns: int
    when: str
    words: str
    """What was ruled; empty: nothing yet."""
    struck: bool


@dataclass(frozen=True, slots=True)
class CardLine:
    """A flipped card that may be renamed or struck out."""

    t_ns: int
    when: str
    words: str
    """The card, as it was named last."""
    player: str
    struck: bool


def slaps_of(hub: Hub, language: str) -> list[SlapLine]:
    """The last slaps, the newest first."""
    slaps = [record for record in hub.seen if record["kind"] == "slap"][-LISTED:]
    struck = {
        (record["player"], record["ref_t_ns"])
        for record in hub.seen
        if record.get("ruling") == "void_slap"
    }
    return [
        SlapLine(
            player=record["player"],
            t_ns=record["t_ns"],
            when=clock(hub, record["t_ns"]),
            words=_ruled(hub, record, language),
            struck=(record["player"], record["t_ns"]) in struck,
        )
        for record in reversed(slaps)
    ]


def _ruled(hub: Hub, slap: Mapping[str, Any], language: str) -> str:
    """The newest verdict on a slap."""
    for record in reversed(hub.verdicts.records):
        if record["verdict"] not in ABOUT_SLAPS or record["t_ns"] != slap["t_ns"]:
            continue
        if slap["player"] in (record.get("player"), *record.get("players", ())):
            return _said(record, language)
    return ""


def cards_of(hub: Hub, language: str) -> list[CardLine]:
    """The last cards, the newest first."""
    kinds = ("flip", "play", "spit")
    cards = [record for record in hub.seen if record["kind"] in kinds][-LISTED:]
    names: dict[int, str] = {
        record["ref_t_ns"]: record["card"]
        for record in hub.seen
        if record.get("ruling") == "card_is"
    }
    struck = {record["ref_t_ns"] for record in hub.seen if record.get("ruling") == "void_flip"}
    flippers = {
        record["t_ns"]: record["player"]
        for record in hub.verdicts.records
        if record["verdict"] == "card_seen"
    }
    return [
        CardLine(
            t_ns=record["t_ns"],
            when=clock(hub, record["t_ns"]),
            words=card_words(str(names.get(record["t_ns"], record["card"])), language),
            player=record.get("player") or flippers.get(record["t_ns"], ""),
            struck=record["t_ns"] in struck,
        )
        for record in reversed(cards)
    ]


def last_payment(hub: Hub, language: str) -> str:
    """What "undo" would take back: the last verdict that moved cards; empty: nothing."""
    for n in range(len(hub.verdicts.records) - 1, -1, -1):
        record = hub.verdicts.records[n]
        if record.get("cards_moved") and n not in hub.verdicts.struck:
            return _said(record, language)
    return ""


def is_asked(hub: Hub) -> bool:
    """A slap waits for the table's word."""
    for record in reversed(hub.verdicts.records):
        if record["verdict"] in SETTLES:
            return False
        if record["verdict"] in ASKS:
            return True
    return False


def card_words(notation: str, language: str) -> str:
    """A card in words, with a capital letter."""
    try:
        words = card_name(parse_card(notation), language)
    except RefereeError:
        words = notation
    return words[:1].upper() + words[1:]


def clock(hub: Hub, t_ns: int) -> str:
    """Time since the game's first observation, such as "1:05"."""
    first_ns = min((record["t_ns"] for record in hub.seen), default=t_ns)
    seconds = max(0, t_ns - first_ns) // 1_000_000_000
    return f"{seconds // 60}:{seconds % 60:02d}"


def _said(record: Mapping[str, Any], language: str) -> str:
    try:
        return sentence(verdict_from_record(dict(record)), language)
    except RefereeError:
        return str(record["verdict"])


def words_of_ruling(record: Mapping[str, Any], hub: Hub, language: str) -> str:
    """A ruling as a sentence, before it is sent."""

    def say(literal: str, **fields: object) -> str:
        return text(AREA, literal, language=language).format(**fields)

    player, when = record.get("player", ""), clock(hub, int(record.get("ref_t_ns", 0)))
    match record.get("ruling") or record.get("kind"):
        case "void_slap":
            return say("The slap of {player} at {when} does not count.", player=player, when=when)
        case "void_flip":
            return say("The card flipped at {when} does not count; it goes back.", when=when)
        case "card_is":
            card = card_words(str(record["card"]), language)
            return say("The card flipped at {when} is: {card}.", when=when, card=card)
        case "award":
            return say("The pile goes to {player}.", player=player)
        case "penalty":
            to = record.get("to", "")
            places = {"pile": say("the pile"), "pile_bottom": say("under the pile")}
            return say(
                "{player} pays {n}: {to}.", player=player, n=record["n"], to=places.get(to, to)
            )
        case "hidden_card":
            return say("{n} more of {player} lay in the pile unseen.", n=record["n"], player=player)
        case "answer":
            return say(ANSWERS[str(record["answer"])])
        case "undo":
            return say("The last payment is taken back.")
        case "call":
            return say("{player} has called.", player=player)
        case "stuck":
            return say("{player} cannot play.", player=player)
        case "choose":
            return say("{player} takes pile {n}.", player=player, n=int(record["pile"]) + 1)
        case _:
            cards = ", ".join(card_words(str(card), language) for card in record.get("cards", ()))
            return say("{player} has burned: {cards}.", player=player, cards=cards)


ANSWERS = {
    "slap": "Yes, it could be slapped.",
    "no_slap": "No, it could not be slapped.",
    "let": "Nobody knows: play on, nobody pays.",
}
"""The table's answers, in words."""
