"""The glyphs: complete, of one height, and inside the matrix."""

import string

import pytest
from PIL import Image

from hardware.drawing import blank
from hardware.lettering import face, icons
from hardware.picture import to_points

LETTERS = string.ascii_uppercase + "ÄÖÜ"
SIGNS = "+-=!?:./×"


def rows(picture: Image.Image) -> list[str]:
    return ["".join("#" if point else "." for point in row) for row in to_points(picture)]


@pytest.mark.parametrize(
    ("name", "height", "letters"),
    [
        ("tall", 7, LETTERS + string.digits + SIGNS),
        ("small", 5, LETTERS + string.digits + SIGNS),
        ("seat", 7, string.digits),
    ],
)
def test_face_is_complete_and_of_one_height(name: str, height: int, letters: str) -> None:
    lettering = face(name)
    assert lettering.can_write(letters)
    assert lettering.height_px == height
    for letter, glyph in lettering.glyphs.items():
        assert len(glyph) == height, letter
        assert len({len(row) for row in glyph}) == 1, letter


@pytest.mark.parametrize("name", ["tall", "small", "seat"])
def test_no_two_glyphs_look_alike(name: str) -> None:
    glyphs = face(name).glyphs
    alike = {
        (one, two)
        for one in glyphs
        for two in glyphs
        if one < two and glyphs[one] == glyphs[two] and {one, two} != {"0", "O"}
    }
    assert alike <= {("5", "S"), ("2", "Z")}


def test_icons_are_eight_by_eight_and_all_different() -> None:
    for name, glyph in icons().items():
        assert [len(row) for row in glyph] == [8] * 8, name
    assert len(set(icons().values())) == len(icons())


def test_umlaut_keeps_its_dots() -> None:
    picture = blank((10, 8))
    face("tall").write(picture, 0, 0, "Ü")
    assert rows(picture)[:3] == ["#..#......", "..........", "#..#......"]


def test_width_is_what_is_written() -> None:
    for words in ("", "A", "FALSCH", "+14", "IST RAUS", "1 1"):
        assert face("tall").write(blank((64, 8)), 0, 0, words) == face("tall").width_px(words)


def test_letter_that_is_missing_shows_as_a_question() -> None:
    one, other = blank((10, 8)), blank((10, 8))
    face("tall").write(one, 0, 0, "§")
    face("tall").write(other, 0, 0, "?")
    assert rows(one) == rows(other)
    assert not face("tall").can_write("§")


def test_what_lies_outside_is_cut_off() -> None:
    picture = blank((4, 4))
    face("tall").write(picture, -2, -2, "MMM")
    assert picture.size == (4, 4)
