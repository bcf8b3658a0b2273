"""The simulated camera: frames with the stamps of a rolling shutter, and its noise."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.protocols import Frame, Image
from hardware.simulated.deck import STYLES, CardArt, DeckStyle, Language, draw_back, draw_deck
from hardware.simulated.pace import Pace
from hardware.simulated.painter import Painter, Shutter
from hardware.simulated.table import CARD_HEIGHT_MM, FIELD_MM, Table
from referee.rules.cards import Card
from referee.rules.errors import RefereeError
from referee.rules.events import DEMO

NOISE_BANKS = 4
NOISE_ROOM_PX = 48
"""A noise picture is larger than a frame by this and taken from a random corner."""


class BadStyle(RefereeError, ValueError):
    """A deck that nobody can draw."""


class World(Protocol):
    """What a camera needs to know of the world."""

    seed: int
    table: Table

    @property
    def now_ns(self) -> int:
        """The simulated time."""


class SimulatedCamera:
    """A camera above the simulated table: a peer of the real one."""

    def __init__(
        self,
        world: World,
        *,
        style: DeckStyle | str = "classic",
        language: Language = "en",
        size: tuple[int, int] = (640, 480),
        fps: float = 60.0,
        exposure_ns: int = 4_000_000,
        line_ns: int = 17_000,
        noise: float = 2.6,
        most_waiting: int | None = None,
    ) -> None:
        """Look at a table.

        Args:
            world: The table and its time; frames come up to this time.
            style: The deck that is played with, or its name in `deck.STYLES`.
            language: The letters on its courts.
            size: Width and height of the pictures; the view is always `FIELD_MM` wide.
            fps: Frames per second.
            exposure_ns: How long each row sees light.
            line_ns: From row to row; 0 is a global shutter.
            noise: Standard deviation of the noise, in grey levels.
            most_waiting: Frames that wait to be taken; older ones are lost, as with a real camera
                before a busy computer. None: none is ever lost.
        """
        self._world = world
        self._most_waiting = most_waiting
        self._exposure_ns, self._line_ns = exposure_ns, line_ns
        self._painter = _painter(world, style, language, size)
        self._pace = Pace(
            world.now_ns,
            fps=fps,
            exposure_ns=exposure_ns,
            readout_ns=self._shutter(0).end_ns,
        )
        self._rng = np.random.default_rng([world.seed, 5])
        self._noise = _noise_banks(self._painter.settled.shape, noise, self._rng)
        self.moving_frames = 0
        """How many frames so far showed something that moved."""

    @property
    def frame_ns(self) -> int:
        """Time from frame to frame."""
        return self._pace.frame_ns

    @property
    def is_finished(self) -> bool:
        """Never: the table is always there."""
        return False

    def frames(self) -> list[Frame]:
        """All frames that have been read out by now."""
        due = self._pace.due(self._world.now_ns, self._most_waiting)
        return [self._take(number, self._shutter(t_ns)) for number, t_ns in due]

    def close(self) -> None:
        """Nothing to release."""

    def _shutter(self, t_ns: int) -> Shutter:
        rows = self._painter.settled.shape[0]
        return Shutter(t_ns, self._exposure_ns, self._line_ns, rows)

    def _take(self, number: int, shutter: Shutter) -> Frame:
        image, moves = self._painter.picture(shutter)
        self.moving_frames += moves
        self._add_noise(image)
        return Frame(number, shutter.t_ns, self._exposure_ns, self._line_ns, image, stamp=DEMO)

    def _add_noise(self, image: Image) -> None:
        if not self._noise:
            return
        h, w = image.shape[:2]
        bank, *corners = self._rng.integers(0, [NOISE_BANKS, *[NOISE_ROOM_PX] * 4])
        brighter, darker = self._noise[bank]
        y0, x0, y1, x1 = corners
        cv2.add(image, brighter[y0 : y0 + h, x0 : x0 + w], dst=image)
        cv2.subtract(image, darker[y1 : y1 + h, x1 : x1 + w], dst=image)


def _painter(
    world: World, style: DeckStyle | str, language: Language, size: tuple[int, int]
) -> Painter:
    if isinstance(style, str):
        if style not in STYLES:
            raise BadStyle(f"no such deck: {style!r}, expected one of {', '.join(STYLES)}")
        style = STYLES[style]
    # A little larger than seen, so that shrinking keeps the letters sharp.
    height_px = round(CARD_HEIGHT_MM * size[0] / FIELD_MM[0] * 1.08)
    deck, back = _deck(style, language, world.seed, height_px)
    return Painter(world.table, deck, back, size)


@lru_cache(maxsize=2)
def _deck(
    style: DeckStyle, language: Language, seed: int, height_px: int
) -> tuple[dict[Card, CardArt], CardArt]:
    """Another camera over the same table sees the same deck."""
    return draw_deck(style, language, seed, height_px), draw_back(style, height_px)


def _noise_banks(
    shape: tuple[int, ...], sigma: float, rng: np.random.Generator
) -> list[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    """Pairs of pictures: how much brighter and how much darker each point gets."""
    if sigma == 0:
        return []
    h, w = shape[0] + NOISE_ROOM_PX, shape[1] + NOISE_ROOM_PX
    banks = []
    for _ in range(NOISE_BANKS):
        pair = []
        for _ in range(2):
            grey = rng.standard_normal((h, w, 1), np.float32) * (sigma * 0.8)
            colour = rng.standard_normal((h, w, 3), np.float32) * (sigma * 0.6)
            pair.append(np.clip(np.rint(np.abs(grey + colour)), 0, 255).astype(np.uint8))
        banks.append((pair[0], pair[1]))
    return banks
