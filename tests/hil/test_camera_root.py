"""PiCamera on the true picamera2 and libcamera, whose virtual camera plays rendered piles."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.simulated.table import FIELD_MM
from models.reader import WEIGHTS, Reader
from models.watch import PileWatcher
from referee.rules.cards import UNREAD
from referee.rules.events import Flip

pytestmark = pytest.mark.hil
Answers = dict[str, dict[str, Any]]

FRAMES = 300
SEED, SECONDS = 3, 9.0
CARD_PX = 176.0
ZONE_MM = (188.0, 176.0)


@pytest.fixture(scope="module")
def taken(need: Callable[..., None], run: Callable[..., Answers], cache: Path) -> dict[str, Any]:
    """Rendered, played by the virtual camera, taken by PiCamera."""
    need("camera", "camera/complete", root=True)
    root = cache / "camera"
    drawn = run(
        "camera/render.sh", sys.executable, root / "opt/frames",
        root / "usr/share/libcamera/pipeline/virtual/virtual.yaml", SEED, SECONDS,
    )["camera/render.sh"]  # fmt: skip
    seen = run("run_camera.sh", 240, FRAMES, "/opt/taken")["run_camera.sh"]
    return seen | {"flips": drawn["flips"], "rendered": drawn["frames"]}


def test_clock_and_settings_are_proven_on_the_true_library(taken: dict[str, Any]) -> None:
    assert taken["state"] == "ready"
    assert (taken["stamp"], taken["line_ns"], taken["exposure_ns"]) == ("kernel", 33_670, 4_000_000)
    assert taken["faults"] == 0
    assert taken["implausible"] == 0


def test_library_that_gives_no_more_frames_is_started_again(taken: dict[str, Any]) -> None:
    seen = taken["hang"]
    assert (seen["hung"], seen["restarted"], seen["state_again"]) == ("stale", "starting", "ready")
    assert seen["stale_after_s"] > 0.4
    assert seen["frames_again"] >= 30


def test_frames_before_the_proof_are_held_back(taken: dict[str, Any]) -> None:
    # 50 prove the clock; of the first three the settings are not in force yet.
    assert taken["frames"] >= FRAMES
    assert taken["taken"] - taken["frames"] >= 50


def test_stamps_go_forward_and_are_of_the_near_past(taken: dict[str, Any]) -> None:
    assert taken["sorted"]
    assert 0 < taken["age_ms"]["median"] < 200


def test_pictures_are_the_rendered_ones_in_their_order(taken: dict[str, Any], cache: Path) -> None:
    root = cache / "camera/opt"
    rendered = [_small(path) for path in sorted((root / "frames").glob("*.jpg"))]
    last, jumps = None, 0
    for path in sorted((root / "taken").glob("*.png"))[::10]:
        small = _small(path)
        far = [float(np.mean(np.abs(small - one))) for one in rendered]
        nearest = int(np.argmin(far))
        assert far[nearest] < 6, path.name
        if last is not None and (nearest - last) % len(rendered) > len(rendered) // 2:
            jumps += 1  # still pictures look alike: a step back may be a tie
        last = nearest
    assert jumps <= 3


def _small(path: Path) -> np.ndarray[Any, Any]:
    picture = cv2.imread(str(path))
    return cv2.resize(picture, (160, 120), interpolation=cv2.INTER_AREA).astype(np.int16)


def test_cards_are_read_as_they_lie_on_the_rendered_pile(
    taken: dict[str, Any], cache: Path
) -> None:
    if not list(WEIGHTS.glob("*.onnx")):
        pytest.skip("no trained nets in models/weights")
    scale = 640 / FIELD_MM[0]
    width, height = (round(mm * scale) for mm in ZONE_MM)
    zone = ((640 - width) // 2, (480 - height) // 2, width, height)
    watcher = PileWatcher(Reader(), zone=zone, card_height_px=CARD_PX)
    read: list[str] = []
    pictures = sorted((cache / "camera/opt/taken").glob("*.png"))
    for path, t_ns in zip(pictures, taken["stamps"], strict=True):
        image = np.asarray(cv2.imread(str(path)), np.uint8)
        seen = watcher.see(image, t_ns=t_ns, exposure_ns=4_000_000, line_ns=33_670)
        read += [str(one.card) for one in seen if isinstance(one, Flip)]
    print("read", read, "of", taken["flips"])
    known = [card for card in read if card != str(UNREAD)]
    assert set(known) <= set(taken["flips"])
    assert _in_order(known, taken["flips"])
    assert len(known) >= len(taken["flips"]) / 2
    assert len(read) - len(known) <= 2, "where the film begins anew, a pile changes at once"


def _in_order(read: list[str], flips: list[str]) -> bool:
    """The film is played again and again: each card is one of the next ones after the last."""
    places = [flips.index(card) for card in read]
    steps = [(b - a) % len(flips) for a, b in pairwise(places)]
    return all(1 <= step <= 3 for step in steps)
