"""Cuts training samples out of scenes and stores them in numbered shards.

A shard depends on its number alone, so shards can be drawn in any order and by many processes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from models.decks import GLYPHS, NONE
from models.locate import INDEX_POINT
from models.recognise import index_crop
from models.train.art import DeckPool
from models.train.lay import Corner, moved
from models.train.lens import Image
from models.train.scene import Scene, Wish, draw_scene
from referee.rules.cards import SUITS

SCENES_A_SHARD = 120
DETECTOR_PX = 256
MAX_CORNERS = 32
NO_SUIT = len(SUITS)
SMALL = Wish(size=300, cards=(1, 3), spread_px=(0, 30), nudge=0, hand=0.1, height_px=(100, 260))
"""Cheap scenes: most of the reader's crops come from cards that lie free."""

Dice = np.random.Generator


@dataclass(slots=True)
class Shard:
    """What the two nets learn from."""

    pictures: list[NDArray[np.uint8]] = field(default_factory=list)
    corners: list[NDArray[np.float32]] = field(default_factory=list)
    crops: list[Image] = field(default_factory=list)
    labels: list[tuple[int, int]] = field(default_factory=list)

    def save(self, path: Path) -> None:
        """Write it as one file."""
        partial = path.with_suffix(".part.npz")
        np.savez(
            partial,
            pictures=np.array(self.pictures),
            corners=np.array(self.corners),
            crops=np.array(self.crops),
            labels=np.array(self.labels, np.int64),
        )
        partial.rename(path)


def draw_shard(number: int, art: Path) -> Shard:
    """Draw shard `number`: every time the same."""
    cv2.setNumThreads(1)
    dice = np.random.default_rng([number, 20])
    pool = DeckPool(art, Random(number))
    shard = Shard()
    for scene_number in range(SCENES_A_SHARD):
        whole = scene_number % 2 == 0
        scene = draw_scene(pool, Wish() if whole else SMALL, dice)
        for now, before in scene.shots:
            if whole or dice.random() < 0.3:
                for _ in range(2 if whole else 1):
                    _add_detector_sample(shard, scene, now, before, dice)
            _add_reader_samples(shard, scene, now, dice)
    return shard


def _add_detector_sample(
    shard: Shard, scene: Scene, now: Image, before: Image | None, dice: Dice
) -> None:
    """A window of the scene, mostly around an index."""
    size = now.shape[0]
    corners = [corner for corner in scene.corners if corner.glyph != "back"]
    if corners and dice.random() < 0.9:
        fresh = [corner for corner in corners if corner.new] or corners
        pool = fresh if dice.random() < 0.6 else corners
        chosen = pool[int(dice.integers(len(pool)))]
        middle = np.array([chosen.x, chosen.y]) + dice.normal(0, 50, 2)
    else:
        middle = dice.uniform(0, size, 2)
    x0, y0 = np.clip(middle - DETECTOR_PX / 2, 0, size - DETECTOR_PX).astype(int)
    window = (slice(y0, y0 + DETECTOR_PX), slice(x0, x0 + DETECTOR_PX))
    luma = cv2.cvtColor(now[window], cv2.COLOR_BGR2GRAY)
    earlier = luma if before is None else cv2.cvtColor(before[window], cv2.COLOR_BGR2GRAY)
    table = np.full((MAX_CORNERS, 6), -1000, np.float32)
    inside = [c for c in corners if -20 < c.x - x0 < 276 and -20 < c.y - y0 < 276][:MAX_CORNERS]
    for row, c in enumerate(sorted(inside, key=lambda c: -c.seen)):
        table[row] = (c.x - x0, c.y - y0, c.down, c.height_px, c.seen, c.new)
    shard.pictures.append(np.stack([luma, earlier]))
    shard.corners.append(table)


def _add_reader_samples(shard: Shard, scene: Scene, now: Image, dice: Dice) -> None:
    colour = cv2.cvtColor(now, cv2.COLOR_BGR2YCrCb).astype(np.uint8)
    order = dice.permutation(len(scene.corners))
    seen = [scene.corners[i] for i in order if scene.corners[i].seen > 0.85]
    hidden = [scene.corners[i] for i in order if scene.corners[i].seen < 0.3]
    for corner in seen[:5]:
        suit = SUITS.index(corner.suit) if corner.suit in SUITS else NO_SUIT
        for _ in range(1 if corner.glyph == "back" else 2):
            shard.crops.append(_jittered(colour, corner, dice))
            shard.labels.append((GLYPHS.index(corner.glyph), suit))
    if hidden and dice.random() < 0.5:
        _add_none(shard, _jittered(colour, hidden[0], dice))
    if seen and dice.random() < 0.5:
        turned = math.radians(float(dice.choice([90, 180, 180, 270])) + dice.normal(0, 8))
        if seen[0].glyph != "back":
            _add_none(shard, _jittered(colour, seen[0], dice, turned))
    if dice.random() < 0.5 and not scene.top.face.four:
        _add_blank_corner(shard, scene, colour, dice)
    if dice.random() < 0.5:
        _add_elsewhere(shard, scene, colour, dice)


def _add_none(shard: Shard, crop: Image) -> None:
    shard.crops.append(crop)
    shard.labels.append((NONE, NO_SUIT))


def _jittered(colour: Image, corner: Corner, dice: Dice, turned: float = 0.0) -> Image:
    """A crop as a detector would place it: not quite there, not quite straight."""
    high = corner.height_px
    shift = dice.normal(0, 0.018 if dice.random() < 0.8 else 0.03, 2) * high
    turn = math.radians(float(dice.normal(0, 4 if dice.random() < 0.8 else 9)))
    scale = float(np.exp(dice.uniform(-0.22, 0.22)))
    return index_crop(
        colour,
        corner.x + shift[0],
        corner.y + shift[1],
        corner.down + turn + turned,
        high * scale,
    )


def _add_blank_corner(shard: Shard, scene: Scene, colour: Image, dice: Dice) -> None:
    """A corner of a two-index card that has no index."""
    unit = np.array([[1, 0], [0, 0], [0, 1], [1, 1]], np.float32)
    if dice.random() < 0.5:
        unit = 1 - unit
    matrix = cv2.getPerspectiveTransform(unit, scene.top_quad.astype(np.float32))
    u, v = INDEX_POINT
    point, above, below = moved(np.array([(u, v), (u, v - 0.1), (u, v + 0.1)]), matrix)
    down = math.atan2(float(below[1] - above[1]), float(below[0] - above[0]))
    if any(math.hypot(c.x - point[0], c.y - point[1]) < 0.15 * c.height_px for c in scene.corners):
        return
    _add_none(
        shard, index_crop(colour, float(point[0]), float(point[1]), down, scene.top.height_px)
    )


def _add_elsewhere(shard: Shard, scene: Scene, colour: Image, dice: Dice) -> None:
    """Any other place: pips, courts, table, hand."""
    x, y = dice.normal(colour.shape[0] / 2, colour.shape[0] / 5, 2)
    near = (
        math.hypot(x - c.x, y - c.y) < 0.15 * c.height_px for c in scene.corners if c.seen > 0.25
    )
    if not any(near):
        turn, high = float(dice.uniform(0, 6.3)), scene.top.height_px
        _add_none(shard, index_crop(colour, float(x), float(y), turn, high))
