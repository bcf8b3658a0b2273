"""What the page knows: the box's messages become a state and a short memory of events. Pure.

`receive` takes one message of the box. Everybody who watches keeps the number of the last event he
has; `since` gives him the rest, or None if that is too long ago or of another run: then he must
look at the whole state again. Nobody has a queue of his own, so a slow viewer costs no memory.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from referee.service.web.verdict_list import VerdictList

Message = dict[str, Any]

EVENTS_KEPT = 600
"""About half a minute of a busy game: longer than a phone is out of reach in another room."""
RACES_KEPT = 100
CROPS_KEPT = 60
TOUCHES_KEPT = 24


SILENT_BOX: Message = {
    "demo": False,
    "stamp": "",
    "state": "idle",
    "language": "en",
    "code": "",
    "version": "",
    "journal": "",
    "width": 32,
    "interactive": False,
    "keep_pictures": False,
    "reason": "",
}
"""What is known before the box has spoken: nobody can change anything."""
NOTHING_YET: Message = {
    "winner": None,
    "to_act": None,
    "counts": {},
    "cards": {},
    "pile": 0,
    "piles": [],
    "status": {},
    "challenge": None,
    "top": None,
    "trigger": None,
}


@dataclass(frozen=True, slots=True)
class Event:
    """Something changed."""

    number: int
    topic: str
    """The message's type, such as `"table"` or `"said"`."""
    payload: Message


@dataclass(slots=True)
class Hub:
    """The state behind every page."""

    run: str
    """Names this run of the page: event numbers of another run mean nothing here."""
    box: Message = field(default_factory=lambda: dict(SILENT_BOX))
    game: Message | None = None
    verdicts: VerdictList = field(default_factory=VerdictList)
    seen: list[Message] = field(default_factory=list)
    """Observation records of the game, in the order of arrival."""
    table: Message | None = None
    led: Message | None = None
    races: dict[int, Message] = field(default_factory=dict)
    crops: dict[str, str] = field(default_factory=dict)
    """Id -> JPEG in base64."""
    picture: str = ""
    faults: dict[tuple[str, int | None], Message] = field(default_factory=dict)
    guides: dict[str, Message] = field(default_factory=dict)
    """The newest step of each guide."""
    touches: deque[Message] = field(default_factory=lambda: deque(maxlen=TOUCHES_KEPT))
    number: int = 0
    """Of the newest event."""
    _events: deque[Event] = field(default_factory=lambda: deque(maxlen=EVENTS_KEPT))

    def receive(self, message: Message) -> None:
        """Take one message of the box. Unknown types are passed over: the box may be newer."""
        take = _TAKES.get(str(message.get("type")))
        if take is not None:
            take(self, message)

    @property
    def plays_itself(self) -> bool:
        """A demo: everybody may watch, nobody can change anything, and no games are kept."""
        return bool(self.box.get("demo")) and not self.box.get("code")

    @property
    def mark(self) -> str:
        """Where a viewer stands who has seen everything: "run-number"."""
        return f"{self.run}-{self.number}"

    def since(self, mark: str) -> list[Event] | None:
        """Events after a mark, oldest first.

        Returns:
            None: the mark is of another run or too old; look at the whole state.
        """
        run, _, number = mark.rpartition("-")
        if run != self.run or not number.isdecimal() or int(number) > self.number:
            return None
        missed = self.number - int(number)
        if missed > len(self._events):
            return None
        return [self._events[at] for at in range(len(self._events) - missed, len(self._events))]

    @property
    def view(self) -> Message:
        """How the books stand; before the first "table" message nobody has anything."""
        told: Message = (self.table or {}).get("view", {})
        return NOTHING_YET | told

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, in seat order."""
        return tuple(self.game["header"]["players"]) if self.game else ()

    @property
    def is_interactive(self) -> bool:
        """The page has pads and a flip button: cards and pads are not real."""
        return bool(self.box.get("interactive")) and self.box.get("state") == "playing"

    def tell(self, topic: str, payload: Message) -> None:
        """Add an event."""
        self.number += 1
        self._events.append(Event(self.number, topic, payload))


# --- what each message changes --------------------------------------------------------------------


def _box(hub: Hub, message: Message) -> None:
    hub.box = SILENT_BOX | message
    hub.tell("box", hub.box)


def _game(hub: Hub, message: Message) -> None:
    hub.game = message
    hub.verdicts = VerdictList()
    hub.seen, hub.table, hub.races = [], None, {}
    hub.crops.clear()
    hub.tell("game", message)


def _said(hub: Hub, message: Message) -> None:
    struck = hub.verdicts.add(int(message["n"]), message["verdict"], hub.seen)
    hub.tell("said", message | {"struck": struck})


def _seen(hub: Hub, message: Message) -> None:
    hub.seen.append(message["record"])
    hub.tell("seen", message)


def _table(hub: Hub, message: Message) -> None:
    hub.table = message
    hub.tell("table", message)


def _led(hub: Hub, message: Message) -> None:
    hub.led = message
    hub.tell("led", message)


def _race(hub: Hub, message: Message) -> None:
    hub.races[int(message["id"])] = message
    hub.races = dict(sorted(hub.races.items()))
    while len(hub.races) > RACES_KEPT:
        del hub.races[next(iter(hub.races))]
    hub.tell("race", message)


def _race_gone(hub: Hub, message: Message) -> None:
    hub.races.pop(int(message["id"]), None)
    hub.tell("race_gone", message)


def _no_crops(hub: Hub, message: Message) -> None:
    hub.crops.clear()
    hub.picture = ""
    hub.tell("no_crops", message)


def _crop(hub: Hub, message: Message) -> None:
    hub.crops[str(message["id"])] = message["jpeg"]
    while len(hub.crops) > CROPS_KEPT:
        del hub.crops[next(iter(hub.crops))]
    hub.tell("crop", {"id": message["id"]})


def _picture(hub: Hub, message: Message) -> None:
    hub.picture = message["jpeg"]
    hub.tell("picture", {})


def _fault(hub: Hub, message: Message) -> None:
    place = (str(message["code"]), message.get("seat"))
    if message["on"]:
        hub.faults[place] = message
    else:
        hub.faults.pop(place, None)
    hub.tell("fault", message)


def _guide(hub: Hub, message: Message) -> None:
    hub.guides[str(message["name"])] = message
    hub.tell("guide", message)


def _touch(hub: Hub, message: Message) -> None:
    hub.touches.append(message)
    hub.tell("touch", message)


_TAKES = {
    "box": _box,
    "game": _game,
    "said": _said,
    "seen": _seen,
    "table": _table,
    "led": _led,
    "race": _race,
    "race_gone": _race_gone,
    "crop": _crop,
    "no_crops": _no_crops,
    "picture": _picture,
    "fault": _fault,
    "guide": _guide,
    "touch": _touch,
}
