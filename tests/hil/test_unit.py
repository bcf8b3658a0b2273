"""The unit, booted for real: ready, watchdog, restart, stop, and what its sandbox lets through.

The box was put there by install.sh. It has no pins and no camera, so it plays at the drawn table;
everything else of the unit is as on a Pi.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hardware.drawing import draw
from referee.locale import choose_language
from referee.service.announce import announce_state

pytestmark = pytest.mark.hil
Answers = dict[str, dict[str, Any]]

LIMIT_S = 2400


@pytest.fixture(scope="module")
def answers(need: Callable[..., None], run: Callable[..., Answers]) -> Answers:
    """One container for all questions."""
    need("unit", "unit/complete", root=True)
    return run("run_unit.sh", LIMIT_S)


def test_unit_gets_ready_with_its_page(answers: Answers) -> None:
    seen = answers["start"]
    assert seen["ready_after_s"] is not None
    assert seen["status"]
    assert seen["page_after_s"] is not None
    assert seen["processes"] >= 2
    assert any(name.endswith(".db") for name in seen["files"]), "the journal is in its own folder"
    assert not any("Microsoft" in name for name in seen["files"]), "no library reports to anybody"


def test_matrix_says_hands_off_within_two_seconds_of_the_start(answers: Answers) -> None:
    # At the bus's interface; the wire itself is shown in the guest. On a busy machine the clock
    # says nothing: then the time that the program computed for counts, with a Pi 4's factor of 4.
    seen = answers["first_picture"]
    chips: list[dict[int, int]] = [{} for _ in range(4)]
    for values in seen["writes"]:
        for chip, at in enumerate(range(0, len(values), 2)):
            chips[chip][values[at]] = values[at + 1]
    settings = dict.fromkeys((9, 15), 0) | {10: 3, 11: 7, 12: 1}
    assert [{name: chip[name] for name in settings} for chip in chips] == [settings] * 4
    lit = sum(chip[row].bit_count() for chip in chips for row in range(1, 9))
    choose_language("en")
    assert lit == int(np.sum(np.asarray(draw(announce_state("hands_off"), (32, 8)))))
    assert seen["after_s"] < 2 or 4 * seen["cpu_s"] < 2


def test_unit_runs_without_rights(answers: Answers) -> None:
    process = answers["start"]["process"]
    assert process["Uid"].split()[0] != "0"
    assert len(process["Groups"].split()) >= 6
    assert (process["NoNewPrivs"], process["Seccomp"]) == ("1", "2")
    assert int(process["CapEff"], 16) == 0


def test_page_that_dies_comes_back_and_the_box_stays(answers: Answers) -> None:
    seen = answers["page_dies"]
    assert seen["had_a_page"]
    assert seen["same_box"]
    assert seen["page_back_after_s"] is not None


def test_box_that_hangs_is_ended_by_the_watchdog_and_started_again(answers: Answers) -> None:
    seen = answers["hang"]
    assert seen["watchdog"]
    assert (seen["restarts"], seen["back_after_s"] is not None) == ("1", True)


def test_box_that_is_killed_is_started_again(answers: Answers) -> None:
    seen = answers["kill"]
    assert (seen["restarts"], seen["back_after_s"] is not None) == ("2", True)


def test_update_that_does_not_start_goes_back_with_the_games(answers: Answers) -> None:
    seen = answers["bad_update"]
    if seen["code"] == 2:
        pytest.skip(seen["said"])
    assert seen["code"] == 1, seen["said"]
    assert "does not start: going back" in seen["said"]
    assert (seen["same_release"], seen["releases"], seen["games_are_back"]) == (True, 1, True)
    assert seen["ready_after_s"] is not None
    assert seen["status"]


def test_box_stops_in_order_and_leaves_nothing(answers: Answers) -> None:
    seen = answers["stop"]
    assert (seen["result"], seen["state"]) == ("success", "inactive")
    assert seen["still_running"] == []
    assert seen["runtime_folder_gone"]


def test_sandbox_lets_through_what_the_box_needs_and_nothing_else(answers: Answers) -> None:
    seen = answers["sandbox"]
    assert set(seen["allowed"].values()) == {"done"}, seen["allowed"]
    assert [name for name, said in seen["forbidden"].items() if said == "done"] == []
    assert seen["user"]


def test_libraries_live_in_the_sandbox(answers: Answers) -> None:
    # picamera2 and libcamera among them; without writable code, and with a short list of calls.
    seen = answers["sandbox"]
    assert set(seen["libraries"].values()) == {"done"}, seen["libraries"]
    assert seen["cards are read"] == "done"
