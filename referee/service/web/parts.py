"""What an event changes on an open page: patches, small pieces of HTML in the viewer's language.

A patch names an element (`to`) and says what happens with it: `html` replaces its content, `add`
puts a piece in front of it (at most `keep` pieces stay), `attr` and `value` set an attribute, and
`mark` gives it a class. The script of the page does nothing but that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.service.web.hub import Event, Hub

Patch = dict[str, Any]
Draw = Callable[[Hub, Event, str], list[Patch]]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a page that changes with events of one topic."""

    topic: str
    draw: Draw


PARTS: dict[str, Part] = {}
"""Name, as a page's block `topics` lists it -> the part. Page modules add theirs with `@part`."""

LATEST_ONLY = ("box", "table", "led", "picture", "fault", "guide", "race")
"""Topics that show a state: of several events only the newest is of interest."""


def part(name: str, *, of: str | None = None) -> Callable[[Draw], Draw]:
    """Say what an event changes.

    Args:
        name: As a page asks for it.
        of: The event's topic, if it is not the name.
    """

    def add(draw: Draw) -> Draw:
        assert name not in PARTS, name
        PARTS[name] = Part(of or name, draw)
        return draw

    return add
