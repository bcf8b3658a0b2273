"""Draws whole decks of cards: several styles, four languages, nothing copied from anywhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.protocols import Image
from hardware.simulated.courts import FIGURES, Look
from hardware.simulated.index import IndexPlace, draw_indices, index_room
from hardware.simulated.ink import Canvas, Colour, Points, arc, box, points, rounded_box, smooth
from hardware.simulated.letters import LETTERS, Letters
from hardware.simulated.pips import draw_pip, pip_places
from referee.rules.cards import JOKER_RANK, UNREAD, Card, deck_of_52

Language = Literal["en", "de", "fr", "nl"]

INDEX_TEXT: dict[str, dict[str, str]] = {
    "en": {"J": "J", "Q": "Q", "K": "K", "A": "A"},
    "de": {"J": "B", "Q": "D", "K": "K", "A": "A"},
    "fr": {"J": "V", "Q": "D", "K": "R", "A": "A"},
    "nl": {"J": "B", "Q": "V", "K": "H", "A": "A"},
}
"""Corner letters by language: Bube and Dame, valet, dame and roi, boer, vrouw and heer."""

SUPERSAMPLE = 2
"""Cards are drawn so many times larger, then shrunk."""


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of a deck."""

    paper: Colour = (250, 252, 252)
    black: Colour = (28, 24, 22)
    red: Colour = (38, 30, 205)
    green: Colour = (60, 120, 25)
    blue: Colour = (190, 95, 25)
    edge: Colour = (30, 24, 22)
    cloth: tuple[Colour, Colour, Colour] = ((50, 40, 195), (150, 70, 30), (60, 200, 245))
    """Main, second and accent colour of the courts' clothes."""
    other_cloth: tuple[Colour, Colour, Colour] = ((140, 75, 35), (55, 45, 200), (70, 205, 248))
    back: Colour = (150, 60, 35)


PALETTES = {
    "classic": Palette(),
    "royal": Palette(
        paper=(238, 246, 250),
        red=(40, 20, 180),
        cloth=((70, 30, 130), (60, 110, 40), (80, 190, 235)),
        other_cloth=((110, 60, 20), (60, 30, 150), (90, 195, 235)),
        back=(60, 30, 130),
    ),
    "modern": Palette(
        paper=(255, 255, 255),
        black=(50, 40, 35),
        red=(70, 60, 230),
        edge=(75, 60, 50),
        cloth=((95, 90, 235), (190, 160, 60), (120, 220, 255)),
        other_cloth=((175, 130, 70), (110, 100, 235), (130, 225, 250)),
        back=(170, 140, 30),
    ),
    "forest": Palette(
        paper=(243, 249, 251),
        red=(35, 35, 190),
        cloth=((60, 115, 40), (45, 50, 185), (95, 215, 250)),
        other_cloth=((45, 60, 160), (75, 120, 45), (80, 200, 240)),
        back=(55, 95, 30),
    ),
}


@dataclass(frozen=True, slots=True)
class DeckStyle:
    """How a deck looks."""

    name: str = "classic"
    index_height: float = 0.105
    """Height of the corner letter, in card heights."""
    letters: str = "serif"
    """A name in `letters.LETTERS`."""
    font_path: Path | None = None
    """Take the corner letters from this font file instead."""
    corners: Literal[2, 4] = 2
    aspect: float = 0.7
    """Width of a card over its height: poker 0.71, bridge 0.65."""
    palette: str = "classic"
    four_colours: bool = False
    framed: bool = True
    """Courts stand in a frame."""
    ace: Literal["A", "1"] = "A"
    back: Literal["lozenge", "waves", "rings"] = "lozenge"
    index_pip: float = 0.85
    """Height of the sign below the letter, against the letter."""


STYLES: dict[str, DeckStyle] = {
    style.name: style
    for style in (
        DeckStyle(),
        DeckStyle("bridge", 0.115, "roman_condensed", aspect=0.645, palette="royal", back="rings"),
        DeckStyle("family", 0.14, "bold", corners=4, palette="forest", back="waves"),
        DeckStyle("jumbo", 0.2, "condensed", palette="classic", framed=False, index_pip=0.6),
        DeckStyle("modern", 0.12, "sans", palette="modern", framed=False, back="waves"),
        DeckStyle("skat", 0.085, "serif", corners=4, aspect=0.645, palette="royal"),
        DeckStyle("small", 0.066, "slab", palette="classic", back="rings"),
        DeckStyle("club", 0.1, "aileron", four_colours=True, palette="modern"),
        DeckStyle("light", 0.13, "light", aspect=0.69, palette="forest", framed=False),
    )
}
"""Ready-made decks."""


@dataclass(frozen=True, slots=True)
class CardArt:
    """The picture of one card."""

    card: Card
    bgr: Image
    alpha: NDArray[np.uint8]
    """255 on the card, 0 outside its round corners."""
    indices: tuple[IndexPlace, ...] = ()
    """Where the corner letters are."""


def draw_deck(
    style: DeckStyle,
    language: Language = "en",
    seed: int = 0,
    height_px: int = 360,
    *,
    jokers: bool = False,
) -> dict[Card, CardArt]:
    """Draw all 52 cards of a deck, upright.

    Args:
        style: How the deck looks.
        language: Which letters the courts have.
        seed: Small differences between decks of one style.
        height_px: Height of a card in pixels.
        jokers: Draw two jokers, too.
    """
    cards = [*deck_of_52()]
    if jokers:
        cards += [Card(JOKER_RANK, "R"), Card(JOKER_RANK, "B")]
    style = _vary(style, Random(f"deck {seed}"))
    return {card: _draw_card(card, style, language, seed, height_px) for card in cards}


def draw_back(style: DeckStyle, height_px: int = 360) -> CardArt:
    """Draw the back of a deck's cards."""
    palette = PALETTES[style.palette]

    def face(canvas: Canvas) -> tuple[IndexPlace, ...]:
        _draw_back(canvas, style, palette)
        return ()

    return _paint(UNREAD, style, palette, height_px, face)


def _vary(style: DeckStyle, rng: Random) -> DeckStyle:
    return replace(
        style,
        index_height=style.index_height * rng.uniform(0.97, 1.03),
        index_pip=style.index_pip * rng.uniform(0.94, 1.06),
    )


def _letters(style: DeckStyle) -> Letters:
    if style.font_path is not None:
        return Letters(font=style.font_path)
    return LETTERS[style.letters]


def _draw_card(
    card: Card, style: DeckStyle, language: Language, seed: int, height_px: int
) -> CardArt:
    palette = PALETTES[style.palette]
    colour = _suit_colour(card.suit, style, palette)

    def face(canvas: Canvas) -> tuple[IndexPlace, ...]:
        if card.rank == JOKER_RANK:
            _draw_joker(canvas, style, palette, colour)
            return ()
        if card.rank in FIGURES:
            _draw_court(canvas, card, style, palette, colour, seed)
        else:
            _draw_pips(canvas, card, style, colour)
        text = style.ace if card.rank == "A" else INDEX_TEXT[language].get(card.rank, card.rank)
        return draw_indices(
            canvas,
            text,
            card.suit,
            letters=_letters(style),
            colour=colour,
            height=style.index_height,
            pip=style.index_pip,
            aspect=style.aspect,
            corners=style.corners,
        )

    return _paint(card, style, palette, height_px, face)


def _paint(
    card: Card,
    style: DeckStyle,
    palette: Palette,
    height_px: int,
    face: Callable[[Canvas], tuple[IndexPlace, ...]],
) -> CardArt:
    big = height_px * SUPERSAMPLE
    image = np.full((big, round(big * style.aspect), 3), palette.paper, np.uint8)
    canvas = Canvas(image, float(big))
    indices = face(canvas)
    outline = rounded_box(0.002, 0.002, style.aspect - 0.002, 0.998, 0.04)
    canvas.stroke(outline, (185, 188, 190), 0.004, closed=True)
    mask = np.zeros_like(image)
    Canvas(mask, float(big)).fill(outline, (255, 255, 255))
    size = (round(height_px * style.aspect), height_px)
    bgr = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    alpha = cv2.resize(mask[..., 0], size, interpolation=cv2.INTER_AREA)
    return CardArt(card, np.asarray(bgr, np.uint8), np.asarray(alpha, np.uint8), indices)


def _suit_colour(suit: str, style: DeckStyle, palette: Palette) -> Colour:
    if suit == "D":
        return palette.blue if style.four_colours else palette.red
    if suit == "C":
        return palette.green if style.four_colours else palette.black
    return palette.red if suit in "HR" else palette.black


def _draw_pips(canvas: Canvas, card: Card, style: DeckStyle, colour: Colour) -> None:
    room = index_room(style.index_height, style.aspect, _letters(style))
    half = style.aspect / 2
    column = min(half - room - 0.085, 0.2 * style.aspect / 0.7)
    column = max(column, 0.08)
    height = min(0.155, 1.6 * column)
    row = 0.5 - 0.075 - height / 2
    if card.rank == "A":
        _draw_ace(canvas, card, style, colour)
        return
    if card.rank in "23":
        row = min(row, 0.34)
    for x, y in pip_places(card.rank):
        draw_pip(
            canvas, card.suit, half + x * column, 0.5 + y * row, height, colour, upside_down=y > 0
        )


def _draw_ace(canvas: Canvas, card: Card, style: DeckStyle, colour: Colour) -> None:
    half = style.aspect / 2
    if card.suit != "S":
        draw_pip(canvas, card.suit, half, 0.5, 0.24, colour)
        return
    draw_pip(canvas, "S", half, 0.5, 0.4, colour)
    paper = PALETTES[style.palette].paper
    draw_pip(canvas, "S", half, 0.49, 0.3, paper)
    draw_pip(canvas, "S", half, 0.487, 0.25, colour)
    for angle in np.radians(np.arange(0, 360, 45)):
        x, y = half + 0.04 * np.cos(angle), 0.5 + 0.04 * np.sin(angle)
        canvas.fill(arc(x, y, 0.012, 0.012), paper)


# --- courts --------------------------------------------------------------------------------------


def _look(card: Card, style: DeckStyle, palette: Palette, seed: int) -> Look:
    rng = Random(f"court {style.name} {seed} {card}")
    cloth = palette.cloth if card.suit in "HC" else palette.other_cloth
    main, second, accent = cloth
    hairs: tuple[Colour, ...] = ((60, 180, 235), (45, 85, 140), (40, 45, 60), (70, 120, 190))
    hair = hairs[("SHDC".index(card.suit) + "JQK".index(card.rank) + seed) % 4]
    if card.rank == "K" and rng.random() < 0.6:
        hair = (205, 208, 210)
    skin: tuple[Colour, ...] = ((190, 215, 245), (175, 205, 240), (150, 185, 225), (205, 225, 248))
    pattern = ("SHDC".index(card.suit) + "JQK".index(card.rank)) % 4
    return Look(
        main, second, accent, hair, skin[rng.randrange(4)], palette.edge, 0.026, card.suit, pattern
    )


def _draw_court(
    canvas: Canvas, card: Card, style: DeckStyle, palette: Palette, colour: Colour, seed: int
) -> None:
    room = index_room(style.index_height, style.aspect, _letters(style))
    left, top = max(room, 0.15 * style.aspect), 0.075
    half_wide = style.aspect / 2 - left
    frame = box(left, top, style.aspect - left, 1 - top)
    facing_left = (card.suit in "HC") == (card.rank != "Q")
    # A narrow frame (large corner letters) gets a taller piece of the same figure.
    unit = max(half_wide, 0.43 / 2.05)
    look = _look(card, style, palette, seed)
    if style.framed:
        canvas.fill(frame, palette.paper)

    def upper(inner: Canvas) -> None:
        there = inner.at(style.aspect / 2, top + 0.02, unit, mirror=facing_left)
        FIGURES[card.rank](there, look)

    waist = points(
        (left, top), (style.aspect - left, top), (style.aspect - left, 0.46), (left, 0.54)
    )
    canvas.inside(waist, upper)
    _turn_upper_half(canvas, frame, waist)
    canvas.stroke(points((left, 0.54), (style.aspect - left, 0.46)), look.edge, 0.016)
    canvas.stroke(points((left, 0.54), (style.aspect - left, 0.46)), look.accent, 0.009)
    if style.framed:
        canvas.stroke(frame, look.edge, 0.005, closed=True)
    if half_wide < 0.15:
        return
    side = 1 if facing_left else -1
    size = 0.1 if half_wide > 0.17 else 0.07
    x = style.aspect / 2 + side * (half_wide - size * 0.62)
    # A jack's feather needs the place beside his cap.
    y = top + size * 0.75 + (0.115 if card.rank == "J" else 0.0)
    draw_pip(canvas, card.suit, x, y, size, colour)
    draw_pip(canvas, card.suit, style.aspect - x, 1 - y, size, colour, upside_down=True)


def _turn_upper_half(canvas: Canvas, frame: Points, waist: Points) -> None:
    """Copy the upper half, turned by half a turn, below the waist."""
    image = canvas.image
    turned = image[::-1, ::-1].copy()
    whole = np.zeros(image.shape, np.uint8)
    Canvas(whole, canvas.scale).fill(frame, (255, 255, 255))
    upper = np.zeros(image.shape, np.uint8)
    Canvas(upper, canvas.scale).fill(waist, (255, 255, 255))
    lower = (whole[..., 0] > 127) & (upper[..., 0] < 128)
    image[lower] = turned[lower]


# --- backs and jokers ----------------------------------------------------------------------------


def _draw_back(canvas: Canvas, style: DeckStyle, palette: Palette) -> None:
    wide = style.aspect
    inner = rounded_box(0.045, 0.045, wide - 0.045, 0.955, 0.02)

    def pattern(c: Canvas) -> None:
        c.fill(box(0, 0, wide, 1), palette.back)
        if style.back == "lozenge":
            for k in np.arange(-1.0, 2.0, 0.05):
                c.stroke(points((k, 0), (k + 1, 1)), palette.paper, 0.007)
                c.stroke(points((k, 0), (k - 1, 1)), palette.paper, 0.007)
        elif style.back == "waves":
            for y in np.arange(0, 1.05, 0.045):
                x = np.linspace(0, wide, 80)
                wave = np.stack([x, y + 0.014 * np.sin(x * 50)], 1)
                c.stroke(wave, palette.paper, 0.008)
        else:
            for cx in np.arange(0, wide + 0.1, 0.1):
                for cy in np.arange(0, 1.05, 0.1):
                    for r in (0.05, 0.032, 0.014):
                        c.stroke(arc(cx, cy, r, r), palette.paper, 0.006, closed=True)

    canvas.inside(inner, pattern)
    canvas.stroke(inner, palette.back, 0.008, closed=True)
    canvas.shape(arc(wide / 2, 0.5, 0.1, 0.1), palette.paper, palette.back, 0.012)
    for turn in range(8):
        petal = canvas.at(wide / 2, 0.5, 1.0, turn=turn * np.pi / 4)
        petal.fill(smooth([(0, 0), (0.022, -0.045), (0, -0.085), (-0.022, -0.045)]), palette.back)


def _draw_joker(canvas: Canvas, style: DeckStyle, palette: Palette, colour: Colour) -> None:
    fool = canvas.at(style.aspect / 2, 0.36, 0.2)
    main, second, accent = palette.cloth
    edge = palette.edge
    ruff = smooth(
        [(r * np.cos(a), 0.75 + 0.35 * r * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 16, False)
         for r in (1.0, 0.7)]
    )  # fmt: skip
    fool.shape(ruff, accent, edge, 0.03)
    for side, cloth in ((-1, main), (1, second)):
        horn = [(0, -0.2), (0.4, -0.3), (0.75, -0.95), (1.15, -0.55), (1.1, -0.3), (0.85, -0.45)]
        horn += [(0.5, 0.25), (0, 0.1)]
        fool.shape(smooth([(side * x, y) for x, y in horn]), cloth, edge, 0.03)
        fool.shape(arc(side * 1.08, -0.2, 0.13, 0.13), accent, edge, 0.03)
    fool.shape(arc(0, 0.2, 0.45, 0.52), (185, 212, 243), edge, 0.03)
    for x in (-0.17, 0.17):
        fool.fill(arc(x, 0.1, 0.06, 0.08), edge)
    fool.stroke(smooth([(-0.25, 0.38), (0, 0.52), (0.25, 0.38)], closed=False), (60, 50, 190), 0.05)
    fool.fill(arc(0, 0.25, 0.07, 0.07), (90, 90, 225))
    for y in (0.09, 0.91):
        _star(canvas, 0.08, y, 0.045, colour)
        _star(canvas, style.aspect - 0.08, y, 0.045, colour)
    for k in range(5):
        _star(canvas, style.aspect / 2 + (k - 2) * 0.09, 0.72, 0.03, colour)


def _star(canvas: Canvas, x: float, y: float, radius: float, colour: Colour) -> None:
    angles = np.radians(np.arange(-90, 270, 36))
    r = np.where(np.arange(10) % 2 == 0, radius, radius * 0.4)
    canvas.fill(np.stack([x + r * np.cos(angles), y + r * np.sin(angles)], 1), colour)
