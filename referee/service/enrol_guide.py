"""The guide that teaches a deck of one's own, led from the page: a `referee.service.guides.Guide`.

While it runs the page sees what the camera sees; those pictures are kept nowhere.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any, Literal, Protocol, get_args

from hardware.cameras import open_camera
from hardware.clock import NS_PER_MS
from hardware.protocols import Camera, Frame
from models.enrol.profile import profile_file
from models.enrol.teaching import Teaching
from models.reader import Reader
from referee.locale import LANGUAGES, text
from referee.rules.errors import RefereeError
from referee.service.enrolment import Enrolment
from referee.service.enrolment_demo import DrawnTeaching
from referee.service.link import Message
from referee.service.pile_pictures import Zone, crop, jpeg
from referee.service.settings.fields import Settings

DECK_NAME, DEMO_NAME = "own", "demo"
"""What a deck is called that was taught from the page; `referee enrol` gives others."""
Letters = Literal["en", "de", "fr", "nl"]
LETTERS: tuple[Letters, ...] = get_args(Letters)
PICTURE_EVERY_NS = 250 * NS_PER_MS


class Learning(Protocol):
    """What is led: an `Enrolment`."""

    @property
    def is_over(self) -> bool:
        """The deck is learned or refused."""

    def step(self) -> Any:
        """Take the frames that have come."""

    def act(self, action: str) -> Any:
        """Somebody pressed "next" or "cancel"."""

    def message(self) -> Message:
        """The state for the page."""

    def close(self) -> None:
        """Release the camera."""


class Watched:
    """A camera whose newest frame is remembered."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self.newest: Frame | None = None

    @property
    def is_finished(self) -> bool:
        """No frame will ever come again."""
        return self._camera.is_finished

    def frames(self) -> list[Frame]:
        """Frames since the last call, oldest first."""
        frames = self._camera.frames()
        if frames:
            self.newest = frames[-1]
        return frames

    def close(self) -> None:
        """Release the camera."""
        self._camera.close()


class EnrolGuide:
    """Leads through a deck, card by card."""

    def __init__(
        self,
        learning: Learning,
        camera: Watched,
        *,
        zone: Zone | None = None,
        lay: Callable[[], None] | None = None,
    ) -> None:
        """Begin.

        Args:
            learning: The deck being taught.
            camera: What it looks through.
            zone: The part of the picture that is shown; None: all of it.
            lay: Lays what is asked for on a drawn table; None: people do.
        """
        self._learning, self._camera, self._zone = learning, camera, zone
        self._lay = lay
        self._told: Message | None = None
        self._pictured_ns: int | None = None

    @property
    def is_over(self) -> bool:
        """The deck is learned or refused, and that was said."""
        return self._learning.is_over and self._told == self._learning.message()

    def step(self) -> list[Message]:
        """What is new: a request, an answer, the live picture."""
        if not self._learning.is_over:
            if self._lay is not None:
                self._lay()
            self._learning.step()
        told = self._picture()
        message = self._learning.message()
        if message != self._told:
            self._told = message
            told.append(message)
        return told

    def act(self, action: str) -> None:
        """Somebody pressed "next" or "cancel"."""
        self._learning.act(action)

    def close(self) -> None:
        """Release the camera. Safe to call twice."""
        self._learning.close()

    def _picture(self) -> list[Message]:
        frame = self._camera.newest
        if frame is None:
            return []
        since_ns = self._pictured_ns
        if since_ns is not None and frame.t_ns - since_ns < PICTURE_EVERY_NS:
            return []
        self._pictured_ns = frame.t_ns
        height, width = frame.image.shape[:2]
        shown = crop(frame.image, self._zone or (0, 0, width, height))
        return [{"type": "picture", "jpeg": base64.b64encode(jpeg(shown)).decode()}]


class LateGuide:
    """Says at once that it prepares, and opens camera and reader with the next step.

    That takes seconds on a small computer: whoever asked for it is answered before.
    """

    def __init__(self, begin: Callable[[], EnrolGuide]) -> None:
        self._begin = begin
        self._guide: EnrolGuide | None = None
        self._steps = 0
        self._failed = False

    @property
    def is_over(self) -> bool:
        """The deck is learned or refused, or the camera cannot be had."""
        return self._failed or (self._guide is not None and self._guide.is_over)

    def step(self) -> list[Message]:
        """What is new."""
        self._steps += 1
        if self._steps == 1:
            waits = {
                name: text("page", "The camera is being opened.", language=name)
                for name in LANGUAGES
            }
            return [_state(waits, step="run", done=False, ok=None)]
        if self._guide is None:
            try:
                self._guide = self._begin()
            except RefereeError as error:
                self._failed = True
                return [_state(dict.fromkeys(LANGUAGES, str(error)), step="", done=True, ok=False)]
        return self._guide.step()

    def act(self, action: str) -> None:
        """Somebody pressed "next" or "cancel"."""
        if self._guide is not None:
            self._guide.act(action)

    def close(self) -> None:
        """Release the camera. Safe to call twice."""
        if self._guide is not None:
            self._guide.close()


def _state(sentence: dict[str, str], *, step: str, done: bool, ok: bool | None) -> Message:
    return {
        "type": "guide",
        "name": "enrol",
        "step": step,
        "sentence": sentence,
        "progress": None,
        "done": done,
        "ok": ok,
        "jpeg": "",
    }


def begin_enrolment(settings: Settings, camera: str | None) -> EnrolGuide:
    """Begin to teach a deck.

    Args:
        settings: Of the box.
        camera: What is looked through; None: the drawn table, whose deck teaches itself.

    Raises:
        BadCamera: There is no such camera.
    """
    letters = next((name for name in LETTERS if name == settings.camera.deck), LETTERS[0])
    if camera is not None:
        return _guide(settings, letters, open_camera(camera), DECK_NAME)
    table = DrawnTeaching(language=letters)
    return _guide(settings, letters, table, DEMO_NAME, table)


def _guide(
    settings: Settings,
    letters: Letters,
    camera: Camera,
    name: str,
    table: DrawnTeaching | None = None,
) -> EnrolGuide:
    is_demo = table is not None
    watched = Watched(camera)
    teaching = Teaching(Reader(letters), name, letters, demo=is_demo)
    file = profile_file(name)
    enrolment = Enrolment(teaching, watched, deck=letters, file=file, demo=is_demo)

    def lay() -> None:
        if table is not None:
            table.teacher.obey(teaching.ask)

    zone = settings.camera.zone if table is None else None
    return EnrolGuide(enrolment, watched, zone=zone, lay=lay)
