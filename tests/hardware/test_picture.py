"""The matrix as a picture and as rows for a terminal."""

from pathlib import Path

import pytest
from PIL import Image

from hardware.drawing import blank
from hardware.picture import BadPicture, save_png, to_dots, to_png_picture, to_rows

LIT_RED, UNLIT_RED = 200, 100


def _one_light() -> Image.Image:
    picture = blank((32, 8))
    picture.putpixel((3, 5), 1)
    return picture


def test_lit_point_is_a_bright_round_light() -> None:
    large = to_png_picture(_one_light(), point_px=16)
    assert large.size == (512, 128)
    middle, corner = large.getpixel((56, 88)), large.getpixel((49, 81))
    assert middle[0] > LIT_RED
    assert corner[0] < LIT_RED
    assert large.getpixel((200, 40))[0] < UNLIT_RED


def test_half_blocks_hold_two_rows_a_line() -> None:
    picture = blank((4, 8))
    for x, y in ((0, 0), (1, 1), (2, 0), (2, 1)):
        picture.putpixel((x, y), 1)
    assert to_rows(picture) == ["▀▄█ ", "    ", "    ", "    "]


def test_dots_show_every_light() -> None:
    picture = blank((2, 8))
    picture.putpixel((1, 7), 1)
    assert to_dots(picture) == [*["· · "] * 7, "· ● "]


def test_png_is_written(tmp_path: Path) -> None:
    save_png(blank((32, 8)), tmp_path / "led.png")
    assert (tmp_path / "led.png").read_bytes().startswith(b"\x89PNG")


def test_png_in_a_folder_that_is_missing_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadPicture, match="cannot write picture"):
        save_png(blank((32, 8)), tmp_path / "none" / "led.png")
