"""The real parts of the box: pads, chips and matrix as settings, wiring and calibration say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardware.display import open_matrix
from hardware.mpr121 import open_chip
from hardware.pad_settings import PadSettings, pad_of_kind
from hardware.pads import GpioPads
from hardware.pins import Pins
from hardware.protocols import Display
from referee.service.calibration.file import Calibration
from referee.service.config import BadSettings, DisplaySettings, PadsSettings

TOUCH_CHIP = "mpr121"
"""The kind of pad whose line must be released over I2C."""


def real_pads(
    wanted: PadsSettings,
    players: Sequence[str],
    pins: Pins,
    calibration: Calibration,
    factory: Any,
) -> GpioPads:
    """The pads of the players, with what was measured of each.

    Args:
        wanted: Their kind, and which of them are wired the other way round.
        players: In seat order.
        pins: Where they are wired.
        calibration: Measured delays; a demo's are not used.
        factory: The pins' factory.

    Raises:
        BadSettings: More players than pads are wired.
    """
    if len(players) > len(pins.pads):
        raise BadSettings(
            f"{len(players)} players, but only {len(pins.pads)} pads are wired "
            "(players in the settings, wiring/pins.toml)"
        )
    seated = enumerate(players, 1) if wanted.kind == TOUCH_CHIP else ()
    chips = {player: open_chip(seat) for seat, player in seated}
    pads = {
        player: measured_pad(wanted, pins.pads[seat], seat, calibration)
        for seat, player in enumerate(players, 1)
    }
    return GpioPads(pads, pins.heartbeat_out, pins.heartbeat_in, factory, chips=chips)


def measured_pad(
    wanted: PadsSettings, pin: int, seat: int, calibration: Calibration
) -> PadSettings:
    """A pad with its measured delays, or those of its kind."""
    pad = pad_of_kind(wanted.kind, pin, idle_high=seat in wanted.idle_high)
    measured = calibration.pads.get(seat)
    return measured.apply(pad) if measured is not None and not measured.demo else pad


def open_display(settings: DisplaySettings) -> Display:
    """The matrix as the settings describe it.

    Raises:
        BadDisplay: It cannot be reached.
    """
    return open_matrix(
        settings.width,
        brightness=settings.brightness,
        block_orientation=settings.block_orientation,
    )
