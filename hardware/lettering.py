"""Letters, numbers and icons for the LED matrix, drawn by us as text in hardware/glyphs.

Made for 8 rows of points: `tall` for words, 4 points wide so that six letters fit 32 points;
`small` beside a seat and for counts; `seat` for the number to be seen across the room.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image

_FOLDER = Path(__file__).parent / "glyphs"
LIT = "#"
SPACE_PX = 2
"""Width of a blank; with the gaps around it, 4 points."""
GAP_PX = 1

Glyph = tuple[str, ...]
"""Rows of "#" and "."."""


@dataclass(frozen=True, slots=True)
class Face:
    """A set of glyphs of one height."""

    name: str
    height_px: int
    glyphs: dict[str, Glyph]

    def can_write(self, words: str) -> bool:
        """Every letter is there."""
        return all(letter == " " or letter in self.glyphs for letter in words)

    def width_px(self, words: str) -> int:
        """How wide the words come out."""
        widths = [self._width(letter) for letter in words]
        return sum(widths) + GAP_PX * max(0, len(widths) - 1)

    def write(self, picture: Image.Image, x: int, y: int, words: str) -> int:
        """Draw words into a picture of mode "1".

        Returns:
            The column after the last point.
        """
        for at, letter in enumerate(words):
            if at:
                x += GAP_PX
            if letter != " ":
                stamp(picture, x, y, self._glyph(letter))
            x += self._width(letter)
        return x

    def _glyph(self, letter: str) -> Glyph:
        return self.glyphs.get(letter) or self.glyphs["?"]

    def _width(self, letter: str) -> int:
        return SPACE_PX if letter == " " else len(self._glyph(letter)[0])


def stamp(picture: Image.Image, x: int, y: int, glyph: Glyph) -> None:
    """Light a glyph's points; what lies outside the picture is cut off."""
    pixels: Any = picture.load()
    width, height = picture.size
    for row, line in enumerate(glyph):
        for column, point in enumerate(line):
            if point == LIT and 0 <= x + column < width and 0 <= y + row < height:
                pixels[x + column, y + row] = 1


@cache
def face(name: str) -> Face:
    """The face "tall", "small" or "seat"."""
    glyphs = _read(name)
    return Face(name, len(next(iter(glyphs.values()))), glyphs)


@cache
def icons() -> dict[str, Glyph]:
    """Name -> icon, 8 by 8."""
    return _read("icons")


def _read(name: str) -> dict[str, Glyph]:
    lines = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    starts = [at for at, line in enumerate(lines) if line.startswith("= ")]
    glyphs: dict[str, Glyph] = {}
    for start, end in pairwise([*starts, len(lines)]):
        rows = [line.split() for line in lines[start + 1 : end] if line.strip()]
        glyphs.update(_columns(lines[start].split()[1:], rows))
    return glyphs


def _columns(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[tuple[str, Glyph]]:
    for at, name in enumerate(names):
        yield name, tuple(row[at] for row in rows)
