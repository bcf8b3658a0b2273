"""The live table in a real browser: games, corrections, two viewers, a restart, pads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.e2e

LONGEST_MS = 90_000


def _said(kind: str) -> Callable[[Any], bool]:
    return lambda box: any(one.kind == kind for one in box.referee.verdicts)


def test_whole_game_is_seen_on_the_page(lay: Any, look: Any) -> None:
    table = lay(players=2, seed=4)
    page = look(table.address)
    while not table.box.is_over:
        table.step(100)
    winner = table.box.referee.table.winner
    page.get_by_text(f"{winner} wins the game").first.wait_for()
    assert page.locator(".player.winner .who").inner_text() == winner
    assert page.locator(".player.winner .count").inner_text().split()[0] == "52"
    newest = page.locator("#said li").first.inner_text()
    assert "wins the game" in newest
    assert page.locator("#said li").count() <= 40


def test_verdict_appears_without_reloading_for_two_viewers_in_their_languages(
    lay: Any, look: Any
) -> None:
    table = lay(seed=3)
    english = look(table.address)
    german = look(table.address, locale="de-DE", width=390, height=844)
    for page in (english, german):
        page.evaluate("window.isOld = true")
    table.step_until(_said("valid_slap"))
    english.locator("#said").get_by_text("slapped first").first.wait_for()
    german.locator("#said").get_by_text("war zuerst dran").first.wait_for()
    for page in (english, german):
        assert page.evaluate("window.isOld")


def test_correction_strikes_out_what_it_changes(lay: Any, look: Any) -> None:
    table = lay(seed=3)
    page = look(table.address)
    table.step_until(_said("valid_slap"))
    page.locator("#said li.good").first.wait_for()
    table.box.answer({"ask": "rule", "record": {"kind": "judge", "ruling": "undo"}})
    table.step_until(lambda box: '"correction"' in str(box.broadcast.greeting()).replace("'", '"'))
    page.locator("#said").get_by_text("The table corrects the box").first.wait_for()
    struck = page.locator("#said li.good.struck")
    assert struck.count() == 1
    assert "line-through" in struck.locator(".what").evaluate(
        "element => getComputedStyle(element).textDecorationLine"
    )


def test_page_finds_the_box_again_after_a_restart(lay: Any, look: Any) -> None:
    table = lay(seed=3)
    page = look(table.address)
    table.step(300)
    page.evaluate("window.isOld = true")
    table.shut()
    page.get_by_text("The connection to the box is lost").wait_for()
    table.step(1)
    table.open()
    page.get_by_text("The connection to the box is lost").wait_for(state="hidden")
    table.step_until(_said("valid_slap"))
    page.locator("#said").get_by_text("slapped first").first.wait_for()
    assert page.evaluate("window.isOld"), "the page was loaded anew"


def test_photo_finish_is_a_picture_with_every_hand(lay: Any, look: Any) -> None:
    table = lay(seed=3)
    table.step_until(_said("late_slap"))
    table.step(50)
    page = look(f"{table.address}/finish")
    race = page.locator(".races > li").last
    picture = race.locator("svg.finish:visible")
    assert picture.count() == 1
    box = picture.bounding_box()
    assert box is not None
    assert box["width"] > 600
    assert picture.locator(".bar").count() >= 2
    assert picture.locator(".bar.won").count() == 1
    assert picture.locator(".band").count() == 1
    for crop in race.locator("img").all():
        crop.scroll_into_view_if_needed()
        crop.evaluate("image => image.decode()")
        assert crop.evaluate("image => image.naturalWidth") == 240
    page.set_viewport_size({"width": 390, "height": 844})
    assert race.locator("svg.finish:visible").count() == 1


def test_pads_slap_when_a_finger_comes_down(lay: Any, look: Any) -> None:
    table = lay(interactive=True)
    page = look(f"{table.address}/play", width=390, height=844, has_touch=True)
    page.get_by_label("2 Bo").check()
    page.get_by_role("button", name="Sit down").click()
    pad = page.locator("button.pad")
    pad.wait_for()
    pad.dispatch_event("pointerdown")
    assert table.until_asked("touch")[0]["seat"] == 2
    page.get_by_role("button", name="Turn the next card").press("Space")
    assert len(table.until_asked("flip")) == 1
    pad.focus()
    pad.press("Enter")
    table.until_asked("touch", "flip")
    assert page.url.endswith("seat=2")


def test_code_opens_the_box_and_the_matrix_shows_it_on_request(lay: Any, look: Any) -> None:
    table = lay()
    page = look(f"{table.address}/code", locale="de-DE")
    page.get_by_role("button", name="Code auf der LED-Matrix zeigen").click()
    assert table.until_asked("show_code")
    page.get_by_label("Code").fill("000000")
    page.get_by_role("button", name="Freischalten").click()
    page.get_by_text("Das ist nicht der Code dieser Box").wait_for()
    page.get_by_label("Code").fill("483920")
    page.get_by_role("button", name="Freischalten").click()
    page.get_by_role("link", name="Freigeschaltet").wait_for()


@pytest.mark.parametrize("width", [320, 390, 768, 1280, 1920])
@pytest.mark.parametrize("path", ["/", "/play?seat=1&seat=2", "/finish", "/code"])
def test_nothing_is_wider_than_the_screen(lay: Any, look: Any, path: str, width: int) -> None:
    table = lay(seed=3, players=8, interactive=True)
    table.step(700)
    page = look(table.address + path, width=width, locale="de-DE")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width


def test_keyboard_reaches_everything(lay: Any, look: Any) -> None:
    table = lay(seed=3)
    table.step(700)
    page = look(table.address)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "log"


def test_page_works_without_its_script(lay: Any, look: Any) -> None:
    table = lay(seed=3)
    table.step(700)
    page = look(table.address, java_script_enabled=False, locale="de-DE")
    assert page.locator(".player").count() == 4
    page.get_by_role("button", name="English").click()
    page.get_by_role("heading", name="Verdicts").wait_for()
