"""What is spoken, and how espeak-ng is asked for it."""

import array
import shutil
import subprocess
import wave
from pathlib import Path

import pytest

from hardware.announcement import Announcement
from referee.rules.cards import parse_card
from referee.rules.verdicts import CardsMoved, Challenge, Doubt, FalseSlap, OutOfTurn, ValidSlap
from referee.service.announce import announce, announce_fault
from referee.service.voice.speech import LONGEST, PROGRAM, speech_command, spoken

MS = 1_000_000
WON = ValidSlap(
    0, "Bo", "jack", (CardsMoved("pile", "Bo", 14),), margin_ns=45_200_000, width_ns=14 * MS
)
PAID = FalseSlap(0, "Ann", (CardsMoved("Ann", "Bo", 1),), margin_ns=30 * MS)


def said(verdict: object, language: str) -> str:
    announcement = announce(verdict, {"Ann": 1, "Bo": 2}, language)  # type: ignore[arg-type]
    assert announcement is not None
    return spoken(announcement, language)


@pytest.mark.parametrize(
    ("verdict", "english", "german"),
    [
        (
            WON,
            "Bo slapped first (jack): plus 14 cards.",
            "Bo war zuerst dran (Bube): plus 14 Karten.",
        ),
        (
            PAID,
            "False slap by Ann: minus one card.",
            "Falsch geschlagen von Ann: minus eine Karte.",
        ),
        (
            Challenge(0, "Ann", "Bo", 1),
            "Ann demands: Bo owes one card.",
            "Ann fordert: Bo schuldet eine Karte.",
        ),
    ],
)
def test_verdict_is_spoken_in_words_without_milliseconds(
    verdict: object, english: str, german: str
) -> None:
    assert said(verdict, "en") == english
    assert said(verdict, "de") == german


def test_uncertainty_is_not_spoken() -> None:
    assert said(Doubt(0, "Ann", 14 * MS), "en") == (
        "The slap of Ann is too close to call. It costs nothing."
    )


def test_card_is_spoken_by_name() -> None:
    assert "the jack of spades" in said(OutOfTurn(0, "Ann", parse_card("JS")), "en")


def test_fault_is_spoken_with_its_code() -> None:
    assert spoken(announce_fault("E12", language="de"), "de").startswith("E 12: Die ")


def test_names_are_not_changed_and_nothing_is_a_command() -> None:
    odd = Announcement("x", "x", sentence="-w/etc/x and J-1 \x1b[2J \n won 21 cards " + "x" * 500)
    words = spoken(odd, "en")
    assert len(words) == LONGEST
    assert words.startswith("-w/etc/x and J-1 [2J won 21 cards x")
    command = speech_command(words, language="en", volume=50)
    assert command[-2:] == ("--", words)


def test_voice_and_volume_are_those_of_the_settings() -> None:
    command = speech_command("x", language="de", volume=50, voice="de+f3")
    assert command[:5] == ("espeak-ng", "-v", "de+f3", "-a", "70")
    assert speech_command("x", language="de", volume=0)[2:5] == ("de", "-a", "0")


# --- espeak-ng itself: instead of ears ------------------------------------------------------------

needs_espeak = pytest.mark.skipif(
    shutil.which(PROGRAM) is None, reason="espeak-ng is not installed"
)


def _recorded(folder: Path, command: tuple[str, ...]) -> tuple[float, int]:
    """Duration in s and the highest sample of what it would have spoken."""
    path = folder / "speech.wav"
    subprocess.run([*command[:-2], "-w", str(path), *command[-2:]], check=True)
    with wave.open(str(path)) as file:
        samples = array.array("h", file.readframes(file.getnframes()))
        return len(samples) / file.getframerate(), max(map(abs, samples))


@needs_espeak
@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("verdict", [WON, PAID])
def test_sentence_is_audible_and_short(tmp_path: Path, language: str, verdict: object) -> None:
    words = said(verdict, language)
    seconds, peak = _recorded(tmp_path, speech_command(words, language=language, volume=70))
    assert 1.0 < seconds < 5.0
    assert 10_000 < peak < 32_000, "too soft, or cut off"


@needs_espeak
def test_volume_is_heard(tmp_path: Path) -> None:
    peaks = [
        _recorded(tmp_path, speech_command("Hallo", language="de", volume=volume))[1]
        for volume in (0, 20, 60, 100)
    ]
    assert peaks == sorted(peaks)
    assert peaks[0] < 10
    assert peaks[3] > 2 * peaks[1]


@needs_espeak
def test_languages_and_voices_sound_different(tmp_path: Path) -> None:
    heard = set()
    for language, voice in (("de", None), ("en", None), ("de", "de+f3")):
        command = speech_command("Karte", language=language, volume=70, voice=voice)
        _recorded(tmp_path, command)
        heard.add((tmp_path / "speech.wav").read_bytes())
    assert len(heard) == 3
