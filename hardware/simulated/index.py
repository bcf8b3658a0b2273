"""The letter and the small suit sign in a card's corners."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hardware.simulated.ink import Canvas, Colour
from hardware.simulated.letters import Letters, Mask, letter_mask
from hardware.simulated.pips import draw_pip

MARGIN = 0.035
"""From the card's edge to the letter, in card heights."""
WIDEST = 0.24
"""A letter is at most this wide, in card widths."""


@dataclass(frozen=True, slots=True)
class IndexPlace:
    """Where one corner letter lies, in card heights from the card's top left corner."""

    x: float
    y: float
    """Centre of the letter."""
    width: float
    height: float
    upside_down: bool


def index_room(height: float, aspect: float, letters: Letters) -> float:
    """How far the corner letters reach from the side edge towards the middle."""
    return MARGIN + _reach(height, aspect, letters) + 0.01


def _reach(height: float, aspect: float, letters: Letters) -> float:
    return min(height * 0.78 * min(1.0, letters.width), WIDEST * aspect)


def draw_indices(
    canvas: Canvas,
    text: str,
    suit: str,
    *,
    letters: Letters,
    colour: Colour,
    height: float,
    pip: float,
    aspect: float,
    corners: int,
) -> tuple[IndexPlace, ...]:
    """Draw the letter and the sign below it in two or four corners; returns the letters' places."""
    widest = min(WIDEST * aspect, max(height * 0.95, 0.07))
    mask = letter_mask(text, letters, round(height * canvas.scale), round(widest * canvas.scale))
    wide = mask.shape[1] / canvas.scale
    x = max(MARGIN + _reach(height, aspect, letters) / 2, MARGIN * 0.8 + wide / 2)
    y = MARGIN + 0.01 + height / 2
    pip_height = height * pip
    pip_y = y + height / 2 + 0.014 + pip_height / 2
    places = []
    for right, down in _corners(corners):
        cx = aspect - x if right else x
        cy = 1 - y if down else y
        _stamp(canvas, mask[::-1, ::-1] if down else mask, cx, cy, colour)
        draw_pip(
            canvas, suit, cx, 1 - pip_y if down else pip_y, pip_height, colour, upside_down=down
        )
        places.append(IndexPlace(cx, cy, wide, height, down))
    return tuple(places)


def _corners(corners: int) -> list[tuple[bool, bool]]:
    two = [(False, False), (True, True)]
    return two if corners == 2 else [*two, (True, False), (False, True)]


def _stamp(canvas: Canvas, mask: Mask, x: float, y: float, colour: Colour) -> None:
    h, w = mask.shape
    x0 = max(0, round(x * canvas.scale - w / 2))
    y0 = max(0, round(y * canvas.scale - h / 2))
    part = canvas.image[y0 : y0 + h, x0 : x0 + w]
    share = mask[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
    part[:] = np.rint(part * (1 - share) + np.array(colour, np.float32) * share).astype(np.uint8)
