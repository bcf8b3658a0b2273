"""What the page asks the box: one JSON line each; the box answers those that carry a number."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Record = dict[str, Any]

ANSWER_S = 5.0
"""A box that needs longer is busy or gone."""
SILENT = {"en": "The box does not answer.", "de": "Die Box antwortet nicht."}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the box says to an ask."""

    ok: bool
    sentence: dict[str, str]
    """Language -> sentence."""

    def say(self, language: str) -> str:
        """The sentence in a language."""
        return self.sentence.get(language) or self.sentence.get("en", "")


class Asks:
    """The page's side of the talk."""

    def __init__(self, write: Callable[[Record], None]) -> None:
        """Begin.

        Args:
            write: Sends one record to the box; never blocks.
        """
        self._write = write
        self._number = 0
        self._open: dict[int, asyncio.Future[Answer]] = {}

    def tell(self, ask: str, **fields: object) -> None:
        """Ask for something that needs no answer."""
        self._write({"ask": ask, **fields})

    async def ask(self, ask: str, **fields: object) -> Answer:
        """Ask, and wait for the answer."""
        self._number += 1
        number = self._number
        answer = self._open[number] = asyncio.get_running_loop().create_future()
        self._write({"ask": ask, "id": number, **fields})
        try:
            return await asyncio.wait_for(answer, ANSWER_S)
        except TimeoutError:
            return Answer(False, SILENT)
        finally:
            self._open.pop(number, None)

    def hear(self, message: Record) -> None:
        """Take an "answer" message of the box."""
        number = message.get("to")
        waiting = self._open.get(number) if isinstance(number, int) else None
        if waiting is not None and not waiting.done():
            waiting.set_result(Answer(bool(message["ok"]), dict(message.get("sentence", {}))))
