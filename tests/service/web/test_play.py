"""Pads on the page: only for a drawn table, stamped when they arrive, never too often."""

from __future__ import annotations

import time

import pytest
from fake_box import FakeBox
from page_at_hand import Browser, Page

from referee.service.web.play import stocks_of


@pytest.fixture
def drawn(page: Page) -> Page:
    """A page whose box has a drawn table."""
    FakeBox(page.hub.receive, interactive=True)
    return page


def test_touch_goes_to_the_box_with_the_time_of_its_arrival(drawn: Page) -> None:
    before_ns = time.monotonic_ns()
    assert drawn.client.post("/touch", data={"seat": "2"}).status_code == 204
    (ask,) = drawn.asked
    assert (ask["ask"], ask["seat"]) == ("touch", 2)
    assert before_ns <= ask["t_ns"] <= time.monotonic_ns()


def test_card_is_turned_and_a_stock_pile_used(drawn: Page) -> None:
    assert drawn.client.post("/flip").status_code == 204
    assert drawn.client.post("/use", data={"seat": "1", "place": "4"}).status_code == 204
    assert drawn.asked == [{"ask": "flip"}, {"ask": "use", "seat": 1, "place": 4}]


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/touch", {"seat": "0"}),
        ("/touch", {"seat": "5"}),
        ("/touch", {"seat": "-1"}),
        ("/touch", {"seat": "²"}),
        ("/touch", {}),
        ("/use", {"seat": "1", "place": "5"}),
        ("/use", {"seat": "1", "place": "x"}),
        ("/use", {"seat": "1"}),
    ],
)
def test_what_is_not_there_cannot_be_touched(drawn: Page, path: str, form: dict[str, str]) -> None:
    assert drawn.client.post(path, data=form).status_code == 409
    assert not drawn.asked


def test_real_table_has_no_pads_on_the_page(page: Page) -> None:
    FakeBox(page.hub.receive, interactive=False)
    for path in ("/touch", "/flip", "/use"):
        form = {"seat": "1", "place": "1"}
        assert page.client.post(path, data=form).status_code == 409
    assert not page.asked
    assert "data-post" not in page.client.get("/play?seat=1").text


def test_one_tablet_cannot_flood_the_box(drawn: Page) -> None:
    answers = [drawn.client.post("/touch", data={"seat": "1"}).status_code for _ in range(40)]
    assert answers[:5] == [204] * 5
    assert 429 in answers
    other = Browser(drawn.client.app, "192.0.2.7")
    assert other.post("/touch", data={"seat": "1"}).status_code == 204


def test_pads_say_demo_and_software(drawn: Page) -> None:
    text = drawn.client.get("/play?seat=1&seat=3").text
    assert text.count('data-post="/touch"') == 2
    assert "software stamps" in text
    assert "DEMO" in text


def test_seat_that_does_not_exist_leads_to_the_choice(drawn: Page) -> None:
    assert "Where do you sit?" in drawn.client.get("/play?seat=99&seat=x").text


def test_stock_piles_of_spit_are_buttons(page: Page) -> None:
    FakeBox(page.hub.receive, game="spit", interactive=True)
    lines = ["Ann     7H      KS··    --      2D···   9C·     +11"]
    page.hub.receive({"type": "table", "view": {}, "t_ns": 1, "lines": lines})
    text = page.client.get("/play?seat=1").text
    assert text.count('data-post="/use"') == 5
    kings = stocks_of(page.hub, "en")["Ann"][1]
    assert (kings.count, kings.top_words) == (3, "the king of spades")
    assert [pile.count for pile in stocks_of(page.hub, "en")["Ann"]] == [1, 3, 0, 4, 2]


def test_stock_piles_of_a_player_with_two_names(page: Page) -> None:
    lines = ["Anna Lena 7H      KS··    --      2D···   9C·     +11"]
    page.hub.receive({"type": "table", "view": {}, "t_ns": 1, "lines": lines})
    assert list(stocks_of(page.hub, "de")) == ["Anna Lena"]
