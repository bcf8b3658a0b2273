"""A deck being taught under a camera: frames in; sentences, LED pictures and guide messages out.

One step a call; the caller owns the time. The terminal and the page use the same object.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image as Pil

from hardware.announcement import Announcement
from hardware.drawing import Size, draw
from hardware.protocols import Camera, Image
from models.enrol.collect import Trouble
from models.enrol.profile import write_profile
from models.enrol.steps import Said, Step, What
from models.enrol.teaching import Teaching
from referee.locale import LANGUAGES
from referee.service.enrolment_words import (
    ask_announcement,
    ask_sentence,
    done_sentence,
    said_sentence,
    sign,
    trouble_sentence,
)

GOOD = (What.CLEARED, What.TAKEN, What.RIGHT, What.DONE)
SHOWN_PX = 220
"""Height of the card in a guide's picture."""


@dataclass(frozen=True, slots=True)
class Told:
    """One thing to say."""

    sentences: dict[str, str]
    """Language -> sentence."""
    good: bool | None = None
    """None: a request."""


class Enrolment:
    """One deck, one camera."""

    def __init__(
        self, teaching: Teaching, camera: Camera, *, deck: str, file: Path, demo: bool = False
    ) -> None:
        """Begin; `step` does the rest.

        Args:
            teaching: Knows what is wanted.
            camera: Looks at the table.
            deck: Language of the index letters.
            file: Where the profile goes.
            demo: The table is drawn.
        """
        self.teaching = teaching
        self._camera, self._deck, self._file, self._demo = camera, deck, file, demo
        self._asked = teaching.ask
        self._sign: Announcement | None = None
        self._last: dict[str, str] = self._request()
        self._trouble: Trouble | None = None
        self._is_kept = False
        self._jpeg = ""

    @property
    def is_over(self) -> bool:
        """The deck is learned or refused."""
        return self._is_kept or self._trouble is not None

    @property
    def ok(self) -> bool | None:
        """Whether the deck was learned; None: not yet decided."""
        return self._is_kept if self.is_over else None

    def first(self) -> Told:
        """The first request."""
        return Told(self._request())

    def step(self) -> list[Told]:
        """Take the frames that have come; write the profile when it is learned.

        Raises:
            BadProfile: It cannot be written.
        """
        told: list[Told] = []
        for frame in self._camera.frames():
            if self.is_over:
                break
            said = self.teaching.see(frame.image)
            if said is not None:
                told += self._say(said, frame.image)
        if self._camera.is_finished and not self.is_over:
            ask = self.teaching.ask
            told += self._refuse(Trouble("missing", ask.rank, count=self.teaching.missing))
        return told

    def act(self, action: str) -> list[Told]:
        """The person pressed something: "next" (this is the card) or "cancel"."""
        if self.is_over:
            return []
        if action == "next":
            self.teaching.insist()
            return []
        return self._refuse(Trouble("stopped", self.teaching.ask.rank))

    def close(self) -> None:
        """Release the camera."""
        self._camera.close()

    def message(self) -> dict[str, Any]:
        """The state as a "guide" message for the page."""
        ask = self.teaching.ask
        return {
            "type": "guide",
            "name": "enrol",
            "step": " ".join(filter(None, (ask.step.value, ask.rank, str(ask.number or "")))),
            "sentence": self._last,
            "progress": round(ask.progress, 3),
            "done": self.is_over,
            "ok": self.ok,
            "jpeg": self._jpeg,
        }

    def picture(self, size: Size, language: str | None = None) -> Pil.Image:
        """What the LED matrix shows."""
        shown = self._sign
        if shown is None and self.teaching.ask.step not in (Step.DONE, Step.REFUSED):
            shown = ask_announcement(self.teaching.ask, self._deck, language)
        return draw(shown or sign(good=bool(self.ok), sentence=""), size, demo=self._demo)

    def _request(self) -> dict[str, str]:
        ask = self.teaching.ask
        return {name: ask_sentence(ask, self._deck, name) for name in LANGUAGES}

    def _say(self, said: Said, image: Image) -> list[Told]:
        if said.pose is not None:
            self._jpeg = _card_jpeg(image, said.pose.corners())
        if said.what is What.DONE and self.teaching.profile is not None:
            write_profile(self.teaching.profile, self._file)
            self._is_kept = True
            profile = self.teaching.profile
            return [self._note({n: done_sentence(profile, self._file, n) for n in LANGUAGES}, True)]
        if said.what is What.REFUSED and said.trouble is not None:
            return self._refuse(said.trouble)
        good = said.what in GOOD
        words = {name: said_sentence(said, self._deck, name) for name in LANGUAGES}
        told = [self._note(words, good)]
        if self.teaching.ask != self._asked:
            self._asked = self.teaching.ask
            self._sign = None
            self._last = self._request()
            told.append(Told(self._last))
        return told

    def _refuse(self, trouble: Trouble) -> list[Told]:
        self._trouble = trouble
        words = {name: trouble_sentence(trouble, self._deck, name) for name in LANGUAGES}
        return [self._note(words, False)]

    def _note(self, words: dict[str, str], good: bool) -> Told:
        self._last = words
        self._sign = sign(good=good, sentence=words["en"])
        return Told(words, good)


def _card_jpeg(image: Image, corners: np.ndarray[Any, np.dtype[np.float32]]) -> str:
    """The card alone, straightened: nobody's hand is in it beside the card."""
    width = round(SHOWN_PX * 0.7)
    target = np.array([[0, 0], [width, 0], [width, SHOWN_PX], [0, SHOWN_PX]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), target)
    card = cv2.warpPerspective(image, matrix, (width, SHOWN_PX))
    coded = cv2.imencode(".jpg", card, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    return base64.b64encode(coded.tobytes()).decode("ascii")
