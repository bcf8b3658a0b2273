"""Short films of everything but one card landing, each with the answer that the watcher owes.

A joker, a card face down, two cards at once, a card without a readable index, a card taken back, a
pile taken, a hand that rests on the pile, a newest card that is straightened, a second card without
a readable index on the first, a hand that rests on the pile and then takes it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from models.train.art import without_corners
from models.train.backgrounds import background
from models.train.clips import SIDE_PX, ClipWish, draw_pile, laid, smeared
from models.train.faces import DrawnDeck, Face
from models.train.lay import Laid, draw_tilt
from models.train.lens import Canvas, Dice, Image, draw_lens, draw_light, expose
from models.train.scene import Table, draw_hand
from referee.rules.cards import JOKER_RANK, RANKS, SUITS, Card

KINDS = (
    "joker",
    "back",
    "two",
    "unread",
    "removed",
    "cleared",
    "hand",
    "straightened",
    "two unread",
    "slapped",
)
"""The answers that are owed."""
REST = 6
"""Frames at rest after each change."""
APART = (0.45, 0.9)
"""How far from each other two cards land that come at once, in card heights."""
PUSH_PX, PUSH_TURN = 9.0, 0.12
"""How far a card is straightened: standard deviations, the turn in radians."""


@dataclass(slots=True)
class Story:
    """A film, what happens in it and when."""

    kind: str
    frames: list[Image]
    height_px: float
    changed: int
    """Number of the first frame after the change that asks for an answer."""
    cards: tuple[Card, ...]
    """New cards that a flip must name, in any order."""
    unread: int | None = None
    """Flips of unread cards that are owed by the end of the film; None: any number."""


def draw_story(kind: str, deck: DrawnDeck, wish: ClipWish, dice: Dice) -> Story:
    """Draw a film of this kind."""
    height = float(dice.uniform(*wish.height_px))
    bare = Table(
        background(SIDE_PX, dice),
        np.zeros((SIDE_PX, SIDE_PX), np.uint8),
        draw_tilt(SIDE_PX, 0.04, dice),
    )
    pile = draw_pile(deck, int(dice.integers(2, 9)), height, dice, RANKS[int(dice.integers(13))])
    new = _new_cards(kind, deck, pile, dice)
    before = laid(bare, pile[:-1], 1)
    after = laid(before, new, 20)
    if kind == "hand":
        after = before.copy()
        draw_hand(after, (pile[-2].x, pile[-2].y), dice)
    tables = {
        "removed": [before, after, before],
        "cleared": [bare, after, bare],
        "hand": [before, after, before],
        "two unread": [before, laid(before, new[:1], 20), after],
    }.get(kind, [before, after])
    if kind == "slapped":
        rested = after.copy()
        draw_hand(rested, (pile[-1].x, pile[-1].y), dice)
        tables = [bare, after, rested, bare]
    if kind == "straightened":
        tables.append(laid(before, [_straightened(new[-1], dice)], 20))
    frames = list(_film(tables, wish, dice))
    changed = len(frames) - REST
    if kind == "hand":
        changed -= REST + 2
    named = tuple(Card(card.face.rank, _suit(card.face)) for card in new)
    owed = named if kind in ("joker", "two") else ()
    unread = {"straightened": 0, "two unread": 2, "slapped": 0}.get(kind)
    return Story(kind, frames, height, changed, owed, unread)


def _straightened(card: Laid, dice: Dice) -> Laid:
    dx, dy, turn = dice.normal(0, (PUSH_PX, PUSH_PX, PUSH_TURN))
    return replace(card, x=card.x + dx, y=card.y + dy, angle=card.angle + turn)


def _suit(face: Face) -> str:
    return face.suit if face.suit in SUITS else "?"


def _new_cards(kind: str, deck: DrawnDeck, pile: list[Laid], dice: Dice) -> list[Laid]:
    top = pile[-1]
    if kind == "joker":
        return [replace(top, face=deck.face(JOKER_RANK, "RB"[int(dice.integers(2))]))]
    if kind == "back":
        return [replace(top, face=deck.back())]
    if kind == "unread":
        return [_without_index(top)]
    if kind == "two unread":
        lower, pile[-2:-1] = _without_index(pile[-2]), []
        return [lower, _without_index(top)]
    if kind != "two":
        return [top]
    way, room = float(dice.uniform(0, 2 * math.pi)), top.height_px * 0.52
    far = float(dice.uniform(*APART)) * top.height_px / 2
    shift = np.array([math.cos(way), math.sin(way)]) * far
    low, high = np.clip([SIDE_PX / 2 - shift, SIDE_PX / 2 + shift], room, SIDE_PX - room).tolist()
    names = [(r, s) for r in RANKS for s in SUITS]
    taken = {(card.face.rank, card.face.suit) for card in pile}
    free = [name for name in names if name not in taken]
    other = deck.face(*free[int(dice.integers(len(free)))])
    lower = replace(top, face=other, x=low[0], y=low[1], angle=float(dice.uniform(0, 6.28)))
    return [lower, replace(top, x=high[0], y=high[1])]


def _without_index(card: Laid) -> Laid:
    bare = replace(card.face, bgr=without_corners(card.face.bgr, four=True))
    return replace(card, face=bare)


def _film(tables: list[Table], wish: ClipWish, dice: Dice) -> Iterator[Image]:
    """Each table at rest, with a moving hand and smeared cards between them."""
    lens = replace(draw_lens(dice, blur=wish.blur, motion=(0, 0), noise=wish.noise), skew=0.0)
    light = draw_light((SIDE_PX, SIDE_PX), dice)
    flicker = float(dice.uniform(0, 0.01))

    def shot(canvas: Canvas) -> Image:
        return expose(canvas, light * np.float32(1 + dice.normal(0, flicker)), lens, dice)

    for number, table in enumerate(tables):
        if number:
            for _ in range(2):
                moving = table.copy()
                draw_hand(moving, tuple(dice.uniform(80, SIDE_PX - 80, 2)), dice)
                smear = smeared(moving.canvas, table.canvas, 14, float(dice.uniform(0, 3)))
                yield shot(smear)
        for _ in range(REST):
            yield shot(table.canvas)
