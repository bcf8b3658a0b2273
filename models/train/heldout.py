"""Decks that no training run has seen: two Debian packages, and their indices set anew.

Only models.measure draws with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import cv2
import numpy as np

from hardware.simulated.deck import STYLES
from models.train import art as training_art
from models.train import fetch, ink
from models.train.art import LoadedDeck, OwnDeck, rsvg
from models.train.faces import DrawnDeck, Image, draw_style
from referee.rules.cards import RANKS, SUITS

GNOME = Path("/usr/share/aisleriot/cards")
KDE = Path("/usr/share/carddecks")
_SHEET_PX = 2300
_SHEET_SUITS = "CDHS"
_KDE_RANKS = {"J": "jack", "Q": "queen", "K": "king", "A": "1"}
_KDE_SUITS = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}

ENGLISH_GNOME = ("anglo", "anglo_poker", "gnomangelo_bitmap", "bellot", "tigullio", "ornamental")
GERMAN_GNOME = ("berlin", "lattmann", "rheinland")
FRENCH_GNOME = ("paris",)
ENGLISH_KDE = {"svg-standard": "standard", "svg-jolly-royal": "jolly-royal"}


@dataclass(frozen=True, slots=True)
class Named:
    """A deck and the name under which its results are printed."""

    name: str
    deck: training_art.Deck


def gnome_deck(name: str, language: str, art: Path) -> LoadedDeck:
    """A deck of gnome-cards-data: one sheet of 13 x 5 cards, cut once and kept."""
    target = art / "heldout" / f"gnome-{name}"
    if not (target / "KS.png").exists():
        target.mkdir(parents=True, exist_ok=True)
        sheet = target / "sheet.png"
        if not rsvg(GNOME / f"{name}.svgz", sheet, [], _SHEET_PX):
            raise fetch.BadArt(f"cannot draw {name}.svgz, run `python -m models.train fetch` first")
        _cut(np.asarray(cv2.imread(str(sheet), cv2.IMREAD_UNCHANGED), np.uint8), target)
    return LoadedDeck(f"gnome {name}", language, target)


def _cut(sheet: Image, target: Path) -> None:
    high, wide = sheet.shape[0] / 5, sheet.shape[1] / 13
    for row, suit in enumerate(_SHEET_SUITS):
        for column, rank in enumerate(RANKS):
            card = sheet[
                round(row * high) : round((row + 1) * high),
                round(column * wide) : round((column + 1) * wide),
            ]
            cv2.imwrite(str(target / f"{rank}{suit}.png"), card)


def kde_deck(folder: str, file: str, art: Path) -> LoadedDeck:
    """A deck of kdegames-card-data-kf5: cards are named parts of one drawing."""
    target = art / "heldout" / f"kde-{file}"
    if not (target / "KS.png").exists():
        target.mkdir(parents=True, exist_ok=True)
        svg = KDE / folder / f"{file}.svgz"
        for rank in RANKS:
            for suit in SUITS:
                part = f"{_KDE_RANKS.get(rank, rank)}_{_KDE_SUITS[suit]}"
                png = target / f"{rank}{suit}.png"
                if not rsvg(svg, png, ["--export-id", part]):
                    raise fetch.BadArt(f"cannot draw {part} of {svg}")
    return LoadedDeck(f"kde {file}", "en", target)


def english_decks(art: Path) -> list[Named]:
    """Unseen families with J, Q, K."""
    decks = [gnome_deck(name, "en", art) for name in ENGLISH_GNOME]
    decks += [kde_deck(folder, file, art) for folder, file in ENGLISH_KDE.items()]
    return [Named(deck.name, deck) for deck in decks]


def german_decks(art: Path) -> list[Named]:
    """Real German art with B, D, K."""
    return [Named(f"gnome {name}", gnome_deck(name, "de", art)) for name in GERMAN_GNOME]


def own_decks(language: str) -> list[Named]:
    """Decks of the simulated table. They are not held out: training draws them, too."""
    styles = sorted(STYLES.items())
    return [
        Named(f"own {name}", OwnDeck(language, style, number))
        for number, (name, style) in enumerate(styles)
    ]


def reset_decks(language: str, art: Path, *, heights: tuple[float, float]) -> list[Named]:
    """Unseen art whose corner letters are set anew in unseen fonts.

    Args:
        language: Of the letters.
        heights: Of the letters, in card heights; above 0.14 is a big index.
    """
    decks = []
    bodies = [gnome_deck(name, "en", art) for name in ("anglo", "anglo_poker", "tigullio")]
    for number, font in enumerate(fetch.held_out_fonts(art)):
        rng = Random(f"{language} {font.name}")
        if not all(ink.letters(font, word).size for word in ("A", "10", "Q", "V", "H")):
            continue
        style = draw_style(rng, [font], [])
        style.language = language
        style.index_height = rng.uniform(*heights)
        style.seed = 3 * style.seed + 1
        borrowed = _bodies(bodies[number % len(bodies)])
        decks.append(Named(f"{language} {font.stem}", DrawnDeck(style, borrowed)))
    return decks


def _bodies(deck: LoadedDeck) -> Sequence[tuple[Image, str, str]]:
    return [
        (training_art.without_corners(deck.face(rank, suit).bgr), rank, suit)
        for rank in RANKS
        for suit in SUITS
    ]
