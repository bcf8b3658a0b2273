"""Photo finishes: picture, sentence, and who may see which picture of the pile."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from fake_box import FakeBox
from page_at_hand import Page

from referee.rules.cards import parse_card
from referee.rules.events import Flip, Slap
from referee.service.photo_finish import NARROW_PX, WIDE_PX, Lane, photo_finish
from referee.service.web.finish_view import finish_of

MS = 1_000_000
CARD = Flip(1000 * MS, parse_card("JS"), early_ns=17 * MS)
LANES = [
    Lane(Slap(1200 * MS, "Bo", MS, MS), "won"),
    Lane(Slap(1230 * MS, "Ann", MS, 2 * MS), "late"),
    Lane(Slap(980 * MS, "Cleo"), "false"),
]


def _bars(svg: str) -> list[tuple[str, float, float]]:
    root = ElementTree.fromstring(svg)
    return [
        (str(shape.get("class")), float(str(shape.get("x"))), float(str(shape.get("width"))))
        for shape in root.iter("{http://www.w3.org/2000/svg}rect")
        if str(shape.get("class")).startswith(("bar", "band"))
    ]


@pytest.mark.parametrize("width_px", [WIDE_PX, NARROW_PX])
def test_hands_stand_where_their_times_are(width_px: int) -> None:
    shapes = _bars(photo_finish(CARD, LANES, title="J", width_px=width_px, language="en"))
    (_, band_x, band_px), *_, cleo, bo, ann = shapes
    scale = band_px / 17
    zero = band_x + band_px
    assert bo[0] == "bar won"
    assert bo[1] == pytest.approx(zero + 199 * scale, abs=3)
    assert ann[1] > bo[1]
    assert cleo[1] < zero
    assert ann[2] >= 3


@pytest.mark.parametrize("width_px", [WIDE_PX, NARROW_PX])
def test_nothing_stands_outside_the_picture(width_px: int) -> None:
    lanes = [
        Lane(Slap(1000 * MS + t_ms * MS, f"Player {t_ms}", MS, MS), "late")
        for t_ms in (-400, 0, 3, 1500)
    ]
    svg = photo_finish(CARD, lanes, title="", width_px=width_px, language="de")
    for _, x, width in _bars(svg):
        assert x >= 0
        assert x + width <= width_px


def test_hand_that_came_long_after_is_an_arrow_and_does_not_squeeze_the_others() -> None:
    plain = _bars(photo_finish(CARD, LANES, title="", language="en"))
    late = Lane(Slap(3000 * MS, "Dan", MS, MS), "late")
    svg = photo_finish(CARD, [*LANES, late], title="", language="en")
    assert _bars(svg) == plain
    assert "+2000.0 ms ±1.0 · late" in svg
    assert '<path class="bar late"' in svg


def test_error_and_outcome_are_written_in_the_language() -> None:
    words = "".join(
        ElementTree.fromstring(photo_finish(CARD, LANES, title="", language="de")).itertext()
    )
    assert "+200,0 ms ±1,0 · zuerst" in words
    assert "-20,0 ms · falsch" in words


def test_picture_is_told_to_those_who_cannot_see_it() -> None:
    svg = photo_finish(CARD, LANES, title="Jack", verdict="Bo slapped first.", language="en")
    told = ElementTree.fromstring(svg).get("aria-label")
    assert told is not None
    assert told.startswith("Jack. Bo slapped first. Cleo -20.0 ms · false; Bo +200.0 ms ±1.0")


def test_picture_without_a_card_counts_from_the_first_hand() -> None:
    words = "".join(
        ElementTree.fromstring(photo_finish(None, LANES[:2], title="", language="en")).itertext()
    )
    assert "+1.0 ms ±1.0" in words


def test_names_are_never_taken_for_markup() -> None:
    lanes = [Lane(Slap(1200 * MS, '<script>"'), "won")]
    svg = photo_finish(CARD, lanes, title='"><script>', verdict="<b>", language="en")
    ElementTree.fromstring(svg)
    assert "<script>" not in svg


def _with_race(page: Page) -> FakeBox:
    box = FakeBox(page.hub.receive, seed=3)
    while not page.hub.races:
        box.step()
    return box


def test_newest_race_stands_on_the_live_table(page: Page) -> None:
    _with_race(page)
    text = page.client.get("/").text
    assert 'class="finish"' in text
    assert "/crop/1-" in text


def test_race_has_a_page_and_a_file(page: Page) -> None:
    _with_race(page)
    number = next(iter(page.hub.races))
    assert page.client.get(f"/finish/{number}").status_code == 200
    answer = page.client.get(f"/finish/{number}.svg", headers={"accept-language": "de"})
    assert answer.headers["content-type"] == "image/svg+xml"
    words = "".join(ElementTree.fromstring(answer.text).itertext())
    assert "zuerst" in words


@pytest.mark.parametrize(
    "path",
    [
        "/finish/9999",
        "/finish/9999.svg",
        "/finish/x",
        "/crop/nothing.jpg",
        "/crop/../x.jpg",
        "/picture.jpg",
    ],
)
def test_what_is_not_there_is_not_found(page: Page, path: str) -> None:
    assert page.client.get(path).status_code == 404


def test_pile_is_shown_and_gone_after_it_was_deleted(page: Page) -> None:
    _with_race(page)
    name = next(iter(page.hub.crops))
    answer = page.client.get(f"/crop/{name}.jpg")
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.content[:2] == b"\xff\xd8"
    page.hub.receive({"type": "no_crops"})
    assert page.client.get(f"/crop/{name}.jpg").status_code == 404
    assert "/crop/" not in page.client.get("/").text


def test_record_that_cannot_be_read_is_left_out() -> None:
    race = {
        "id": 1,
        "card": {"kind": "flip"},
        "lanes": [{"slap": {"kind": "flip"}, "outcome": "won"}],
        "verdict": {"verdict": "from the future"},
    }
    finish = finish_of(race, [], "en")
    assert finish.title == "Before the first card"
    assert finish.words == ""
