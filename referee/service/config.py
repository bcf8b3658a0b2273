"""Settings of a box: one TOML file, every field with a default, every mistake one sentence."""

from __future__ import annotations

from pathlib import Path

from models.decks import LANGUAGES
from models.enrol.profile import deck_language
from referee.service.settings.check import check
from referee.service.settings.fields import (
    CameraSettings,
    DisplaySettings,
    JournalSettings,
    OffSettings,
    PadKind,
    PadsSettings,
    PageSettings,
    Settings,
    SoundSettings,
    VoiceSettings,
    with_values,
)
from referee.service.settings.mistakes import BadSettings, Mistake, Words, refusal

__all__ = [
    "BOX_SETTINGS",
    "BadSettings",
    "CameraSettings",
    "DisplaySettings",
    "JournalSettings",
    "Mistake",
    "OffSettings",
    "PadKind",
    "PadsSettings",
    "PageSettings",
    "Settings",
    "SoundSettings",
    "VoiceSettings",
    "load_or_safe",
    "load_settings",
    "parse_settings",
    "read_settings",
    "with_camera",
]

BOX_SETTINGS = Path("/etc/referee/referee.toml")
"""The file of a box that was installed."""
MOST_BYTES = 100_000
"""A settings file is a few hundred lines; more is another file."""


def parse_settings(content: str, name: str = "settings") -> Settings:
    """Read settings from TOML.

    Args:
        content: The text of the file.
        name: How to call the file in an error.

    Raises:
        BadSettings: It is not TOML, or a field has a wrong name, type or value. The sentence is
            about the first mistake; `mistakes` holds all of them.
    """
    settings, _, mistakes = check(content, name)
    if mistakes:
        raise refusal(mistakes)
    return settings


def load_settings(path: Path | None) -> Settings:
    """Read a settings file; None gives the defaults.

    Raises:
        BadSettings: It cannot be read, or its content is wrong.
    """
    settings, mistakes = load_or_safe(path)
    if mistakes:
        raise refusal(mistakes)
    return settings


def load_or_safe(path: Path | None) -> tuple[Settings, list[Mistake]]:
    """Read a settings file, with defaults for whatever is wrong in it.

    A box with mistakes must not play, but needs its language, its display and its page to say so.

    Returns:
        The settings and all mistakes, by line; none if the file is good.
    """
    if path is None:
        return Settings(), []
    content, mistake = read_settings(path)
    if mistake is not None:
        return Settings(), [mistake]
    settings, _, mistakes = check(content, str(path))
    return settings, mistakes


def read_settings(path: Path) -> tuple[str, Mistake | None]:
    """The text of a settings file, or what keeps it from being read."""
    try:
        content = path.read_bytes()
        if len(content) > MOST_BYTES:
            return "", _unread(path, Words("it has more than {n} bytes", n=MOST_BYTES))
        return content.decode("utf-8-sig"), None
    except OSError as error:
        return "", _unread(path, Words("it cannot be read: {reason}", reason=error.strerror))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        mend = Words("save it as UTF-8")
        return "", _unread(path, Words("letters that are not UTF-8"), line, mend)


def _unread(
    path: Path, found: Words, line: int | None = None, mend: Words | None = None
) -> Mistake:
    example = Words("`referee settings show --commented` writes one")
    return Mistake(str(path), line, "", found, Words("a TOML file"), mend or example)


def with_camera(settings: Settings, *, deck: str | None) -> Settings:
    """The same settings with another deck before the camera; None keeps it.

    Raises:
        BadProfile: No letters are called so, and no deck of that name was taught.
    """
    if deck is None:
        return settings
    own = None if deck in LANGUAGES else deck
    return with_values(settings, {"camera": {"deck": deck_language(deck), "own_deck": own}})
