"""The true delivering thread of lgpio and gpiozero's true lgpio pins, edges put into its pipe."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
HEARTBEAT = 20
SOMEBODY_ELSE = 4

pytestmark = pytest.mark.skipif(
    find_spec("lgpio") is None, reason="lgpio is not installed (pip install lgpio)"
)


def _inject(folder: Path, edges: list[tuple[int, int, int]], *options: str) -> dict[str, Any]:
    """One process a scenario: lgpio has one thread a process, for ever."""
    run = subprocess.run(
        [
            sys.executable,
            str(Path(__file__).parent / "fifo_injector.py"),
            json.dumps(edges),
            *options,
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


def test_kernel_stamps_arrive_exact_and_a_raising_handler_harms_nobody(tmp_path: Path) -> None:
    start = 123_456_789_012_345
    edges = [
        (HEARTBEAT, 1, start),
        (5, 1, start + 777_777),
        (6, 1, start + 888_888),  # B is active low: this is its release
        (6, 0, start + 555_555),  # and this its touch, overtaken on the way
        (-1, 1, start + 600_000),  # the handler raises
        (7, 1, start + 700_000),
        (7, 2, start + 710_000),  # lgpio's own time-out, no edge
        (5, 1, start + 300_000_000),  # the release between was lost
        (HEARTBEAT, 0, start + 320_000_000),
    ]
    answer = _inject(tmp_path, edges)
    assert answer == {
        "stamp": "kernel",
        "slaps": [
            ["B", start + 555_555],
            ["C", start + 700_000],
            ["A", start + 777_777],
            ["A", start + 300_000_000],
        ],
        "warnings": [["fault", 1]],
    }


def test_stall_of_three_seconds_is_sorted(tmp_path: Path) -> None:
    # lgpio sorts a batch by the low 32 bits of a 64-bit difference: 3 s apart come out reversed.
    start = 9_000_000_000
    edges = [
        (HEARTBEAT, 1, start),
        (7, 1, start + 3_100_000_000),
        (5, 1, start + 100_000_000),
        (HEARTBEAT, 0, start + 3_200_000_000),
    ]
    answer = _inject(tmp_path, edges)
    assert [player for player, _ in answer["slaps"]] == ["A", "C"]


def test_stamps_of_another_clock_are_told(tmp_path: Path) -> None:
    start = 9_000_000_000
    edges = [(HEARTBEAT, n % 2, start + n * 20_000_000) for n in range(5)]
    answer = _inject(tmp_path, edges, "--late-clock")
    assert answer["warnings"] == [["clock", 5]]


@pytest.mark.parametrize("options", [(), ("--again",)])
def test_no_handler_ends_the_thread(tmp_path: Path, options: tuple[str, ...]) -> None:
    # lgpio's only thread ends at the first exception and is never started again: a handler of
    # somebody else, or an edge that comes while gpiozero closes its pin, would deafen all pads.
    start = 123_456_789_012_345
    edges = [
        (HEARTBEAT, 1, start),
        (SOMEBODY_ELSE, 1, start + 100_000),
        (5, 1, start + 555_555),
        (HEARTBEAT, 0, start + 25_000_000),
    ]
    answer = _inject(tmp_path, edges, *options)
    assert answer["slaps"] == [["A", start + 555_555]]
    assert answer["warnings"] == []


def test_chattering_touch_keeps_the_stamp_of_its_first_edge(tmp_path: Path) -> None:
    # gpiozero's bounce_time would swallow or move it; the rules' lockout makes it one slap.
    start = 9_000_000_000
    bounces = [start + 1_000_000 * n for n in (0, 1, 3, 4, 8)]
    edges = [
        (HEARTBEAT, 1, start - 1_000_000),
        *((5, 1, t_ns) for t_ns in bounces),
        (HEARTBEAT, 0, start + 40_000_000),
    ]
    answer = _inject(tmp_path, edges)
    assert answer == {"stamp": "kernel", "slaps": [["A", t] for t in bounces], "warnings": []}


NOWHERE = "/proc"
"""A folder in which nobody may make a file, not even root."""
OPEN = """
import os, sys
from hardware.gpio import NoKernelTime, kernel_factory
try:
    kernel_factory()
except NoKernelTime as error:
    print(error)
print(os.getcwd(), hasattr(sys.modules.get("lgpio"), "_notify_thread"))
"""


def _in_nowhere(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT), *sys.path])
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=NOWHERE,
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


@pytest.mark.skipif(Path("/proc/device-tree/model").exists(), reason="this may be a Pi")
@pytest.mark.parametrize("advice", [{}, {"LG_WD": "/tmp"}])
def test_lgpio_is_had_where_nobody_may_write_and_the_folder_stays(advice: dict[str, str]) -> None:
    # Left alone it needs a pipe in the current folder; LG_WD, its advice, moves the whole process.
    alone = _in_nowhere("import lgpio, os; print(os.getcwd())", **advice)
    assert alone.returncode != 0 or alone.stdout.strip() != NOWHERE
    ours = _in_nowhere(OPEN, **advice)
    said, where = ours.stdout.splitlines()
    assert said.startswith("no pins with kernel time stamps: unable to locate Pi revision")
    assert where == f"{NOWHERE} True", ours.stderr
