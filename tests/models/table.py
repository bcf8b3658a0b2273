"""A table of plain rectangles and a reader that knows them by their grey: for the watcher's logic.

Nothing here can read a real card, and nothing needs the nets.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from models.candidates import Candidate, lone
from models.decks import ANSWERS
from models.locate import Pose, Spot, card_from_change
from models.reader import Reading
from models.recognise import Opinion
from models.watch import PileWatcher
from referee.rules.cards import SUITS, Card
from referee.rules.events import Observation

HEIGHT_PX, WIDTH_PX = 120, 84
FRAME_NS = 16_666_667
EXPOSURE_NS, LINE_NS = 4_000_000, 20_000
TABLE_GREY = 60

GREYS = {"7S": 120, "JH": 140, "KD": 160, "2C": 180, "unreadable": 200, "back": 220, "9S": 240}
"""What the middle of each rectangle looks like."""


def opinion(name: str, share: float = 0.99) -> Opinion:
    """An opinion for this card."""
    answers = np.full(len(ANSWERS), (1 - share) / (len(ANSWERS) - 1), np.float32)
    suits = np.full(len(SUITS) + 1, 0.01, np.float32)
    if name in ("back", "unreadable"):
        answers[ANSWERS.index("back" if name == "back" else "none")] = share
    else:
        answers[ANSWERS.index(name[:-1])] = share
        suits[SUITS.index(name[-1])] = 0.96
    return Opinion(answers, suits)


def _name_of(grey: int) -> str:
    """The card whose middle looks like this."""
    return min(GREYS, key=lambda name: abs(GREYS[name] - grey))


@dataclass
class GreyReader:
    """Reads rectangles by their grey; finds them by what changed, as the second witness does."""

    blind_pairs: bool = False
    """The nets find no pairs of corners."""
    blind_change: bool = False
    """The changed area is no rectangle."""
    share: float = 0.99
    """How sure every corner is."""
    misread: dict[int, str] = field(default_factory=dict)
    """Call number -> what is said instead."""
    always_seen: list[str] = field(default_factory=list)
    """Cards whose corners the nets hold for new whenever their middle is seen."""
    calls: int = 0

    def read_picture(self, bgr: np.ndarray) -> Reading:
        """Nothing lies there at the start."""
        return Reading(None, 0.0)

    def settled(self, colour: np.ndarray, card_height_px: float) -> list[object]:
        """Nothing is remembered from the picture before."""
        return []

    def lone_corners(
        self, colour: np.ndarray, spots: list[Spot], card_height_px: float
    ) -> list[Candidate]:
        """All corners of one card, by the grey in its middle: no card comes with another here."""
        if not spots:
            return []
        x, y = (
            sum(values) / len(spots) for values in zip(*((s.x, s.y) for s in spots), strict=True)
        )
        name = _name_of(int(colour[round(y), round(x), 0]))
        return [lone(spot, opinion(name, self.share), card_height_px) for spot in spots]

    def newest(
        self, colour: np.ndarray, before: np.ndarray, card_height_px: float
    ) -> tuple[list[Candidate], Candidate | None, list[Spot]]:
        """As models.reader.Reader.newest."""
        self.calls += 1
        now = np.ascontiguousarray(colour[..., 0])
        again = [self._again(name, now) for name in self.always_seen]
        found = [candidate for candidate in again if candidate is not None]
        if found:
            return found, None, []
        pose = card_from_change(now, before, card_height_px)
        if pose is None:
            return [], None, []
        grey = int(now[round(pose.y), round(pose.x)])
        name = _name_of(grey)
        name = self.misread.get(self.calls, name)
        points = tuple(pose.index_points()[:2])
        card = Candidate(pose, points, (opinion(name, self.share),) * 2, 0.9)
        pairs = [] if self.blind_pairs or name in ("unreadable", "back") else [card]
        spots = [Spot(x, y, d, 0.9, 0.9, card_height_px) for x, y, d in points]
        return pairs, None if self.blind_change else card, spots if name != "back" else []

    def _again(self, name: str, now: np.ndarray) -> Candidate | None:
        """This card by its other two corners, as a deck with four indices may show it."""
        middle = np.abs(now.astype(int) - GREYS[name]) < 7
        if middle.sum() < 0.6 * HEIGHT_PX * WIDTH_PX:
            return None
        ys, xs = np.nonzero(cv2.erode(middle.astype(np.uint8), np.ones((9, 9), np.uint8)))
        pose = Pose(float(xs.mean()), float(ys.mean()), np.pi / 2, HEIGHT_PX, WIDTH_PX)
        both = (opinion(name, self.share),) * 2
        return Candidate(pose, tuple(pose.index_points()[2:]), both, 0.9)


@dataclass
class Table:
    """Draws frames and feeds them to a watcher."""

    watcher: PileWatcher
    image: np.ndarray = field(default_factory=lambda: np.full((240, 320, 3), TABLE_GREY, np.uint8))
    number: int = 0
    seen: list[Observation] = field(default_factory=list)
    dice: np.random.Generator = field(default_factory=lambda: np.random.default_rng(5))

    def lay(self, name: str, x: float = 160, y: float = 120, degrees: float = 0) -> None:
        """Put a card on the pile."""
        draw(self.image, name, x, y, degrees)

    def clear(self) -> None:
        """Take everything away."""
        self.image[:] = TABLE_GREY

    def hand(self) -> np.ndarray:
        """A copy of the table with a hand over it."""
        covered = self.image.copy()
        cv2.line(covered, (0, 60), (190, 130), (90, 120, 190), 50)
        return covered

    def show(self, frames: int = 1, image: np.ndarray | None = None) -> list[Observation]:
        """Let the watcher see the table for so many frames; returns what it said."""
        said: list[Observation] = []
        for _ in range(frames):
            shown = self.image if image is None else image
            noise = self.dice.normal(0, 1.0, shown.shape)
            frame = np.clip(shown + noise, 0, 255).astype(np.uint8)
            said += self.watcher.see(
                frame, t_ns=self.t_ns, exposure_ns=EXPOSURE_NS, line_ns=LINE_NS
            )
            self.number += 1
        self.seen += said
        return said

    def flight(self, name: str, *, x: float = 160, y: float = 120) -> list[Observation]:
        """Frames in which a card comes from the right; none shows it at rest."""
        said: list[Observation] = []
        for far in (90, 45, 15):
            flying = self.image.copy()
            draw(flying, name, x + far, y, far)
            said += self.show(1, flying)
        return said

    @property
    def t_ns(self) -> int:
        """Stamp of the next frame."""
        return 1_000_000_000 + self.number * FRAME_NS


def draw(image: np.ndarray, name: str, x: float, y: float, degrees: float) -> None:
    """A card: pale rim, grey middle."""
    outline = cv2.boxPoints(((x, y), (WIDTH_PX, HEIGHT_PX), degrees))
    cv2.fillPoly(image, [outline.round().astype(np.int32)], (250, 250, 250))
    inner = cv2.boxPoints(((x, y), (WIDTH_PX - 16, HEIGHT_PX - 16), degrees))
    cv2.fillPoly(image, [inner.round().astype(np.int32)], (GREYS[name],) * 3)


def table(reader: GreyReader | None = None) -> Table:
    """A bare table that the watcher has seen for four frames."""
    watcher = PileWatcher(reader or GreyReader(), card_height_px=HEIGHT_PX)  # type: ignore[arg-type]
    made = Table(watcher)
    made.show(4)
    return made


def card(text: str) -> Card:
    """A card by its notation."""
    return Card(text[:-1], text[-1])
