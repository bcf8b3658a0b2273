"""Decks that exist only for training: every deck is a draw of paper, font, index, pips and courts.

A face is drawn when it is first asked for. The middle of a court is borrowed from the CC0 deck or
made of shapes: nobody reads the middle, but it must be as busy as a real one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from models.decks import LANGUAGES
from models.train import ink
from models.train.figures import (
    draw_figure,
    draw_flourish,
    draw_ornament,
    draw_patterned_figure,
    redraw,
)
from referee.rules.cards import JOKER_RANK, SUITS

Image = NDArray[np.uint8]

FACE_PX = 320
"""Height of a drawn card; on the frame it is 80 to 300 px high."""

LANGUAGE_DRAW = ("en",) * 3 + ("de",) * 3 + ("fr",) * 2 + ("nl",) * 2
"""How often each language of index letters is drawn."""

ROWS = {"top": 0.18, "high": 0.335, "upper": 0.39, "middle": 0.5}
LAYOUT: dict[str, tuple[tuple[float, float], ...]] = {
    "A": ((0.5, 0.5),),
    "2": ((0.5, 0.18),),
    "3": ((0.5, 0.18), (0.5, 0.5)),
    "4": ((0.3, 0.18), (0.7, 0.18)),
    "5": ((0.3, 0.18), (0.7, 0.18), (0.5, 0.5)),
    "6": ((0.3, 0.18), (0.7, 0.18), (0.3, 0.5), (0.7, 0.5)),
    "7": ((0.3, 0.18), (0.7, 0.18), (0.3, 0.5), (0.7, 0.5), (0.5, 0.34)),
    "8": ((0.3, 0.18), (0.7, 0.18), (0.3, 0.5), (0.7, 0.5), (0.5, 0.34)),
    "9": ((0.3, 0.18), (0.7, 0.18), (0.3, 0.39), (0.7, 0.39), (0.5, 0.5)),
    "10": ((0.3, 0.18), (0.7, 0.18), (0.3, 0.39), (0.7, 0.39), (0.5, 0.285)),
}
"""Where pips lie in the upper half; the lower half is the same, turned round."""
OTHER_LAYOUTS: dict[str, tuple[tuple[float, float], ...]] = {
    "7": ((0.3, 0.18), (0.7, 0.18), (0.3, 0.5), (0.7, 0.5), (0.5, 0.29)),
    "8": ((0.3, 0.18), (0.7, 0.18), (0.3, 0.39), (0.7, 0.39)),
    "10": ((0.3, 0.18), (0.7, 0.18), (0.3, 0.39), (0.7, 0.39), (0.5, 0.24)),
}
"""How other decks lay them."""
ONE_SIDED = {("7", (0.5, 0.29)), ("7", (0.5, 0.34))}
"""Pips without a turned twin."""


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a card, ready to be laid on the table."""

    bgr: Image
    alpha: Image
    glyph: str
    """What the corner says: one of models.decks.GLYPHS."""
    rank: str
    suit: str
    four: bool
    """It has an index in all four corners."""


@dataclass(slots=True)
class Style:
    """What all cards of one drawn deck share."""

    language: str
    font: Path
    joker_font: Path
    aspect: float
    index_height: float
    """Of the card's height."""
    squeeze: float
    four: bool
    colours: dict[str, tuple[int, int, int]]
    paper: tuple[int, int, int]
    pips: dict[str, Image]
    pip_scale: float
    gap: float
    index_x: float
    index_y: float
    seed: int
    one_for_ace: bool
    ten: float = 1.0
    """A ten is squeezed so much more than the other indices."""
    stroke_px: int = 0
    """Added to the strokes of a letter 100 px high; below 0 they get thinner."""
    bend: float = 0.0
    """How far points of the letters move from where the font has them, in their height."""
    column: float = 0.3
    """Where the left column of pips is, share of the card's width."""
    row: float = 0.18
    """Where the top row of pips is, share of the card's height."""
    pip_high: float = 0.0
    """Height of a pip in card heights; 0: follows from the seed."""
    layouts: Mapping[str, tuple[tuple[float, float], ...]] = field(default_factory=dict)
    """Ranks whose pips lie otherwise than in LAYOUT."""
    court: str = "framed"
    """What courts show: "framed" shapes, a "figure" on bare paper, or a "patterned" one."""
    redrawn: bool = False
    """Courts look as if another hand had drawn them."""
    ornament: bool = False
    """Thin lines run around the middle, the ace has more than its pip."""
    middle: str = "pips"
    """What all cards show: "pips" (courts: a picture), "one" big pip, "letter" or "bare" paper."""


def draw_style(rng: Random, fonts: Sequence[Path], sign_fonts: Sequence[Path]) -> Style:
    """Draw a deck's style. Index heights cover 0.065 to 0.20 of the card."""
    pool = list(sign_fonts) if rng.random() < 0.6 else []
    four_colours = rng.random() < 0.3
    dark = [rng.randint(0, 45)] * 3
    red = (rng.randint(0, 70), rng.randint(0, 60), rng.randint(150, 235))
    colours = {suit: _jitter(dark, rng, 12) for suit in "SC"} | {"H": red, "D": red}
    if four_colours:
        colours["C"] = (rng.randint(0, 70), rng.randint(80, 140), rng.randint(0, 50))
        blue = (rng.randint(150, 220), rng.randint(40, 110), rng.randint(0, 60))
        orange = (rng.randint(0, 40), rng.randint(100, 150), rng.randint(200, 240))
        colours["D"] = rng.choice((blue, blue, orange))
    big = rng.random() < 0.4
    return Style(
        language=rng.choice(LANGUAGE_DRAW),
        font=rng.choice(fonts),
        joker_font=rng.choice(fonts),
        aspect=rng.uniform(0.62, 0.74),
        index_height=rng.uniform(0.065, 0.2) if big else rng.uniform(0.07, 0.12),
        squeeze=rng.uniform(0.55, 1.1),
        four=rng.random() < 0.3,
        colours=colours,
        paper=_jitter((rng.randint(215, 255),) * 3, rng, 8),
        pips={suit: ink.pip(suit, pool, rng) for suit in SUITS},
        pip_scale=rng.uniform(0.5, 1.1),
        gap=rng.uniform(0.08, 0.4),
        index_x=rng.uniform(0.085, 0.13),
        index_y=rng.uniform(0.025, 0.06),
        seed=rng.getrandbits(30),
        one_for_ace=rng.random() < 0.5,
    )


def _jitter(colour: Sequence[int], rng: Random, spread: int) -> tuple[int, int, int]:
    b, g, r = (min(255, max(0, c + rng.randint(-spread, spread))) for c in colour)
    return b, g, r


def glyph_of(rank: str, language: str, one_for_ace: bool = False) -> str:
    """What a deck of this language prints for a rank."""
    if rank == JOKER_RANK:
        return "joker"
    glyphs = [glyph for glyph, named in LANGUAGES[language].items() if named == rank]
    return glyphs[-1] if one_for_ace else glyphs[0]


@dataclass(slots=True)
class DrawnDeck:
    """All faces of one style, drawn when asked for."""

    style: Style
    bodies: Sequence[tuple[Image, str, str]]
    """Middles to borrow: picture, rank, suit."""
    _faces: dict[tuple[str, str], Face] = field(default_factory=dict)

    @property
    def language(self) -> str:
        """The language of the index letters."""
        return self.style.language

    @property
    def has_jokers(self) -> bool:
        """Every drawn deck has two."""
        return True

    def face(self, rank: str, suit: str) -> Face:
        """The front of this card; a joker has rank "X"."""
        key = (rank, suit)
        if key not in self._faces:
            self._faces[key] = self._draw(rank, suit)
        return self._faces[key]

    def back(self) -> Face:
        """The back of the cards."""
        key = ("back", "")
        if key not in self._faces:
            rng = Random(self.style.seed)
            blank = _blank(self.style)
            draw_pattern(blank, rng)
            alpha = _rounded(blank.shape[0], blank.shape[1], self.style)
            self._faces[key] = Face(blank, alpha, "back", "back", "", True)
        return self._faces[key]

    def _draw(self, rank: str, suit: str) -> Face:
        style = self.style
        rng = Random(f"{style.seed} {rank} {suit}")
        card = self._body(rank, suit, rng)
        glyph = glyph_of(rank, style.language, style.one_for_ace)
        half = self._index(card, glyph, suit)
        _put_corners(card, half, style.four)
        if style.seed % 5 == 0:
            _frame_line(card, style, rng)
        alpha = _rounded(card.shape[0], card.shape[1], style)
        return Face(card, alpha, glyph, rank, suit, style.four)

    def _body(self, rank: str, suit: str, rng: Random) -> Image:
        """The card without its corners."""
        style = self.style
        card = _blank(style)
        borrowed = [b for b, r, s in self.bodies if r == rank and s == suit]
        if borrowed and style.seed % 3 != 0:
            middle = cv2.resize(rng.choice(borrowed), (card.shape[1], card.shape[0]))
            tinted = middle.astype(np.float32) * (np.array(style.paper, np.float32) / 255)
            card[:] = np.clip(tinted, 0, 255).astype(np.uint8)
        elif style.middle != "pips":
            self._odd_middle(card, rank, suit)
        elif rank in LAYOUT:
            if style.ornament and rank == "A":
                draw_flourish(card, style.colours[suit], rng)
            _lay_pips(card, style, rank, suit, rng)
        else:
            courts = {"figure": draw_figure, "patterned": draw_patterned_figure}
            draw = courts.get(style.court, draw_court)
            draw(card, style.colours.get(suit, (20, 20, 20)), rng)
        if style.redrawn and rank not in LAYOUT:
            card = redraw(card, style.paper, rng)
        if style.ornament:
            draw_ornament(card, Random(style.seed))
        return card

    def _odd_middle(self, card: Image, rank: str, suit: str) -> None:
        """The middle of decks that show no pips: one sign, a letter, or nothing."""
        style = self.style
        if style.middle == "bare":
            return
        h, w = card.shape[:2]
        sign = style.pips.get(suit)
        if style.middle == "letter" or sign is None:
            sign = ink.letters(style.font, glyph_of(rank, style.language)[:2].upper())
        high = h * (0.25 + style.pip_scale / 4)
        wide = min(high * sign.shape[1] / sign.shape[0], 0.5 * w)
        colour = style.colours.get(suit, (30, 30, 30))
        _stamp(card, ink.fitted(sign, high, wide), (w - wide) / 2, (h - high) / 2, colour)

    def _index(self, card: Image, glyph: str, suit: str) -> Image:
        """The upper left corner: paper, letter, pip."""
        style = self.style
        h, w = card.shape[:2]
        letter_px = style.index_height * h
        mask = self._letter(glyph, letter_px)
        ink_colour = style.colours.get(suit, (40, 40, 160) if suit == "R" else (30, 30, 30))
        pip_px = letter_px * style.pip_scale if style.index_height < 0.14 else 0.09 * h
        top = round(style.index_y * h)
        room_h = round(top + mask.shape[0] + letter_px * style.gap + pip_px + 3)
        room_w = round(max(0.2 * w, mask.shape[1] + 0.06 * w))
        corner = np.full((min(room_h, h // 2), min(room_w, w // 2), 3), style.paper, np.uint8)
        centre = max(style.index_x * w, mask.shape[1] / 2 + 0.025 * w)
        _stamp(corner, mask, centre - mask.shape[1] / 2, top, ink_colour)
        if suit in style.pips:
            sign = style.pips[suit]
            wide = pip_px * sign.shape[1] / sign.shape[0]
            placed = ink.fitted(sign, pip_px, wide)
            below = top + mask.shape[0] + letter_px * style.gap
            _stamp(corner, placed, centre - wide / 2, below, ink_colour)
        return corner

    def _letter(self, glyph: str, letter_px: float) -> NDArray[np.float32]:
        style = self.style
        rng = Random(style.seed)
        if glyph == "joker":
            return self._joker_letter(letter_px, rng)
        mask = ink.weighted(ink.letters(style.font, glyph), rng)
        squeeze = style.squeeze * (style.ten if glyph == "10" else 1.0)
        mask = ink.stroked(mask, style.stroke_px, squeeze)
        if style.bend:
            mask = ink.bent(mask, style.bend, style.seed)
        width = letter_px * mask.shape[1] / mask.shape[0] * squeeze
        widest = (0.21 if style.index_height > 0.12 else 0.17) * FACE_PX * style.aspect
        return ink.fitted(mask, letter_px, min(width, widest))

    def _joker_letter(self, letter_px: float, rng: Random) -> NDArray[np.float32]:
        style = self.style
        word = rng.choice(("JOKER", "JOKER", "JOLLY", "★", "JOKER"))
        if word == "★":
            star = np.zeros((120, 120), np.uint8)
            angles = np.arange(10) * np.pi / 5 - np.pi / 2
            radii = np.where(np.arange(10) % 2 == 0, 58, 24)
            points = np.stack([60 + radii * np.cos(angles), 60 + radii * np.sin(angles)], 1)
            cv2.fillPoly(star, [points.round().astype(np.int32)], 255, cv2.LINE_AA)
            return ink.fitted(star, letter_px, letter_px)
        column = ink.stacked(style.joker_font, word)
        height = rng.uniform(0.16, 0.27) * FACE_PX
        return ink.fitted(column, height, min(0.12 * FACE_PX * style.aspect, height * 0.3))


def _blank(style: Style) -> Image:
    width = round(FACE_PX * style.aspect)
    return np.full((FACE_PX, width, 3), style.paper, np.uint8)


def _rounded(h: int, w: int, style: Style) -> Image:
    radius = round((0.02 + (style.seed % 97) / 97 * 0.045) * h)
    alpha = np.zeros((h, w), np.uint8)
    cv2.rectangle(alpha, (radius, 0), (w - 1 - radius, h - 1), 255, -1)
    cv2.rectangle(alpha, (0, radius), (w - 1, h - 1 - radius), 255, -1)
    for x in (radius, w - 1 - radius):
        for y in (radius, h - 1 - radius):
            cv2.circle(alpha, (x, y), radius, 255, -1)
    return alpha


def _stamp(
    card: Image, mask: NDArray[np.float32], x: float, y: float, colour: Sequence[int]
) -> None:
    """Print a mask in one colour with its top left at (x, y)."""
    x0, y0 = max(0, round(x)), max(0, round(y))
    room = card[y0 : y0 + mask.shape[0], x0 : x0 + mask.shape[1]]
    part = mask[: room.shape[0], : room.shape[1], None]
    room[:] = (room * (1 - part) + np.array(colour, np.float32) * part).astype(np.uint8)


def _put_corners(card: Image, corner: Image, four: bool) -> None:
    h, w = corner.shape[:2]
    edge = 4
    turned = np.ascontiguousarray(corner[::-1, ::-1])
    card[edge:h, edge:w] = corner[edge:, edge:]
    card[-h:-edge, -w:-edge] = turned[:-edge, :-edge]
    if four:
        card[edge:h, -w:-edge] = corner[edge:, edge:]
        card[-h:-edge, edge:w] = turned[:-edge, :-edge]


def _frame_line(card: Image, style: Style, rng: Random) -> None:
    h, w = card.shape[:2]
    inset = round(rng.uniform(0.012, 0.02) * h)
    shade = rng.randint(90, 190)
    cv2.rectangle(card, (inset, inset), (w - inset, h - inset), (shade,) * 3, 1, cv2.LINE_AA)


def _lay_pips(card: Image, style: Style, rank: str, suit: str, rng: Random) -> None:
    h, w = card.shape[:2]
    sign = style.pips[suit]
    usual = style.pip_high or 0.1 + (style.seed % 50) / 50 * 0.05
    high = h * (rng.uniform(0.2, 0.4) if rank == "A" else usual)
    mask = ink.fitted(sign, high, high * sign.shape[1] / sign.shape[0])
    turned = np.ascontiguousarray(mask[::-1])
    for place in style.layouts.get(rank, LAYOUT[rank]):
        x, y = place
        x = 0.5 + (x - 0.5) * (0.5 - style.column) / 0.2
        y = 0.5 - (0.5 - y) * (0.5 - style.row) / 0.32
        left = x * w - mask.shape[1] / 2
        _stamp(card, mask, left, y * h - mask.shape[0] / 2, style.colours[suit])
        if y != ROWS["middle"] and (rank, place) not in ONE_SIDED:
            _stamp(card, turned, left, (1 - y) * h - mask.shape[0] / 2, style.colours[suit])


def draw_court(card: Image, colour: Sequence[int], rng: Random) -> None:
    """A busy double-headed figure of shapes."""
    h, w = card.shape[:2]
    palette = [tuple(rng.randint(0, 255) for _ in range(3)) for _ in range(4)]
    palette += [tuple(colour), (20, 20, 20), (60, 190, 230), (245, 245, 245)]
    x0, x1, y0 = round(rng.uniform(0.15, 0.24) * w), 0, round(rng.uniform(0.07, 0.13) * h)
    x1 = w - x0
    half = card[y0 : h // 2, x0:x1]
    for _ in range(rng.randint(18, 45)):
        _shape(half, palette, rng)
    head = (rng.randint(190, 235), rng.randint(205, 240), rng.randint(225, 250))
    centre = (half.shape[1] // 2, round(half.shape[0] * 0.35))
    cv2.circle(half, centre, round(half.shape[1] * 0.2), head, -1, cv2.LINE_AA)
    cv2.circle(half, centre, round(half.shape[1] * 0.2), (20, 20, 20), 2, cv2.LINE_AA)
    bottom = h - y0
    card[bottom - half.shape[0] : bottom, x0:x1] = half[::-1, ::-1]
    if rng.random() < 0.7:
        cv2.rectangle(card, (x0, y0), (x1, bottom), palette[rng.randrange(5)], 1, cv2.LINE_AA)


def _shape(area: Image, palette: Sequence[Sequence[int]], rng: Random) -> None:
    h, w = area.shape[:2]
    colour = palette[rng.randrange(len(palette))]
    x, y, size = rng.randrange(w), rng.randrange(h), rng.randint(4, max(6, w // 3))
    kind = rng.randrange(4)
    if kind == 0:
        cv2.circle(area, (x, y), size // 2, colour, rng.choice((-1, -1, 2)), cv2.LINE_AA)
    elif kind == 1:
        end = (x + rng.randint(-size, size), y + rng.randint(-size, size))
        cv2.line(area, (x, y), end, colour, rng.randint(1, 5), cv2.LINE_AA)
    elif kind == 2:
        corners = [(x + rng.randint(-size, size), y + rng.randint(-size, size)) for _ in range(4)]
        cv2.fillConvexPoly(area, cv2.convexHull(np.array(corners, np.int32)), colour, cv2.LINE_AA)
    else:
        axes = (size, max(1, size // rng.randint(1, 4)))
        cv2.ellipse(area, (x, y), axes, rng.randrange(180), 0, 360, colour, -1, cv2.LINE_AA)


def draw_pattern(card: Image, rng: Random) -> None:
    """A pattern that is the same when turned round."""
    h, w = card.shape[:2]
    edge = rng.choice((0, round(0.03 * h), round(0.05 * h)))
    inner = card[edge : h - edge, edge : w - edge]
    main = tuple(rng.randint(0, 255) for _ in range(3))
    other = tuple(rng.randint(120, 255) for _ in range(3))
    inner[:] = main
    step = rng.randint(6, 26)
    kind = rng.randrange(5)
    ih, iw = inner.shape[:2]
    if kind < 2:
        for offset in range(-ih, iw + ih, step):
            cv2.line(inner, (offset, 0), (offset + ih, ih), other, rng.randint(1, 3), cv2.LINE_AA)
            cv2.line(inner, (offset, ih), (offset + ih, 0), other, 2 - kind, cv2.LINE_AA)
    elif kind == 2:
        for radius in range(step, ih, step):
            cv2.circle(inner, (iw // 2, ih // 2), radius, other, rng.randint(1, 4), cv2.LINE_AA)
    elif kind == 3:
        for y in range(step // 2, ih, step):
            for x in range(step // 2, iw, step):
                cv2.circle(inner, (x, y), max(1, step // 4), other, -1, cv2.LINE_AA)
    else:
        for _ in range(120):
            _shape(inner, (main, other, tuple(rng.randint(0, 255) for _ in range(3))), rng)
    half = inner[: ih // 2]
    inner[ih - half.shape[0] :] = half[::-1, ::-1]
