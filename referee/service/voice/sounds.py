"""What the box says aloud, as the settings want it: a voice, tones, both or neither."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from hardware.announcement import Announcement
from referee.service.settings.fields import Settings, SoundSettings, VoiceSettings
from referee.service.voice.buzzer import Buzzer, Switch
from referee.service.voice.mouth import Mouth
from referee.service.voice.speech import speech_command, spoken
from referee.service.voice.tones import TONES, tone_of, wav

Command = tuple[str, ...]

PLAYERS = {"aplay": ("aplay", "-q"), "paplay": ("paplay",)}
"""Program -> the command that plays a WAV file, in the order in which they are looked for."""
SOUND_CARDS = Path("/proc/asound/cards")


class Voice:
    """Announcements as commands that speak."""

    def __init__(self, settings: VoiceSettings, language: str) -> None:
        """Args: [voice] of the settings; the language of the announcements."""
        self._settings, self._language = settings, language

    def command(self, announcement: Announcement) -> Command | None:
        """The command that speaks it; None: there is nothing to say."""
        words = spoken(announcement, self._language)
        if not words:
            return None
        return speech_command(
            words,
            language=self._language,
            volume=self._settings.volume,
            voice=self._settings.voice,
        )

    def close(self) -> None:
        """Nothing is held."""


class Tones:
    """Announcements as commands that play a tone."""

    def __init__(self, settings: SoundSettings, player: Command) -> None:
        """Args: [sound] of the settings; the command that plays a WAV file."""
        self._player = player
        self._folder = tempfile.TemporaryDirectory(prefix="referee-tones-")
        for name, notes in TONES.items():
            self._file(name).write_bytes(wav(notes, settings.volume))

    def command(self, announcement: Announcement) -> Command | None:
        """The command that plays its tone; None: it has none."""
        tone = tone_of(announcement)
        return None if tone is None else (*self._player, str(self._file(tone)))

    def close(self) -> None:
        """Delete the tones. Safe to call twice."""
        self._folder.cleanup()

    def _file(self, tone: str) -> Path:
        return Path(self._folder.name) / f"{tone}.wav"


class Sounds:
    """Everything that can be heard: first the tone, then the words."""

    def __init__(
        self,
        language: str,
        *,
        mouth: Mouth | None = None,
        tones: Tones | None = None,
        voice: Voice | None = None,
        buzzer: Buzzer | None = None,
    ) -> None:
        """Take what there is; nothing is a silent box.

        Args:
            language: The one in which announcements are expected.
            mouth: The process that sounds; None: neither tones nor voice.
            tones: By loudspeaker.
            voice: By loudspeaker.
            buzzer: Sounds the rhythm of the tones.
        """
        self.language = language
        self._mouth, self._buzzer = mouth, buzzer
        self._parts = [part for part in (tones, voice) if part is not None]

    def say(self, announcement: Announcement, now_ns: int) -> None:
        """Say something aloud; returns at once."""
        tone = tone_of(announcement)
        if self._buzzer is not None and tone is not None:
            self._buzzer.play(tone, announcement.priority, now_ns)
        commands = [command for part in self._parts if (command := part.command(announcement))]
        if self._mouth is not None and commands:
            self._mouth.send(now_ns, announcement.priority, commands)

    def step(self, now_ns: int) -> None:
        """Call it in every round of the loop."""
        if self._buzzer is not None:
            self._buzzer.step(now_ns)
        if self._mouth is not None:
            self._mouth.keep(now_ns)

    def close(self) -> None:
        """Fall silent. Safe to call twice."""
        for part in (self._mouth, self._buzzer, *self._parts):
            if part is not None:
                part.close()


def open_sounds(
    settings: Settings,
    language: str,
    *,
    buzzer: Callable[[], Switch | None] = lambda: None,
    mouth: Callable[[], Mouth] = Mouth,
    player: Command | None = None,
) -> Sounds:
    """Open what the settings want.

    Args:
        settings: [voice] and [sound] are read.
        language: Of the box, "de" or "en"; the voice may have another one.
        buzzer: Opens the buzzer's pin, if it is wanted; None: there is none.
        mouth: Makes the process that sounds; exchanged in tests.
        player: The command that plays a WAV file; None: looked for.
    """
    wanted = settings.sound
    player = player or find_player()
    tones = switch = None
    if wanted.tones and wanted.by != "buzzer" and player is not None:
        tones = Tones(wanted, player)
    elif wanted.tones and wanted.by != "loudspeaker":
        switch = buzzer()
    language = settings.voice.language or language
    voice = Voice(settings.voice, language) if settings.voice.on else None
    return Sounds(
        language,
        mouth=mouth() if tones or voice else None,
        tones=tones,
        voice=voice,
        buzzer=Buzzer(switch) if switch is not None else None,
    )


def find_player(cards: Path = SOUND_CARDS) -> Command | None:
    """The command that plays a WAV file here; None: there is no program or no sound card."""
    try:
        has_card = "[" in cards.read_text(encoding="utf-8")
    except OSError:
        has_card = False
    if not has_card:
        return None
    return next((words for name, words in PLAYERS.items() if shutil.which(name)), None)
