"""The LED matrix as people see it: a large picture with round lights, or rows for a terminal."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFilter

from referee.rules.errors import RefereeError

BOARD = (22, 14, 14)
UNLIT = (58, 22, 22)
LIT = (255, 64, 40)
CORE = (255, 150, 110)
"""The middle of a lit light."""
POINT_PX = 16
LIGHT_SHARE = 0.76
"""Diameter of a light over the distance of two: 3 mm lights, 4 mm apart."""
GLOW_SHARE = 0.3
SUPERSAMPLE = 4


class BadPicture(RefereeError, OSError):
    """A picture that cannot be written."""


@cache
def _light(point_px: int, lit: bool) -> Image.Image:
    """One light, smooth."""
    large = point_px * SUPERSAMPLE
    tile = Image.new("RGB", (large, large), BOARD)
    draw = ImageDraw.Draw(tile)
    margin = large * (1 - LIGHT_SHARE) / 2
    draw.ellipse((margin, margin, large - margin, large - margin), fill=LIT if lit else UNLIT)
    if lit:
        inner = large * 0.34
        draw.ellipse((inner, inner, large - inner, large - inner), fill=CORE)
    return tile.resize((point_px, point_px), Image.Resampling.LANCZOS)


def to_png_picture(picture: Image.Image, *, point_px: int = POINT_PX) -> Image.Image:
    """A matrix's picture (mode "1") as a large RGB picture with round lights that glow."""
    width, height = picture.size
    pixels: Any = picture.load()
    board = Image.new("RGB", (width * point_px, height * point_px), BOARD)
    glow = Image.new("L", board.size)
    for x in range(width):
        for y in range(height):
            lit = bool(pixels[x, y])
            board.paste(_light(point_px, lit), (x * point_px, y * point_px))
            if lit:
                box = (x * point_px, y * point_px, (x + 1) * point_px, (y + 1) * point_px)
                glow.paste(255, box)
    mask = glow.filter(ImageFilter.GaussianBlur(point_px * 0.6)).point(
        lambda value: int(value * GLOW_SHARE)
    )
    board.paste(Image.new("RGB", board.size, LIT), (0, 0), mask)
    return board


def save_png(picture: Image.Image, path: Path, *, point_px: int = POINT_PX) -> None:
    """Write a matrix's picture as a PNG file.

    Raises:
        BadPicture: The file cannot be written.
    """
    try:
        to_png_picture(picture, point_px=point_px).save(path, format="PNG")
    except OSError as error:
        raise BadPicture(
            f"cannot write picture {path}: {error.strerror}, expected a folder that exists"
        ) from error


def to_rows(picture: Image.Image) -> list[str]:
    """Two points a character, with half blocks: 4 rows for 8."""
    blocks = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
    points = to_points(picture)
    pairs = zip(points[::2], points[1::2], strict=True)
    return ["".join(blocks[pair] for pair in zip(*rows, strict=True)) for rows in pairs]


def to_dots(picture: Image.Image, *, lit: str = "● ", unlit: str = "· ") -> list[str]:
    """One light a point and a gap beside it: 8 rows, as round as a terminal can be."""
    return ["".join(lit if point else unlit for point in row) for row in to_points(picture)]


def to_points(picture: Image.Image) -> list[list[bool]]:
    """The lit points, row by row."""
    width, height = picture.size
    pixels: Any = picture.load()
    return [[bool(pixels[x, y]) for x in range(width)] for y in range(height)]
