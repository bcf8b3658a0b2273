"""The calibration file: what was written is read back, and a damaged one is one sentence."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.camera_lock import CameraLock
from hardware.pad_settings import pad_of_kind
from referee.service.calibration.file import (
    BadCalibration,
    Calibration,
    CameraMeasured,
    LightMeasured,
    PadMeasured,
    read_calibration,
    to_toml,
    write_calibration,
)

numbers = st.floats(-10, 1000).map(lambda x: round(x, 4))
pads = st.builds(
    PadMeasured,
    fastest_ms=st.floats(-9, 9).map(lambda x: round(x, 4)),
    slowest_ms=st.floats(10, 99).map(lambda x: round(x, 4)),
    median_ms=numbers,
    taps=st.integers(50, 999),
    missed=st.integers(0, 9),
    idle_correlation=st.floats(-1, 1).map(lambda x: round(x, 3)),
    accuracy=st.sampled_from(["competition", "home", "demo"]),
    reasons=st.lists(st.sampled_from(["stamp", "idle"]), max_size=2).map(tuple),
    demo=st.booleans(),
)
cameras = st.builds(
    CameraMeasured,
    card_height_px=numbers,
    zone=st.tuples(*[st.integers(0, 999)] * 4),
    mm_per_px=numbers,
    size=st.tuples(st.integers(1, 999), st.integers(1, 999)),
    edge_px=numbers,
    paper=numbers,
    mat=st.one_of(st.just(()), st.tuples(*[st.tuples(numbers, numbers)] * 4)),
    demo=st.booleans(),
    exposure_us=st.integers(1, 9999) | st.none(),
    gain=numbers | st.none(),
    colour_gains=st.tuples(numbers, numbers) | st.none(),
    lens_dioptres=numbers | st.none(),
)
lights = st.builds(
    LightMeasured,
    *[numbers] * 4,
    st.integers(0, 999),
    st.floats(0, 1).map(lambda x: round(x, 4)),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


@given(
    st.builds(
        Calibration,
        cameras | st.none(),
        st.dictionaries(st.integers(1, 8), pads, max_size=3),
        lights | st.none(),
    )
)
@settings(max_examples=50, deadline=None)
def test_what_is_written_is_read_back(calibration: Calibration) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.toml"
        write_calibration(path, calibration)
        assert read_calibration(path) == calibration
        assert [file.name for file in Path(folder).iterdir()] == ["c.toml"]


def test_missing_file_is_an_empty_calibration(tmp_path: Path) -> None:
    assert read_calibration(tmp_path / "none.toml") == Calibration()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("[camera", "Expected"),
        ("[camera]\nnonsense = 1", "nonsense"),
        ("[camera]\ncard_height_px = 100.0", "missing"),
        ("[pads.left]\n", "invalid literal"),
        ("[oven]\n", "unknown part 'oven'"),
        ("pads = 3", "items"),
    ],
)
def test_damaged_file_is_one_sentence(tmp_path: Path, content: str, reason: str) -> None:
    path = tmp_path / "c.toml"
    path.write_text(content)
    with pytest.raises(BadCalibration, match=rf"(?s){reason}.*calibrate again"):
        read_calibration(path)


def test_pad_that_answers_backwards_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    pad = PadMeasured(12.0, 9.0, 10.0, 100, 0, 0.0, "home")
    path.write_text(to_toml(Calibration(pads={2: pad})))
    with pytest.raises(BadCalibration, match=r"pad 2 answers in 12\.0 to 9\.0 ms"):
        read_calibration(path)


def test_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadCalibration, match="--out"):
        write_calibration(tmp_path / "no" / "c.toml", Calibration())


def test_measured_pad_keeps_its_pin_and_takes_its_latencies() -> None:
    pad = PadMeasured(9.25, 11.5, 10.0, 100, 0, 0.0, "competition").apply(pad_of_kind("mpr121", 7))
    assert (pad.pin, pad.active_high) == (7, False)
    assert (pad.fastest_ns, pad.slowest_ns) == (9_250_000, 11_500_000)


def test_lock_of_a_pi_camera_comes_back_and_a_webcam_has_none() -> None:
    seen = CameraMeasured(170.0, (0, 0, 9, 9), 0.5, (640, 480), 2.0, 200.0)
    assert seen.lock(60) is None
    values = {"exposure_us": 4000, "gain": 2.0, "colour_gains": (2.0, 1.5)}
    locked = CameraMeasured(
        170.0,
        (0, 0, 9, 9),
        0.5,
        (640, 480),
        2.0,
        200.0,
        **values,  # type: ignore[arg-type]
    )
    assert locked.lock(120) == CameraLock(4000, 2.0, (2.0, 1.5), None, 120)
