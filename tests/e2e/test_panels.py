"""Judge, set-up, old games, statistics and guides in a real browser."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_box import FakeBox

from referee.rules.referee import Referee
from referee.service.journal.journal import Journal

pytestmark = pytest.mark.e2e

CODE = "483920"
AXE = Path(os.environ.get("REFEREE_AXE", "node_modules")) / "node_modules/axe-core/axe.min.js"
SERIOUS = ("serious", "critical")
WEEK_MS = 7 * 24 * 3_600_000
KEPT = {"demo": True, "stamp": "demo", "deck": "de", "boot": "x", "version": "0"}
STEP = {
    "type": "guide",
    "name": "enrol",
    "step": "ask",
    "sentence": {"de": "Lege eine Dame hin.", "en": "Lay a queen."},
    "progress": 0.4,
    "done": False,
    "ok": None,
    "jpeg": "",
}
TOUCH = {
    "type": "touch",
    "seat": 2,
    "player": "Bo",
    "t_ns": 5,
    "early_ns": 5_000_000,
    "late_ns": 1_000_000,
    "stamp": "kernel",
}


def _said(kind: str, times: int = 1) -> Callable[[Any], bool]:
    return lambda box: sum(one.kind == kind for one in box.referee.verdicts) >= times


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season of three short games."""
    path = tmp_path_factory.mktemp("season") / "season.db"
    journal = Journal.open(path)
    for number, (seed, game) in enumerate([(10, "slapjack"), (2, "ratscrew"), (3, "slapjack")]):
        box = FakeBox(lambda message: None, game=game, seed=seed, players=3)
        for _ in range(1500):
            box.step()
        header = box.referee.header
        record = journal.begin(header, KEPT, 1_790_000_000_000 + number * WEEK_MS)
        referee = Referee(header.game, header.players, header.house_rules, header.start)
        for seen in box.referee.log:
            record.write(seen, referee.observe(seen))
        record.end(referee.table, 1_790_000_600_000 + number * WEEK_MS)
    journal.close()
    return path


def _unlocked(look: Any, table: Any, path: str, **wanted: Any) -> Any:
    page = look(f"{table.address}/code#{CODE}", **wanted)
    page.locator("form.code button").click()
    page.locator(".top nav a[href='/code']").wait_for()
    page.goto(table.address + path)
    return page


# --- judge ----------------------------------------------------------------------------------------


def test_judge_strikes_out_a_slap_and_sees_before_what_it_changes(lay: Any, look: Any) -> None:
    table = lay(seed=3)
    table.step_until(_said("valid_slap"))
    table.step(30)
    won = next(one for one in table.box.referee.verdicts if one.kind == "valid_slap")
    viewer = look(table.address)
    page = _unlocked(look, table, "/judge", locale="de-DE", width=390, height=844)
    page.locator(f"a[href*='ref_t_ns={won.t_ns}']").click()
    page.get_by_role("heading", name=f"Der Schlag von {won.player}").wait_for()
    changes = page.locator(".changes li").all_inner_texts()
    assert any(won.player in change for change in changes)
    assert table.box.asked == [one for one in table.box.asked if one["ask"] != "rule"]
    page.get_by_role("button", name="Ja, so ist es").click()
    page.get_by_text("Das gilt.").wait_for()
    (asked,) = table.until_asked("rule")
    assert asked["record"] == {
        "kind": "judge",
        "ruling": "void_slap",
        "player": won.player,
        "ref_t_ns": won.t_ns,
    }
    table.step(20)
    viewer.locator("#said").get_by_text("The table corrects the box").first.wait_for()
    page.goto(f"{table.address}/judge")
    assert page.locator(f"a[href*='ref_t_ns={won.t_ns}']").count() == 0


def test_lists_of_the_judge_grow_without_reloading(lay: Any, look: Any) -> None:
    table = lay(seed=3)
    table.step(200)
    page = _unlocked(look, table, "/judge")
    page.evaluate("window.isOld = true")
    table.step_until(_said("valid_slap"))
    page.locator("#judge-lists").get_by_text("slapped first").first.wait_for()
    assert page.evaluate("window.isOld")


def test_one_big_button_takes_the_last_one_back(lay: Any, look: Any) -> None:
    table = lay(seed=3)
    table.step_until(_said("valid_slap"))
    table.step(30)
    page = _unlocked(look, table, "/judge")
    page.get_by_role("button", name="Take the last one back").click()
    page.get_by_text("The ruling stands.").wait_for()
    assert table.until_asked("rule")[0]["record"] == {"kind": "judge", "ruling": "undo"}


def test_misread_card_gets_its_name(lay: Any, look: Any) -> None:
    table = lay(seed=3)
    table.step_until(_said("card_seen", 4))
    table.step(20)
    page = _unlocked(look, table, "/judge", locale="de-DE")
    page.locator("a[href^='/judge/card']").first.click()
    page.get_by_label("Dame").check()
    page.get_by_label("Pik").check()
    page.get_by_role("button", name="Was würde sich ändern?").first.click()
    page.get_by_role("heading", name="Pik Dame").wait_for()
    page.get_by_role("button", name="Ja, so ist es").click()
    page.get_by_text("Das gilt.").wait_for()
    assert table.until_asked("rule")[0]["record"]["card"] == "QS"


# --- set-up ---------------------------------------------------------------------------------------


def test_game_is_set_up_in_german_on_a_phone(lay: Any, look: Any) -> None:
    table = lay(seed=3)
    page = _unlocked(look, table, "/setup", locale="de-DE", width=390, height=844)
    page.get_by_role("button", name="Egyptian Ratscrew").click()
    for seat, name in enumerate(("Oma", "Zoë", "", ""), 1):
        page.locator(f"#player{seat}").fill(name)
    page.get_by_role("button", name="Kinder").click()
    assert page.locator("#player2").input_value() == "Zoë"
    page.get_by_text("Was geschlagen werden darf").first.click()
    page.get_by_label("Schlagt, wenn ein Bube oben liegt.").check()
    page.get_by_role("button", name="Spiel beginnen").click()
    (asked,) = table.until_asked("start")
    assert (asked["game"], asked["preset"]) == ("ratscrew", "kids")
    assert asked["players"] == ["Oma", "Zoë"]
    assert set(asked["rules"]) == {"triggers"}
    assert set(asked["rules"]["triggers"]) == {"jack", "pair", "sandwich", "top_bottom"}


def test_mistake_in_the_set_up_stands_beside_its_field(lay: Any, look: Any) -> None:
    table = lay(seed=3)
    page = _unlocked(look, table, "/setup", locale="de-DE")
    page.locator("#player2").fill("ann")
    page.evaluate("document.querySelector('form.setup').noValidate = true")
    page.locator("input[name=tie_ms]").evaluate("field => field.value = 99999")
    with page.expect_response("**/setup") as answered:
        page.locator(".start button").click()
    assert answered.value.status == 422
    field = page.locator("#player2")
    assert field.get_attribute("aria-invalid") == "true"
    sentence = page.locator(f"#{field.get_attribute('aria-describedby')}")
    assert "heißt schon jemand" in sentence.inner_text()
    assert page.locator("#wrong-tie_ms").is_visible()
    assert not [one for one in table.box.asked if one["ask"] == "start"]


# --- old games, statistics, guides ----------------------------------------------------------------


def test_old_game_is_stepped_through(lay: Any, look: Any, season: Path) -> None:
    table = lay(seed=3)
    table.box.broadcast.box(journal=str(season))
    page = look(f"{table.address}/history", width=390, height=844)
    page.locator(".games a").last.click()
    page.locator(".headline").get_by_text("The cards are dealt").wait_for()
    for _ in range(3):
        page.locator("a[rel=next]").click()
    assert page.locator(".count-of").inner_text().startswith("4 /")
    page.locator(".lines.many a").first.click()
    assert page.locator("svg.finish:visible").count() == 1
    with page.expect_download() as got:
        page.get_by_text("The whole log").click()
    assert got.value.suggested_filename == "game-1.jsonl"


def test_statistics_are_drawn(lay: Any, look: Any, season: Path) -> None:
    table = lay(seed=3)
    table.box.broadcast.box(journal=str(season))
    page = look(f"{table.address}/statistics", locale="de-DE", width=390, height=844)
    plots = page.locator(".plot svg")
    assert plots.count() == 5
    for plot in plots.all():
        drawn = plot.bounding_box()
        assert drawn is not None
        assert 300 < drawn["width"] <= 390
    page.get_by_role("link", name="Egyptian Ratscrew").click()
    assert page.locator(".figures dd").first.inner_text() == "1"


def test_touch_lights_its_seat_at_once(lay: Any, look: Any) -> None:
    table = lay(seed=3)
    page = _unlocked(look, table, "/guides/touches")
    page.get_by_role("button", name="Begin").click()
    assert table.until_asked("self_test")[0]["on"] is True
    table.box.broadcast.pass_on(TOUCH)
    page.locator(".felt .last").get_by_text("Bo").wait_for()
    page.get_by_text("± 3.0 ms").wait_for()


def test_guide_follows_the_box(lay: Any, look: Any) -> None:
    table = lay(seed=3)
    page = _unlocked(look, table, "/guides/enrol", locale="de-DE")
    page.get_by_role("button", name="Beginnen").click()
    assert table.until_asked("guide")[0]["action"] == "start"
    table.box.broadcast.pass_on(STEP)
    page.get_by_text("Lege eine Dame hin.").wait_for()
    table.box.broadcast.pass_on(STEP | {"done": True, "ok": True, "sentence": {"de": "Fertig."}})
    page.get_by_text("Fertig.").first.wait_for()
    page.get_by_role("button", name="Noch einmal").wait_for()


PATHS = (
    "/judge",
    "/judge/check?ruling=undo",
    "/judge/card?ref_t_ns={flip}",
    "/setup",
    "/history",
    "/history/2?step=30",
    "/statistics",
    "/guides",
    "/guides/touches",
    "/guides/enrol",
)


def _with_everything(lay: Any, season: Path) -> tuple[Any, int]:
    table = lay(seed=3, players=8)
    table.step_until(_said("valid_slap"))
    table.step(30)
    table.box.broadcast.box(journal=str(season))
    table.box.broadcast.pass_on(TOUCH)
    table.box.broadcast.pass_on(STEP)
    flips = [one for one in table.box.referee.verdicts if one.kind == "card_seen"]
    return table, flips[-1].t_ns


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_panel_is_wider_than_the_screen(lay: Any, look: Any, season: Path, width: int) -> None:
    table, flip = _with_everything(lay, season)
    page = _unlocked(look, table, "/judge", width=width, locale="de-DE")
    wide = {}
    for path in PATHS:
        page.goto(table.address + path.format(flip=flip))
        assert page.locator("h1").count() == 1
        wide[path] = page.evaluate("document.documentElement.scrollWidth")
    assert {path: px for path, px in wide.items() if px > width} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_a_panel(
    lay: Any, look: Any, season: Path, scheme: str
) -> None:
    if not AXE.exists():
        pytest.skip("no axe-core: npm install --prefix DIR axe-core, then REFEREE_AXE=DIR")
    table, flip = _with_everything(lay, season)
    page = _unlocked(look, table, "/judge", color_scheme=scheme)
    serious = []
    for path in PATHS:
        page.goto(table.address + path.format(flip=flip))
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious += [
            (path, one["id"], one["help"], [node["html"] for node in one["nodes"]][:3])
            for one in found["violations"]
            if one["impact"] in SERIOUS
        ]
    assert not serious
