"""What a game on the simulated table says about the referee: one object, and a table of slaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from referee.locale import text
from referee.rules.cards import Card
from referee.rules.events import Flip
from referee.service.score import JudgedSlap, Score, TrueFlip
from referee.service.sentences import card_name

EARLIEST_NS = 60_000_000
"""A flip is never reported sooner than this before the card came to rest."""


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies; 0 for no values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def readings(flips: Sequence[TrueFlip], seen: Sequence[Flip]) -> tuple[int, int]:
    """Compare the cards that really fell with those that were read.

    Args:
        flips: The truth, in order of time.
        seen: What the camera reported, any order.

    Returns:
        How many were not read, and how many were read wrong.
    """
    ordered = sorted(seen, key=lambda flip: flip.t_ns)
    unread = misread = 0
    for number, flip in enumerate(flips):
        begin_ns = flip.rest_ns - EARLIEST_NS
        later = [one.rest_ns for one in flips[number + 1 :] if one.pile == flip.pile]
        end_ns = min(later) - EARLIEST_NS if later else None
        cards = [
            one.card
            for one in ordered
            if one.pile == flip.pile
            and one.t_ns >= begin_ns
            and (end_ns is None or one.t_ns < end_ns)
        ]
        read = [card for card in cards if card.is_read]
        unread += not read
        misread += any(not _same(card, flip.card) for card in read)
    return unread, misread


def _same(read: Card, true: Card) -> bool:
    return read.rank == true.rank


def game_record(
    *,
    game: str,
    players: Sequence[str],
    winner: str | None,
    flips: int,
    judged: Score,
    unread: int,
    misread: int,
    delays_ms: Sequence[float],
) -> dict[str, Any]:
    """The whole game as one JSON object."""
    return {
        "demo": True,
        "game": game,
        "players": list(players),
        "winner": winner,
        "flips": flips,
        "slaps": len(judged.slaps),
        "doubts": judged.doubts,
        "wrong_verdicts": judged.wrong,
        "unread": unread,
        "misread": misread,
        "verdict_delay_ms": {
            "p50": round(percentile(delays_ms, 0.50), 1),
            "p99": round(percentile(delays_ms, 0.99), 1),
        },
    }


def slap_table(judged: Score, start_ns: int) -> Table:
    """Every slap with margin, truth and verdict."""
    table = Table(title=text("cli", "Every slap"), title_justify="left", header_style="bold")
    for name, right in (
        ("time", True),
        ("player", False),
        ("card", False),
        ("truth", False),
        ("verdict", False),
        ("margin ms", True),
        ("", False),
    ):
        table.add_column(text("cli", name) if name else "", justify="right" if right else "left")
    for slap in judged.slaps:
        table.add_row(*_row(slap, start_ns), style="red" if slap.is_wrong else "")
    return table


def _row(judged: JudgedSlap, start_ns: int) -> tuple[str, ...]:
    slap, verdict = judged.slap, judged.verdict
    if slap.first:
        truth = text("cli", "first valid")
    elif slap.slappable:
        truth = text("cli", "valid, not first")
    else:
        truth = text("cli", "not valid")
    said = text("cli", verdict.kind if verdict else "none")
    margin = "" if judged.margin_ms is None else f"{judged.margin_ms:.1f}"
    mark = text("cli", "WRONG") if judged.is_wrong else ("±" if judged.in_doubt else "")
    top = "" if slap.top is None else card_name(slap.top)
    return (
        f"{(slap.touch_ns - start_ns) / 1e9:.2f} s",
        slap.player,
        top,
        truth,
        said,
        margin,
        mark,
    )
