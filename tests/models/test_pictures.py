"""Bad pictures are refused in a sentence, odd ones are used."""

import io
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import PIL.Image
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.pictures import BadPicture, decode_picture, load_picture, pictures_in


def _card(dtype: type = np.uint8, channels: int = 3) -> np.ndarray:
    top = np.iinfo(dtype).max
    picture = np.full((60, 40, channels), top // 5, dtype)
    picture[10:50, 8:30] = top
    return picture


def _png(picture: np.ndarray) -> bytes:
    return cv2.imencode(".png", picture)[1].tobytes()


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_depth_and_alpha_become_plain_colour(dtype: type, channels: int) -> None:
    picture = decode_picture(_png(_card(dtype, channels)), "card.png")
    assert picture.shape == (60, 40, 3)
    assert picture.dtype == np.uint8
    assert picture.max() == 255
    assert abs(int(picture.min()) - 51) < 2


def test_grey_picture_becomes_colour() -> None:
    assert decode_picture(_png(_card()[..., 0]), "card.png").shape == (60, 40, 3)


def test_huge_picture_is_shrunk() -> None:
    large = cv2.resize(_card(), (2400, 3600), interpolation=cv2.INTER_NEAREST)
    assert max(decode_picture(_png(large), "card.png").shape) == 1600


def _exif_turned(jpeg: bytes, orientation: int) -> bytes:
    tiff = b"MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01"
    tiff += struct.pack(">HH", orientation, 0) + b"\x00\x00\x00\x00"
    body = b"Exif\x00\x00" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def test_exif_turned_picture_is_turned_upright() -> None:
    jpeg = cv2.imencode(".jpg", _card())[1].tobytes()
    assert decode_picture(_exif_turned(jpeg, 6), "card.jpg").shape == (40, 60, 3)


def _encoded(mode: str, kind: str, orientation: int = 1) -> bytes:
    """The card in another colour mode and file format, turned by its EXIF tag."""
    exif = PIL.Image.Exif()
    exif[0x0112] = orientation
    file = io.BytesIO()
    PIL.Image.fromarray(_card()).convert(mode).save(file, kind, exif=exif)
    return file.getvalue()


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        ("1", "PNG"),
        ("LA", "PNG"),
        ("P", "PNG"),
        ("RGBA", "WEBP"),
        ("CMYK", "JPEG"),
        ("L", "JPEG"),
        ("CMYK", "TIFF"),
    ],
)
def test_every_colour_mode_becomes_plain_colour(mode: str, kind: str) -> None:
    picture = decode_picture(_encoded(mode, kind), "card")
    assert picture.shape == (60, 40, 3)
    assert picture[30, 20].min() > 240
    assert picture[:8].mean() < 70


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_exif_turn_is_undone(kind: str, orientation: int) -> None:
    picture = decode_picture(_encoded("RGB", kind, orientation), "card")
    assert picture.shape == ((60, 40, 3) if orientation < 5 else (40, 60, 3))
    centre = picture[picture.shape[0] // 2, picture.shape[1] // 2]
    assert centre.min() > 240


def test_numbers_without_end_in_a_float_picture_are_no_crash() -> None:
    card = _card().astype(np.float32)
    card[0, 0], card[1, 1] = np.nan, np.inf
    picture = decode_picture(cv2.imencode(".tiff", card)[1].tobytes(), "card.tiff")
    assert picture.shape == (60, 40, 3)
    assert picture.dtype == np.uint8


@pytest.mark.parametrize(
    ("picture", "reason"),
    [
        (np.zeros((1, 1, 3), np.uint8), "too small"),
        (np.zeros((100, 100, 3), np.uint8), "nothing to see"),
        (np.full((100, 100, 3), 255, np.uint8), "nothing to see"),
    ],
)
def test_useless_picture_is_refused_with_its_reason(picture: np.ndarray, reason: str) -> None:
    with pytest.raises(BadPicture, match=reason):
        decode_picture(_png(picture), "card.png")


def test_small_file_that_claims_a_huge_picture_is_refused_unread() -> None:
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + header
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk
    png += struct.pack(">I", zlib.crc32(chunk))
    with pytest.raises(BadPicture, match="too large: 60000 x 60000"):
        decode_picture(png, "bomb.png")


def test_missing_picture_and_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(BadPicture, match="no such picture"):
        load_picture(tmp_path / "none.jpg")
    with pytest.raises(BadPicture, match="is a folder"):
        load_picture(tmp_path)


def test_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no picture")
    with pytest.raises(BadPicture, match="no pictures in"):
        pictures_in([tmp_path])


def test_folder_gives_its_pictures_by_name(tmp_path: Path) -> None:
    for name in ("b.JPG", "a.png", "c.txt"):
        (tmp_path / name).write_bytes(b"x")
    assert [path.name for path in pictures_in([tmp_path])] == ["a.png", "b.JPG"]


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300), st.sampled_from([b"", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n"]))
def test_any_bytes_are_a_picture_or_a_sentence(rest: bytes, start: bytes) -> None:
    try:
        picture = decode_picture(start + rest, "fuzz")
    except BadPicture as error:
        picture, sentence = None, str(error)
    else:
        sentence = ""
    if picture is None:
        assert "fuzz" in sentence
        assert "\n" not in sentence
    else:
        assert picture.dtype == np.uint8
        assert picture.ndim == 3


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_picture_is_a_picture_or_a_sentence(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from([".png", ".jpg", ".bmp", ".webp", ".tiff"]))
    whole = bytearray(cv2.imencode(kind, _card())[1].tobytes())
    for _ in range(data.draw(st.integers(1, 8))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(1, len(whole)))
    try:
        picture = decode_picture(bytes(whole[:cut]), "damaged")
    except BadPicture:
        return
    assert picture.shape[2] == 3
