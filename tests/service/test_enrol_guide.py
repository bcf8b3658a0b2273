"""The guide that teaches a deck from the page: every step is told once, with a live picture."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest

from hardware.protocols import Frame
from referee.rules.errors import RefereeError
from referee.service.enrol_guide import PICTURE_EVERY_NS, EnrolGuide, LateGuide, Watched

STEP_NS = PICTURE_EVERY_NS // 2


class Eye:
    """A camera with a frame a look."""

    is_finished = False

    def __init__(self) -> None:
        self.looks = 0
        self.closed = 0

    def frames(self) -> list[Frame]:
        self.looks += 1
        image = np.full((40, 60, 3), self.looks, np.uint8)
        return [Frame(self.looks, self.looks * STEP_NS, 0, 0, image)]

    def close(self) -> None:
        self.closed += 1


class Pupil:
    """Learns a deck in three looks."""

    def __init__(self, camera: Watched) -> None:
        self._camera = camera
        self.seen = 0
        self.pressed: list[str] = []

    @property
    def is_over(self) -> bool:
        return self.seen >= 3 or "cancel" in self.pressed

    def step(self) -> None:
        self.seen += len(self._camera.frames())

    def act(self, action: str) -> None:
        self.pressed.append(action)

    def message(self) -> dict[str, Any]:
        return {"type": "guide", "name": "enrol", "step": str(self.seen), "done": self.is_over}

    def close(self) -> None:
        self._camera.close()


@pytest.fixture
def eye() -> Eye:
    return Eye()


def _guide(eye: Eye, **more: Any) -> tuple[EnrolGuide, Pupil]:
    watched = Watched(eye)
    pupil = Pupil(watched)
    return EnrolGuide(pupil, watched, **more), pupil


def _kinds(messages: list[dict[str, Any]]) -> list[str]:
    return [message["type"] for message in messages]


def test_every_step_is_told_once_and_the_end_too(eye: Eye) -> None:
    guide, _ = _guide(eye)
    told = []
    while not guide.is_over:
        told += guide.step()
    steps = [message["step"] for message in told if message["type"] == "guide"]
    assert steps == ["1", "2", "3"]
    assert told[-1]["done"]
    assert _kinds(guide.step()) == []


def test_live_picture_comes_four_times_a_second(eye: Eye) -> None:
    guide, pupil = _guide(eye)
    pupil.seen = -7
    pictures = [message for _ in range(8) for message in guide.step() if "jpeg" in message]
    assert len(pictures) == 4
    assert base64.b64decode(pictures[0]["jpeg"])[:2] == b"\xff\xd8"


def test_cancel_is_said_and_ends_the_guide(eye: Eye) -> None:
    guide, pupil = _guide(eye)
    guide.step()
    guide.act("cancel")
    assert not guide.is_over
    (end,) = [message for message in guide.step() if message["type"] == "guide"]
    assert end["done"]
    assert guide.is_over
    assert pupil.pressed == ["cancel"]


def test_drawn_table_lays_its_own_cards(eye: Eye) -> None:
    laid = []
    guide, _ = _guide(eye, lay=lambda: laid.append(1))
    while not guide.is_over:
        guide.step()
    assert len(laid) == 3


def test_camera_is_given_back(eye: Eye) -> None:
    guide, _ = _guide(eye)
    guide.close()
    assert eye.closed == 1


def test_waiting_is_said_before_the_camera_is_opened(eye: Eye) -> None:
    begun: list[EnrolGuide] = []

    def begin() -> EnrolGuide:
        begun.append(_guide(eye)[0])
        return begun[0]

    late = LateGuide(begin)
    (message,) = late.step()
    assert message["sentence"]["de"] == "Die Kamera wird geöffnet."
    assert (message["step"], begun, late.is_over) == ("run", [], False)
    while not late.is_over:
        late.step()
    late.close()
    assert eye.closed == 1


def test_camera_that_cannot_be_had_ends_the_guide_with_a_sentence() -> None:
    def begin() -> EnrolGuide:
        raise RefereeError("no camera 3")

    late = LateGuide(begin)
    late.step()
    (message,) = late.step()
    assert (message["done"], message["ok"]) == (True, False)
    assert message["sentence"]["en"] == "no camera 3"
    assert late.is_over
    late.act("cancel")
    late.close()
