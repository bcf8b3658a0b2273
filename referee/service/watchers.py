"""One watcher a pile: which part of the picture each of them reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from hardware.simulated.table import FIELD_MM
from models.enrol.own import open_reader
from models.watch import PileWatcher
from referee.service.config import BadSettings, CameraSettings
from referee.service.patient import PatientWatcher, WaitingWatcher

if TYPE_CHECKING:
    from referee.service.box import Watcher

Zone = tuple[int, int, int, int]
"""Left, top, width, height in px."""

PILE_REACH_MM = 94.0
"""From the middle of a pile to the edge of its zone: a card lies at most so far out."""
EDGE_MM = 32.0
"""At the near and far edges of the drawn table lie the pads, where hands come down."""
TWO_PILES_MM = (12.0, 137.0)
"""Spit on the drawn table: where each pile's zone begins and ends, from the middle outwards."""


def drawn_zones(game: str, size: tuple[int, int]) -> list[Zone]:
    """Where the piles lie on the simulated table, pile 0 first.

    Args:
        game: Spit has two piles, left and right.
        size: Width and height of its pictures in px.
    """
    height_mm = FIELD_MM[1] - 2 * EDGE_MM
    if game != "spit":
        return [_zone(-PILE_REACH_MM, 2 * PILE_REACH_MM, height_mm, size)]
    begin_mm, end_mm = TWO_PILES_MM
    width_mm = end_mm - begin_mm
    return [
        _zone(-end_mm, width_mm, height_mm, size),
        _zone(begin_mm, width_mm, height_mm, size),
    ]


def _zone(left_mm: float, width_mm: float, height_mm: float, size: tuple[int, int]) -> Zone:
    """A zone in px; `left_mm` counts from the middle of the table."""
    px_per_mm = size[0] / FIELD_MM[0]
    corner = (FIELD_MM[0] / 2 + left_mm, (FIELD_MM[1] - height_mm) / 2)
    left, top, width, height = (
        round(length * px_per_mm) for length in (*corner, width_mm, height_mm)
    )
    return left, top, width, height


def camera_zones(game: str, zone: Zone | None) -> list[Zone | None]:
    """Where the piles lie under a real camera; Spit's two share the calibrated zone.

    Raises:
        BadSettings: Spit needs a zone.
    """
    if game != "spit":
        return [zone]
    if zone is None:
        raise BadSettings(
            "Spit has two piles: set camera.zone to the part of the picture that holds both "
            "(settings file)"
        )
    left, top, width, height = zone
    middle = width // 2
    return [(left, top, middle, height), (left + middle, top, width - middle, height)]


def watchers_for(
    game: str, players: Sequence[str], camera: CameraSettings, zones: Sequence[Zone | None]
) -> list[Watcher]:
    """One watcher a zone; they share one reader.

    In Spit both players act at once, so the side from which a hand comes says whose card it is.
    In the other games the turn says it, and hands come from anywhere.

    Args:
        game: Which game.
        players: In seat order; the first one sits at the bottom of the picture.
        camera: Deck and card size.
        zones: Pile 0 first; None: the whole picture.
    """
    reader = open_reader(camera.own_deck or camera.deck)
    sides = {"bottom": players[0], "top": players[1]} if game == "spit" else {}
    watchers = [
        PileWatcher(reader, zone=zone, card_height_px=camera.card_height_px, pile=pile, sides=sides)
        for pile, zone in enumerate(zones)
    ]
    return cast("list[Watcher]", [_patient(watcher) for watcher in watchers])


def _patient(watcher: PileWatcher) -> PatientWatcher:
    return PatientWatcher(cast("WaitingWatcher", watcher), lambda: watcher.answer.pose)


def around(zones: Sequence[Zone | None]) -> Zone | None:
    """The part of the picture that holds all piles; None: unknown."""
    known = [zone for zone in zones if zone is not None]
    if len(known) < len(zones):
        return None
    left, top = (min(zone[side] for zone in known) for side in (0, 1))
    right, bottom = (max(zone[side] + zone[side + 2] for zone in known) for side in (0, 1))
    return left, top, right - left, bottom - top
