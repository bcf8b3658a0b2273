"""Draws index corners one by one: the reader's main food.

A corner costs a hundredth of a whole table, so every pair of them can have a deck of its own: font,
squeeze, stroke, letter, pip and paper. Whole tables (samples.py) teach the rest: hands, courts,
pips and places that are no index.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from models.decks import GLYPHS, LANGUAGES, NONE
from models.locate import INDEX_POINT
from models.recognise import index_crop
from models.train import ink
from models.train.art import DeckPool
from models.train.backgrounds import background
from models.train.faces import DrawnDeck, Face, Style, draw_style
from models.train.lay import Corner, Laid, corners_of, draw_tilt
from models.train.lens import Canvas, Image, draw_lens, draw_light, expose
from models.train.samples import NO_SUIT, Shard
from models.train.scene import Table
from referee.rules.cards import JOKER_RANK, RANKS, SUITS

FACES_A_SHARD = 1600
"""Drawn cards, hardly any two of one deck; each gives PICTURES pictures, each of them two crops."""
PICTURES = 2
SIDE_PX = 128
"""Of the picture around one corner."""
LETTER_PX = (9.0, 26.0)
"""Heights of the letters, drawn evenly in their logarithm: below 11 px few can be read."""
HEIGHT_PX = (92.0, 225.0)
"""Card heights."""
DIFFICULT = ("Q", "10", "B", "8", "3", "2", "5", "6", "9", "4", "J", "D")
"""Glyphs that are taken for one another in narrow faces."""
NARROW_FONTS = ("condensed", "narrow", "oswald", "anton", "bebas", "gothic", "fjalla", "teko")
BENT_FROM = 64
"""From this shard on letters are bent: typefaces beyond the fonts there are."""
BEND = 0.06
"""The most, in heights of a letter."""
POOL_SHARE = 0.1
"""Of corners from decks of the scenes' pool: the simulated table's, the CC0 deck."""
VERY_BLURRED = 0.05
"""Share of corners that are hardly to be read, so that the reader learns to doubt."""
NO_INDEX = 0.3
"""Share of pictures of which a place without an index is cut out, too."""

Dice = np.random.Generator


def draw_corners(number: int, art: Path) -> Shard:
    """Draw corner shard `number`: every time the same."""
    cv2.setNumThreads(1)
    dice, rng = np.random.default_rng([number, 21]), Random(number + 1_000_000)
    pool = DeckPool(art, rng)
    painter = _Painter(pool, rng, dice, BEND if number >= BENT_FROM else 0.0)
    shard = Shard()
    for _ in range(FACES_A_SHARD):
        face, letter_share = painter.face()
        for _ in range(PICTURES):
            _add_corner(shard, painter, face, letter_share, dice)
    return shard


class _Painter:
    """Draws faces of ever new decks."""

    def __init__(self, pool: DeckPool, rng: Random, dice: Dice, bend: float) -> None:
        self._pool = pool
        self._rng = rng
        self._bend = bend
        self._fonts = list(pool.fonts)
        self._fonts += [p for p in pool.fonts if any(n in p.name for n in NARROW_FONTS)]
        self._last: deque[Face] = deque(maxlen=60)
        self._backgrounds = [background(352, dice) for _ in range(40)]

    def face(self) -> tuple[Face, float]:
        """A face, and its letter's height as share of the card's."""
        rng = self._rng
        face, share = self._pooled() if rng.random() < POOL_SHARE else self._fresh()
        self._last.append(face)
        return face, share

    def _pooled(self) -> tuple[Face, float]:
        deck = self._pool.draw()
        rank = self._rng.choice(RANKS)
        return deck.face(rank, self._rng.choice(SUITS)), 0.1

    def _fresh(self) -> tuple[Face, float]:
        rng = self._rng
        while True:
            style = draw_style(rng, self._fonts, self._pool.sign_fonts)
            style.squeeze = rng.uniform(0.42, 1.1)
            style.gap = rng.uniform(0.05, 0.4)
            style.ten = rng.uniform(0.6, 1.0)
            style.stroke_px = rng.choice((-5, -3, 0, 0, 0, 0, 3, 6, 9))
            if self._bend:
                style.bend = rng.uniform(0, self._bend)
            glyph = _draw_glyph(rng)
            if glyph == "back":
                return DrawnDeck(style, self._pool.bodies).back(), 0.1
            if glyph == "joker":
                return DrawnDeck(style, self._pool.bodies).face(JOKER_RANK, rng.choice("RB")), 0.1
            if not ink.letters(style.font, glyph).size:
                continue
            _speak(style, glyph, rng)
            rank = LANGUAGES[style.language][glyph]
            return DrawnDeck(style, self._pool.bodies).face(rank, rng.choice(SUITS)), (
                style.index_height
            )

    def under(self) -> Face | None:
        """A card to lie below."""
        return self._rng.choice(self._last) if self._last else None

    def ground(self) -> Canvas:
        """A piece of a table."""
        whole = self._rng.choice(self._backgrounds)
        x, y = (self._rng.randrange(whole.shape[0] - SIDE_PX) for _ in range(2))
        return whole[y : y + SIDE_PX, x : x + SIDE_PX].copy()


def _draw_glyph(rng: Random) -> str:
    draw = rng.random()
    if draw < 0.02:
        return "back"
    if draw < 0.05:
        return "joker"
    return rng.choice(DIFFICULT) if draw < 0.3 else rng.choice(GLYPHS[:19])


def _speak(style: Style, glyph: str, rng: Random) -> None:
    """Give the deck a language that has this glyph."""
    languages = [name for name, glyphs in LANGUAGES.items() if glyph in glyphs]
    style.language = rng.choice(languages)
    style.one_for_ace = glyph == "1"


def _add_corner(shard: Shard, painter: _Painter, face: Face, share: float, dice: Dice) -> None:
    """Photograph one corner and cut it out twice."""
    letter = float(np.exp(dice.uniform(*np.log(LETTER_PX))))
    height = float(np.clip(letter / share, *HEIGHT_PX))
    turn = float(dice.uniform(0, 2 * math.pi))
    table = Table(
        painter.ground(),
        np.zeros((SIDE_PX, SIDE_PX), np.uint8),
        draw_tilt(SIDE_PX, float(dice.uniform(0, 0.12)), dice),
    )
    shadow = float(dice.uniform(0.03, 0.45))
    under = painter.under()
    others: list[Corner] = []
    if under is not None and dice.random() < 0.6:
        x, y = dice.normal(SIDE_PX / 2, 40, 2)
        below = Laid(under, float(x), float(y), turn * 7, height, shadow)
        table.lay(below, 1)
        others = corners_of(below, below.quad(table.tilt), 1, table.ids, new=False)
    card = _placed(face, height, turn, shadow, dice)
    table.lay(card, 2)
    own = corners_of(card, card.quad(table.tilt), 2, table.ids, new=True)
    corner = own[0]
    blur = (1.7, 3.4) if dice.random() < VERY_BLURRED else (0.0, 1.7)
    lens = draw_lens(dice, blur=blur, motion=(0, 4), noise=(1, 10))
    light = draw_light((SIDE_PX, SIDE_PX), dice)
    picture = expose(table.canvas, light, replace(lens, skew=0.0), dice)
    colour = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb).astype(np.uint8)
    suit = SUITS.index(corner.suit) if corner.suit in SUITS else NO_SUIT
    for _ in range(2):
        shard.crops.append(_cut(colour, corner, dice))
        shard.labels.append((GLYPHS.index(corner.glyph), suit))
    if dice.random() < NO_INDEX:
        shard.crops += _elsewhere(colour, [*own, *others], dice)
        shard.labels += [(NONE, NO_SUIT)] * (len(shard.crops) - len(shard.labels))


def _elsewhere(colour: NDArray[np.uint8], corners: list[Corner], dice: Dice) -> list[Image]:
    """At most one crop that shows no index upright: beside one, or one that is turned."""
    first = corners[0]
    high = first.height_px * float(np.exp(dice.normal(0, 0.1)))
    if dice.random() < 0.4:
        turn = math.radians(float(dice.choice([90, 180, 180, 270])) + float(dice.normal(0, 8)))
        return [index_crop(colour, first.x, first.y, first.down + turn, high)]
    way, far = float(dice.uniform(0, 2 * math.pi)), float(dice.uniform(0.16, 0.42)) * high
    x, y = first.x + far * math.cos(way), first.y + far * math.sin(way)
    if any(math.hypot(c.x - x, c.y - y) < 0.15 * c.height_px for c in corners if c.seen > 0.2):
        return []
    down = first.down if dice.random() < 0.6 else float(dice.uniform(0, 2 * math.pi))
    return [index_crop(colour, x, y, down, high)]


def _placed(face: Face, height: float, turn: float, shadow: float, dice: Dice) -> Laid:
    """The card, so that its first index lies in the middle."""
    h, w = face.bgr.shape[:2]
    flat = np.array([(INDEX_POINT[0] - 0.5) * height * w / h, (INDEX_POINT[1] - 0.5) * height])
    c, s = math.cos(turn), math.sin(turn)
    away = flat @ np.array([[c, s], [-s, c]])
    gloss = float(dice.uniform(0.1, 0.7)) if dice.random() < 0.12 else 0.0
    x, y = SIDE_PX / 2 - away
    return Laid(face, float(x), float(y), turn, height, shadow, gloss, int(dice.integers(1 << 30)))


def _cut(colour: NDArray[np.uint8], corner: Corner, dice: Dice) -> Image:
    """A crop as a pair of found corners would place it, or a lone one, less exactly."""
    lone = dice.random() < 0.35
    high = corner.height_px
    shift = dice.normal(0, 0.025 if lone else 0.016, 2) * high
    turn = math.radians(float(dice.normal(0, 7 if lone else 3.5)))
    scale = float(np.exp(dice.uniform(-0.22, 0.22) if lone else dice.normal(0, 0.06)))
    return index_crop(
        colour, corner.x + shift[0], corner.y + shift[1], corner.down + turn, high * scale
    )
