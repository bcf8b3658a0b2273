"""What a value must mean, beyond its type: addresses, names, folders, rectangles."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

LONGEST_NAME = 24
"""Letters of a player's name: what the page and the matrix can show."""
_HOST = re.compile(r"(?=.{1,253}\Z)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9-]+)*\.?")


def _is_address(value: str) -> bool:
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return "%" not in value


def _are_hosts(values: Sequence[str]) -> bool:
    return all(_HOST.fullmatch(name) for name in values)


def _are_players(values: Sequence[str]) -> bool:
    return len(set(values)) == len(values) and all(map(_is_name, values))


def _is_name(name: str) -> bool:
    """Names are also written with commas between them (`--players Ann,Bo`)."""
    return (
        name == name.strip()
        and 0 < len(name) <= LONGEST_NAME
        and name.isprintable()
        and "," not in name
    )


def _is_folder(value: str) -> bool:
    return value.startswith("/") and value.isprintable()


def _is_rectangle(values: Sequence[int]) -> bool:
    left, top, width, height = values
    return left >= 0 and top >= 0 and width > 0 and height > 0


MEANINGS: Mapping[str, Callable[[Any], bool]] = {
    "players": _are_players,
    "camera.zone": _is_rectangle,
    "page.bind": _is_address,
    "page.names": _are_hosts,
    "journal.folder": _is_folder,
}
"""Path of a key -> whether a value of the right type makes sense."""
