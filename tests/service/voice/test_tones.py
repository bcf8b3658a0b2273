"""Which tone, its sound, and its rhythm on a buzzer."""

from __future__ import annotations

import array
import io
import itertools
import wave

import pytest

from hardware.announcement import Announcement
from hardware.gpio import mock_factory, open_output
from referee.service.announce import SAID, STATES
from referee.service.voice.buzzer import GAP_NS, LEAST_NS, Buzzer, rhythm
from referee.service.voice.queue import STALE_NS
from referee.service.voice.tones import LOUDEST, RATE_HZ, SILENT, TONE_OF, TONES, Note, tone_of, wav

MS = 1_000_000


def test_every_announcement_has_a_tone_or_a_reason_to_have_none() -> None:
    kinds = {*SAID, *STATES, "fault"}
    assert kinds == set(TONE_OF) | set(SILENT)
    assert not set(TONE_OF) & set(SILENT)
    assert set(TONE_OF.values()) == set(TONES)


@pytest.mark.parametrize(
    ("kind", "tone"),
    [("valid_slap", "won"), ("false_slap", "false"), ("fault", "fault"), ("hold", None)],
)
def test_tone_of_an_announcement(kind: str, tone: str | None) -> None:
    assert tone_of(Announcement(kind, "icon")) == tone


def test_no_two_tones_are_alike_on_loudspeaker_or_buzzer() -> None:
    assert len(set(TONES.values())) == len(TONES)
    assert len({tuple(rhythm(name, 0)) for name in TONES}) == len(TONES)


def test_no_tone_lasts_longer_than_a_second() -> None:
    for notes in TONES.values():
        assert sum(note.ms + note.rest_ms for note in notes) <= 1000


def _samples(content: bytes) -> array.array[int]:
    with wave.open(io.BytesIO(content)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE_HZ)
        return array.array("h", file.readframes(file.getnframes()))


@pytest.mark.parametrize("name", TONES)
def test_tone_is_as_long_as_its_notes_and_neither_clicks_nor_clips(name: str) -> None:
    samples = _samples(wav(TONES[name], 100))
    expected_ms = sum(note.ms + note.rest_ms for note in TONES[name])
    assert len(samples) / RATE_HZ * 1000 == pytest.approx(expected_ms, abs=2)
    assert samples[0] == samples[-1] == 0
    assert 0.4 * 32767 < max(map(abs, samples)) <= LOUDEST * 32767 + 1
    steps = [abs(one - other) for one, other in itertools.pairwise(samples)]
    assert max(steps) < 32767 * 0.35


def test_note_has_its_pitch() -> None:
    samples = _samples(wav((Note(440, 1000),), 100))
    rises = sum(one < 0 <= other for one, other in itertools.pairwise(samples))
    assert rises == pytest.approx(440, abs=1)


def test_volume_is_proportional() -> None:
    loud, soft = (max(_samples(wav(TONES["go"], volume))) for volume in (100, 25))
    assert soft == pytest.approx(loud / 4, rel=0.01)
    assert max(_samples(wav(TONES["go"], 0))) == 0


# --- the buzzer -----------------------------------------------------------------------------------


class Pin:
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.is_on = False
        self.closed = 0

    def on(self) -> None:
        self.is_on = True

    def off(self) -> None:
        self.is_on = False

    def close(self) -> None:
        self.closed += 1


def _heard(buzzer: Buzzer, pin: Pin, start_ms: int, end_ms: int) -> list[int]:
    """Milliseconds at which it switched, looked at every millisecond."""
    changes, was = [], pin.is_on
    for t_ms in range(start_ms, end_ms):
        buzzer.step(t_ms * MS)
        if pin.is_on != was:
            was = pin.is_on
            changes.append(t_ms)
    return changes


def test_buzzer_plays_the_rhythm() -> None:
    pin = Pin()
    buzzer = Buzzer(pin)
    buzzer.play("fault", 4, 1000 * MS)
    assert pin.is_on
    assert _heard(buzzer, pin, 1000, 3000) == [1120, 1200, 1320, 1400, 1520]
    assert not pin.is_on


def test_notes_without_a_pause_are_still_told_apart() -> None:
    changes = rhythm("over", 0)
    gaps = [b[0] - a[0] for a, b in zip(changes[1::2], changes[2::2], strict=False)]
    assert gaps == [GAP_NS] * 3
    assert all(
        off[0] - on[0] >= LEAST_NS for on, off in zip(changes[::2], changes[1::2], strict=True)
    )


@pytest.mark.parametrize(("priority", "stops"), [(1, False), (2, True), (3, True)])
def test_less_important_rhythm_does_not_disturb(priority: int, stops: bool) -> None:
    pin = Pin()
    buzzer = Buzzer(pin)
    buzzer.play("false", 2, 0)
    buzzer.play("news", priority, 50 * MS)
    assert _heard(buzzer, pin, 50, 1000)[0] == (100 if stops else 140)


def test_rhythm_that_is_over_disturbs_nobody() -> None:
    pin = Pin()
    buzzer = Buzzer(pin)
    buzzer.play("fault", 4, 0)
    _heard(buzzer, pin, 0, 1000)
    buzzer.play("news", 1, 1000 * MS)
    assert pin.is_on


@pytest.mark.parametrize(("late_ns", "sounds"), [(0, True), (1, False)])
def test_box_that_stalled_does_not_beep_afterwards(late_ns: int, sounds: bool) -> None:
    pin = Pin()
    buzzer = Buzzer(pin)
    buzzer.play("fault", 4, 0)
    buzzer.step(120 * MS)
    assert not pin.is_on
    buzzer._changes = [(200 * MS, True)]
    buzzer.step(200 * MS + STALE_NS + late_ns)
    assert pin.is_on is sounds


def test_closed_buzzer_is_silent_and_gives_its_pin_back_once() -> None:
    pin = Pin()
    buzzer = Buzzer(pin)
    buzzer.play("fault", 4, 0)
    buzzer.close()
    buzzer.close()
    buzzer.play("fault", 4, 0)
    assert (pin.is_on, pin.closed) == (False, 1)


def test_pin_of_the_box_is_switched() -> None:
    factory = mock_factory()
    pin = open_output(15, factory=factory)
    buzzer = Buzzer(pin)
    buzzer.play("go", 1, 0)
    assert pin.value == 1
    buzzer.step(120 * MS)
    assert pin.value == 0
    buzzer.close()
