"""When and where a card came to lie, and the card that waits to be read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.locate import Pose
from models.pushed import View, outline
from models.stillness import SHRINK, History, Mask, Seen

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Landing:
    """A change of the picture, between two frames."""

    where: Mask
    """On the small frame."""
    last: Seen
    """The last frame that shows what was before in this place."""
    first: Seen
    """The first one from which on it shows what came."""

    def span(self) -> tuple[int, int]:
        """By when it had happened, and how much earlier it may have, both in ns."""
        top, bottom = _rows(self.where)
        t_ns = self.first.light_ended_ns(bottom)
        return t_ns, t_ns - min(self.last.light_began_ns(top), t_ns)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A card that lies there and has not been read."""

    view: View
    landing: Landing
    pose: Pose


def landed(history: History, where: Mask, before: Image, after: Image) -> Landing:
    """When the place came to look like this; both pictures are small."""
    return Landing(where, *history.interval(where, before, after))


def place_of(pose: Pose | None, small: Image) -> Mask:
    """A card's area on the small frame; all of it if nobody knows where it lies."""
    return np.ones(small.shape, bool) if pose is None else outline(pose, small.shape)


def _rows(where: Mask) -> tuple[int, int]:
    """First and last row of a place, in full pixels."""
    rows = np.flatnonzero(where.any(1))
    if len(rows) == 0:
        return 0, where.shape[0] * SHRINK
    return int(rows[0]) * SHRINK, (int(rows[-1]) + 1) * SHRINK
