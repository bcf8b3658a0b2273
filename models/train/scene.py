"""Draws a table with cards, before and after the newest one came, and tells the truth about it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.art import Deck, DeckPool
from models.train.backgrounds import background
from models.train.faces import Face
from models.train.lay import Canvas, Corner, Laid, Quad, corners_of, draw_tilt, lay
from models.train.lens import Image, Lens, draw_lens, draw_light, expose
from referee.rules.cards import JOKER_RANK, RANKS, SUITS

Dice = np.random.Generator

JOKER_SHARE = 0.05
"""Of all faces; all other ranks are drawn evenly, or courts would be seen where none are."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What kind of scene to draw."""

    size: int = 352
    height_px: tuple[float, float] = (88, 225)
    cards: tuple[int, int] = (1, 15)
    spread_px: tuple[float, float] = (10, 70)
    hand: float = 0.22
    nudge: float = 0.2
    two_at_once: float = 0.08
    no_before: float = 0.35
    backs: float = 0.06
    blur: tuple[float, float] = (0, 1.9)
    motion: tuple[float, float] = (0, 6)
    noise: tuple[float, float] = (1, 10)
    tilt: tuple[float, float] = (0.0, 0.35)
    scattered: float = 0.25
    shots: int = 2
    """Pictures of one table, each with its own light and camera."""


@dataclass(slots=True)
class Scene:
    """Pictures of one table, each with the one before the newest card came, and the truth."""

    shots: list[tuple[Image, Image | None]]
    corners: list[Corner]
    top: Laid
    top_quad: Quad


@dataclass(slots=True)
class Table:
    """The cards of a scene and what they lie on."""

    canvas: Canvas
    ids: NDArray[np.uint8]
    tilt: NDArray[np.float64]

    def copy(self) -> Table:
        """The same table, to go on from."""
        return Table(self.canvas.copy(), self.ids.copy(), self.tilt)

    def lay(self, card: Laid, number: int) -> None:
        """Put a card on it."""
        lay(self.canvas, self.ids, card, card.quad(self.tilt), number)


def draw_scene(pool: DeckPool, wish: Wish, dice: Dice, rank: str | None = None) -> Scene:
    """Draw one scene.

    Args:
        rank: Of the newest card; None: any, jokers and backs too.
    """
    deck = pool.draw()
    cards = _draw_cards(deck, wish, dice, rank)
    strength = float(dice.uniform(*wish.tilt)) if dice.random() < 0.5 else 0.03
    bare = Table(
        background(wish.size, dice),
        np.zeros((wish.size, wish.size), np.uint8),
        draw_tilt(wish.size, strength, dice),
    )
    newest = 2 if len(cards) > 2 and dice.random() < wish.two_at_once else 1
    before, now = _tables(bare, cards, newest, wish, dice)
    has_before = dice.random() >= wish.no_before
    top = cards[-1]
    if dice.random() < wish.hand:
        draw_hand(now, (top.x, top.y), dice)
    if dice.random() < wish.hand * 0.3:
        draw_hand(before, (top.x, top.y), dice)
    earlier = before if has_before else None
    shots = [_photograph(now, earlier, wish, dice) for _ in range(wish.shots)]
    corners = _truth(now, cards, newest if has_before else 0)
    return Scene(shots, corners, top, top.quad(bare.tilt))


def _draw_cards(deck: Deck, wish: Wish, dice: Dice, rank: str | None) -> list[Laid]:
    count = int(dice.integers(wish.cards[0], wish.cards[1] + 1))
    height = float(np.exp(dice.uniform(*np.log(wish.height_px))))
    gloss = float(dice.uniform(0.1, 0.9)) if dice.random() < 0.25 else 0.0
    shadow = float(dice.uniform(0.03, 0.45))
    places = _places(count, height, wish, dice)
    cards = []
    for number, (x, y, angle) in enumerate(places):
        wanted = rank if number == count - 1 else None
        face = _draw_face(deck, wanted, wish.backs, dice)
        seed = int(dice.integers(1 << 30))
        shine = gloss * float(dice.random() < 0.5)
        cards.append(Laid(face, x, y, angle, height, shadow, shine, seed))
    return cards


def _draw_face(deck: Deck, rank: str | None, backs: float, dice: Dice) -> Face:
    if rank == "back" or (rank is None and dice.random() < backs):
        return deck.back()
    if rank is None:
        joker = deck.has_jokers and dice.random() < JOKER_SHARE
        rank = JOKER_RANK if joker else RANKS[int(dice.integers(13))]
    if rank == JOKER_RANK:
        return deck.face(JOKER_RANK, "RB"[int(dice.integers(2))])
    return deck.face(rank, SUITS[int(dice.integers(4))])


def _places(count: int, height: float, wish: Wish, dice: Dice) -> list[tuple[float, float, float]]:
    """Where cards lie: a pile, a fan, or scattered."""
    middle = wish.size / 2 + dice.uniform(-40, 40, 2)
    edge = height * 0.42
    if dice.random() < wish.scattered:
        fan = dice.random() < 0.5
        return _fan(count, height, middle, dice) if fan else _scatter(count, wish.size, edge, dice)
    spread = dice.uniform(*wish.spread_px)
    places = []
    for _ in range(count):
        x, y = np.clip(dice.normal(middle, spread), edge, wish.size - edge)
        places.append((float(x), float(y), float(dice.uniform(0, 2 * math.pi))))
    return places


def _fan(
    count: int, height: float, middle: NDArray[np.float64], dice: Dice
) -> list[tuple[float, float, float]]:
    start, step = dice.uniform(0, 2 * math.pi), dice.normal(0, 0.18)
    stride = height * dice.uniform(0.12, 0.5)
    along = dice.uniform(0, 2 * math.pi) if dice.random() < 0.3 else start
    first = middle - stride * count / 2 * np.array([math.cos(along), math.sin(along)])
    places = []
    for number in range(count):
        x, y = first + stride * number * np.array([math.cos(along), math.sin(along)])
        turn = start + step * (number - count / 2) + dice.normal(0, 0.05)
        places.append((float(x), float(y), float(turn)))
    return places


def _scatter(count: int, size: int, edge: float, dice: Dice) -> list[tuple[float, float, float]]:
    spots = dice.uniform(edge * 0.5, size - edge * 0.5, (count, 2))
    return [(float(x), float(y), float(dice.uniform(0, 2 * math.pi))) for x, y in spots]


def _tables(
    bare: Table, cards: list[Laid], newest: int, wish: Wish, dice: Dice
) -> tuple[Table, Table]:
    """The table before and after the newest cards; they may have pushed others."""
    before = bare.copy()
    for number, card in enumerate(cards[:-newest], 1):
        before.lay(card, number)
    now = before.copy()
    if dice.random() < wish.nudge and len(cards) > newest:
        now = bare.copy()
        for number in range(len(cards) - newest):
            if len(cards) - newest - number < 3:
                cards[number] = _pushed(cards[number], dice)
            now.lay(cards[number], number + 1)
    for number in range(len(cards) - newest, len(cards)):
        now.lay(cards[number], number + 1)
    return before, now


def _pushed(card: Laid, dice: Dice) -> Laid:
    dx, dy, turn = dice.normal(0, (6, 6, 0.06))
    return replace(card, x=card.x + dx, y=card.y + dy, angle=card.angle + turn)


def _photograph(
    now: Table, before: Table | None, wish: Wish, dice: Dice
) -> tuple[Image, Image | None]:
    light = draw_light((wish.size, wish.size), dice)
    lens = draw_lens(dice, blur=wish.blur, motion=wish.motion, noise=wish.noise)
    if before is None:
        return expose(now.canvas, light, lens, dice), None
    earlier: Lens = replace(lens, motion=0.0, skew=0.0)
    light_before = light * np.float32(dice.uniform(0.95, 1.05))
    shaken = before.canvas
    if dice.random() < 0.5:
        shift = np.array([[1, 0, dice.normal(0, 0.4)], [0, 1, dice.normal(0, 0.4)]], np.float32)
        size = (wish.size, wish.size)
        shaken = cv2.warpAffine(shaken, shift, size, borderMode=cv2.BORDER_REPLICATE).astype(
            np.float32
        )
    return expose(now.canvas, light, lens, dice), expose(shaken, light_before, earlier, dice)


def _truth(now: Table, cards: list[Laid], newest: int) -> list[Corner]:
    """All corners. Without a before-picture, "new" are the cards that nothing covers."""
    corners: list[Corner] = []
    for number, card in enumerate(cards, 1):
        quad = card.quad(now.tilt)
        if newest:
            new = number > len(cards) - newest
        else:
            area = float(cv2.contourArea(quad))
            new = int((now.ids == number).sum()) > 0.93 * area
        corners += corners_of(card, quad, number, now.ids, new=new)
    return corners


def draw_hand(table: Table, target: tuple[float, float], dice: Dice) -> None:
    """A forearm with fingers, from a border towards a point."""
    size = table.canvas.shape[0]
    free = dice.uniform(0, size)
    starts = ((free, -40), (size + 40, free), (free, size + 40), (-40, free))
    start = np.array(starts[int(dice.integers(4))])
    tip = np.array(target) + dice.normal(0, 60, 2)
    mask = _hand_mask(size, start, tip, dice)
    soft = cv2.GaussianBlur(mask, (0, 0), float(dice.uniform(1, 3))).astype(np.float32) / 255
    skins = ((115, 150, 205), (95, 125, 180), (60, 85, 130), (40, 60, 95))
    skin = np.array(skins[int(dice.integers(4))], np.float32) * np.float32(dice.uniform(0.7, 1.2))
    grain = dice.standard_normal((30, 40)).astype(np.float32)
    grain = cv2.resize(grain, (size, size), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    fallen = cv2.GaussianBlur(mask, (0, 0), 9).astype(np.float32) / 255
    table.canvas *= 1 - 0.35 * fallen[..., None]
    painted = skin + grain[..., None] * 9
    table.canvas += (painted - table.canvas) * soft[..., None]
    table.ids[mask > 0] = 255


def _hand_mask(
    size: int, start: NDArray[np.float64], tip: NDArray[np.float64], dice: Dice
) -> Image:
    mask = np.zeros((size, size), np.uint8)
    along = (tip - start) / (np.linalg.norm(tip - start) + 1e-6)
    across = np.array([-along[1], along[0]])
    wide = int(dice.integers(40, 76))
    palm = tip - along * dice.uniform(40, 80)

    def spot(point: NDArray[np.float64]) -> tuple[int, int]:
        return int(point[0]), int(point[1])

    cv2.line(mask, spot(start), spot(palm), 255, wide)
    cv2.circle(mask, spot(palm), int(wide * 0.7), 255, -1)
    for finger in range(4):
        root = palm + across * (finger - 1.5) * wide * 0.33
        end = root + along * dice.uniform(50, 95)
        end = end + across * (finger - 1.5) * dice.uniform(0, 14)
        cv2.line(mask, spot(root), spot(end), 255, int(dice.integers(14, 22)))
    return mask
