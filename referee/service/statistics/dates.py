"""Dates as people write them."""

from __future__ import annotations

from datetime import datetime, tzinfo

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def moment(unix_ms: int, zone: tzinfo | None = None) -> datetime:
    """A moment at the box.

    Args:
        unix_ms: Unix time.
        zone: None: where the machine stands.
    """
    return datetime.fromtimestamp(unix_ms / 1000, zone).astimezone(zone)


def day(when: datetime, language: str) -> str:
    """ "24.12." or "24 Dec": for an axis."""
    if language == "de":
        return f"{when.day}.{when.month}."
    return f"{when.day} {MONTHS[when.month - 1]}"


def date(when: datetime, language: str) -> str:
    """ "24.12.2026" or "24 Dec 2026"."""
    return f"{day(when, language)}{'' if language == 'de' else ' '}{when.year}"


def date_and_time(when: datetime, language: str) -> str:
    """ "24.12.2026, 20:15" or "24 Dec 2026, 20:15"."""
    return f"{date(when, language)}, {when:%H:%M}"
