"""Every key of the settings file, with its type, its default and what it means.

The descriptions are English; the German ones are in the catalogue `settings`. The comments of the
settings file, the sentences about mistakes and `referee settings show` are all made from here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

PadKind = Literal["at42qt1010", "ttp223", "mpr121"]


class WrongValue(ValueError):
    """A value of the wrong type or out of its limits."""


def _about(description: str, **more: str) -> Meta:
    """What a key means; `expected` if its type does not say it, `example` if it has no default."""
    return Meta(description=description, extra=more or None)


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the file. Unknown names are refused: a typing error must not pass in silence."""


class CameraSettings(Section, frozen=True):
    """Where pictures come from and how large a card is in them."""

    deck: Annotated[
        Literal["en", "de", "fr", "nl"],
        _about("Index letters of the deck: en JQKA, de BDKA, fr VDRA, nl BVHA."),
    ] = "en"
    own_deck: Annotated[
        Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}\Z")] | None,
        _about(
            "A deck that was taught with `referee enrol`, which is read better than by its "
            "letters alone. Without it: any deck with the letters above.",
            example='"oma"',
            expected='the name of a deck that was taught (`referee enrol --list`), such as "oma"',
        ),
    ] = None
    card_height_px: Annotated[
        Annotated[float, Meta(ge=60, le=900)] | None,
        _about(
            "Height of a card in the picture, in pixels. "
            "Without it: as `referee calibrate camera` measured it.",
            example="320",
        ),
    ] = None
    zone: Annotated[
        tuple[int, int, int, int] | None,
        _about(
            "The part of the picture that holds the pile: left, top, width, height in pixels. "
            "Without it: as calibrated, else all of it.",
            example="[160, 60, 480, 360]",
            expected="left, top, width and height in pixels, such as [160, 60, 480, 360]",
        ),
    ] = None
    frames_per_second: Annotated[
        Annotated[int, Meta(ge=5, le=120)],
        _about("Pictures a second: up to 60 on a Pi 4, 120 on a Pi 5."),
    ] = 60


class DisplaySettings(Section, frozen=True):
    """The LED matrix."""

    width: Annotated[Literal[32, 64], _about("Points from left to right; it is 8 high.")] = 32
    brightness: Annotated[Annotated[int, Meta(ge=0, le=15)], _about("0 is dim, 15 is bright.")] = 3
    block_orientation: Annotated[
        Literal[0, 90, -90, 180],
        _about("How the modules are turned. Try another one if the letters lie on their side."),
    ] = -90


class PadsSettings(Section, frozen=True):
    """The pads, all of one kind unless calibrated one by one."""

    kind: Annotated[
        PadKind, _about("The touch chips. ttp223 answer up to 60 ms late: good for demos only.")
    ] = "at42qt1010"
    lockout_ms: Annotated[
        Annotated[int, Meta(ge=0, le=1000)],
        _about("Further touches of a pad within so many milliseconds are the same slap."),
    ] = 120
    idle_high: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=8)], ...],
        _about(
            "Seats whose board is high while nobody touches it, as some ttp223 are.",
            expected="numbers of seats, such as [3, 5]",
        ),
    ] = ()


class PageSettings(Section, frozen=True):
    """The page for phones and projectors."""

    on: Annotated[bool, _about("Show the page.")] = True
    bind: Annotated[
        str,
        _about(
            'Who can see it: "0.0.0.0" everybody in your network, "127.0.0.1" only this computer.',
            expected='an address of this computer, such as "0.0.0.0" or "127.0.0.1"',
        ),
    ] = "0.0.0.0"
    port: Annotated[
        Annotated[int, Meta(ge=1024, le=65535)], _about("The number behind the colon: :8080.")
    ] = 8080
    names: Annotated[
        tuple[str, ...],
        _about(
            "Further names by which the page may be called; the computer's own ones always may.",
            expected='names of computers, such as ["games.example.org"]',
        ),
    ] = ()
    keep_pictures: Annotated[
        bool,
        _about(
            "Keep the pictures of the pile after a game. They show cards, and sometimes hands. "
            "Otherwise they are deleted."
        ),
    ] = False


class JournalSettings(Section, frozen=True):
    """Where games are kept."""

    folder: Annotated[
        str | None,
        _about(
            "The folder of the games. Without it: the service's own one, else the present one.",
            example='"/var/lib/referee"',
            expected='a folder that begins with /, such as "/var/lib/referee"',
        ),
    ] = None


class VoiceSettings(Section, frozen=True):
    """Spoken announcements, by espeak-ng."""

    on: Annotated[bool, _about("Speak every verdict (needs espeak-ng and a loudspeaker).")] = False
    language: Annotated[
        Literal["de", "en"] | None,
        _about("What it speaks. Without it: the language of the box.", example='"de"'),
    ] = None
    volume: Annotated[Annotated[int, Meta(ge=0, le=100)], _about("In percent.")] = 70
    voice: Annotated[
        Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_+-]{0,39}\Z")] | None,
        _about(
            "A voice of espeak-ng: the list is printed by `espeak-ng --voices`, and +f3 or +m3 "
            "behind a name changes the speaker. Without it: the usual one of the language.",
            example='"de+f3"',
            expected='the name of a voice of espeak-ng, such as "de+f3"',
        ),
    ] = None


class SoundSettings(Section, frozen=True):
    """A tone for each kind of verdict."""

    tones: Annotated[bool, _about("Sound a tone with every verdict.")] = False
    by: Annotated[
        Literal["auto", "loudspeaker", "buzzer"],
        _about('What sounds. "auto": the loudspeaker if this computer can play, else the buzzer.'),
    ] = "auto"
    volume: Annotated[
        Annotated[int, Meta(ge=0, le=100)], _about("Of the loudspeaker, in percent.")
    ] = 50


class OffSettings(Section, frozen=True):
    """The off button."""

    hold_s: Annotated[
        Annotated[int, Meta(ge=1, le=10)],
        _about("So many seconds it is held. The installer tells the kernel: run it again after."),
    ] = 2


class Settings(Section, frozen=True):
    """A whole settings file."""

    language: Annotated[
        Literal["de", "en"] | None,
        _about(
            "What the box speaks. Without it: the language of the system.",
            example='"de"',
        ),
    ] = None
    game: Annotated[Literal["slapjack", "ratscrew", "spit"], _about("What is played.")] = "slapjack"
    players: Annotated[
        Annotated[tuple[str, ...], Meta(min_length=2, max_length=10)],
        _about(
            "Who sits at pad 1, 2, 3 ... In Spit the first two play.",
            expected='2 to 10 different names, such as ["Ann", "Bo"]',
        ),
    ] = ("Ann", "Bo", "Cy", "Di")
    preset: Annotated[
        Literal["family", "strict", "kids", "tournament", "classic"] | None,
        _about(
            "House rules that go together: `referee rules --preset kids` prints them. "
            "Without it: family.",
            example='"family"',
        ),
    ] = None
    rules: Annotated[
        dict[str, Any], _about("House rules of your own table, on top of the preset.")
    ] = {}
    camera: CameraSettings = CameraSettings()
    display: DisplaySettings = DisplaySettings()
    pads: PadsSettings = PadsSettings()
    page: PageSettings = PageSettings()
    journal: JournalSettings = JournalSettings()
    voice: VoiceSettings = VoiceSettings()
    sound: SoundSettings = SoundSettings()
    off: OffSettings = OffSettings()


def read_value(kind: Any, value: object) -> Any:
    """A value of a TOML file as the type of its field.

    Raises:
        WrongValue: It has another type, or is out of its limits.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise WrongValue(str(error)) from error


def with_values(settings: Settings, values: dict[str, dict[str, Any]]) -> Settings:
    """Settings with other values.

    Args:
        settings: What stays.
        values: Table -> key -> value of the right type; the table "" is the top of the file.
    """
    tables = {
        table: msgspec.structs.replace(getattr(settings, table), **changed)
        for table, changed in values.items()
        if table
    }
    return msgspec.structs.replace(settings, **values.get("", {}), **tables)
