"""Finds decks to draw scenes with: drawn ones and the CC0 deck."""

from __future__ import annotations

import gzip
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Protocol, cast

import cv2
import numpy as np

from hardware.simulated.deck import (
    PALETTES,
    STYLES,
    DeckStyle,
    Language,
    draw_back,
    draw_deck,
)
from models.train import fetch, ink, sources
from models.train.faces import (
    FACE_PX,
    LANGUAGE_DRAW,
    DrawnDeck,
    Face,
    Image,
    draw_pattern,
    draw_style,
    glyph_of,
)
from referee.rules.cards import RANKS, SUITS

CC0_SETS = ("2color", "4color", "2color-bf", "4color-bf")
OWN_SHARE = 0.2
BODY_SETS = ("2color", "4color")
"""Sets whose corners are small enough to be printed over."""


class Deck(Protocol):
    """Anything that can show its 52 faces."""

    @property
    def language(self) -> str:
        """Of the index letters."""

    @property
    def has_jokers(self) -> bool:
        """It can show jokers."""

    def face(self, rank: str, suit: str) -> Face:
        """The front of a card."""

    def back(self) -> Face:
        """The back of all cards."""


@dataclass(slots=True)
class LoadedDeck:
    """A deck from picture files."""

    name: str
    language: str
    folder: Path
    four: bool = False
    one_for_ace: bool = False
    back_seed: int = 7
    has_jokers: bool = False
    _faces: dict[tuple[str, str], Face] = field(default_factory=dict)

    def face(self, rank: str, suit: str) -> Face:
        """The front of a card, cut to its outline."""
        key = (rank, suit)
        if key not in self._faces:
            bgr, alpha = read_card(self.folder / f"{rank}{suit}.png")
            glyph = glyph_of(rank, self.language, self.one_for_ace)
            self._faces[key] = Face(bgr, alpha, glyph, rank, suit, self.four)
        return self._faces[key]

    def back(self) -> Face:
        """A drawn back: most packages have none."""
        front = self.face("A", "S")
        blank = np.full_like(front.bgr, 245)
        draw_pattern(blank, Random(f"{self.name}{self.back_seed}"))
        return Face(blank, front.alpha, "back", "back", "", True)


@dataclass(slots=True)
class OwnDeck:
    """A deck of the simulated table, drawn by hardware.simulated, with letters in any font."""

    language: str
    style: DeckStyle
    seed: int
    has_jokers: bool = True
    _cards: dict[tuple[str, str], Face] = field(default_factory=dict)

    def face(self, rank: str, suit: str) -> Face:
        """The front of a card."""
        if not self._cards:
            language = cast(Language, self.language)
            drawn = draw_deck(self.style, language, self.seed, FACE_PX, jokers=True)
            four = self.style.corners == 4
            for card, face in drawn.items():
                glyph = glyph_of(card.rank, self.language, self.style.ace == "1")
                made = Face(face.bgr, face.alpha, glyph, card.rank, card.suit, four)
                self._cards[card.rank, card.suit] = made
        return self._cards[rank, suit]

    def back(self) -> Face:
        """The back of all cards."""
        drawn = draw_back(self.style, FACE_PX)
        return Face(drawn.bgr, drawn.alpha, "back", "back", "", True)


def own_deck(rng: Random, fonts: Sequence[Path]) -> OwnDeck:
    """A deck of the simulated table: any style, half of them in a font of the pool."""
    style = STYLES[rng.choice(sorted(STYLES))]
    language = rng.choice(LANGUAGE_DRAW)
    style = replace(
        style,
        font_path=rng.choice(fonts) if rng.random() < 0.5 else None,
        palette=rng.choice(sorted(PALETTES)),
        ace="1" if language == "fr" and rng.random() < 0.5 else "A",
        four_colours=rng.random() < 0.25,
    )
    return OwnDeck(language, style, rng.randrange(1 << 20))


def read_card(path: Path) -> tuple[Image, Image]:
    """A card's picture and outline, FACE_PX high.

    Raises:
        fetch.BadArt: No such picture.
    """
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise fetch.BadArt(f"no card picture {path.name}, run `python -m models.train fetch` first")
    alpha = picture[..., 3] if picture.shape[2] == 4 else np.full(picture.shape[:2], 255, np.uint8)
    ys, xs = np.nonzero(alpha > 128)
    box = (slice(ys.min(), ys.max() + 1), slice(xs.min(), xs.max() + 1))
    width = round((xs.max() + 1 - xs.min()) * FACE_PX / (ys.max() + 1 - ys.min()))
    size = (width, FACE_PX)
    bgr = cv2.resize(picture[box][..., :3], size, interpolation=cv2.INTER_AREA)
    outline = cv2.resize(alpha[box], size, interpolation=cv2.INTER_AREA)
    bgr[outline < 128] = 235
    return np.ascontiguousarray(bgr).astype(np.uint8), outline.astype(np.uint8)


def cc0_decks(art: Path) -> list[LoadedDeck]:
    """The four CC0 sets, drawn from SVG once and kept beside the packages."""
    decks = []
    for name in CC0_SETS:
        target = art / "cards" / name
        source = art / "node_modules" / sources.CARDS_NPM / "src" / "images" / name
        if not (target / "KS.png").exists():
            _draw_svgs(source, target)
        decks.append(LoadedDeck(name, "en", target))
    return decks


def _draw_svgs(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for rank in RANKS:
        for suit in SUITS:
            svg = source / f"{rank.replace('10', 'T')}{suit}.svg"
            rsvg(svg, target / f"{rank}{suit}.png", [])


def rsvg(svg: Path, png: Path, options: Sequence[str], height_px: int = 480) -> bool:
    """Draw an SVG file; True if it worked."""
    data = svg.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    command = [
        "rsvg-convert",
        "-h",
        str(height_px),
        "--keep-aspect-ratio",
        *options,
        "-o",
        str(png),
    ]
    done = subprocess.run(command, input=data, capture_output=True, check=False)
    return done.returncode == 0


@dataclass(slots=True)
class DeckPool:
    """An endless supply of training decks; a few are alive at a time, so that faces are reused."""

    art: Path
    rng: Random
    alive: int = 14
    own: int = 3
    """So many of them are decks of the simulated table; those cost the most to draw."""
    fresh_share: float = 0.12
    fonts: list[Path] = field(default_factory=list)
    sign_fonts: list[Path] = field(default_factory=list)
    bodies: list[tuple[Image, str, str]] = field(default_factory=list)
    _cc0: list[LoadedDeck] = field(default_factory=list)
    _decks: list[Deck] = field(default_factory=list)
    _own: list[Deck] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.fonts = fetch.training_fonts(self.art)
        names = ("dejavusans", "dejavuserif", "free", "nimbus", "c059", "p052", "urw", "libertine")
        self.sign_fonts = [p for p in self.fonts if p.name.lower().startswith(names)]
        self._cc0 = cc0_decks(self.art)
        for deck in self._cc0:
            if deck.name in BODY_SETS:
                self.bodies += [
                    (without_corners(deck.face(rank, suit).bgr), rank, suit)
                    for rank in RANKS
                    for suit in SUITS
                ]

    def draw(self) -> Deck:
        """Any deck, often one that was used before."""
        if len(self._own) < self.own:
            self._own.append(own_deck(self.rng, self.fonts))
        if self.rng.random() < OWN_SHARE:
            return self.rng.choice(self._own)
        if len(self._decks) < self.alive:
            self._decks.append(self._fresh())
        elif self.rng.random() < self.fresh_share:
            self._decks[self.rng.randrange(self.alive)] = self._fresh()
        return self.rng.choice(self._decks)

    def _fresh(self) -> Deck:
        kind = self.rng.random()
        if kind < 0.1:
            return self.rng.choice(self._cc0)
        while True:
            style = draw_style(self.rng, self.fonts, self.sign_fonts)
            if all(ink.letters(style.font, word).size for word in ("A", "10", "Q", "V")):
                return DrawnDeck(style, self.bodies)


def without_corners(card: Image, *, four: bool = False) -> Image:
    """A card with blank paper where its two (or all four) indices were."""
    bare = card.copy()
    h, w = card.shape[:2]
    ch, cw = round(0.25 * h), round(0.18 * w)
    paper = bare[4, w // 2].copy()
    bare[:ch, :cw] = paper
    bare[-ch:, -cw:] = paper
    if four:
        bare[:ch, -cw:] = paper
        bare[-ch:, :cw] = paper
    return bare
