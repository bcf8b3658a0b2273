"""History and statistics: old games are retold as they were, and everything can be downloaded."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from fake_box import FakeBox
from page_at_hand import BOX, Page

from referee.rules.events import Observation
from referee.rules.referee import Referee
from referee.rules.verdicts import Verdict
from referee.service.journal.journal import Journal
from referee.service.log import Log, read_log
from referee.service.web.retelling import retell

HOUR_MS = 3_600_000
KEPT = {"demo": True, "stamp": "demo", "deck": "de", "boot": "x", "version": "0"}


def _log(seed: int, game: str, steps: int) -> Log:
    box = FakeBox(lambda message: None, game=game, seed=seed, players=3)
    while not box.is_over and steps > 0:
        box.step()
        steps -= 1
    return Log(box.referee.header, tuple(box.referee.log), box.referee.verdicts)


LOGS = [_log(10, "slapjack", 10_000), _log(2, "ratscrew", 1500)]
"""A whole game, and one that somebody ended."""


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("season") / "season.db"
    journal = Journal.open(path)
    for number, log in enumerate(LOGS):
        record = journal.begin(log.header, KEPT, number * 24 * HOUR_MS)
        header = log.header
        referee = Referee(header.game, header.players, header.house_rules, header.start)
        for seen in log.observations:
            record.write(seen, referee.observe(seen))
        record.crop("1-1-before", b"\xff\xd8jpeg")
        record.end(referee.table, number * 24 * HOUR_MS + HOUR_MS)
    journal.close()
    return path


@pytest.fixture
def viewer(page: Page, season: Path) -> Page:
    page.hub.receive(dict(BOX, journal=str(season), keep_pictures=True))
    return page


def _steps(log: Log) -> list[tuple[Observation, list[Verdict]]]:
    header = log.header
    referee = Referee(header.game, header.players, header.house_rules, header.start)
    return [(seen, referee.observe(seen)) for seen in log.observations]


@pytest.mark.parametrize("log", LOGS, ids=["slapjack", "ratscrew"])
def test_every_verdict_is_a_step_with_the_table_after_it(log: Log) -> None:
    told = retell(log)
    said = [verdict for _, verdicts in _steps(log) for verdict in verdicts]
    assert [step.verdict for step in told.steps] == [
        verdict for verdict in said if verdict.kind != "late_event"
    ]
    header = log.header
    referee = Referee(header.game, header.players, header.house_rules, header.start)
    at = 0
    for seen in log.observations:
        for _ in referee.observe(seen):
            assert told.steps[at].view["counts"] == dict(referee.table.counts)
            at += 1


def test_hub_at_a_step_knows_nothing_later() -> None:
    told = retell(LOGS[0])
    middle = len(told.steps) // 2
    hub = told.hub_at(middle, number=1, deck="de")
    assert len(hub.verdicts.records) == told.steps[middle].said + 1
    assert max(record["t_ns"] for record in hub.seen) >= told.steps[middle].verdict.t_ns
    assert len(hub.seen) < len(told.seen)


def test_list_has_the_newest_game_first(viewer: Page) -> None:
    content = viewer.client.get("/history").text
    assert content.index("/history/2") < content.index("/history/1")


def test_without_a_journal_the_pages_say_so(page: Page) -> None:
    for path in ("/history", "/statistics"):
        answer = page.client.get(path)
        assert answer.status_code == 200
        assert "keeps no games" in answer.text


def test_game_is_retold_from_its_first_to_its_last_step(viewer: Page) -> None:
    last = len(retell(LOGS[0]).steps) - 1
    first_page = viewer.client.get("/history/1").text
    assert f"1 / {last + 1}" in first_page
    assert 'rel="prev"' not in first_page
    last_page = viewer.client.get(f"/history/1?step={last}").text
    assert "wins the game" in last_page
    assert 'rel="next"' not in last_page


@pytest.mark.parametrize("step", ["999999", "-5", "x", "9" * 30, ""])
def test_strange_steps_are_taken_kindly(viewer: Page, step: str) -> None:
    assert viewer.client.get(f"/history/1?step={step}").status_code == 200


def _won_step() -> tuple[int, Any]:
    told = retell(LOGS[0])
    return next(
        (number, step.verdict)
        for number, step in enumerate(told.steps)
        if step.verdict.kind == "valid_slap"
    )


def test_photo_finish_stands_at_the_step_that_decided_the_race(viewer: Page) -> None:
    step, won = _won_step()
    content = viewer.client.get(f"/history/1?step={step}").text
    assert 'class="finish"' in content
    assert won.player in content
    svg = viewer.client.get(f"/history/1/finish-{step}.svg")
    assert ET.fromstring(svg.text).tag.endswith("svg")
    assert viewer.client.get(f"/history/1/finish-{step - 1}.svg").status_code == 404


def test_race_is_found_by_its_time(viewer: Page) -> None:
    step, won = _won_step()
    assert f"{step + 1} / " in viewer.client.get(f"/history/1?at={won.t_ns}").text


def test_downloaded_log_is_the_one_that_was_played(viewer: Page, tmp_path: Path) -> None:
    answer = viewer.client.get("/history/1/log.jsonl")
    assert "attachment" in answer.headers["content-disposition"]
    path = tmp_path / "game.jsonl"
    path.write_text(answer.text, encoding="utf-8")
    log = read_log(path)
    assert log.header == LOGS[0].header
    assert [one.kind for one in log.verdicts] == [
        verdict.kind for _, verdicts in _steps(LOGS[0]) for verdict in verdicts
    ]


def test_table_has_a_line_a_verdict_in_the_viewers_language(viewer: Page) -> None:
    german = viewer.client.get("/history/1/verdicts.csv", headers={"accept-language": "de"}).text
    assert german.count("\n") > 80
    assert "war zuerst dran" in german


@pytest.mark.parametrize(
    "path",
    [
        "/history/99",
        "/history/99/log.jsonl",
        "/history/99/verdicts.csv",
        "/history/1/picture/none.jpg",
        "/history/1/picture/..%2f..%2fseason.jpg",
        "/history/x",
        "/statistics/none.svg",
    ],
)
def test_what_is_not_there_is_not_found(viewer: Page, path: str) -> None:
    assert viewer.client.get(path).status_code == 404


def test_kept_picture_is_shown(viewer: Page) -> None:
    answer = viewer.client.get("/history/1/picture/1-1-before.jpg")
    assert (answer.content, answer.headers["content-type"]) == (b"\xff\xd8jpeg", "image/jpeg")


def test_pictures_are_deleted_only_with_the_code(viewer: Page) -> None:
    viewer.client.post("/history/pictures", follow_redirects=False)
    assert viewer.asked == []
    viewer.unlock()
    viewer.client.post("/history/pictures")
    assert [asked["ask"] for asked in viewer.asked] == ["delete_pictures"]


def test_statistics_show_every_player_and_plot(viewer: Page) -> None:
    content = viewer.client.get("/statistics").text
    for name in LOGS[0].header.players:
        assert f'<th scope="row">{name}</th>' in content
    assert content.count("<svg xmlns") == 5
    assert "<style" not in content
    assert "style=" not in content


def test_statistics_of_one_game_leave_the_others_out(viewer: Page) -> None:
    everything = json.loads(viewer.client.get("/statistics.json").text)
    one = json.loads(viewer.client.get("/statistics.json?game=ratscrew").text)
    none = json.loads(viewer.client.get("/statistics.json?game=spit").text)
    assert (everything["games"], one["games"], none["games"]) == (2, 1, 0)
    assert viewer.client.get("/statistics?game=spit").status_code == 200


@pytest.mark.parametrize("name", ["reaction", "false", "early", "wins", "evenings"])
def test_plot_is_a_file_of_its_own(viewer: Page, name: str) -> None:
    answer = viewer.client.get(f"/statistics/{name}.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert ET.fromstring(answer.text).tag.endswith("svg")


def test_damaged_journal_is_no_accident_of_the_page(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "season.db"
    path.write_bytes(b"noise" * 1000)
    page.hub.receive(dict(BOX, journal=str(path)))
    for address in ("/history", "/statistics"):
        assert page.client.get(address).status_code == 200
    assert page.client.get("/history/1").status_code == 404
