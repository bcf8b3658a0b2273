"""How to mend a value or a name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.service.settings.mistakes import Words, nearest, written

_YES = ("true", "yes", "ja", "on", "an", "1")
_NO = ("false", "no", "nein", "off", "aus", "0")


def or_delete(default: str = "") -> Words:
    """When nobody can know what was meant."""
    if default:
        return Words("change it, or delete the line: then {default} is used", default=default)
    return Words("change it, or delete the line")


def correct_value(value: Any, choices: Iterable[Any], default: str = "") -> Words:
    """What was probably meant instead of a value.

    Args:
        value: As it was read from the file.
        choices: What is allowed; empty: too much to list.
        default: What happens without the line.
    """
    allowed = list(choices)
    if allowed == [True, False] and str(value).lower() in (*_YES, *_NO):
        return _write("true" if str(value).lower() in _YES else "false")
    if isinstance(value, str):
        if _is_number(value) and not any(isinstance(one, str) for one in allowed):
            return Words("leave out the quotation marks: {value}", value=value)
        meant = nearest(value, [one for one in allowed if isinstance(one, str)])
        if meant:
            return Words("did you mean {value}?", value=written(meant))
    return or_delete(default)


def _write(value: str) -> Words:
    return Words("write {example}", example=value)


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True
