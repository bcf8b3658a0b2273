"""The Pi's architecture: the wheels install, everything imports, and pictures read the same."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest

from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.world import World
from models.reader import WEIGHTS

pytestmark = pytest.mark.hil
Answers = dict[str, dict[str, Any]]

HERE = Path(__file__).parent
LIMIT_S = 3600
CARDS = 2


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The first card of some games."""
    folder = tmp_path_factory.mktemp("cards")
    paths = []
    for seed in range(CARDS):
        world = World(seed=seed)
        camera = SimulatedCamera(world, fps=5)
        world.advance(world.now_ns + 2_200_000_000)
        paths.append(folder / f"{seed}.png")
        cv2.imwrite(str(paths[-1]), camera.frames()[-1].image)
    return paths


@pytest.mark.parametrize("runner", ["onnxruntime", "opencv"])
def test_reading_on_arm64_is_the_reading_here(
    need: Callable[..., None], run: Callable[..., Answers], pictures: list[Path], runner: str
) -> None:
    need("arm64", "arm64/complete")
    if not list(WEIGHTS.glob("*.onnx")):
        pytest.skip("no trained nets in models/weights")
    script = HERE / "arm64" / "read.py"
    there = run("run_arm64.sh", LIMIT_S, script, runner, *pictures)["run_arm64.sh"]
    here = run("arm64/native.sh", sys.executable, runner, *pictures)["arm64/native.sh"]
    assert (there["machine"], "lgpio" in there["imported"]) == ("aarch64", True)
    assert [one[:2] for one in there["read"]] == [one[:2] for one in here["read"]]
    for ours, theirs in zip(here["read"], there["read"], strict=True):
        assert theirs[2] == pytest.approx(ours[2], abs=1e-3)
    assert any(card for card, _, _ in here["read"])
