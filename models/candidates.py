"""Cards that a picture may show, each with what its corners say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.locate import CELL_PX, Pair, Point, Pose, Spot
from models.middle import NO_CARD, MiddleReader, Shares, answers_from_middles
from models.recognise import (
    GlyphReader,
    Image,
    Opinion,
    averaged,
    index_crop,
    joined,
    weighed,
)

LOOKS = tuple((turn, size) for turn in (-0.08, 0.0, 0.08) for size in (0.88, 1.0, 1.14))
"""Small turns and sizes at which a corner is read before a lone picture is answered."""

CONTRADICTED = 0.35
"""A middle that fits the answer no better than this is that of another card."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One card that the picture may show."""

    pose: Pose
    points: tuple[Point, ...]
    """The corners that were read."""
    each: tuple[Opinion, ...]
    """What each of them says."""
    new: float
    """How surely it is the newest card (in one picture alone: one that lies free)."""
    fit: float = 0.0
    """How badly the corners fit one card; 0 is perfect."""
    seen: int = 1
    """At how many scales it was found."""
    voices: tuple[tuple[Opinion, ...], ...] = ()
    """Of each corner: what the reader and its witness say apart."""
    middle: Shares | None = None
    """Share of each of middle.MIDDLES, if it was looked at."""
    sharpness: float = 1.0
    """How steep the edges of its letters are; 1 is as steep as can be, or was not measured."""

    @property
    def together(self) -> Opinion:
        """What the corners say together."""
        return joined(self.each)

    @property
    def agree(self) -> bool:
        """Every corner says the same."""
        return len({opinion.answer for opinion in self.each}) == 1

    @property
    def readable(self) -> float:
        """Confidence of the answer; 0 if the corners are no index."""
        opinion = self.together
        return 0.0 if opinion.answer == "none" else opinion.confidence

    @property
    def worth(self) -> float:
        """How good a candidate for the top card it is."""
        return 1.5 * self.new + self.readable + 0.5 * self.agree - self.fit + 0.1 * self.seen

    @property
    def covered(self) -> float:
        """How surely its middle is not that of a whole card; 0 if it was not looked at."""
        return 0.0 if self.middle is None else float(self.middle[NO_CARD])

    @property
    def contradicted(self) -> bool:
        """Its middle is that of another card."""
        if self.middle is None:
            return False
        fits = answers_from_middles(self.middle)
        return float(fits[self.together.answers.argmax()]) < CONTRADICTED

    def scaled(self, factor: float) -> Candidate:
        """The same on a picture of another size."""
        points = tuple((x * factor, y * factor, down) for x, y, down in self.points)
        return replace(self, pose=self.pose.scaled(factor), points=points)


def luma_colour(bgr: Image) -> Image:
    """A picture as the nets want it: Y, Cr, Cb."""
    return cv2.cvtColor(bgr, cv2.COLOR_BGR2YCrCb).astype(np.uint8, copy=False)


def whole_cells(luma: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Cut to multiples of the detector's cell."""
    h, w = luma.shape[:2]
    return np.ascontiguousarray(luma[: h // CELL_PX * CELL_PX, : w // CELL_PX * CELL_PX])


def resized(picture: Image, factor: float) -> Image:
    """The picture in another size."""
    if abs(factor - 1) < 0.02:
        return picture
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    h, w = picture.shape[:2]
    size = (max(CELL_PX, round(w * factor)), max(CELL_PX, round(h * factor)))
    return cv2.resize(picture, size, interpolation=way).astype(np.uint8, copy=False)


def read_pairs(colour: Image, pairs: Sequence[Pair], glyphs: GlyphReader) -> list[Candidate]:
    """Read both corners of every pair, all in one go. Pairs that are no index are left out."""
    points = [pair.points for pair in pairs]
    crops = [
        index_crop(colour, x, y, down, pair.pose.height_px)
        for pair, both in zip(pairs, points, strict=True)
        for x, y, down in both
    ]
    opinions = glyphs.read(crops)
    candidates = []
    for number, pair in enumerate(pairs):
        each = tuple(opinions[2 * number : 2 * number + 2])
        if any(opinion.answer != "none" for opinion in each):
            candidate = Candidate(pair.pose, points[number], each, pair.new, pair.fit)
            candidates.append(candidate)
    return candidates


def read_whole(
    colour: Image, pose: Pose, glyphs: GlyphReader, like: Candidate | None = None
) -> Candidate:
    """Read a card whose place is known.

    Args:
        like: The same card as its corners give it: only these two corners are read. None: all
            four, the better diagonal speaks.
    """
    points = pose.index_points()
    if like is not None:
        x, y, _ = like.points[0]
        nearest = min(range(4), key=lambda i: math.hypot(points[i][0] - x, points[i][1] - y))
        points = points[:2] if nearest < 2 else points[2:]
    opinions = glyphs.read([index_crop(colour, x, y, d, pose.height_px) for x, y, d in points])
    diagonals = [
        Candidate(pose, tuple(points[i : i + 2]), tuple(opinions[i : i + 2]), 1.0)
        for i in range(0, len(points), 2)
    ]
    return max(diagonals, key=lambda candidate: (candidate.readable, candidate.agree))


def seconded(
    colour: Image, candidates: Sequence[Candidate], witness: GlyphReader
) -> list[Candidate]:
    """The same candidates after a second opinion: each corner says the mean of both.

    A reader that is sure of a wrong letter is rarely joined by another one, so the mean stays low.
    Corners that are no index are not asked about; all others are read in one go.
    """
    asked = [candidate for candidate in candidates if candidate.readable > 0]
    opinions = witness.read(
        [
            index_crop(colour, x, y, down, candidate.pose.height_px)
            for candidate in asked
            for x, y, down in candidate.points
        ]
    )
    heard = iter(opinions)
    answers = []
    for candidate in candidates:
        if candidate.readable > 0:
            voices = tuple((own, next(heard)) for own in candidate.each)
            each = tuple(averaged(both) for both in voices)
            candidate = replace(candidate, each=each, voices=voices)
        answers.append(candidate)
    return answers


def middled(
    colour: Image, candidates: Sequence[Candidate], middles: MiddleReader
) -> list[Candidate]:
    """The same candidates after a look at their middles: each corner is weighed with what is seen.

    Letters of one card are confused together, so its two corners are no two witnesses of the same
    letter; pips and pictures are. Corners that are no index are not asked about.
    """
    asked = [candidate for candidate in candidates if candidate.readable > 0]
    shown = iter(middles.read(colour, [candidate.pose for candidate in asked]))
    return [
        with_middle(candidate, next(shown)) if candidate.readable > 0 else candidate
        for candidate in candidates
    ]


def with_middle(candidate: Candidate, middle: Shares) -> Candidate:
    """The candidate, its corners weighed with what its middle shows: shares of MIDDLES."""
    fits = answers_from_middles(middle)
    each = tuple(weighed(opinion, fits) for opinion in candidate.each)
    return replace(candidate, each=each, middle=middle)


def looked_at(
    bgr: Image, candidate: Candidate, readers: Sequence[GlyphReader], height_px: float
) -> Candidate:
    """The same candidate after a closer look: many small turns and sizes, at the best scale, by
    every reader."""
    factor = height_px / candidate.pose.height_px
    colour = luma_colour(resized(bgr, factor))
    voices = []
    for x, y, down in candidate.points:
        crops = [
            index_crop(colour, x * factor, y * factor, down + turn, height_px * size)
            for turn, size in LOOKS
        ]
        voices.append(tuple(averaged(glyphs.read(crops)) for glyphs in readers))
    each = tuple(averaged(both) for both in voices)
    candidate = replace(candidate, each=each, voices=tuple(voices))
    return candidate if candidate.middle is None else with_middle(candidate, candidate.middle)


def merged(candidates: Sequence[Candidate]) -> list[Candidate]:
    """One candidate a card: those of the same place, found at several scales, become one."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda c: -c.worth):
        twin = next((i for i, k in enumerate(kept) if k.pose.is_near(candidate.pose)), None)
        if twin is None:
            kept.append(candidate)
        elif kept[twin].together.answer == candidate.together.answer:
            best = kept[twin]
            kept[twin] = Candidate(
                best.pose, best.points, best.each, best.new, best.fit, best.seen + 1
            )
    return kept


def lone(spot: Spot, opinion: Opinion, height_px: float) -> Candidate:
    """A card of which one corner is seen."""
    pose = Pose(spot.x, spot.y, spot.down, height_px, 0.7 * height_px)
    return Candidate(pose, ((spot.x, spot.y, spot.down),), (opinion,), spot.new)
