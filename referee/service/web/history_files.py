"""A game's verdicts as a table (CSV), for a spreadsheet."""

from __future__ import annotations

import csv
import io

from referee.rules.verdicts import Verdict
from referee.service.sentences import sentence
from referee.service.web.retelling import Retelling

COLUMNS = ("n", "t_ms", "verdict", "players", "moved", "margin_ms", "width_ms", "sentence")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet would take a cell that begins so for a formula; a name may."""


def csv_of(told: Retelling, language: str) -> str:
    """One line a verdict; times in ms from the first observation."""
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(COLUMNS)
    begun_ns = told.seen[0]["t_ns"] if told.seen else 0
    for number, step in enumerate(told.steps):
        rows.writerow([number, *_cells(step.verdict, begun_ns, language)])
    return written.getvalue()


def _cells(verdict: Verdict, begun_ns: int, language: str) -> list[object]:
    player = getattr(verdict, "player", None)
    players = (player,) if player else getattr(verdict, "players", ())
    moved = getattr(verdict, "cards_moved", ())
    return [
        _ms(max(0, verdict.t_ns - begun_ns)),
        verdict.kind,
        _plain(" ".join(players)),
        _plain(" ".join(f"{move.source}>{move.target}:{move.n}" for move in moved)),
        _ms(getattr(verdict, "margin_ns", None)),
        _ms(getattr(verdict, "width_ns", None)),
        _plain(sentence(verdict, language)),
    ]


def _ms(t_ns: int | None) -> str:
    return "" if t_ns is None else f"{t_ns / 1e6:.3f}"


def _plain(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) else cell
