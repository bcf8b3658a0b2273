"""Verdicts as a timeline: one line a moment, one lane a player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from referee.locale import text
from referee.rules.verdicts import Verdict
from referee.service.sentences import gained, paid, sentence

SYMBOLS = {
    "valid_slap": ("✔", "bold green"),
    "false_slap": ("✘", "red"),
    "late_slap": ("·", "dim"),
    "ignored_slap": ("·", "dim"),
    "pending_slap": ("…", "yellow"),
    "doubt": ("±", "yellow"),
    "out_of_cards": ("♥", "yellow"),
    "back_in": ("♥", "green"),
    "eliminated": ("†", "bold red"),
    "game_over": ("★", "bold magenta"),
    "challenge_won": ("✔", "green"),
    "judge_award": ("✔", "bold green"),
    "judge_penalty": ("✘", "red"),
    "out_of_turn": ("↩", "yellow"),
    "unreadable": ("?", "yellow"),
    "legal_play": ("▪", "green"),
    "illegal_play": ("✘", "red"),
}
"""Kind of verdict -> its mark in the player's lane."""

UNTIMED = ("deal", "layout", "single_pile")
"""Verdicts from before the first observation."""


def lanes(players: Sequence[str], verdicts: Iterable[Verdict]) -> Table:
    """A table: time, one column a player, and the sentence.

    Args:
        players: In seat order.
        verdicts: In order; times are shown from the first one.
    """
    table = Table(box=None, padding=(0, 1), header_style="bold")
    table.add_column(text("cli", "time"), justify="right", style="dim", no_wrap=True)
    for player in players:
        table.add_column(player, justify="center", no_wrap=True)
    table.add_column(text("cli", "verdict"))
    verdicts = list(verdicts)
    # The deal has no time of its own: it was before everything that was seen.
    start_ns = min((one.t_ns for one in verdicts if one.kind not in UNTIMED), default=0)
    for verdict in verdicts:
        cells = [_cell(player, verdict) for player in players]
        _, style = SYMBOLS.get(verdict.kind, ("", ""))
        said = "" if verdict.kind == "card_seen" else sentence(verdict)
        table.add_row(f"{(verdict.t_ns - start_ns) / 1e9:.3f}", *cells, Text(said, style=style))
    return table


def _cell(player: str, verdict: Any) -> Text:
    if player not in (getattr(verdict, "player", None), *getattr(verdict, "players", ())):
        return Text("")
    if verdict.kind == "card_seen":
        return Text(str(verdict.card))
    mark, style = SYMBOLS.get(verdict.kind, ("•", ""))
    if verdict.kind in ("tie", "tie_play"):
        mark, style = "=", "yellow"
    if getattr(verdict, "cards_moved", ()):
        change = gained(verdict) - paid(verdict)
        mark += f" {change:+d}" if change else ""
    return Text(mark, style=style)
