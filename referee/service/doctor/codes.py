"""Fault codes: what the LED matrix shows, the log and the page say, and the build guide explains.

The only table. E1x camera, E2x pads, E3x display, E4x storage, E5x cards, E6x computer,
E7x settings and network, E8x the program itself.
"""

from __future__ import annotations

from enum import StrEnum

from referee.locale import text

AREA = "doctor"


class Code(StrEnum):
    """A fault, as the display writes it."""

    NO_CAMERA = "E11"
    CAMERA_STALLED = "E12"
    CAMERA_CLOCK = "E13"
    FRAMES_MISSING = "E14"
    EXPOSURE_IGNORED = "E15"
    CAMERA_LIBRARY = "E16"
    HEARTBEAT_LOST = "E21"
    PAD_STUCK = "E22"
    PAD_CHATTERS = "E23"
    EDGES_LOST = "E24"
    PAD_CLOCK = "E25"
    PADS_FAULT = "E26"
    NO_KERNEL_TIME = "E27"
    PINS_CLASH = "E28"
    TOUCH_CHIP_SILENT = "E29"
    NO_DISPLAY = "E31"
    DISPLAY_SHARED = "E32"
    DISK_FULL = "E41"
    DISK_READ_ONLY = "E42"
    LOG_DAMAGED = "E43"
    POWER_CUT = "E44"
    CARD_UNREADABLE = "E51"
    NO_READER = "E52"
    UNDERVOLTAGE = "E61"
    TOO_HOT = "E62"
    NO_DATE = "E63"
    SLEPT = "E64"
    OLD_KERNEL = "E65"
    BAD_SETTINGS = "E71"
    BROKER_AWAY = "E72"
    NO_NETWORK = "E73"
    PROGRAM_FAULT = "E81"
    NOT_WATCHED = "E82"
    NO_RIGHTS = "E83"
    NO_FOLDER = "E84"

    def sentence(self, language: str | None = None) -> str:
        """What is wrong."""
        return text(AREA, _WRONG[self][0], language=language)

    def mend(self, language: str | None = None) -> str:
        """What the family can do."""
        return text(AREA, _WRONG[self][1], language=language)


_WRONG: dict[Code, tuple[str, str]] = {
    Code.NO_CAMERA: (
        "There is no camera.",
        "Switch off, press the flat cable in until it clicks, switch on.",
    ),
    Code.CAMERA_STALLED: (
        "The camera sends no pictures.",
        "The box opens it again by itself; if not, switch it off and on.",
    ),
    Code.CAMERA_CLOCK: ("The camera's time makes no sense.", "Restart the Pi; update libcamera."),
    Code.FRAMES_MISSING: (
        "Pictures are missing.",
        "Set fewer pictures a second; the Pi may be too hot or too busy.",
    ),
    Code.EXPOSURE_IGNORED: (
        "The camera does not keep its exposure.",
        "Run `referee calibrate camera` again.",
    ),
    Code.CAMERA_LIBRARY: (
        "The camera's library cannot be loaded.",
        "Run the installer again: numpy is the wrong one.",
    ),
    Code.HEARTBEAT_LOST: (
        "The pads do not answer.",
        "Check the heartbeat wire; the box tries again by itself.",
    ),
    Code.PAD_STUCK: (
        "A pad has been touched for more than 2 s.",
        "Take hands and drinks off it; dry it.",
    ),
    Code.PAD_CHATTERS: (
        "A pad flutters.",
        "Check its plug and ground; keep its wire away from the LED matrix.",
    ),
    Code.EDGES_LOST: ("Touches came too fast.", "Find the pad that flutters and unplug it."),
    Code.PAD_CLOCK: (
        "The pads' time makes no sense.",
        "Nothing is ruled meanwhile. Restart the Pi; update the system.",
    ),
    Code.PADS_FAULT: (
        "Touches could not be taken over.",
        "The program is at fault; the log has the details. Restart it.",
    ),
    Code.NO_KERNEL_TIME: (
        "The pads have no exact time.",
        "Run `referee doctor`: lgpio is missing or wrong.",
    ),
    Code.PINS_CLASH: (
        "Two things are wired to one pin.",
        "Compare wiring/pins.toml with `referee wiring`.",
    ),
    Code.TOUCH_CHIP_SILENT: (
        "A touch chip does not answer.",
        "Check its I2C wires and its address plug.",
    ),
    Code.NO_DISPLAY: (
        "The LED matrix cannot be reached.",
        "Run the installer again and restart: SPI is off.",
    ),
    Code.DISPLAY_SHARED: (
        "Two programs drive the LED matrix.",
        "Stop the other one: `sudo systemctl stop referee`.",
    ),
    Code.DISK_FULL: (
        "The memory card is full.",
        "Delete old games or pictures; the game goes on meanwhile.",
    ),
    Code.DISK_READ_ONLY: (
        "The memory card cannot be written.",
        "Restart; if it stays, the card is worn out: use a new one.",
    ),
    Code.LOG_DAMAGED: (
        "The record of a game is damaged.",
        "A fresh one was begun; the old one was kept beside it.",
    ),
    Code.POWER_CUT: (
        "The power was cut during a game.",
        "Nothing to do: the game goes on where it was.",
    ),
    Code.CARD_UNREADABLE: (
        "A card cannot be read.",
        "Take hands away, straighten it, or enter it on the page.",
    ),
    Code.NO_READER: ("The card reader does not work.", "Run the installer again."),
    Code.UNDERVOLTAGE: (
        "The power supply is too weak.",
        "Use the official power supply and a short cable.",
    ),
    Code.TOO_HOT: ("The Pi is too hot.", "Give it air or a fan."),
    Code.NO_DATE: (
        "The date is not known.",
        "Games can be played; connect a network to date them rightly.",
    ),
    Code.SLEPT: ("The computer slept.", "Restart it: its clocks have drifted apart."),
    Code.OLD_KERNEL: ("The system loses touches.", "Update it: sudo apt full-upgrade"),
    Code.BAD_SETTINGS: ("The settings are wrong.", "See the line named in `referee doctor`."),
    Code.BROKER_AWAY: (
        "The tournament's server is away.",
        "Games go on; results are sent when it is back.",
    ),
    Code.NO_NETWORK: ("There is no network.", "Games can be played; the page needs a network."),
    Code.PROGRAM_FAULT: (
        "The program made a mistake.",
        "It starts again by itself; the log has the details.",
    ),
    Code.NOT_WATCHED: ("Nobody watches the program.", "Run the installer again."),
    Code.NO_RIGHTS: ("The program may not use a device.", "Run the installer again."),
    Code.NO_FOLDER: (
        "The program has no folder of its own.",
        "Start it as the service, or in a folder that it may write.",
    ),
}
"""Code -> what is wrong, and how to mend it."""
