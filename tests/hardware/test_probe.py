"""Lines for measuring: contacts and touches, a light that is looped back, and a camera's lock."""

from typing import Any

import pytest

import hardware.lock_finder as finder
from hardware.camera_lock import CameraLock
from hardware.gpio import BadPin, mock_factory
from hardware.lock_finder import EXPOSURE_US, find_lock, lock_of
from hardware.mpr121 import TouchStatus
from hardware.pad_settings import pad_of_kind
from hardware.probe import BlinkLine, PadProbe
from hardware.webcam import BadCamera

NOW_NS = 5_000_000_000


class Chip:
    """A touch chip whose status is told by the test."""

    def __init__(self) -> None:
        self.is_set_up = False
        self.is_touched = False

    def set_up(self) -> None:
        self.is_set_up = True

    def status(self) -> TouchStatus:
        return TouchStatus(self.is_touched)

    def is_running(self) -> bool:
        return True

    def has_baseline(self) -> bool:
        return True


def test_contacts_and_touches_come_with_their_stamps() -> None:
    probe = PadProbe(pad_of_kind("at42qt1010", 5), 20, mock_factory())
    probe.foil_pin.when_changed(4.0, 0)
    probe.foil_pin.when_changed(4.1, 1)
    probe.pad_pin.when_changed(4.01, 1)
    probe.pad_pin.when_changed(4.2, 0)
    assert probe.take() == ([4_000_000_000], [4_010_000_000])
    assert probe.take() == ([], [])
    probe.close()
    probe.close()


def test_foil_is_pulled_up_and_needs_no_resistor() -> None:
    probe = PadProbe(pad_of_kind("at42qt1010", 5), 20, mock_factory())
    assert probe.foil_pin.pull == "up"
    assert probe.foil_pin.state == 1
    probe.close()


def test_touch_chip_s_release_is_no_touch() -> None:
    chip = Chip()
    probe = PadProbe(pad_of_kind("mpr121", 5), 20, mock_factory(), chip=chip, now=lambda: NOW_NS)
    assert chip.is_set_up
    chip.is_touched = True
    probe.pad_pin.when_changed(4.0, 0)
    assert probe.take()[1] == [4_000_000_000]
    chip.is_touched = False
    probe.pad_pin.when_changed(4.5, 0)
    assert probe.take()[1] == []
    probe.close()


def test_foil_on_the_pad_s_own_pin_is_refused() -> None:
    with pytest.raises(BadPin, match="pin 5"):
        PadProbe(pad_of_kind("at42qt1010", 5), 5, mock_factory())


def test_light_is_switched_and_its_line_says_when() -> None:
    factory = mock_factory()
    blink = BlinkLine(21, 20, factory)
    blink.loop_pin.when_changed(1.5, 1)
    blink.loop_pin.when_changed(1.75, 0)
    blink.loop_pin.when_changed(1.8, 2)
    assert blink.take() == [(1_500_000_000, True), (1_750_000_000, False)]
    blink.switch(True)
    assert factory.pin(21).state == 1
    blink.close()


METADATA = {
    "ExposureTime": 16_000,
    "AnalogueGain": 1.5,
    "ColourGains": (2.1, 1.7),
    "LensPosition": 2.341,
}


def test_what_is_lost_in_exposure_is_won_in_gain() -> None:
    lock = lock_of(METADATA, has_motor=True, frames_per_second=120)
    assert lock == CameraLock(EXPOSURE_US, 6.0, (2.1, 1.7), 2.34, 120)
    assert lock.exposure_us * lock.gain == pytest.approx(16_000 * 1.5)


@pytest.mark.parametrize(("light", "gain"), [(100_000, 16.0), (1_000, 1.0)])
def test_gain_stays_within_what_a_sensor_can_do(light: int, gain: float) -> None:
    assert lock_of(METADATA | {"ExposureTime": light}, has_motor=False).gain == gain


@pytest.mark.parametrize("name", list(METADATA))
def test_missing_word_is_one_sentence(name: str) -> None:
    told = {key: value for key, value in METADATA.items() if key != name}
    with pytest.raises(BadCamera, match=name):
        lock_of(told, has_motor=True)


class Automatics:
    """picamera2 while its automatics look."""

    camera_controls = ("AfMode",)
    finds_focus = True

    def __init__(self, number: int) -> None:
        if number > 0:
            raise IndexError("list index out of range")
        self.steps: list[str] = []
        Automatics.newest = self

    def create_video_configuration(self, **options: Any) -> Any:
        return options

    def configure(self, configuration: Any) -> None:
        assert configuration["controls"]["AeEnable"]
        self.steps.append("configure")

    def start(self) -> None:
        self.steps.append("start")

    def autofocus_cycle(self) -> bool:
        return self.finds_focus

    def capture_metadata(self) -> dict[str, Any]:
        return METADATA

    def stop(self) -> None:
        self.steps.append("stop")

    def close(self) -> None:
        self.steps.append("close")


@pytest.fixture
def automatics(monkeypatch: pytest.MonkeyPatch) -> type[Automatics]:
    class Library:
        Picamera2 = Automatics

    monkeypatch.setattr(finder, "import_picamera2", lambda: Library)
    monkeypatch.setattr(Automatics, "finds_focus", True)
    return Automatics


def test_lock_is_found_and_the_camera_given_back(automatics: Any) -> None:
    assert find_lock().gain == 6.0
    assert automatics.newest.steps == ["configure", "start", "stop", "close"]


def test_camera_that_finds_no_focus_is_given_back_too(automatics: Any) -> None:
    automatics.finds_focus = False
    with pytest.raises(BadCamera, match="no focus"):
        find_lock()
    assert automatics.newest.steps[-1] == "close"


def test_camera_that_is_not_there_is_refused(automatics: Any) -> None:
    with pytest.raises(BadCamera, match="no camera 3"):
        find_lock(3)
