"""A tone for each kind of verdict: which one, its notes, and the sound of them.

Every tone also has a rhythm of its own, since the buzzer of the box knows no pitch.
"""

from __future__ import annotations

import array
import io
import math
import sys
import wave
from collections.abc import Mapping
from dataclasses import dataclass

from hardware.announcement import Announcement

RATE_HZ = 22_050
LOUDEST = 0.6
"""Of what 16 bits hold, at 100 percent."""
FADE_MS = 6
"""At both ends of a note: without it, it clicks."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note and the silence behind it."""

    hz: int
    ms: int
    rest_ms: int = 0


TONES: Mapping[str, tuple[Note, ...]] = {
    "won": (Note(659, 90), Note(880, 200)),
    "false": (Note(233, 140, 40), Note(165, 280)),
    "tie": (Note(523, 90, 60), Note(523, 90)),
    "doubt": (Note(392, 60, 60), Note(494, 60, 60), Note(440, 180)),
    "out": (Note(440, 150), Note(349, 150), Note(262, 300)),
    "back": (Note(523, 60, 40), Note(784, 160)),
    "over": (Note(523, 110), Note(659, 110), Note(784, 110), Note(1047, 420)),
    "go": (Note(784, 120),),
    "news": (Note(698, 50),),
    "fault": (Note(880, 120, 80), Note(880, 120, 80), Note(880, 120)),
}
"""Name -> notes."""

TONE_OF: Mapping[str, str] = {
    **dict.fromkeys(("valid_slap", "challenge_won", "judge_award", "pile_choice"), "won"),
    **dict.fromkeys(
        (
            "false_slap",
            "out_of_turn",
            "illegal_play",
            "illegal_move",
            "illegal_spit",
            "judge_penalty",
            "locked_out",
        ),
        "false",
    ),
    **dict.fromkeys(("tie", "split", "tie_play"), "tie"),
    **dict.fromkeys(
        ("doubt", "let", "ask_table", "unreadable", "recount", "deadlock", "cycling"), "doubt"
    ),
    **dict.fromkeys(("out_of_cards", "eliminated"), "out"),
    **dict.fromkeys(("back_in", "pile_returned"), "back"),
    **dict.fromkeys(("game_over", "round_over"), "over"),
    **dict.fromkeys(("deal", "go", "stuck", "not_stuck", "ready"), "go"),
    **dict.fromkeys(
        (
            "challenge",
            "challenge_stopped",
            "correction",
            "voided_flip",
            "count_fixed",
            "single_pile",
            "hands_off",
            "paused",
        ),
        "news",
    ),
    **dict.fromkeys(("fault", "suspended"), "fault"),
}
"""Kind of announcement -> tone."""

SILENT: Mapping[str, str] = {
    "hold": "the verdict follows, and two tones for one slap would be one too many",
    "pending_slap": "the verdict follows",
    "demo": "it stands on the display all the time",
}
"""Kind of announcement -> why it has no tone."""


def tone_of(announcement: Announcement) -> str | None:
    """The name of its tone; None: it has none."""
    return TONE_OF.get(announcement.kind)


def wav(notes: tuple[Note, ...], volume: int) -> bytes:
    """Notes as a WAV file: one channel, 16 bits.

    Args:
        notes: One of `TONES`.
        volume: In percent.
    """
    samples = array.array("h")
    for note in notes:
        samples.extend(_note(note, volume))
        samples.extend([0] * (note.rest_ms * RATE_HZ // 1000))
    if sys.byteorder == "big":
        samples.byteswap()
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(samples.tobytes())
    return content.getvalue()


def _note(note: Note, volume: int) -> list[int]:
    """A sine with a little of its octave, so that small loudspeakers carry it."""
    n = note.ms * RATE_HZ // 1000
    fade = FADE_MS * RATE_HZ // 1000
    top = 32767 * LOUDEST * volume / 100
    step = 2 * math.pi * note.hz / RATE_HZ
    return [
        round(
            top
            * min(1.0, i / fade, (n - 1 - i) / fade)
            * (0.8 * math.sin(step * i) + 0.2 * math.sin(2 * step * i))
        )
        for i in range(n)
    ]
