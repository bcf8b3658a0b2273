"""Turns what people hand in into a picture the nets can read, or says why not."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules.errors import RefereeError

Image = NDArray[np.uint8]

MOST_PX = 100_000_000
"""A larger picture is refused before it fills the memory."""
LARGEST_SIDE_PX = 1600
"""Larger pictures are shrunk: a card filling them is far above what the nets need."""
LEAST_PX = 24
"""No index can be read in fewer pixels a side."""
DARK = 6
"""Grey levels between the darkest and the lightest 1 %: less shows nothing."""

ENDINGS = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm")


class BadPicture(RefereeError, ValueError):
    """A picture that cannot be read."""


def load_picture(path: Path, *, plain: bool = False) -> Image:
    """Read a picture file as BGR, turned as its EXIF says, at most LARGEST_SIDE_PX.

    Args:
        plain: One colour all over is a picture, too: a frame of a film, an empty table.

    Raises:
        BadPicture: Missing, not a picture, too small, too large, or nothing to see on it.
    """
    if path.is_dir():
        raise BadPicture(f"{path} is a folder, expected a picture file")
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise BadPicture(f"no such picture: {path}") from error
    except OSError as error:
        raise BadPicture(f"cannot read {path}: {error.strerror or error}") from error
    return decode_picture(data, str(path), plain=plain)


def decode_picture(data: bytes, name: str, *, plain: bool = False) -> Image:
    """The same from memory.

    Raises:
        BadPicture: As load_picture.
    """
    if not data:
        raise BadPicture(f"{name} is empty, expected a picture")
    _check_size(data, name)
    try:
        picture = cv2.imdecode(
            np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH
        )
    except cv2.error:
        picture = None
    if picture is None:
        raise BadPicture(f"{name} is not a picture, expected JPEG, PNG, WebP, BMP or TIFF")
    return checked(np.asarray(picture), name, plain=plain)


def _check_size(data: bytes, name: str) -> None:
    """Look at a PNG's or BMP's header first: a small file can claim a huge picture."""
    width = height = 0
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    elif data[:2] == b"BM" and len(data) >= 26:
        width, height = (
            abs(int.from_bytes(data[at : at + 4], "little", signed=True)) for at in (18, 22)
        )
    if width * height > MOST_PX:
        raise BadPicture(f"{name} is too large: {width} x {height}, expected at most 100 Mpx")


def checked(picture: NDArray[np.generic], name: str, *, plain: bool = False) -> Image:
    """A picture of any depth and number of channels as BGR, 8 bits.

    Raises:
        BadPicture: Too small, too large, or nothing to see on it.
    """
    if picture.ndim not in (2, 3) or (picture.ndim == 3 and picture.shape[2] not in (1, 3, 4)):
        raise BadPicture(f"{name} has shape {picture.shape}, expected a grey, BGR or BGRA picture")
    h, w = picture.shape[:2]
    if min(h, w) < LEAST_PX:
        raise BadPicture(f"{name} is too small: {w} x {h} px, expected at least {LEAST_PX} a side")
    if h * w > MOST_PX:
        raise BadPicture(f"{name} is too large: {w} x {h}, expected at most 100 Mpx")
    colour = _in_colour(_eight_bits(picture))
    if max(h, w) > LARGEST_SIDE_PX:
        scale = LARGEST_SIDE_PX / max(h, w)
        size = (max(LEAST_PX, round(w * scale)), max(LEAST_PX, round(h * scale)))
        colour = cv2.resize(colour, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    low, high = np.percentile(colour[::4, ::4], (1, 99))
    if high - low < DARK and not plain:
        raise BadPicture(f"nothing to see on {name}: one colour all over, expected a card")
    return colour


def _eight_bits(picture: NDArray[np.generic]) -> Image:
    if picture.dtype == np.uint8:
        return np.asarray(picture, np.uint8)
    if picture.dtype == np.uint16:
        return (np.asarray(picture, np.uint16) >> 8).astype(np.uint8)
    values = np.asarray(picture, np.float64)
    values = np.where(np.isfinite(values), values, 0.0)
    top = float(values.max())
    return np.clip(values * (255 / top if top > 0 else 1), 0, 255).astype(np.uint8)


def _in_colour(picture: Image) -> Image:
    if picture.ndim == 2 or picture.shape[2] == 1:
        return cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR).astype(np.uint8)
    if picture.shape[2] == 4:
        return cv2.cvtColor(picture, cv2.COLOR_BGRA2BGR).astype(np.uint8)
    return picture


def pictures_in(paths: list[Path]) -> list[Path]:
    """The picture files that are meant: folders are opened, sorted by name.

    Raises:
        BadPicture: A folder without pictures.
    """
    found = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(p for p in path.iterdir() if p.suffix.lower() in ENDINGS)
        if not inside:
            raise BadPicture(f"no pictures in {path}, expected files such as card.jpg")
        found += inside
    return found
