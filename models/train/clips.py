"""Short films of a card landing on a pile, with the truth: what the watcher is measured on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.art import Deck
from models.train.backgrounds import background
from models.train.lay import Laid, corners_of, draw_tilt
from models.train.lens import Canvas, Dice, Image, Lens, draw_lens, draw_light, expose
from models.train.scene import Table, draw_hand
from referee.rules.cards import RANKS, SUITS, Card

FRAME_NS = 16_666_667
SIDE_PX = 352
FLIGHT_PX = (60.0, 26.0, 9.0)
"""How far the card is from its place in the three frames before it lies there."""
STILL_FRAMES = 4
"""Frames at rest: the first may still settle, three are clean."""


@dataclass(frozen=True, slots=True)
class ClipWish:
    """What kind of film."""

    cards: tuple[int, int] = (1, 15)
    height_px: tuple[float, float] = (140, 190)
    blur: tuple[float, float] = (0.0, 1.3)
    noise: tuple[float, float] = (1.5, 6)
    hand: float = 0.2
    """A hand brings the card and leaves."""
    finger: float = 0.05
    """A hand stays over it."""
    nudge: float = 0.2
    shake_px: float = 0.0
    """Camera or table never come to rest."""


@dataclass(slots=True)
class Clip:
    """A film and the truth about it."""

    frames: list[Image]
    card: Card
    height_px: float
    settled: int
    """Number of the first frame in which the card lies still."""
    pile: int
    """Cards, the new one included."""
    corners_seen: int
    nudged: bool
    hand: bool
    index_px: float


def draw_clip(deck: Deck, wish: ClipWish, dice: Dice, rank: str) -> Clip:
    """Draw one film."""
    height = float(dice.uniform(*wish.height_px))
    count = int(dice.integers(wish.cards[0], wish.cards[1] + 1))
    cards = draw_pile(deck, count, height, dice, rank)
    bare = Table(
        background(SIDE_PX, dice),
        np.zeros((SIDE_PX, SIDE_PX), np.uint8),
        draw_tilt(SIDE_PX, 0.04, dice),
    )
    before = laid(bare, cards[:-1], 1)
    nudged = len(cards) > 1 and bool(dice.random() < wish.nudge)
    pushed = [*[_pushed(card, dice) for card in cards[-4:-1]]] if nudged else cards[-4:-1]
    under = laid(bare, [*cards[:-4], *pushed], 1) if nudged else before
    after = laid(under, cards[-1:], count)
    hand, finger = bool(dice.random() < wish.hand), bool(dice.random() < wish.finger)
    if finger:
        draw_hand(after, (cards[-1].x, cards[-1].y), dice)
    new = corners_of(cards[-1], cards[-1].quad(bare.tilt), count, after.ids, new=True)
    frames = list(_film(before, under, after, cards[-1], count, wish, hand, dice))
    return Clip(
        frames,
        Card(cards[-1].face.rank, cards[-1].face.suit),
        height,
        2 + len(FLIGHT_PX),
        count,
        sum(corner.seen > 0.9 for corner in new[:2]),
        nudged,
        hand or finger,
        0.0,
    )


def draw_pile(deck: Deck, count: int, height: float, dice: Dice, rank: str) -> list[Laid]:
    """So many cards of one deck, the last one of this rank."""
    spread, shadow = float(dice.uniform(8, 45)), float(dice.uniform(0.05, 0.4))
    names = [(r, s) for r in RANKS for s in SUITS]
    order = [names[i] for i in dice.permutation(52)]
    top = (rank, SUITS[int(dice.integers(4))])
    chosen = [*[name for name in order if name != top][: count - 1], top]
    room = height * 0.52
    cards = []
    for name in chosen:
        x, y = np.clip(dice.normal(SIDE_PX / 2, spread, 2), room, SIDE_PX - room)
        turn, seed = float(dice.uniform(0, 2 * math.pi)), int(dice.integers(1 << 30))
        gloss = float(dice.uniform(0.1, 0.6)) if dice.random() < 0.1 else 0.0
        card = Laid(deck.face(*name), float(x), float(y), turn, height, shadow, gloss, seed)
        cards.append(card)
    return cards


def laid(table: Table, cards: Sequence[Laid], first: int) -> Table:
    """A copy of the table with these cards on it, numbered from `first`."""
    copy = table.copy()
    for number, card in enumerate(cards, first):
        copy.lay(card, number)
    return copy


def _pushed(card: Laid, dice: Dice) -> Laid:
    dx, dy, turn = dice.normal(0, (5, 5, 0.05))
    return replace(card, x=card.x + dx, y=card.y + dy, angle=card.angle + turn)


def _film(
    before: Table,
    under: Table,
    after: Table,
    card: Laid,
    number: int,
    wish: ClipWish,
    hand: bool,
    dice: Dice,
) -> Iterator[Image]:
    """Two frames before, the flight, then rest."""
    lens = replace(draw_lens(dice, blur=wish.blur, motion=(0, 0), noise=wish.noise), skew=0.0)
    light = draw_light((SIDE_PX, SIDE_PX), dice)
    flicker = float(dice.uniform(0, 0.01))

    def shot(canvas: Canvas, moving: Lens = lens) -> Image:
        lit = light * np.float32(1 + dice.normal(0, flicker))
        return expose(canvas, lit, moving, dice)

    for _ in range(2):
        yield shot(before.canvas)
    way = float(dice.uniform(0, 2 * math.pi))
    for far in FLIGHT_PX:
        flying = under.copy()
        dx, dy = far * math.cos(way), far * math.sin(way)
        flying.lay(replace(card, x=card.x + dx, y=card.y + dy), number)
        if hand:
            draw_hand(flying, (card.x + dx * 2, card.y + dy * 2), dice)
        yield shot(smeared(flying.canvas, under.canvas, far * 0.4, way))
    for _ in range(STILL_FRAMES):
        yield shot(_shaken(after.canvas, wish.shake_px, dice))


def smeared(canvas: Canvas, under: Canvas, length: float, way: float) -> Canvas:
    """Only what differs from the table is in motion."""
    side = max(int(length) | 1, 3)
    kernel = np.zeros((side, side), np.float32)
    middle, dx, dy = side // 2, math.cos(way) * length / 2, math.sin(way) * length / 2
    ends = [(round(middle + k * dx), round(middle + k * dy)) for k in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    blurred = cv2.filter2D(canvas, -1, kernel / kernel.sum())
    moving = (np.abs(canvas - under).max(2) > 4).astype(np.float32)
    share = cv2.GaussianBlur(cv2.dilate(moving, np.ones((side, side), np.uint8)), (0, 0), 2)
    return np.asarray(canvas + (blurred - canvas) * share[..., None], np.float32)


def _shaken(canvas: Canvas, shake_px: float, dice: Dice) -> Canvas:
    """A table that trembles: shifted and smeared a little differently in every frame."""
    if shake_px <= 0:
        return canvas
    dx, dy = (float(v) for v in dice.normal(0, shake_px / 2, 2))
    shift = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    size = (canvas.shape[1], canvas.shape[0])
    moved = cv2.warpAffine(canvas, shift, size, borderMode=cv2.BORDER_REPLICATE)
    way = float(dice.uniform(0, math.pi))
    return smeared(moved.astype(np.float32), moved * 0 - 99, shake_px, way)


def as_frames(clip: Clip) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """The film's pictures and their stamps."""
    for number, frame in enumerate(clip.frames):
        yield frame, number * FRAME_NS
