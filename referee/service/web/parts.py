"""What an event changes on an open page: patches, small pieces of HTML in the viewer's language.

A patch names an element (`to`) and says what happens with it: `html` replaces its content, `add`
puts a piece in front of it (at most `keep` pieces stay), `attr` and `value` set an attribute, and
`mark` gives it a class. The script of the page does nothing but that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.service.web.hub import Event, Hub

Patch = dict[str, Any]
Part = Callable[[Hub, Event, str], list[Patch]]

PARTS: dict[str, Part] = {}
"""Topic -> what it changes. Page modules add theirs with `@part("topic")`."""

LATEST_ONLY = ("box", "table", "led", "picture", "fault", "guide")
"""Topics that show a state: of several events only the newest is of interest."""


def part(topic: str) -> Callable[[Part], Part]:
    """Say what an event of this topic changes."""

    def add(draw: Part) -> Part:
        assert topic not in PARTS, topic
        PARTS[topic] = draw
        return draw

    return add
