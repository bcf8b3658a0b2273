"""Pads, touch chips and the matrix on the lines of a real kernel, in a guest.

Emulated and on a busy machine times are long; what is asserted are counts, order and stamps.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.hil


class Answers(dict[str, dict[str, Any]]):
    """By scenario; one that is missing says why."""

    def __missing__(self, scenario: str) -> dict[str, Any]:
        pytest.fail(f"no answer to {scenario}: the guest has at most {LIMIT_S} s for all of them")


HERE = Path(__file__).parent
LIMIT_S = int(os.environ.get("REFEREE_HIL_LIMIT_S", "3600"))
STARVED_MS = 1000
"""A release that is heard 2 s late is a palm that rests: no slap is believed then."""
JOBS = (
    "pads:other_chip",
    "touch:touches",
    "matrix:matrix",
    "pads:single",
    "pads:together",
    "pads:chatter",
    "pads:raising_handler",
    "pads:dead_thread",
    "pads:game_after_game",
    "pads:heartbeat_lost",
    "touch:forgotten_line",
)


@pytest.fixture(scope="module")
def answers(need: Callable[..., None], run: Callable[..., dict[str, dict[str, Any]]]) -> Answers:
    """One guest for all scenarios: its start is the slow part."""
    need("guest", "guest/version")
    return Answers(run("run_guest.sh", LIMIT_S, sys.executable, HERE / "guest" / "all.py", *JOBS))


def _prompt(seen: dict[str, Any]) -> dict[str, Any]:
    """A round in which the kernel delivered every edge before the next heartbeats."""
    assert seen["lost_silently"] == 0
    if seen["too_late"]:
        pytest.skip(f"a busy machine delivered edges too late, {seen['rounds']} times; told")
    return seen


@pytest.mark.parametrize("scenario", ["single", "together"])
def test_every_touch_is_heard_with_a_stamp_inside_its_write(
    answers: Answers, scenario: str
) -> None:
    seen = _prompt(answers[scenario])
    assert seen["kernel_stamps"]
    assert (seen["lost"], seen["extra"], seen["slaps"]) == (0, 0, seen["touches"])
    assert seen["outside"] == 0
    assert seen["half_width_ns"] == [100_000]


@pytest.mark.parametrize("scenario", ["single", "together"])
def test_order_by_stamp_is_the_order_of_the_hands(answers: Answers, scenario: str) -> None:
    assert _prompt(answers[scenario])["in_order_by_stamp"]


@pytest.mark.parametrize("scenario", ["single", "together"])
def test_no_slap_comes_after_its_watermark(answers: Answers, scenario: str) -> None:
    assert answers[scenario]["overtaken_by_watermark"] == 0


def test_chattering_hands_are_one_slap_each(answers: Answers) -> None:
    # Edges within a bounce may get lost in the kernel, even the first of them; the touch may not.
    seen = answers["chatter"]
    if seen["touches"] < 80:
        pytest.skip(f"a busy machine held up {seen['held_up']} hands within their bounce")
    assert seen["one_slap"] == seen["touches"]
    assert seen["first_is_delivered"] == seen["touches"], "the first that the kernel told"
    assert seen["outside"] == 0
    assert seen["warnings"] == []
    if seen["first_is_exact"] < 0.5 * seen["touches"]:
        pytest.skip("a busy machine kept the kernel from telling first edges")


def test_handler_that_fails_leaves_the_others_heard(answers: Answers) -> None:
    seen = answers["raising_handler"]
    assert seen["heard"] == ["p5", "p6"]
    assert seen["faults"] == [1]
    assert seen["careless_calls"] == 1
    assert "ready_again_after_s" in seen


def test_foreign_handler_that_kills_the_thread_suspends_the_box(answers: Answers) -> None:
    assert answers["dead_thread"]["is_dead"]
    assert "suspended_after_ms" in answers["dead_thread"]


def test_pads_are_heard_game_after_game(answers: Answers) -> None:
    # Pins that were closed and opened anew under falling hands once ended lgpio's only thread.
    seen = _prompt(answers["game_after_game"])
    assert (seen["lost"], seen["extra"], seen["slaps"]) == (0, 0, seen["touches"])
    assert seen["touches"] == 40


def test_lost_heartbeat_suspends_and_comes_back(answers: Answers) -> None:
    seen = answers["heartbeat_lost"]
    assert seen["silent_ms"] > 300
    assert seen["state_meanwhile"] == "suspended"
    assert seen["touch_was_heard"], "else nothing is proven about what a touch can move"
    assert seen["slaps_meanwhile"] == 0, "without it nothing may be ruled"
    assert seen["watermark_before_unplugging"], "without it nothing may be promised"
    assert seen["watermark_moved_ns"] == 0
    assert "ready_again_after_ms" in seen


def test_another_chip_than_the_headers_is_refused(answers: Answers) -> None:
    assert "expander" in answers["other_chip"]["refused"]


def test_touch_chip_gives_one_slap_a_touch_and_none_a_release(answers: Answers) -> None:
    seen = answers["touches"]
    assert seen["settings_as_written"]
    if seen["delay_ms"]["max"] > STARVED_MS:
        pytest.skip(f"a busy machine starved the guest: {seen['delay_ms']} ms to hear a touch")
    if seen["too_late"]:
        assert seen["slaps"] >= seen["touches"] - seen["too_late"]
        pytest.skip("a busy machine delivered an edge too late; told")
    assert (seen["touches"], seen["slaps"], seen["inside"]) == (24, 24, 24)
    assert seen["warnings"] == []


def test_line_that_was_down_before_is_read_without_an_edge(answers: Answers) -> None:
    assert answers["forgotten_line"]["forced"] >= 1
    assert answers["forgotten_line"]["slaps"] == 0


def test_matrix_shows_the_picture_on_the_wire(answers: Answers) -> None:
    seen = answers["matrix"]
    assert seen["lit"] > 20
    assert seen["wrong_points"] == 0
    assert seen["bits_a_load"] == [64], "four chips in a chain, 16 bits each"
    settings = {"9": 0, "10": 3, "11": 7, "12": 1, "15": 0}
    assert seen["settings"] == [settings] * 4
    assert seen["failures"] == 0
