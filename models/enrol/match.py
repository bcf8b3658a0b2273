"""Compares corners with those of a taught deck.

Two measures are added. What the net says of a corner, glyph by glyph, is like what it said of the
same card's corner when the deck was taught, right or wrong: it errs the same way each time. And
the letter itself looks like the letter that was taught, point by point, which asks no net at all.
Distances are counted in the deck's own unit, the usual distance of two looks at one card, so that
other nets and other decks need no other limits. Measured against other ways in models/README.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from models.decks import GLYPHS
from models.enrol.letter import best_correlation, cores, letters
from models.enrol.profile import Profile
from models.recognise import CROP, Image
from referee.rules.cards import RANKS

JITTERS = 12
"""Every patch is also compared a little turned, scaled, shifted and blurred, so often in all."""
TURN, SCALE, SHIFT_PX, BLUR = 0.06, 0.06, 1.2, (0.4, 1.1)
"""Spread of these: radians, log, pixels of a patch, sigma in pixels."""
AT_ONCE = 4
"""Patches that the net is shown together: more would need more memory, not less time."""
LETTER_WEIGHT = 3.0
"""Units of distance that a letter without any likeness costs."""
OTHER_SUIT = 1.45
"""Two cards of one rank but of two suits are so much farther apart than two looks at one card."""
LEAST_UNIT = 0.5
"""Of the net's scores: a deck whose looks are all the same still leaves room for light."""
FAR = 99.0
"""Distance to a rank that was never taught."""

Floats = NDArray[np.float32]
Scores = Callable[[Sequence[Image]], Floats]
"""Patches -> glyph scores and whatever else the net says."""


@dataclass(frozen=True, slots=True)
class Match:
    """What a corner is like."""

    rank: int
    """Place in cards.RANKS of the likest rank."""
    distance: float
    """From its nearest taught corner, in units."""
    second: int
    """The next likest rank."""
    margin: float
    """How much farther that one is."""


class Matcher:
    """The corners of a taught deck, ready to be compared with."""

    def __init__(self, profile: Profile, scores: Scores) -> None:
        """Prepare: every patch and its jitters go through the net once."""
        self._ranks = profile.ranks
        self._looks = profile.looks
        dice = Random(1)
        self._said = np.empty((len(profile.patches), JITTERS, len(GLYPHS)), np.float32)
        for number, patch in enumerate(profile.patches):
            images = jitters(patch, dice)
            for first in range(0, JITTERS, AT_ONCE):
                some = slice(first, first + AT_ONCE)
                self._said[number, some] = _centred(scores(images[some]))
        self._cores = cores(letters(profile.patches))
        self._letters = letters(profile.patches)
        self._unit = self._usual_distance()

    def match(self, patches: Sequence[Image], scores: Floats) -> list[Match]:
        """What these corners are like; `scores` is what the net says of them."""
        said = self._net_distances(_centred(scores))
        unlike = 1 - best_correlation(letters(np.stack(patches)), self._cores)
        distances = said / self._unit + LETTER_WEIGHT * unlike
        return [_match(self._by_rank(row)) for row in distances]

    def match_own(self) -> list[tuple[int, Match]]:
        """What each taught look is like, its corners taken together, when the look is left out.

        Returns:
            The look's own rank (place in cards.RANKS) and its match, one a look.
        """
        said = self._net_distances(self._said[:, 0]) / self._unit
        unlike = 1 - best_correlation(self._letters, self._cores)
        distances = said + LETTER_WEIGHT * unlike
        distances[self._looks[:, None] == self._looks[None]] = FAR
        nearest = np.stack([self._by_rank(row) for row in distances])
        found = []
        for look in np.unique(self._looks):
            own = self._looks == look
            found.append((int(self._ranks[own][0]), _match(nearest[own].mean(0))))
        return found

    def _net_distances(self, said: Floats) -> Floats:
        """From each corner to each patch, its nearest jitter: shape (n, patches)."""
        flat = self._said.reshape(-1, said.shape[1])
        squares = (said**2).sum(1)[:, None] + (flat**2).sum(1)[None] - 2 * said @ flat.T
        near = np.sqrt(np.maximum(squares, 0)).reshape(len(said), -1, JITTERS).min(2)
        return np.asarray(near, np.float32)

    def _usual_distance(self) -> float:
        """Distance of a corner from one of the same rank: the median of two looks, as far as two
        suits are apart."""
        distances = self._net_distances(self._said[:, 0])
        same = self._ranks[:, None] == self._ranks[None]
        distances[~same | (self._looks[:, None] == self._looks[None])] = np.inf
        nearest = distances.min(1)
        known = nearest[np.isfinite(nearest)]
        return max(LEAST_UNIT, OTHER_SUIT * float(np.median(known))) if len(known) else LEAST_UNIT

    def _by_rank(self, distances: Floats) -> Floats:
        nearest = np.full(len(RANKS), FAR, np.float32)
        np.minimum.at(nearest, self._ranks, distances)
        return nearest


def _match(nearest: Floats) -> Match:
    first, second = (int(i) for i in np.argsort(nearest)[:2])
    margin = float(nearest[second] - nearest[first])
    return Match(first, float(nearest[first]), second, margin)


def _centred(scores: Floats) -> Floats:
    glyphs = scores[:, : len(GLYPHS)]
    return np.asarray(glyphs - glyphs.mean(1, keepdims=True), np.float32)


def jitters(patch: Image, dice: Random) -> list[Image]:
    """The patch itself and how it looks when a corner is found less exactly."""
    made = [patch]
    middle = (CROP[0] / 2, CROP[1] / 2)
    for number in range(1, JITTERS):
        turn, size = dice.gauss(0, TURN), math.exp(dice.gauss(0, SCALE))
        matrix = np.asarray(cv2.getRotationMatrix2D(middle, math.degrees(turn), size), np.float64)
        matrix[:, 2] += dice.gauss(0, SHIFT_PX), dice.gauss(0, SHIFT_PX)
        moved = cv2.warpAffine(patch, matrix, CROP, borderMode=cv2.BORDER_REPLICATE)
        if number % 3 == 0:
            moved = cv2.GaussianBlur(moved, (0, 0), dice.uniform(*BLUR))
        made.append(np.asarray(moved, np.uint8))
    return made
