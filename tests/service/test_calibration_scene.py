"""A drawn card of known size, blur and place comes out as it went in."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.protocols import Image
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.world import World
from referee.locale import choose_language
from referee.service.calibration import advice
from referee.service.calibration.advice import Grade, advice_on, grade_of
from referee.service.calibration.picture import draw_view
from referee.service.calibration.scene import CARD_MM, CameraView, NoCard, find_card, look

FINE = 4
"""Drawn so much larger and then shrunk."""


def _table(
    height_px: float = 170,
    *,
    angle: float = 15,
    blur: float = 0.8,
    paper: int = 220,
    border: bool = False,
    size: tuple[int, int] = (640, 480),
    noise: float = 2,
) -> Image:
    """A card on a grey mat."""
    w, h = size
    fine = np.full((h * FINE, w * FINE, 3), (70, 80, 75), np.uint8)
    if border:
        cv2.rectangle(fine, (60, 80), (w * FINE - 100, h * FINE - 60), (150, 160, 155), 8)
    ratio = CARD_MM["poker"][0] / CARD_MM["poker"][1]
    box = (
        ((w / 2 + 20) * FINE, (h / 2 - 10) * FINE),
        (
            height_px * ratio * FINE,
            height_px * FINE,
        ),
    )
    corners = cv2.boxPoints((box[0], box[1], angle))
    cv2.fillConvexPoly(fine, np.asarray(corners, np.int32), (paper, paper, paper))
    cv2.circle(fine, (round(box[0][0]), round(box[0][1])), 60, (30, 30, 200), -1)
    image = cv2.resize(fine, size, interpolation=cv2.INTER_AREA)
    image = cv2.GaussianBlur(image, (0, 0), blur).astype(np.float32)
    image += np.random.default_rng(1).normal(0, noise, image.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


@given(st.floats(90, 260), st.floats(0, 180), st.integers(140, 250))
@settings(max_examples=12, deadline=None)
def test_card_of_any_size_and_angle_is_measured(height_px: float, angle: float, paper: int) -> None:
    card = find_card(_table(height_px, angle=angle, paper=paper))
    assert card is not None
    assert card.height_px == pytest.approx(height_px, abs=0.8)
    assert card.height_px / card.width_px == pytest.approx(88.9 / 63.5, rel=0.02)
    assert card.middle == pytest.approx((339.5, 229.5), abs=1)
    assert card.paper == pytest.approx(paper, abs=4)


@pytest.mark.parametrize("blur", [0.7, 1.5, 2.5])
def test_width_of_the_edges_is_that_of_the_blur(blur: float) -> None:
    # From 10 to 90 % a Gaussian edge is 2.563 sigma wide; the pixels themselves add a little.
    card = find_card(_table(blur=blur))
    assert card is not None
    assert card.edge_px == pytest.approx(2.563 * math.hypot(blur, 0.45), rel=0.15)


def test_border_of_the_mat_is_found_and_measured() -> None:
    view = look([_table(border=True)], "poker")
    assert view.mat is not None
    drawn = [(15, 20), (615, 20), (615, 465), (15, 465)]
    assert np.abs(np.array(view.mat) - drawn).max() < 4
    assert view.mat_mm == pytest.approx((600 * view.mm_per_px, 445 * view.mm_per_px), rel=0.02)


def test_mat_out_of_view_is_none_and_the_zone_lies_around_the_card() -> None:
    view = look([_table(170)], "poker")
    assert view.mat is None
    left, top, width, height = view.zone
    assert (left + width / 2, top + height / 2) == pytest.approx((339.5, 229.5), abs=2)
    assert width * view.mm_per_px == pytest.approx(188, abs=2)
    assert height * view.mm_per_px == pytest.approx(152, abs=2)


@pytest.mark.parametrize(
    "image",
    [
        np.full((480, 640, 3), 90, np.uint8),
        np.full((480, 640, 3), 255, np.uint8),
        _table(170)[:, :, ::-1] // 12,
        cv2.circle(np.full((480, 640, 3), 60, np.uint8), (300, 200), 80, (230, 230, 230), -1),
        cv2.rectangle(np.full((480, 640, 3), 60, np.uint8), (50, 90), (600, 200), (230,) * 3, -1),
    ],
    ids=["bare", "white", "dark", "plate", "paper strip"],
)
def test_view_without_a_card_is_refused(image: Image) -> None:
    with pytest.raises(NoCard, match="expected one, face up"):
        look([image], "poker")


@pytest.mark.parametrize("surface", ["mat", "wood", "felt"])
def test_simulated_table_is_measured_within_one_percent(surface: str) -> None:
    world = World(seed=2, surface=surface)  # type: ignore[arg-type]
    camera = SimulatedCamera(world)
    world.advance(world.now_ns + 2_200_000_000)
    view = look([frame.image for frame in camera.frames()[-5:]], "poker")
    assert view.card.height_px == pytest.approx(176, rel=0.012)
    assert (view.mat is not None) is (surface == "mat")
    assert all(one.grade is Grade.GOOD for one in advice_on(view))


def test_frames_in_which_the_card_moved_do_not_count() -> None:
    still, moved = _table(), np.roll(_table(), 40, axis=1)
    assert look([moved, moved, still, still, still], "poker").frames == 3


def test_lamps_that_flicker_are_told() -> None:
    view = look([_table(paper=paper) for paper in (200, 230, 200, 230)], "poker")
    assert view.flicker == pytest.approx(0.07, abs=0.01)
    assert [one.grade for one in advice_on(view) if one.topic == "flicker"] == [Grade.BAD]


@pytest.mark.parametrize(
    ("value", "limits", "grade"),
    [
        (1.6, advice.SCALE_PX_PER_MM, "good"),
        (1.59, advice.SCALE_PX_PER_MM, "poor"),
        (1.25, advice.SCALE_PX_PER_MM, "poor"),
        (1.24, advice.SCALE_PX_PER_MM, "bad"),
        (1.3, advice.BLUR_MM, "good"),
        (1.31, advice.BLUR_MM, "poor"),
        (2.01, advice.BLUR_MM, "bad"),
        (0.04, advice.FLICKER, "poor"),
        (0.041, advice.FLICKER, "bad"),
    ],
)
def test_grades_at_their_limits(value: float, limits: tuple[float, float], grade: str) -> None:
    assert grade_of(value, limits) == grade


@pytest.fixture(scope="module")
def view() -> CameraView:
    return look([_table(100, blur=3, paper=130)], "poker")


@pytest.mark.parametrize("language", ["en", "de"])
def test_bad_view_says_how_to_mend_it_in_both_languages(view: CameraView, language: str) -> None:
    choose_language(language)
    try:
        told = {one.topic: one for one in advice_on(view)}
    finally:
        choose_language("en")
    scale, focus = {"en": ("scale", "focus"), "de": ("Maßstab", "Schärfe")}[language]
    assert told[scale].grade is Grade.BAD
    assert told[scale].mend
    assert told[focus].grade is Grade.BAD


def test_wrong_card_format_shows_as_an_angle(view: CameraView) -> None:
    skat = look([_table(170)], "skat")
    assert [one.grade for one in advice_on(skat) if one.topic == "angle"] == [Grade.POOR]
    assert skat.mm_per_px == pytest.approx(91 / 170, rel=0.01)


def test_picture_shows_outlines_words_and_demo() -> None:
    image = _table(border=True)
    seen = look([image], "poker")
    told = advice_on(seen)
    plain, demo = (np.asarray(draw_view(image, seen, told, demo=demo)) for demo in (False, True))
    assert plain.shape[1] == 1280
    assert plain.shape[0] > 960 + 28 * len(told)
    for colour in ((0, 229, 255), (255, 157, 245), (255, 225, 77)):
        assert (plain == colour).all(axis=2).sum() > 500
    where = np.argwhere((plain != demo).any(axis=2))
    assert len(where) > 1000
    assert where[:, 0].max() < 80
    assert where[:, 1].min() > 1000


def test_picture_of_a_bad_view_has_room_for_the_advice(view: CameraView) -> None:
    image = _table(100, blur=3, paper=130)
    bad = draw_view(image, view, advice_on(view), demo=False)
    good = draw_view(image, view, [replace(one, mend="") for one in advice_on(view)], demo=False)
    assert bad.height > good.height
