"""The box's page: its state, the pad self-test, the guides."""

from __future__ import annotations

import pytest
from fake_box import messages
from page_at_hand import Page

TOUCH = {
    "type": "touch",
    "kind": "slap",
    "seat": 2,
    "player": "Bo",
    "t_ns": 5,
    "early_ns": 5_000_000,
    "late_ns": 1_000_000,
    "stamp": "kernel",
}
STEP = {
    "type": "guide",
    "name": "enrol",
    "step": "queen",
    "sentence": {"de": "Lege eine Dame hin.", "en": "Lay a queen."},
    "progress": 0.4,
    "done": False,
    "ok": None,
    "jpeg": "/9j/",
}


def test_everybody_may_see_what_the_box_is(page: Page) -> None:
    content = page.client.get("/guides").text
    assert "It waits for a game." in content
    assert "0.1.0" in content


@pytest.mark.parametrize("path", ["/guides/touches", "/guides/camera", "/guides/enrol"])
def test_guides_need_the_code(page: Page, path: str) -> None:
    assert page.client.get(path, follow_redirects=False).status_code == 303
    page.client.post(path, data={"on": "true", "action": "start"}, follow_redirects=False)
    assert page.asked == []


def test_touch_lights_its_seat_and_says_how_sure_it_is(page: Page) -> None:
    for message in messages(steps=3):
        page.hub.receive(message)
    page.unlock()
    assert 'class="yes' not in page.client.get("/guides/touches").text
    page.hub.receive(TOUCH)
    content = page.client.get("/guides/touches").text
    assert content.count('class="yes') == 1
    assert "± 3.0 ms" in content
    assert "stamped by the kernel" in content


@pytest.mark.parametrize(("on", "told"), [("true", True), ("false", False)])
def test_self_test_is_begun_and_ended(page: Page, on: str, told: bool) -> None:
    page.unlock()
    said = page.client.post("/guides/touches", data={"on": on}).text
    assert "Done." in said
    assert [(asked["ask"], asked["on"]) for asked in page.asked] == [("self_test", told)]


@pytest.mark.parametrize("action", ["start", "next", "cancel"])
@pytest.mark.parametrize("name", ["camera", "pads", "enrol"])
def test_guide_is_led_by_the_page(page: Page, name: str, action: str) -> None:
    page.unlock()
    page.client.post(f"/guides/{name}", data={"action": action})
    (asked,) = page.asked
    assert (asked["ask"], asked["name"], asked["action"]) == ("guide", name, action)


@pytest.mark.parametrize(
    ("path", "action", "status"), [("/guides/shell", "start", 404), ("/guides/camera", "rm", 400)]
)
def test_unknown_guide_or_action_is_refused(
    page: Page, path: str, action: str, status: int
) -> None:
    page.unlock()
    assert page.client.post(path, data={"action": action}).status_code == status
    assert page.asked == []


def test_step_of_a_guide_is_shown_with_its_picture(page: Page) -> None:
    page.unlock()
    page.hub.receive(STEP)
    content = page.client.get("/guides/enrol").text
    assert "Lay a queen." in content
    assert 'value="40"' in content
    assert "data:image/jpeg;base64,/9j/" in content
    assert 'value="next"' in content


def test_end_of_a_measurement_is_told_line_by_line(page: Page) -> None:
    page.unlock()
    sentence = {"en": "Seat 1: 9 ms\nSeat 2: 8 ms"}
    page.hub.receive(STEP | {"done": True, "ok": True, "sentence": sentence})
    content = page.client.get("/guides/enrol").text
    assert "Done." in content
    assert '<p class="found">Seat 2: 8 ms</p>' in content


def test_finished_guide_can_be_begun_again(page: Page) -> None:
    page.unlock()
    page.hub.receive(STEP | {"done": True, "ok": False})
    content = page.client.get("/guides/enrol").text
    assert "Begin again" in content
    assert 'value="next"' not in content


def test_guide_at_work_can_only_be_stopped(page: Page) -> None:
    page.unlock()
    page.hub.receive(STEP | {"step": "run", "progress": None})
    content = page.client.get("/guides/enrol").text
    assert 'value="next"' not in content
    assert 'value="cancel"' in content
    assert '<progress max="100" aria-label' in content


def test_answer_without_words_is_no_empty_notice(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.unlock()
    monkeypatch.setattr(
        page.asks,
        "_write",
        lambda record: page.asks.hear({"to": record["id"], "ok": True, "sentence": {"en": ""}}),
    )
    assert 'class="notice' not in page.client.post("/guides/touches", data={"on": "true"}).text
