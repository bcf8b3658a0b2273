"""Settings of a box: one TOML file, every field with a default, every mistake one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from referee.rules.errors import RefereeError

PadKind = Literal["at42qt1010", "ttp223", "mpr121"]


class BadSettings(RefereeError, ValueError):
    """Settings that cannot be used."""


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the file. Unknown names are refused: a typing error must not pass in silence."""


class CameraSettings(_Section, frozen=True):
    """Where pictures come from and how large a card is in them."""

    deck: Literal["en", "de", "fr", "nl"] = "en"
    """Index letters of the deck."""
    card_height_px: Annotated[float, Meta(ge=60, le=900)] | None = None
    """Height of a card in the picture; None: found by `referee calibrate camera`."""
    zone: tuple[int, int, int, int] | None = None
    """The part of the picture that holds the pile: x, y, width, height in px; None: all of it."""
    frames_per_second: Annotated[int, Meta(ge=5, le=120)] = 60


class DisplaySettings(_Section, frozen=True):
    """The LED matrix."""

    width: Literal[32, 64] = 32
    """In points; the height is 8."""
    brightness: Annotated[int, Meta(ge=0, le=15)] = 3
    block_orientation: Literal[0, 90, -90, 180] = -90


class PadsSettings(_Section, frozen=True):
    """The pads, all of one kind unless calibrated one by one."""

    kind: PadKind = "at42qt1010"
    lockout_ms: Annotated[int, Meta(ge=0, le=1000)] = 120
    """Further touches of a pad within this time are the same slap."""


class PageSettings(_Section, frozen=True):
    """The page for phones and projectors."""

    on: bool = True
    bind: str = "0.0.0.0"
    """Address that is listened on; 127.0.0.1: only this computer sees the page."""
    port: Annotated[int, Meta(ge=1024, le=65535)] = 8080
    names: tuple[str, ...] = ()
    """Further names by which the page may be called; the computer's own ones always may."""
    keep_pictures: bool = False
    """Keep the cropped pictures of the pile after the game."""


class JournalSettings(_Section, frozen=True):
    """Where games are kept."""

    folder: str | None = None
    """None: the service's own folder, else the present one."""


class VoiceSettings(_Section, frozen=True):
    """Spoken announcements, by espeak-ng."""

    on: bool = False
    language: Literal["de", "en"] | None = None
    """None: the language of the box."""
    volume: Annotated[int, Meta(ge=0, le=100)] = 70
    """In percent."""
    voice: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_+-]{0,39}$")] | None = None
    """A voice of espeak-ng, such as "de+f3"; None: the usual one of the language."""


class SoundSettings(_Section, frozen=True):
    """A tone for each kind of verdict."""

    tones: bool = False
    by: Literal["auto", "loudspeaker", "buzzer"] = "auto"
    """auto: the loudspeaker if a program can play on it, else the buzzer."""
    volume: Annotated[int, Meta(ge=0, le=100)] = 50
    """Of the loudspeaker, in percent."""


class OffSettings(_Section, frozen=True):
    """The off button."""

    hold_s: Annotated[int, Meta(ge=1, le=10)] = 2
    """So long it is held."""


class Settings(_Section, frozen=True):
    """A whole settings file."""

    language: Literal["de", "en"] | None = None
    """None: the language of the system."""
    game: Literal["slapjack", "ratscrew", "spit"] = "slapjack"
    players: Annotated[tuple[str, ...], Meta(min_length=2, max_length=10)] = (
        "Ann",
        "Bo",
        "Cy",
        "Di",
    )
    preset: str | None = None
    rules: dict[str, Any] = {}
    """House rules that differ from the preset; `referee rules` lists them."""
    camera: CameraSettings = CameraSettings()
    display: DisplaySettings = DisplaySettings()
    pads: PadsSettings = PadsSettings()
    page: PageSettings = PageSettings()
    journal: JournalSettings = JournalSettings()
    voice: VoiceSettings = VoiceSettings()
    sound: SoundSettings = SoundSettings()
    off: OffSettings = OffSettings()


def parse_settings(content: str, name: str = "settings") -> Settings:
    """Read settings from TOML.

    Args:
        content: The text of the file.
        name: How to call the file in an error.

    Raises:
        BadSettings: It is not TOML, or a field has a wrong name, type or value.
    """
    try:
        settings = msgspec.toml.decode(content, type=Settings)
    except msgspec.ValidationError as error:
        raise BadSettings(f"{name}: {_readable(str(error))}") from error
    except msgspec.DecodeError as error:
        raise BadSettings(f"{name}: not a TOML file: {error} (mend that line)") from error
    if len(set(settings.players)) != len(settings.players):
        raise BadSettings(f"{name}: two players share a name: {', '.join(settings.players)}")
    return settings


def load_settings(path: Path | None) -> Settings:
    """Read a settings file; None gives the defaults.

    Raises:
        BadSettings: It cannot be read, or its content is wrong.
    """
    if path is None:
        return Settings()
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise BadSettings(f"cannot read settings {path}: {reason}, expected a TOML file") from error
    return parse_settings(content, str(path))


def with_camera(settings: Settings, *, deck: str | None) -> Settings:
    """The same settings with another deck before the camera; None keeps it."""
    if deck is None:
        return settings
    camera = msgspec.structs.replace(settings.camera, deck=deck)
    return msgspec.structs.replace(settings, camera=camera)


def _readable(message: str) -> str:
    """Turn "... - at `$.pads.kind`" into "pads.kind: ...", with the values that are allowed."""
    found, _, place = message.partition(" - at `$")
    where = place.strip("`.")
    sentence = found[:1].lower() + found[1:].replace("`", "")
    allowed = _allowed(where)
    if sentence.startswith("invalid enum value") and allowed:
        sentence += f", expected one of: {', '.join(allowed)}"
    if "unknown field" in sentence:
        names = [field.name for field in msgspec.structs.fields(_section(where))]
        sentence += f", expected one of: {', '.join(names)}"
    return f"{where}: {sentence}" if where else sentence


def _section(where: str) -> type[_Section]:
    """The table that a path such as "pads" names."""
    section: type[_Section] = Settings
    for name in filter(None, where.split(".")):
        section = get_type_hints(section)[name]
    return section


def _allowed(where: str) -> list[str]:
    """The words that the field at a path such as "pads.kind" may have."""
    table, _, name = where.rpartition(".")
    hints = get_type_hints(_section(table)) if name else {}
    choices = [hints.get(name), *get_args(hints.get(name))]
    return [str(word) for kind in choices if get_origin(kind) is Literal for word in get_args(kind)]
