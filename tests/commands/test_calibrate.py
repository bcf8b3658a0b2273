"""`referee calibrate` without a box: three demos, pictures instead of a camera, bad set-ups."""

from pathlib import Path

import cv2
import numpy as np
import pytest
import typer
from PIL import Image

from hardware.gpio import NoKernelTime
from hardware.protocols import Image as Picture
from hardware.webcam import BadCamera
from referee.commands.calibrate import DEMO_FILE, What, run
from referee.locale import choose_language
from referee.rules.errors import RefereeError
from referee.service.calibration.file import read_calibration
from referee.service.calibration.scene import NoCard
from referee.service.config import Settings


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    choose_language("en")


def _card() -> Picture:
    image = np.full((480, 640, 3), 70, np.uint8)
    cv2.rectangle(image, (250, 150), (370, 318), (225, 225, 225), -1)
    return cv2.GaussianBlur(image, (0, 0), 0.8).astype(np.uint8)


def test_pads_demo_finds_the_latencies_of_the_simulated_chip(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(What.pads, demo=True, seat=[2, 3], taps=60)
    pads = read_calibration(DEMO_FILE).pads
    assert sorted(pads) == [2, 3]
    assert all(9 <= pad.fastest_ms <= 9.4 and 11.6 <= pad.slowest_ms <= 12 for pad in pads.values())
    assert all(pad.accuracy == "demo" and pad.demo for pad in pads.values())
    assert "DEMO" in capsys.readouterr().out


def test_sleepy_chip_is_found_out(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text('[pads]\nkind = "ttp223"\n')
    run(What.pads, demo=True, seat=[1], settings=tmp_path / "s.toml")
    assert {"spread", "idle"} <= set(read_calibration(DEMO_FILE).pads[1].reasons)


def test_second_measurement_keeps_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    run(What.pads, demo=True, seat=[1], taps=50)
    run(What.camera)
    found = read_calibration(DEMO_FILE)
    assert found.pads
    assert found.camera is not None
    assert found.camera.demo, "no camera and no Pi: the simulated table, and it says so"
    assert found.camera.card_height_px == pytest.approx(176, rel=0.012)
    assert "DEMO" in capsys.readouterr().out
    with Image.open("calibration.png") as picture:
        assert picture.width == 1280


def test_light_demo_proves_the_clock() -> None:
    run(What.light, demo=True)
    light = read_calibration(DEMO_FILE).light
    assert light is not None
    assert light.proven
    assert light.line_ns == pytest.approx(9_209, rel=0.02)
    assert abs(light.offset_ns) < 100_000


def test_folder_of_pictures_is_a_camera(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    choose_language("de")
    (tmp_path / "bilder").mkdir()
    cv2.imwrite(str(tmp_path / "bilder" / "1.png"), _card())
    run(What.camera, camera="bilder", out=Path("c.toml"), picture=Path("blick.png"))
    choose_language("en")
    camera = read_calibration(Path("c.toml")).camera
    assert camera is not None
    assert not camera.demo
    assert camera.card_height_px == pytest.approx(169, abs=1)
    said = capsys.readouterr().out
    assert "Maßstab: eine Karte ist 169 px hoch" in said
    assert "DEMO" not in said


def test_bad_view_ends_with_1(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    cv2.imwrite(str(tmp_path / "p" / "1.png"), cv2.GaussianBlur(_card(), (0, 0), 4))
    with pytest.raises(typer.Exit) as stop:
        run(What.camera, camera="p")
    assert stop.value.exit_code == 1


def test_table_without_a_card_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    cv2.imwrite(str(tmp_path / "p" / "1.png"), np.full((480, 640, 3), 70, np.uint8))
    with pytest.raises(NoCard, match="no card in view"):
        run(What.camera, camera="p")


@pytest.mark.parametrize(
    ("what", "options", "error"),
    [
        (What.camera, {"camera": "nowhere.mp4"}, BadCamera),
        (What.camera, {"camera": "x", "demo": True}, RefereeError),
        (What.camera, {"picture": Path("view.nonsense")}, RefereeError),
        (What.camera, {"out": Path("no/c.toml")}, RefereeError),
        (What.pads, {}, NoKernelTime),
        (What.light, {}, NoKernelTime),
    ],
)
def test_set_up_that_cannot_be_is_one_sentence(
    what: What, options: dict[str, object], error: type[RefereeError]
) -> None:
    with pytest.raises(error, match="expected"):
        run(what, **options)  # type: ignore[arg-type]


def test_seat_without_a_pad_is_refused() -> None:
    from hardware.pins import Pins
    from referee.service.calibration.measure_pads import _pad

    with pytest.raises(RefereeError, match="seat 3 has no pad, expected one of 1, 2"):
        _pad(Settings(), Pins({1: 5, 2: 6}, 21, 20), 3)
