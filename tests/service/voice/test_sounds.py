"""What the settings want to be heard."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from hardware.announcement import Announcement, Priority
from referee.service.config import Settings, parse_settings
from referee.service.voice import sounds as sounds_module
from referee.service.voice.mouth import Mouth
from referee.service.voice.sounds import find_player, open_sounds

WON = Announcement("valid_slap", "hand", sentence="Bo won: +2 cards.", priority=Priority.VERDICT)
HOLD = Announcement("hold", "hourglass", sentence="Wait.", priority=Priority.NEWS)
PLAYER = ("play",)


class FakeMouth:
    """Writes down what it is to sound."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, int, list[tuple[str, ...]]]] = []
        self.kept: list[int] = []
        self.closed = False

    def keep(self, now_ns: int) -> None:
        self.kept.append(now_ns)

    def send(self, t_ns: int, priority: int, commands: Sequence[Sequence[str]]) -> None:
        self.sent.append((t_ns, priority, [tuple(one) for one in commands]))

    def close(self) -> None:
        self.closed = True


class FakePin:
    """A buzzer's pin."""

    is_on = closed = False

    def on(self) -> None:
        self.is_on = True

    def off(self) -> None:
        self.is_on = False

    def close(self) -> None:
        self.closed = True


class Opened:
    """Sounds with fakes around them."""

    def __init__(
        self, settings: Settings, language: str = "en", player: tuple[str, ...] | None = PLAYER
    ) -> None:
        self.mouth, self.pin = FakeMouth(), FakePin()
        self.wanted: list[str] = []
        self.sounds = open_sounds(
            settings, language, buzzer=self._pin, mouth=self._mouth, player=player
        )

    def _pin(self) -> FakePin:
        self.wanted.append("buzzer")
        return self.pin

    def _mouth(self) -> Mouth:
        self.wanted.append("mouth")
        return cast(Mouth, self.mouth)


def settings(content: str) -> Settings:
    return parse_settings(content)


def test_box_is_silent_by_default() -> None:
    opened = Opened(Settings())
    opened.sounds.say(WON, 5)
    opened.sounds.step(6)
    opened.sounds.close()
    assert opened.wanted == []


def test_tone_comes_before_the_words() -> None:
    opened = Opened(settings("voice.on = true\nsound.tones = true"))
    opened.sounds.say(WON, 5)
    [(t_ns, priority, [tone, speech])] = opened.mouth.sent
    assert (t_ns, priority) == (5, 2)
    assert tone[0] == "play"
    assert Path(tone[1]).name == "won.wav"
    assert Path(tone[1]).read_bytes().startswith(b"RIFF")
    assert speech[0] == "espeak-ng"
    assert speech[-1] == "Bo won: plus 2 cards."
    opened.sounds.step(7)
    assert opened.mouth.kept == [7]
    opened.sounds.close()
    assert opened.mouth.closed
    assert not Path(tone[1]).exists()


def test_announcement_without_a_tone_or_words_is_not_sent() -> None:
    opened = Opened(settings("sound.tones = true"))
    opened.sounds.say(HOLD, 5)
    assert opened.mouth.sent == []
    opened.sounds.close()
    speaks = Opened(settings("voice.on = true"))
    speaks.sounds.say(Announcement("x", "x"), 5)
    assert speaks.mouth.sent == []


@pytest.mark.parametrize(
    ("by", "player", "wanted"),
    [
        ("auto", PLAYER, ["mouth"]),
        ("auto", None, ["buzzer"]),
        ("loudspeaker", PLAYER, ["mouth"]),
        ("loudspeaker", None, []),
        ("buzzer", PLAYER, ["buzzer"]),
        ("buzzer", None, ["buzzer"]),
    ],
)
def test_tones_come_from_what_is_wanted_and_there(
    by: str, player: tuple[str, ...] | None, wanted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sounds_module, "find_player", lambda: None)
    opened = Opened(settings(f"[sound]\ntones = true\nby = '{by}'"), player=player)
    assert opened.wanted == wanted
    opened.sounds.close()


def test_buzzer_sounds_while_the_voice_speaks() -> None:
    opened = Opened(settings("voice.on = true\n[sound]\ntones = true\nby = 'buzzer'"))
    opened.sounds.say(WON, 0)
    assert opened.pin.is_on
    [(_, _, [speech])] = opened.mouth.sent
    assert speech[0] == "espeak-ng"
    opened.sounds.step(90_000_000)
    assert not opened.pin.is_on
    opened.sounds.close()
    assert opened.pin.closed


@pytest.mark.parametrize(("wanted", "language"), [("", "de"), ("language = 'en'", "en")])
def test_voice_speaks_the_language_of_the_box_or_its_own(wanted: str, language: str) -> None:
    opened = Opened(settings(f"[voice]\non = true\n{wanted}"), "de")
    assert opened.sounds.language == language
    opened.sounds.say(WON, 0)
    assert ("-v", {"de": "de", "en": "en-gb"}[language]) == opened.mouth.sent[0][2][0][1:3]


@pytest.mark.parametrize(
    ("cards", "programs", "expected"),
    [
        (" 0 [vc4hdmi0 ]: vc4-hdmi\n", {"aplay", "paplay"}, ("aplay", "-q")),
        (" 0 [vc4hdmi0 ]: vc4-hdmi\n", {"paplay"}, ("paplay",)),
        (" 0 [vc4hdmi0 ]: vc4-hdmi\n", set(), None),
        ("--- no soundcards ---\n", {"aplay"}, None),
        (None, {"aplay"}, None),
    ],
)
def test_player_needs_a_program_and_a_sound_card(
    tmp_path: Path,
    cards: str | None,
    programs: set[str],
    expected: tuple[str, ...] | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "cards"
    if cards is not None:
        path.write_text(cards)
    monkeypatch.setattr(
        "shutil.which", lambda name: f"/usr/bin/{name}" if name in programs else None
    )
    assert find_player(path) == expected
