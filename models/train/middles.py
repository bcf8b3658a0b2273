"""Draws whole cards one by one, for the net that looks at their middles."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from models.locate import Pose
from models.middle import HIDDEN, MIDDLES, NO_CARD, PICTURES, middle_crop
from models.train.art import DeckPool
from models.train.backgrounds import background
from models.train.faces import OTHER_LAYOUTS, DrawnDeck, Face, draw_style
from models.train.lay import Laid, Quad, draw_tilt, moved
from models.train.lens import Canvas, Dice, Image, draw_lens, draw_light, expose
from models.train.scene import Table, draw_hand
from referee.rules.cards import JOKER_RANK, RANKS, SUITS

CARDS_A_SHARD = 1000
LOOKS = 2
"""Crops of each picture."""
SIDE_PX = 288
HEIGHT_PX = (92.0, 225.0)
PATTERNED_FROM = 24
"""From this shard on most figures wear patterned robes and fill their cards."""
REDRAWN = 0.7
"""Share of those decks whose courts another hand has drawn."""
POOL_SHARE = 0.15
"""Of cards from decks of the scenes' pool: the simulated table's, the CC0 deck."""
ODD_SHARE = 0.05
"""Of decks whose cards show no pips."""
BORROWED = 0.35
"""Of decks that borrow the middles of the CC0 deck."""
COVERED, HELD = 0.3, 0.1
"""Share of cards on which another one lies, or a hand."""
WHOLE, CUT = 0.94, 0.82
"""A card of which more is seen is whole, one of which less is seen is none."""
VERY_BLURRED = 0.06
ELSEWHERE = 0.25
"""Share of pictures from which a place that is no card is cut out, too."""


@dataclass(slots=True)
class MiddleShard:
    """Straightened cards and what their middles show."""

    crops: list[Image] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)

    def save(self, path: Path) -> None:
        """Write it as one file."""
        partial = path.with_suffix(".part.npz")
        np.savez(partial, crops=np.array(self.crops), labels=np.array(self.labels, np.int64))
        partial.rename(path)


def draw_middles(number: int, art: Path) -> MiddleShard:
    """Draw shard `number`: every time the same."""
    cv2.setNumThreads(1)
    dice, rng = np.random.default_rng([number, 22]), Random(number + 2_000_000)
    painter = _Painter(DeckPool(art, rng), rng, dice, number >= PATTERNED_FROM)
    shard = MiddleShard()
    for _ in range(CARDS_A_SHARD):
        _add_card(shard, painter, dice)
    return shard


class _Painter:
    """Draws faces of ever new decks."""

    def __init__(self, pool: DeckPool, rng: Random, dice: Dice, patterned: bool) -> None:
        self._patterned = patterned
        self._pool = pool
        self._rng = rng
        self._last: deque[Face] = deque(maxlen=60)
        self._backgrounds = [background(SIDE_PX + 64, dice) for _ in range(40)]

    def face(self) -> Face:
        """A face of any rank, jokers too."""
        rng = self._rng
        courts = PICTURES[:3] if self._patterned and rng.random() < 0.25 else RANKS
        rank = JOKER_RANK if rng.random() < 0.02 else rng.choice(courts)
        suit = rng.choice("RB") if rank == JOKER_RANK else rng.choice(SUITS)
        deck = self._pool.draw() if rng.random() < POOL_SHARE else self._fresh()
        if rank == JOKER_RANK and not deck.has_jokers:
            rank, suit = "K", "S"
        face = deck.face(rank, suit)
        self._last.append(face)
        return face

    def _fresh(self) -> DrawnDeck:
        rng = self._rng
        style = draw_style(rng, self._pool.fonts, self._pool.sign_fonts)
        style.column = rng.uniform(0.25, 0.34)
        style.row = rng.uniform(0.13, 0.235)
        style.pip_high = rng.uniform(0.08, 0.175)
        style.layouts = {rank: lay for rank, lay in OTHER_LAYOUTS.items() if rng.random() < 0.35}
        style.court, style.ornament = self._court(), rng.random() < 0.2
        style.redrawn = self._patterned and rng.random() < REDRAWN
        style.seed = 3 * style.seed + (1 if rng.random() < BORROWED else 0)
        if rng.random() < ODD_SHARE:
            style.seed -= style.seed % 3
            style.middle = rng.choice(("one", "one", "letter", "bare"))
        return DrawnDeck(style, self._pool.bodies)

    def _court(self) -> str:
        if self._patterned and self._rng.random() < 0.6:
            return "patterned"
        return "framed" if self._rng.random() < 0.4 else "figure"

    def other(self) -> Face:
        """Another card of the same table."""
        return self._rng.choice(self._last) if self._last else self.face()

    def back(self) -> Face:
        """A card face down."""
        return self._pool.draw().back()

    def ground(self) -> Canvas:
        """A piece of a table."""
        whole = self._rng.choice(self._backgrounds)
        x, y = (self._rng.randrange(whole.shape[0] - SIDE_PX) for _ in range(2))
        return whole[y : y + SIDE_PX, x : x + SIDE_PX].copy()


def _add_card(shard: MiddleShard, painter: _Painter, dice: Dice) -> None:
    """Photograph one card and cut it out a few times."""
    face = painter.back() if dice.random() < 0.02 else painter.face()
    height = float(np.exp(dice.uniform(*np.log(HEIGHT_PX))))
    shadow = float(dice.uniform(0.03, 0.45))
    tilt = draw_tilt(SIDE_PX, float(dice.uniform(0, 0.2)), dice)
    table = Table(painter.ground(), np.zeros((SIDE_PX, SIDE_PX), np.uint8), tilt)
    for _ in range(int(dice.integers(0, 4))):
        table.lay(_laid(painter.other(), height, shadow, 45, dice), 1)
    card = _laid(face, height, shadow, 12, dice)
    table.lay(card, 2)
    if dice.random() < COVERED:
        table.lay(_laid(painter.other(), height, shadow, 0.45 * height, dice), 3)
    if dice.random() < HELD:
        draw_hand(table, (card.x, card.y), dice)
    quad = card.quad(tilt)
    blur = (1.7, 3.6) if dice.random() < VERY_BLURRED else (0.0, 1.8)
    lens = draw_lens(dice, blur=blur, motion=(0, 4), noise=(1, 10))
    light = draw_light((SIDE_PX, SIDE_PX), dice)
    picture = expose(table.canvas, light, replace(lens, skew=0.0), dice)
    colour = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb).astype(np.uint8)
    seen = share_seen(quad, table.ids, 2)
    if seen > WHOLE or seen < CUT:
        label = NO_CARD if seen < CUT or face.rank == "back" else _label(face)
        for _ in range(LOOKS):
            shard.crops.append(middle_crop(colour, _found(quad, dice)))
            shard.labels.append(label)
    if dice.random() < ELSEWHERE:
        shard.crops.append(middle_crop(colour, _beside(quad, dice)))
        shard.labels.append(NO_CARD)


def _label(face: Face) -> int:
    return MIDDLES.index("picture" if face.rank in PICTURES else face.rank)


def _laid(face: Face, height: float, shadow: float, spread: float, dice: Dice) -> Laid:
    x, y = np.clip(dice.normal(SIDE_PX / 2, spread, 2), 0, SIDE_PX)
    gloss = float(dice.uniform(0.1, 0.7)) if dice.random() < 0.12 else 0.0
    turn, seed = float(dice.uniform(0, 2 * math.pi)), int(dice.integers(1 << 30))
    return Laid(face, float(x), float(y), turn, height, shadow, gloss, seed)


def share_seen(quad: Quad, ids: NDArray[np.uint8], number: int) -> float:
    """Share of a card's middle (all but its four corners) that nothing hides."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    places = [
        (u, v)
        for u in np.linspace(0.05, 0.95, 13)
        for v in np.linspace(0.04, 0.96, 19)
        if min(u, 1 - u) > HIDDEN[0] or min(v, 1 - v) > HIDDEN[1]
    ]
    matrix = cv2.getPerspectiveTransform(unit, quad.astype(np.float32))
    spots = np.round(moved(np.array(places), matrix)).astype(int)
    inside = ((spots >= 0) & (spots < ids.shape[0])).all(1)
    kept = spots[inside]
    return float((ids[kept[:, 1], kept[:, 0]] == number).sum() / len(places))


def _pose(quad: Quad) -> Pose:
    """The rectangle that fits a card best."""
    top, right, bottom, left = ((quad[i] + quad[(i + 1) % 4]) / 2 for i in range(4))
    long, wide = bottom - top, right - left
    x, y = quad.mean(0)
    height, width = float(np.linalg.norm(long)), float(np.linalg.norm(wide))
    return Pose(float(x), float(y), math.atan2(float(long[1]), float(long[0])), height, width)


def _found(quad: Quad, dice: Dice) -> Pose:
    """The card where a pair of corners would place it: not quite there, either way up."""
    pose = _pose(quad)
    rough = 2.0 if dice.random() < 0.25 else 1.0
    dx, dy = dice.normal(0, 0.013 * rough * pose.height_px, 2)
    scale, wider = np.exp(dice.normal(0, (0.03 * rough, 0.02 * rough)))
    height = pose.height_px * float(scale)
    width = pose.width_px * float(scale * wider) if dice.random() < 0.5 else 0.69 * height
    turn = math.radians(float(dice.normal(0, 2 * rough))) + math.pi * int(dice.integers(2))
    return Pose(pose.x + float(dx), pose.y + float(dy), pose.down + turn, height, width)


def _beside(quad: Quad, dice: Dice) -> Pose:
    """A place that is not this card: shifted, turned, of another size."""
    pose = _pose(quad)
    way, kind = float(dice.uniform(0, 2 * math.pi)), dice.random()
    far = float(dice.uniform(0.15, 0.7) if kind < 0.6 else dice.normal(0, 0.03)) * pose.height_px
    turn, scale = float(dice.normal(0, 0.15)), 1.0
    if 0.6 <= kind < 0.85:
        turn = math.radians(float(dice.uniform(18, 162)))
    elif kind >= 0.85:
        scale = float(dice.choice((dice.uniform(0.55, 0.78), dice.uniform(1.3, 1.8))))
    height = pose.height_px * scale
    x, y = pose.x + far * math.cos(way), pose.y + far * math.sin(way)
    return Pose(x, y, pose.down + turn, height, 0.69 * height)
