"""Announcement -> words for the ear -> the command that speaks them."""

from __future__ import annotations

import re

from hardware.announcement import Announcement
from referee.locale import text

AREA = "voice"
PROGRAM = "espeak-ng"
LONGEST = 300
"""Letters that are spoken; no announcement is longer."""
WORDS_PER_MINUTE = 165
LOUDEST = 140
"""espeak-ng's amplitude at 100 percent. Measured on a sentence in three voices: up to 98 nothing
comes near the top of 16 bits, at 140 at most one sample in a thousand does, at 200 three do."""
VOICES = {"de": "de", "en": "en-gb"}

_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])\s+")
_MEASURED = re.compile(r"\d\s*ms\b")
_CODE = re.compile(r"\bE(\d\d)\b")
_SIGNED = re.compile(r"(?<![\w.])([+\-−×])(?=\d)")
_ONE_CARD = re.compile(r"(?<![\d.,+-])\b1 (?:card|Karte)\b")

SIGNS = {"+": "plus ", "-": "minus ", "−": "minus ", "×": "times "}


def spoken(announcement: Announcement, language: str) -> str:
    """The words of an announcement that are spoken.

    Margins and uncertainties are left out: they stand on the page, and nobody can hear them out
    before the next card. Signs become words, since not every voice says them.

    Args:
        announcement: Its sentence is in that language.
        language: "de" or "en".
    """
    sentences = _BETWEEN_SENTENCES.split(announcement.sentence)
    heard = " ".join(one for one in sentences if not _MEASURED.search(one))
    heard = "".join(letter if letter.isprintable() else " " for letter in heard)
    heard = _CODE.sub(r"E \1", heard)
    heard = _SIGNED.sub(lambda sign: text(AREA, SIGNS[sign[1]], language=language), heard)
    heard = _ONE_CARD.sub(text(AREA, "one card", language=language), heard)
    return " ".join(heard.split())[:LONGEST]


def speech_command(
    words: str, *, language: str, volume: int, voice: str | None = None
) -> tuple[str, ...]:
    """The command that speaks.

    Args:
        words: From `spoken`.
        language: "de" or "en".
        volume: In percent.
        voice: A voice of espeak-ng; None: the usual one of the language.
    """
    return (
        PROGRAM,
        "-v",
        voice or VOICES[language],
        "-a",
        str(volume * LOUDEST // 100),
        "-s",
        str(WORDS_PER_MINUTE),
        "--",
        words,
    )
