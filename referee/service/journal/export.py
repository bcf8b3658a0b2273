"""A game for other programs: JSON lines as referee.service.log reads them, or a table (CSV)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from referee.rules.events import Watermark
from referee.rules.record import verdict_from_record
from referee.service.journal.store import Entry, GameRow
from referee.service.sentences import sentence

COLUMNS = (
    "n",
    "t_ns",
    "seconds",
    "what",
    "kind",
    "player",
    "card",
    "early_ms",
    "late_ms",
    "margin_ms",
    "cards_moved",
    "sentence",
)
"""Of the table; one entry a row, seconds from the first entry."""
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a text that begins like this for a formula."""


def to_jsonl(row: GameRow, entries: Iterable[Entry]) -> Iterator[str]:
    """The lines of a log file, without line ends."""
    yield row.header
    for entry in entries:
        if entry.what != "note":
            yield f'{{"{entry.what}":{entry.record}}}'


def to_csv(entries: Iterable[Entry], language: str | None = None) -> str:
    """A table with a line of titles; notes and watermarks are left out.

    Args:
        entries: Of one game.
        language: Of the sentences.
    """
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(COLUMNS)
    begin_ns: int | None = None
    for n, entry in enumerate(entries):
        record = json.loads(entry.record)
        if entry.what == "note" or record.get("kind") == Watermark.kind:
            continue
        if begin_ns is None and entry.t_ns:
            begin_ns = entry.t_ns  # the deal has no time of its own
        seconds = (entry.t_ns - begin_ns) / 1e9 if begin_ns is not None else 0.0
        cells = [n, entry.t_ns, f"{seconds:.6f}", entry.what, *_cells(record)]
        said = sentence(verdict_from_record(record), language) if entry.what == "said" else ""
        table.writerow([_harmless(cell) for cell in (*cells, said)])
    return out.getvalue()


def _cells(record: dict[str, Any]) -> list[str]:
    kind = str(record.get("verdict") or record.get("ruling") or record.get("kind", ""))
    players = record.get("player") or record.get("players") or record.get("source") or ""
    moved = [f"{move['from']}>{move['to']}:{move['n']}" for move in record.get("cards_moved", ())]
    return [
        kind,
        players if isinstance(players, str) else " ".join(map(str, players)),
        str(record.get("card") or ""),
        *(_milliseconds(record.get(name)) for name in ("early_ns", "late_ns", "margin_ns")),
        " ".join(moved),
    ]


def _milliseconds(t_ns: int | None) -> str:
    return "" if t_ns is None else f"{t_ns / 1e6:g}"


def _harmless(cell: object) -> object:
    """A name is never a formula."""
    if isinstance(cell, str) and cell.startswith(FORMULA_SIGNS) and not _is_number(cell):
        return f"'{cell}"
    return cell


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
