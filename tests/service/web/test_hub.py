"""The page's state follows the box, and viewers get what they missed."""

from __future__ import annotations

import pytest
from fake_box import FakeBox, messages

from referee.service.web.hub import CROPS_KEPT, EVENTS_KEPT, Hub


@pytest.fixture(scope="module")
def game() -> list[dict]:
    return messages(seed=3, steps=1200)


def _fed(game: list[dict]) -> Hub:
    hub = Hub("run")
    for message in game:
        hub.receive(message)
    return hub


def test_state_is_that_of_the_newest_messages(game: list[dict]) -> None:
    hub = _fed(game)
    assert hub.table == [one for one in game if one["type"] == "table"][-1]
    assert hub.led == [one for one in game if one["type"] == "led"][-1]
    said = [one["verdict"] for one in game if one["type"] == "said"]
    assert hub.verdicts.records == said
    assert hub.players == ("Ann", "Bo", "Cleo", "Dan")
    assert list(hub.races) == sorted(hub.races)


def test_viewer_gets_exactly_what_he_missed(game: list[dict]) -> None:
    hub = _fed(game[:50])
    mark = hub.mark
    for message in game[50:53]:
        hub.receive(message)
    missed = hub.since(mark)
    assert missed is not None
    assert [event.number for event in missed] == [51, 52, 53]
    assert hub.since(hub.mark) == []


@pytest.mark.parametrize("mark", ["", "run-", "run-x", "other-3", "run-999999", "run--1", "-"])
def test_unknown_mark_means_look_again(game: list[dict], mark: str) -> None:
    assert _fed(game[:50]).since(mark) is None


def test_mark_that_is_too_old_means_look_again(game: list[dict]) -> None:
    hub = _fed(game[:5])
    mark = hub.mark
    for number in range(EVENTS_KEPT):
        hub.receive({"type": "led", "width": 32, "rows": [f"{number:08x}"]})
    assert hub.since(mark) is not None
    hub.receive({"type": "led", "width": 32, "rows": []})
    assert hub.since(mark) is None


def test_new_game_forgets_the_old_one(game: list[dict]) -> None:
    hub = _fed(game)
    hub.receive(next(one for one in game if one["type"] == "game") | {"id": 2})
    assert not hub.seen
    assert not hub.verdicts.records
    assert not hub.races
    assert not hub.crops
    assert hub.table is None


def test_pictures_are_few_and_can_be_deleted() -> None:
    hub = Hub("run")
    for number in range(CROPS_KEPT + 5):
        hub.receive({"type": "crop", "id": f"1-{number}-after", "jpeg": "AAAA"})
    assert len(hub.crops) == CROPS_KEPT
    hub.receive({"type": "no_crops"})
    assert not hub.crops


def test_fault_comes_and_goes() -> None:
    hub = Hub("run")
    hub.receive({"type": "fault", "code": "E22", "seat": 2, "on": True})
    hub.receive({"type": "fault", "code": "E12", "seat": None, "on": True})
    hub.receive({"type": "fault", "code": "E22", "seat": 2, "on": False})
    assert list(hub.faults) == [("E12", None)]


def test_unknown_message_is_passed_over() -> None:
    hub = Hub("run")
    hub.receive({"type": "from the future"})
    assert hub.number == 0


def test_undo_strikes_the_last_verdict_that_moved_cards() -> None:
    hub = Hub("run")
    box = FakeBox(hub.receive, seed=3)
    while not any(one["verdict"] == "valid_slap" for one in hub.verdicts.records):
        box.step()
    won = next(n for n, one in enumerate(hub.verdicts.records) if one["verdict"] == "valid_slap")
    box.answer({"ask": "rule", "record": {"kind": "judge", "ruling": "undo"}})
    while hub.verdicts.records[-1]["verdict"] != "correction" and not box.is_over:
        box.step()
        if any(one["verdict"] == "correction" for one in hub.verdicts.records):
            break
    assert won in hub.verdicts.struck
    assert not any(hub.verdicts.records[n]["verdict"] == "card_seen" for n in hub.verdicts.struck)


def test_verdicts_that_are_said_again_replace_the_older_ones() -> None:
    hub = Hub("run")
    hub.receive({"type": "game", "id": 1, "header": {"players": ["Ann", "Bo"]}})
    records = [
        {"verdict": "false_slap", "t_ns": 10, "player": "Ann", "cards_moved": [1]},
        {"verdict": "valid_slap", "t_ns": 20, "player": "Bo", "cards_moved": [1]},
        {"verdict": "correction", "t_ns": 30, "ruling": "void_slap"},
        {"verdict": "valid_slap", "t_ns": 20, "player": "Bo", "cards_moved": [1]},
        {"verdict": "late_slap", "t_ns": 31, "player": "Ann"},
    ]
    hub.receive(
        {"type": "seen", "record": {"kind": "judge", "ruling": "void_slap", "ref_t_ns": 10}}
    )
    for n, record in enumerate(records):
        hub.receive({"type": "said", "n": n, "verdict": record})
    assert hub.verdicts.struck == {0, 1}
    assert hub.verdicts.again == {3}


def test_page_that_comes_later_knows_the_same() -> None:
    early, sent = Hub("run"), []
    box = FakeBox(lambda message: (sent.append(message), early.receive(message)), seed=5)
    for _ in range(900):
        box.step()
    late = _fed(box.broadcast.greeting())
    assert late.verdicts == early.verdicts
    assert late.seen == early.seen
    assert list(late.races) == list(early.races)
    assert late.led == early.led
