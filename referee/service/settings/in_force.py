"""What is in force, and where each value comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.rules.house_rules import HouseRules
from referee.rules.presets import preset_options, preset_rules
from referee.service.calibration.file import Calibration
from referee.service.settings.fields import Settings
from referee.service.settings.keys import RULES, keys
from referee.service.settings.mistakes import Words
from referee.service.settings.rules_part import options_of
from referee.service.settings.statements import Document

DEFAULT = Words("default")
NOT_SET = Words("not set")


@dataclass(frozen=True, slots=True)
class InForce:
    """One value."""

    path: str
    value: Any
    """None: nothing is set; the description of the key says what happens then."""
    origin: Words


def in_force(settings: Settings, document: Document, calibration: Calibration) -> list[InForce]:
    """Every key and every house rule of the game with its value, in the order of the file.

    Args:
        settings: What was read from the file.
        document: The file, with its lines.
        calibration: What was measured; it counts where the file says nothing.
    """
    found = [_key(path, settings, document, calibration) for path in keys()]
    return found + list(_rules(settings, document))


def _key(path: str, settings: Settings, document: Document, calibration: Calibration) -> InForce:
    table, _, name = path.rpartition(".")
    value = getattr(getattr(settings, table) if table else settings, name)
    if tuple(path.split(".")) in document.lines:
        return InForce(path, value, _line(document, path))
    measured = calibration.camera
    if path in ("camera.card_height_px", "camera.zone") and measured and not measured.demo:
        return InForce(path, getattr(measured, name), Words("calibration"))
    return InForce(path, value, NOT_SET if value is None else DEFAULT)


def _rules(settings: Settings, document: Document) -> Iterator[InForce]:
    game, preset = settings.game, settings.preset or "family"
    rules: HouseRules = preset_rules(game, preset, settings.rules)
    changed = preset_options(game, preset)
    for option in options_of(game):
        path = f"{RULES}.{option}"
        if option in settings.rules:
            origin = _line(document, path)
        else:
            origin = Words("preset {name}", name=preset) if option in changed else DEFAULT
        yield InForce(path, getattr(rules, option), origin)


def _line(document: Document, path: str) -> Words:
    return Words("file, line {line}", line=document.line_of(*path.split(".")))
