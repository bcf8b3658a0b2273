"""One watcher a pile: which part of the picture each of them reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from hardware.simulated.table import FIELD_MM
from models.reader import Reader
from models.watch import PileWatcher
from referee.service.config import CameraSettings

if TYPE_CHECKING:
    from referee.service.box import Watcher

Zone = tuple[int, int, int, int]
"""Left, top, width, height in px."""

PILE_REACH_MM = 94.0
"""From the middle of a pile to the edge of its zone: a card lies at most so far out."""
EDGE_MM = 32.0
"""At the edges of the drawn table lie the pads, where hands come down."""


def drawn_zone(size: tuple[int, int]) -> Zone:
    """Where the pile lies on the simulated table.

    Args:
        size: Width and height of its pictures in px.
    """
    px_per_mm = size[0] / FIELD_MM[0]
    width_mm = 2 * PILE_REACH_MM
    height_mm = FIELD_MM[1] - 2 * EDGE_MM
    corner = ((FIELD_MM[0] - width_mm) / 2, (FIELD_MM[1] - height_mm) / 2)
    left, top, width, height = (
        round(length * px_per_mm) for length in (*corner, width_mm, height_mm)
    )
    return left, top, width, height


def halves(zone: Zone) -> tuple[Zone, Zone]:
    """A zone cut into left and right: the two piles of Spit, pile 0 on the left."""
    left, top, width, height = zone
    middle = width // 2
    return (left, top, middle, height), (left + middle, top, width - middle, height)


def watchers_for(game: str, camera: CameraSettings, zone: Zone | None) -> list[Watcher]:
    """Make the watchers of a game; they share one reader.

    Args:
        game: Spit has two piles.
        camera: Deck and card size.
        zone: The part of the picture that holds the piles; None: all of it. Spit needs one.
    """
    reader = Reader(deck=camera.deck)
    zones: list[Zone | None] = [zone]
    if game == "spit" and zone is not None:
        zones = list(halves(zone))
    watchers = [
        PileWatcher(reader, zone=part, card_height_px=camera.card_height_px, pile=pile)
        for pile, part in enumerate(zones)
    ]
    return cast("list[Watcher]", watchers)
