"""The calibration file: TOML that `referee calibrate` writes, part by part, and the box reads."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from hardware.camera import CameraLock
from hardware.clock import NS_PER_MS
from hardware.pad_settings import PadSettings
from referee.rules.errors import RefereeError

STATE_FILE = Path("/var/lib/referee/calibration.toml")
"""Where the box keeps it."""
TITLE = "# Measured by `referee calibrate`. Do it again after moving anything; delete to forget.\n"


class BadCalibration(RefereeError, ValueError):
    """A calibration file that cannot be used."""


@dataclass(frozen=True, slots=True)
class CameraMeasured:
    """Part [camera]; the first two names are those of the settings file."""

    card_height_px: float
    zone: tuple[int, int, int, int]
    mm_per_px: float
    size: tuple[int, int]
    edge_px: float
    paper: float
    mat: tuple[tuple[float, float], ...] = ()
    demo: bool = False
    exposure_us: int | None = None
    gain: float | None = None
    colour_gains: tuple[float, float] | None = None
    lens_dioptres: float | None = None

    def lock(self, frames_per_second: int) -> CameraLock | None:
        """Settings for the Pi's camera; None: another camera was measured."""
        if self.exposure_us is None or self.gain is None or self.colour_gains is None:
            return None
        return CameraLock(
            self.exposure_us, self.gain, self.colour_gains, self.lens_dioptres, frames_per_second
        )


@dataclass(frozen=True, slots=True)
class PadMeasured:
    """Part [pads.SEAT]."""

    fastest_ms: float
    slowest_ms: float
    median_ms: float
    taps: int
    missed: int
    idle_correlation: float
    accuracy: str
    """"competition", "home" or "demo"."""
    reasons: tuple[str, ...] = ()
    demo: bool = False

    def apply(self, pad: PadSettings) -> PadSettings:
        """The pad with its measured latencies."""
        return replace(
            pad,
            fastest_ns=round(self.fastest_ms * NS_PER_MS),
            slowest_ns=round(self.slowest_ms * NS_PER_MS),
        )


@dataclass(frozen=True, slots=True)
class LightMeasured:
    """Part [light]."""

    line_ns: float
    offset_ns: float
    line_error_ns: float
    offset_error_ns: float
    switches: int
    agreement: float
    line_measured: bool
    proven: bool
    demo: bool = False


@dataclass(frozen=True, slots=True)
class Calibration:
    """A whole file; what was not measured is missing."""

    camera: CameraMeasured | None = None
    pads: dict[int, PadMeasured] = field(default_factory=dict)
    """Seat -> pad."""
    light: LightMeasured | None = None


def calibration_file() -> Path:
    """The box's own file, if this is a box; else one in this folder."""
    return STATE_FILE if STATE_FILE.parent.is_dir() else Path("calibration.toml")


def read_calibration(path: Path) -> Calibration:
    """Read a calibration; a missing file is an empty one.

    Raises:
        BadCalibration: It cannot be read, or something in it cannot be.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Calibration()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadCalibration(
            f"cannot read {path}: {error} (delete it and calibrate again)"
        ) from error
    try:
        return _calibration(tables)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise BadCalibration(
            f"{path}: not a calibration: {error} (delete it and calibrate again)"
        ) from error


def write_calibration(path: Path, calibration: Calibration) -> None:
    """Write a calibration whole or not at all.

    Raises:
        BadCalibration: The file cannot be written.
    """
    unfinished = path.with_name(path.name + ".new")
    try:
        unfinished.write_text(to_toml(calibration), encoding="utf-8")
        os.replace(unfinished, path)
    except OSError as error:
        raise BadCalibration(
            f"cannot write {path}: {error.strerror}, expected a file of ours (--out)"
        ) from error


def to_toml(calibration: Calibration) -> str:
    """The text of a calibration file."""
    parts = [TITLE]
    if calibration.camera:
        parts.append(_table("camera", calibration.camera))
    for seat, pad in sorted(calibration.pads.items()):
        parts.append(_table(f"pads.{seat}", pad))
    if calibration.light:
        parts.append(_table("light", calibration.light))
    return "\n".join(parts)


def _table(name: str, measured: Any) -> str:
    lines = [f"[{name}]"]
    for place in fields(measured):
        value = getattr(measured, place.name)
        if value is not None and value != ():
            lines.append(f"{place.name} = {_value(value)}")
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        return f'"{value}"'  # only words of our own: nothing to escape
    return repr(round(value, 4) if isinstance(value, float) else value)


def _calibration(tables: dict[str, Any]) -> Calibration:
    unknown = set(tables) - {"camera", "pads", "light"}
    if unknown:
        raise ValueError(f"unknown part {sorted(unknown)[0]!r}")
    camera, light = tables.get("camera"), tables.get("light")
    return Calibration(
        camera=CameraMeasured(**_frozen(camera)) if camera else None,
        pads={int(seat): _pad(pad, seat) for seat, pad in tables.get("pads", {}).items()},
        light=LightMeasured(**_frozen(light)) if light else None,
    )


def _pad(table: dict[str, Any], seat: str) -> PadMeasured:
    pad = PadMeasured(**_frozen(table))
    if not pad.fastest_ms <= pad.slowest_ms:
        raise ValueError(f"pad {seat} answers in {pad.fastest_ms} to {pad.slowest_ms} ms")
    return pad


def _frozen(table: dict[str, Any]) -> dict[str, Any]:
    return {name: _tuple(value) for name, value in table.items()}


def _tuple(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value
