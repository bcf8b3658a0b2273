"""What runs out: a ban to slap, card by card, and the time in which a card may be slapped. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from referee.locale import text
from referee.service.web.hub import Hub, Message

PILE_WON = ("valid_slap", "challenge_won", "split", "pile_returned", "judge_award", "game_over")
"""Verdicts after which a ban until the pile is won is over."""


def banned(hub: Hub, player: str) -> int | None:
    """How many cards long a player may not slap (house rule); 0: until the pile is won."""
    for n in range(len(hub.verdicts.records) - 1, -1, -1):
        record = hub.verdicts.records[n]
        if n in hub.verdicts.struck:
            continue
        if record["verdict"] in PILE_WON:
            return None
        if record["verdict"] == "locked_out" and record["player"] == player:
            if record["cards"] is None:
                return 0
            since = sum(one["kind"] == "flip" and one["t_ns"] > record["t_ns"] for one in hub.seen)
            left = int(record["cards"]) - since
            return left if left > 0 else None
    return None


@dataclass(frozen=True, slots=True)
class Countdown:
    """A time that runs out."""

    words: str
    left_ms: int
    whole_ms: int


def countdown_of(hub: Hub, language: str) -> Countdown | None:
    """The time in which the last card of a paid demand may still be slapped."""
    view = hub.view
    header: Message = (hub.game or {}).get("header", {})
    waits = view.get("to_act") is None and view.get("winner") is None and view.get("trigger")
    if header.get("game") != "ratscrew" or not waits or view.get("challenge"):
        return None
    flips = [one["t_ns"] for one in hub.seen if one["kind"] == "flip"]
    whole_ms = int(header.get("house_rules", {}).get("claim_window_ms", 0))
    if not flips or not whole_ms or not hub.table:
        return None
    left_ms = whole_ms - (int(hub.table["t_ns"]) - max(flips)) // 1_000_000
    if not 0 < left_ms <= whole_ms:
        return None
    return Countdown(text("page", "It may still be slapped", language=language), left_ms, whole_ms)
