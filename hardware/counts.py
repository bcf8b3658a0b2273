"""Who holds how many cards, as a picture: what the matrix shows while nothing happens."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from hardware.drawing import HEIGHT_PX, Size, blank, mark_demo
from hardware.lettering import Face, face

TURN_ROW = HEIGHT_PX - 1
"""The bottom row: a bar under the player whose turn it is."""
STAGGER_PX = 2
"""Numbers that touch their columns' edges stand high and low in turn, or they run together."""
BAR_TOP = 6
"""Highest bar, in points."""


def draw_counts(
    counts: Sequence[int | None],
    size: Size,
    *,
    to_act: int | None = None,
    demo: bool = False,
) -> Image.Image:
    """Counts by seat: numbers where they fit, else a bar a seat.

    Args:
        counts: Cards held, seat 1 first; None: eliminated.
        size: Width and height of the matrix.
        to_act: Seat whose turn it is; a bar in the bottom row shows it.
        demo: Light the demo's point.
    """
    picture = blank(size)
    pitch_px = size[0] // len(counts) if counts else size[0]
    lettering = _count_face(counts, pitch_px)
    for at, count in enumerate(counts):
        left = at * pitch_px
        if lettering:
            _draw_number(picture, at, pitch_px, count, lettering)
        else:
            _draw_bar(picture, left, pitch_px, count, max(filter(None, counts), default=1))
        if to_act == at + 1:
            picture.paste(1, (left, TURN_ROW, left + pitch_px - 1, HEIGHT_PX))
    return mark_demo(picture) if demo else picture


def _text(count: int | None) -> str:
    return "-" if count is None else str(count)


def _count_face(counts: Sequence[int | None], pitch_px: int) -> Face | None:
    """The largest face in which every count, and any two digits, fit their column."""
    words = ["20", *map(_text, counts)]
    for lettering in (face("seat"), face("tall"), face("small")):
        if all(lettering.width_px(word) < pitch_px for word in words):
            return lettering
    return None


def _draw_number(
    picture: Image.Image, at: int, pitch_px: int, count: int | None, lettering: Face
) -> None:
    word = _text(count)
    x = at * pitch_px + (pitch_px - 1 - lettering.width_px(word)) // 2
    y = (TURN_ROW - lettering.height_px) // 2
    if lettering is face("small"):
        y = STAGGER_PX * (at % 2)
    lettering.write(picture, x, y, word)


def _draw_bar(picture: Image.Image, left: int, pitch_px: int, count: int | None, most: int) -> None:
    """A bar as high as the share of the richest; nothing for an eliminated player."""
    if count is None:
        return
    height = -(-count * BAR_TOP // most)  # rounded up: one card is never no bar
    picture.paste(1, (left, BAR_TOP - height, left + max(1, pitch_px - 1), BAR_TOP))
    picture.putpixel((left, BAR_TOP - 1), 1)
