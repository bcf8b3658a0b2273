"""The lights at the pads: the seat that has just won something shines."""

from __future__ import annotations

import logging
from typing import Any

from hardware.announcement import Announcement
from hardware.gpio import kernel_factory, open_output
from hardware.lights import Lights
from hardware.pins import Pins
from referee.rules.errors import RefereeError

logger = logging.getLogger(__name__)

WINS = ("valid_slap", "tie", "split", "challenge_won", "judge_award", "pile_choice", "game_over")
"""Kinds of verdict after which the named seats shine."""


class SeatLights:
    """Lights that follow what is announced."""

    language = ""
    """They say everything without words."""

    def __init__(self, lights: Lights) -> None:
        self._lights = lights

    def say(self, announcement: Announcement, now_ns: int) -> None:
        """Light the seats that won."""
        if announcement.kind in WINS and announcement.seats:
            self._lights.shine(announcement.seats, now_ns)

    def step(self, now_ns: int) -> None:
        """Call it in every round of the loop."""
        self._lights.pass_time(now_ns)

    def close(self) -> None:
        """Go dark. Safe to call twice."""
        self._lights.close()


def open_lights(pins: Pins, factory: Any = None) -> SeatLights | None:
    """The lights that are wired; None: there are none, or they cannot be had (the log says why).

    Args:
        pins: Where they are wired.
        factory: The pins' factory; None: the kernel's.
    """
    if not pins.lights:
        return None
    try:
        return SeatLights(Lights(pins.lights, factory or kernel_factory()))
    except RefereeError as error:
        logger.warning("the lights at the pads stay dark: %s", error)
        return None


def open_buzzer(pins: Pins, factory: Any = None) -> Any:
    """The buzzer's pin; None: there is none, or it cannot be had (the log says why)."""
    if pins.buzzer is None:
        return None
    try:
        return open_output(pins.buzzer, factory=factory or kernel_factory())
    except RefereeError as error:
        logger.warning("the buzzer stays silent: %s", error)
        return None
