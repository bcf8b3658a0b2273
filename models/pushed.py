"""A card that was pushed, not laid: a hand that straightens a pile changes what the camera sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.agreement import is_same
from models.candidates import Candidate, luma_colour
from models.follow import followed
from models.locate import Pose, Spot
from models.reader import Reader, is_sure
from models.stillness import SHRINK, Mask, changed
from referee.rules.cards import Card

Image = NDArray[np.uint8]

VISIBLE_PX, LEFT_SHARE = 16, 0.06
"""Small pixels of the old place that must be seen, and the share of them that changes when a card
leaves it. Another card laid on it: mostly 0, up to 0.07 next to its shadow."""
FACE_BAR, FACE_CORNER_BAR = 0.8, 0.3
"""How surely two corners of a card that fits must name it, together and each."""
AROUND = 0.3
"""What lies farther than this (card heights) from a pushed card was not moved by the same hand."""


@dataclass(frozen=True, slots=True)
class View:
    """A pile at rest."""

    image: Image
    """BGR, uint8."""
    small: Image
    """Grey, as models.stillness shrinks it."""


def only_pushed(
    before: View, lay: Pose, now: View, guesses: Sequence[Pose], *, bare: Image | None, limit: float
) -> Pose | None:
    """Where a free card lies now, if it left its place and nothing else happened.

    Args:
        before: When it lay in its old place.
        lay: Its old place.
        now: The pile now.
        guesses: Where it may lie.
        bare: Small picture of the table without cards, if there is one.
        limit: So many small pixels may have changed elsewhere.
    """
    pose = followed(before.image, lay, now.image, guesses)
    if pose is None or stays(before.small, now.small, lay, pose):
        return None
    elsewhere = changed_elsewhere(before.small, now.small, bare, lay, pose)
    return pose if elsewhere < limit else None


def stays(before: Image, now: Image, lay: Pose, lies: Pose) -> bool | None:
    """Whether a card still lies in its old place, now that one of the same face lies elsewhere.

    Args:
        before: Small picture in which it lay there.
        now: Small picture of now.
        lay: Its old place.
        lies: Where such a card lies now.

    Returns:
        None if too little of the old place is seen.
    """
    free = outline(lay, now.shape) & ~outline(lies, now.shape, grown=0.05)
    if int(free.sum()) < VISIBLE_PX:
        return None
    return float(changed(now, before)[free].mean()) < LEFT_SHARE


def changed_elsewhere(before: Image, now: Image, bare: Image | None, *moved: Pose) -> int:
    """Small pixels that changed far from these places, and do not show the bare table again."""
    mask = changed(now, before)
    if bare is not None:
        mask &= changed(now, bare)
    for pose in moved:
        mask &= ~outline(pose, now.shape, grown=AROUND)
    return int(mask.sum())


def same_face(reader: Reader, picture: Image, pose: Pose, card: Card) -> Candidate | None:
    """Two corners of the card that lies here, if they name this one."""
    points = pose.index_points()
    spots = [Spot(x, y, down, 1.0, 1.0, pose.height_px) for x, y, down in points]
    corners = reader.lone_corners(luma_colour(picture), spots, pose.height_px)
    for i in (0, 2):
        each = tuple(corner.each[0] for corner in corners[i : i + 2])
        both = Candidate(pose, tuple(points[i : i + 2]), each, 1.0)
        named = both.together.card
        sure = is_sure(both, FACE_BAR, FACE_CORNER_BAR)
        if sure and named is not None and is_same(named, card):
            return both
    return None


def outline(pose: Pose, shape: tuple[int, ...], *, grown: float = 0.0) -> Mask:
    """A card's area on the small frame, grown to all sides by a share of its height."""
    more = 2 * grown * pose.height_px
    corners = replace(
        pose, height_px=pose.height_px + more, width_px=pose.width_px + more
    ).corners()
    place = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(place, np.round(corners / SHRINK).astype(np.int32), 1)
    return place.astype(bool)
