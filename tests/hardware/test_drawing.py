"""Pictures of announcements and counts, point by point."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from hardware.announcement import Announcement, Motion
from hardware.counts import draw_counts
from hardware.drawing import HOLD_MS, SIZES, draw, steps
from hardware.lettering import icons
from hardware.picture import to_points

SMALL, LARGE = SIZES
BLINK_LIMIT_HZ = 3
LIT_SHARE = 0.25
"""A flash is a change of at least this share of the area. Source: WCAG 2.3.1."""


def rows(picture: Image.Image) -> list[str]:
    return ["".join("#" if point else "." for point in row) for row in to_points(picture)]


def art(text: str) -> list[str]:
    return [line.strip().strip("|") for line in text.strip().splitlines()]


HIT = Announcement("valid_slap", "hand", (3,), "+14", "SLAP!", "SLAP!", motion=Motion.FILL)


def test_first_picture_says_icon_seat_and_fact() -> None:
    assert rows(draw(HIT, SMALL)) == art(
        """
        |..#.#.....###............#....#.|
        |..#.#.#..##.##..........##...##.|
        |#.#.#.#.....##.......#...#..#.#.|
        |#.#.#.#....##.......###..#..#.#.|
        |#.#####.....##.......#...#..####|
        |#######..##.##...........#....#.|
        |.######...###...........###...#.|
        |..####..........................|
        """
    )


def test_wide_matrix_says_the_word_beside_them() -> None:
    assert rows(draw(HIT, LARGE)) == art(
        """
        |..#.#......###.....###.#.....##..###..#..................#....#.|
        |..#.#.#...##.##...#....#....#..#.#..#.#.................##...##.|
        |#.#.#.#......##...#....#....#..#.#..#.#..............#...#..#.#.|
        |#.#.#.#.....##.....##..#....####.###..#.............###..#..#.#.|
        |#.#####......##......#.#....#..#.#....#..............#...#..####|
        |#######...##.##......#.#....#..#.#.......................#....#.|
        |.######....###....###..####.#..#.#....#.................###...#.|
        |..####..........................................................|
        """
    )


def test_small_matrix_says_the_word_after_them() -> None:
    shown = [rows(picture) for picture, duration_ms in steps(HIT, SMALL) if duration_ms >= HOLD_MS]
    assert shown[1] == art(
        """
        |.###......###.#.....##..###..#..|
        |##.##....#....#....#..#.#..#.#..|
        |...##....#....#....#..#.#..#.#..|
        |..##......##..#....####.###..#..|
        |...##.......#.#....#..#.#....#..|
        |##.##.......#.#....#..#.#.......|
        |.###.....###..####.#..#.#....#..|
        |................................|
        """
    )


def test_demo_lights_one_point_in_the_corner_of_every_picture() -> None:
    for picture, _ in steps(HIT, SMALL, demo=True):
        assert picture.getpixel((31, 7))
    assert not draw(HIT, SMALL).getpixel((31, 7))


@pytest.mark.parametrize("motion", list(Motion))
@pytest.mark.parametrize("size", SIZES)
def test_every_motion_begins_with_the_whole_picture_and_ends_readable(
    motion: Motion, size: tuple[int, int]
) -> None:
    said = Announcement("x", "cross", (3, 5), "-1", "FALSE", "FALSE", motion=motion)
    shown = list(steps(said, size))
    assert rows(shown[0][0]) == rows(draw(said, size))
    assert rows(shown[-1][0]) == rows(draw(said, size))
    assert all(picture.size == size and picture.mode == "1" for picture, _ in shown)
    assert all(duration_ms > 0 for _, duration_ms in shown)
    assert max(duration_ms for _, duration_ms in shown) >= HOLD_MS


@pytest.mark.parametrize("motion", list(Motion))
@pytest.mark.parametrize("size", SIZES)
def test_nothing_flashes_faster_than_three_times_a_second(
    motion: Motion, size: tuple[int, int]
) -> None:
    said = Announcement("x", "cross", (3,), "-1", "FALSE", "FALSE", motion=motion)
    shown = list(steps(said, size))
    area, t_ms, flips = size[0] * size[1], 0, []
    for (before, _), (after, duration_ms) in itertools.pairwise(shown):
        changed = _changed(before, after)
        if changed >= LIT_SHARE * area or not before.getbbox() or not after.getbbox():
            flips.append(t_ms)
        t_ms += duration_ms
    for first, third in zip(flips, flips[2:], strict=False):
        assert third - first >= 1000 / BLINK_LIMIT_HZ  # dark and lit again is one flash


def _changed(before: Image.Image, after: Image.Image) -> int:
    pairs = zip(to_points(before), to_points(after), strict=True)
    return sum(one != other for rows in pairs for one, other in zip(*rows, strict=True))


def test_falling_seat_is_gone_in_the_end_of_the_fall() -> None:
    said = Announcement("eliminated", "skull", (3,), "", "", "", motion=Motion.FALL)
    shown = list(steps(said, SMALL))
    assert not shown[-2][0].crop((8, 0, 32, 8)).getbbox()
    assert shown[-2][0].crop((0, 0, 8, 8)).getbbox()


def test_tied_seats_light_up_in_turn() -> None:
    said = Announcement("tie", "equal", (2, 5), "", "", "", motion=Motion.SWING)
    whole, first, second, *_ = [picture for picture, _ in steps(said, SMALL)]
    seats = {*_lit(first, 8), *_lit(second, 8)}
    assert seats == set(_lit(whole, 8))
    assert not set(_lit(first, 8)) & set(_lit(second, 8))


def _lit(picture: Image.Image, left: int) -> list[tuple[int, int]]:
    points = to_points(picture)
    return [(x, y) for y, row in enumerate(points) for x, on in enumerate(row) if on and x >= left]


@given(
    st.sampled_from(sorted(icons())),
    st.lists(st.integers(1, 10), unique=True, max_size=8),
    st.sampled_from(["", "+1", "+14", "+104", "-26", "7:7", "?", "E12", "×3"]),
    st.sampled_from(SIZES),
)
@settings(max_examples=150, deadline=None)
def test_any_announcement_can_be_drawn(
    icon: str, seats: list[int], fact: str, size: tuple[int, int]
) -> None:
    said = Announcement("x", icon, tuple(seats), fact, "ZUERST", "ZUERST", motion=Motion.SWING)
    for picture, _ in steps(said, size):
        assert picture.size == size


# --- counts --------------------------------------------------------------------------------------


def test_two_players_have_large_numbers_and_a_bar_for_the_turn() -> None:
    assert rows(draw_counts([26, 9], SMALL, to_act=2)) == art(
        """
        |...###...###..........###.......|
        |..##.##.##.##........##.##......|
        |.....##.##...........##.##......|
        |....##..####..........####......|
        |...##...##.##...........##......|
        |..##....##.##........##.##......|
        |..#####..###..........###.......|
        |................###############.|
        """
    )


def test_four_players_stand_high_and_low_so_that_numbers_do_not_run_together() -> None:
    assert rows(draw_counts([13, 14, 12, 13], SMALL)) == art(
        """
        |.#..###..........#..###.........|
        |##....#.........##....#.........|
        |.#...##..#..#.#..#..###..#..###.|
        |.#....#.##..#.#..#..#...##....#.|
        |###.###..#..###.###.###..#...##.|
        |.........#....#..........#....#.|
        |........###...#.........###.###.|
        |................................|
        """
    )


def test_eliminated_player_is_a_dash_and_an_empty_stock_a_zero() -> None:
    assert rows(draw_counts([None, 0], SMALL)) == art(
        """
        |......................###.......|
        |.....................##.##......|
        |.....................##.##......|
        |.....#####...........##.##......|
        |.....................##.##......|
        |.....................##.##......|
        |......................###.......|
        |................................|
        """
    )


def test_many_players_get_bars_and_the_richest_the_highest() -> None:
    picture = draw_counts([1, 52, 0, None, 26, 5, 7, 3], SMALL)
    heights = [_height(picture, left) for left in range(0, 32, 4)]
    assert heights == [1, 6, 1, 0, 3, 1, 1, 1]


def _height(picture: Image.Image, left: int) -> int:
    box = picture.crop((left, 0, left + 1, 6)).getbbox()
    return 0 if box is None else box[3] - box[1]


@given(
    st.lists(st.one_of(st.none(), st.integers(0, 104)), min_size=1, max_size=10),
    st.sampled_from(SIZES),
    st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_any_counts_can_be_drawn(
    counts: list[int | None], size: tuple[int, int], demo: bool
) -> None:
    picture = draw_counts(counts, size, to_act=1, demo=demo)
    assert picture.size == size
    assert bool(picture.getpixel((size[0] - 1, 7))) is demo
