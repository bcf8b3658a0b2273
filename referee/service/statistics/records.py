"""A season as plain values, for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from referee.service.statistics.season import PlayerFigures, Season
from referee.service.statistics.spread import Share


def season_record(shown: Season, players: Sequence[str]) -> dict[str, Any]:
    """Everything as plain values; times in ms, shares with their 95 % interval."""
    record = asdict(shown)
    record["players"] = [_record(one) for one in shown.players if one.player in players]
    for evening, plain in zip(shown.evenings, record["evenings"], strict=True):
        plain["players"] = [_record(one) for one in evening.players if one.player in players]
    return record


def _record(one: PlayerFigures) -> dict[str, Any]:
    record = asdict(one)
    for name in ("false_slaps", "anticipated"):
        share: Share = getattr(one, name)
        low, high = share.interval
        record[name] |= {"share": share.value, "low": low, "high": high}
    return record
