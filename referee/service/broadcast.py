"""What the page is told, and what a page that comes later must be told: the game so far."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from PIL import Image

from hardware.picture import to_points
from referee.rules.events import Observation, Watermark
from referee.rules.game import TableView
from referee.rules.record import Header, header_to_record, to_record
from referee.rules.verdicts import Verdict
from referee.service.link import Message

ALIVE_NS = 1_000_000_000
"""The table is told again after this time, though nothing changed: the page sees that we live."""
PICTURES_KEPT = 80
"""Pictures of piles that a page which comes later is told: those of the last races."""


class Broadcast:
    """Tells the page, and keeps what a new page needs."""

    def __init__(self, send: Callable[[Message], None]) -> None:
        """Begin.

        Args:
            send: Takes one message for the page; never blocks.
        """
        self._send = send
        self._box: Message = {"type": "box"}
        self._game: list[Message] = []
        """The game, everything seen and said, in order."""
        self._races: dict[int, Message] = {}
        self._pictures: dict[str, Message] = {}
        self._faults: dict[tuple[str, int | None], Message] = {}
        self._table: Message | None = None
        self._table_told_ns = 0
        self._led: Message | None = None
        self._said = 0

    def greeting(self) -> list[Message]:
        """All that a new page must be told, in order."""
        newest = [one for one in (self._table, self._led) if one is not None]
        return [
            self._box,
            *self._faults.values(),
            *self._game,
            *self._pictures.values(),
            *self._races.values(),
            *newest,
        ]

    def box(self, **changes: Any) -> None:
        """What the box is and does: fields that changed."""
        changed = self._box | changes
        if changed != self._box:
            self._box = changed
            self._send(changed)

    def game(self, number: int, header: Header, *, deck: str, resumed: bool = False) -> None:
        """A game begins; the one before is forgotten."""
        self._races.clear()
        self._pictures.clear()
        self._table = None
        self._said = 0
        message = {
            "type": "game",
            "id": number,
            "header": header_to_record(header),
            "deck": deck,
            "resumed": resumed,
        }
        self._game = [message]
        self._send(message)

    def seen(self, observation: Observation) -> None:
        """Something was observed; promises are of no interest to people."""
        if not isinstance(observation, Watermark):
            self._keep({"type": "seen", "record": to_record(observation)})

    def said(self, verdict: Verdict) -> None:
        """A verdict fell."""
        self._keep({"type": "said", "n": self._said, "verdict": to_record(verdict)})
        self._said += 1

    def race(self, message: Message) -> None:
        """A photo finish is there, or changed."""
        if self._races.get(message["id"]) != message:
            self._races[message["id"]] = message
            self._send(message)

    def only_races(self, numbers: Sequence[int]) -> None:
        """After a correction: all other races are gone."""
        for number in [one for one in self._races if one not in numbers]:
            del self._races[number]
            self._send({"type": "race_gone", "id": number})

    def crop(self, name: str, jpeg: bytes) -> None:
        """A picture of the pile, to be named by a race."""
        message = {"type": "crop", "id": name, "jpeg": base64.b64encode(jpeg).decode()}
        self._pictures[name] = message
        while len(self._pictures) > PICTURES_KEPT:
            del self._pictures[next(iter(self._pictures))]
        self._send(message)

    def live_picture(self, jpeg: bytes) -> None:
        """The pile as it is now."""
        self._send({"type": "picture", "jpeg": base64.b64encode(jpeg).decode()})

    def forget_pictures(self) -> None:
        """Nobody is told the pictures any more."""
        self._pictures.clear()
        self._send({"type": "no_crops"})

    def table(
        self, view: TableView, *, pile_state: str, lines: Sequence[str], hold: bool, now_ns: int
    ) -> None:
        """How the table stands; told when it changes, and now and then."""
        message: Message = {
            "type": "table",
            "view": view_to_record(view),
            "pile_state": pile_state,
            "lines": list(lines),
            "hold": hold,
        }
        if message == self._table and now_ns - self._table_told_ns < ALIVE_NS:
            return
        self._table, self._table_told_ns = message, now_ns
        self._send(message | {"t_ns": now_ns})

    def led(self, picture: Image.Image) -> None:
        """What the matrix shows; told when it changes."""
        rows = [
            f"{sum(lit << at for at, lit in enumerate(reversed(row))):0{len(row) // 4}x}"
            for row in to_points(picture)
        ]
        message = {"type": "led", "width": picture.size[0], "rows": rows}
        if message != self._led:
            self._led = message
            self._send(message)

    def fault(self, code: str, seat: int | None, *, on: bool) -> None:
        """A fault came or went."""
        message = {"type": "fault", "code": code, "seat": seat, "on": on}
        if on:
            self._faults[code, seat] = message
        else:
            self._faults.pop((code, seat), None)
        self._send(message)

    def pass_on(self, message: Message) -> None:
        """Tell something that no later page needs: a touch, a guide's step, an answer."""
        self._send(message)

    def _keep(self, message: Message) -> None:
        self._game.append(message)
        self._send(message)


def view_to_record(view: TableView) -> dict[str, Any]:
    """The table's books as a JSON object; pairs by player become objects."""
    record: dict[str, Any] = {}
    for field in fields(view):
        value = getattr(view, field.name)
        pairs = field.name in ("counts", "status", "cards")
        record[field.name] = dict(value) if pairs else value
    return record
