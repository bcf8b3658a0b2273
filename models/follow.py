"""Finds a card again that lies free in another place: the same picture, moved and turned.

The card as it lay is brought over the picture of now until both fit best (ECC: Evangelidis and
Psarakis, 2008). Only a card that nothing covers fits everywhere; another card has its pips
elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.locate import Pose, wrapped

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]

PATCH_PX = (66, 96)
"""Width and height to which a card is brought: 0.9 mm a pixel."""
REACH_PX = 20
"""So far around the guess a card is looked for, in these pixels: a fifth of its height."""
RIM_PX = 6
"""The outline is known no better than this: what lies outside is not compared."""
FIT_BAR = 0.95
"""Correlation of the same card before and after. Drawn films, 16 each: pushed 0.98 to 1.00, pushed
far 0.91 to 1.00, another card up to 0.94."""
STRANGE_STEP, STRANGE_SHARE = 25, 0.015
"""Grey levels by which a pixel looks strange, and the share of a card that may. Pushed: up to
0.002, another card from 0.03."""
LOOSE_FIT_BAR, LOOSE_SHARE = 0.8, 0.1
"""The same for a card that may have been pushed: its place was not known well."""


def followed(
    before: Image, lay: Pose, now: Image, guesses: Sequence[Pose], *, loosely: bool = False
) -> Pose | None:
    """Where a card lies now, if nothing covers it.

    Args:
        before: BGR picture, uint8, in which it lay free.
        lay: Where it lay.
        now: BGR picture of the same size.
        guesses: Where it may lie now; its old place is tried, too.
        loosely: It must not fit so well: perhaps it lies there.
    """
    bars = (LOOSE_FIT_BAR, LOOSE_SHARE) if loosely else (FIT_BAR, STRANGE_SHARE)
    card = _patch(before, lay, 0)[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    for guess in _starts(lay, guesses):
        found = _fitted(card, _patch(now, guess, REACH_PX), *bars)
        if found is not None:
            return _pose_at(guess, found)
    return None


def _starts(lay: Pose, guesses: Sequence[Pose]) -> list[Pose]:
    """Different places to start from; a card turned round looks the same to whoever guessed."""
    starts: list[Pose] = []
    for guess in (*guesses, lay):
        ways = (0.0, math.pi) if abs(wrapped(guess.down - lay.down)) > math.pi / 4 else (0.0,)
        for turn in ways:
            start = replace(lay, x=guess.x, y=guess.y, down=wrapped(guess.down + turn))
            if not any(_is_alike(start, other) for other in starts):
                starts.append(start)
    return starts


def _is_alike(one: Pose, other: Pose) -> bool:
    turned = abs(wrapped(one.down - other.down))
    return turned < 0.1 and one.is_near(other, shift=0.05)


def _across(pose: Pose, margin: int) -> Matrix:
    """From a patch's pixels to the picture's, shape (2, 3)."""
    width, height = PATCH_PX
    c, s = math.cos(pose.down), math.sin(pose.down)
    axes = np.array([[s, c], [-c, s]]) * (pose.height_px / height)
    middle = np.array([(width - 1) / 2 + margin, (height - 1) / 2 + margin])
    return np.column_stack([axes, np.array([pose.x, pose.y]) - axes @ middle])


def _patch(picture: Image, pose: Pose, margin: int) -> Image:
    """A card standing upright, grey, slightly smoothed, with so much around it."""
    size = (PATCH_PX[0] + 2 * margin, PATCH_PX[1] + 2 * margin)
    upright = cv2.warpAffine(
        picture,
        _across(pose, margin),
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    grey = cv2.cvtColor(upright, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey, (3, 3), 0.8), np.uint8)


def _fitted(card: Image, around: Image, least_fit: float, most_strange: float) -> Matrix | None:
    """From the whole card's patch to the one in which it is looked for, if it is there."""
    start = REACH_PX + RIM_PX
    warp = np.array([[1, 0, start], [0, 1, start]], np.float32)
    criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-3)
    try:
        fit, warp = cv2.findTransformECC(
            card, around, warp, cv2.MOTION_EUCLIDEAN, criteria, None, 5
        )  # type: ignore[call-overload]
    except cv2.error:  # the two have nothing in common
        return None
    size = (card.shape[1], card.shape[0])
    seen = cv2.warpAffine(around, warp, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    if fit < least_fit or _strange_share(card, seen) > most_strange:
        return None
    whole = np.asarray(warp, np.float64).copy()
    whole[:, 2] -= whole[:, :2] @ np.array([RIM_PX, RIM_PX])
    return whole


def _strange_share(card: Image, seen: NDArray[np.generic]) -> float:
    """Share of the card that looks another way; thin edges may, they never fit quite."""
    one, other = card.astype(np.float32), seen.astype(np.float32)
    gain = float(np.median(other / (one + 1)))
    away = cv2.morphologyEx(np.abs(other - one * gain), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return float((away > STRANGE_STEP).mean())


def _pose_at(guess: Pose, warp: Matrix) -> Pose:
    """The card's place on the picture, as found around the guess."""
    width, height = PATCH_PX
    back = _across(guess, REACH_PX)
    x, y = back[:, :2] @ (warp @ np.array([(width - 1) / 2, (height - 1) / 2, 1])) + back[:, 2]
    dx, dy = back[:, :2] @ warp[:, :2] @ np.array([0, 1])
    return replace(guess, x=float(x), y=float(y), down=math.atan2(dy, dx))
