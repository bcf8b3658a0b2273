"""The eye of the box: loads the nets once, reads a picture or the newest card of a pile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.candidates import (
    Candidate,
    lone,
    looked_at,
    luma_colour,
    merged,
    middled,
    read_pairs,
    read_whole,
    resized,
    seconded,
    whole_cells,
)
from models.decks import check_language
from models.locate import (
    SEEN_PX,
    Detector,
    Point,
    Pose,
    Spot,
    card_from_change,
    find_pairs,
    find_spots,
)
from models.middle import MiddleReader
from models.overlap import top_of
from models.recognise import SHARP_HEIGHT_PX, GlyphReader, Image, averaged, index_crop
from referee.rules.cards import Card

WEIGHTS = Path(__file__).parent / "weights"

SCALES = (240, 340, 480, 680, 960)
"""Lengths in px to which the long side of a picture is brought when nobody knows the scale."""
TRIED_PAIRS = 8
"""Pairs read at each scale."""
NEW_BAR = 0.3
"""Of a pile that is watched: the net must hold a pair for new at least this much."""
NEWEST_PAIRS = 3
"""Of a pile that is watched: so many new pairs are read."""
PAIR_BAR = 0.9
"""Two corners of one card must together be this sure."""
CORNER_BAR = 0.3
"""Each of them must give the answer at least this share."""
DESPITE_BAR, DESPITE_CORNER_BAR = 0.99, 0.9
"""The same if the middle of the card contradicts."""
LIKELY = 0.5
"""A pair less readable than this is no card."""
RIVAL = 1.2
"""Cards so much less worth than the best one are not asked whether they lie on top."""
SINGLE_BAR = 0.97
"""A lone corner must be this sure."""
RIVAL_BAR, RIVALS_READ, RIVAL_TIMES = 0.9, 8, 2
"""So many corners are read; another rank that is this sure so often makes a lone one doubtful."""
SAME_SIZE = 1.43
"""Cards of one pile are of one size; a lone corner tells it no better than this."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a picture shows."""

    card: Card | None
    """The top card; None if it could not be read."""
    confidence: float
    """Of the card, or of the best guess if there is no answer."""
    guess: Card | None = None
    """The likeliest card, even if it is not sure enough to be an answer."""
    pose: Pose | None = None
    """Where the card lies."""
    pair: Candidate | None = None
    """What two corners of one card say."""
    single: Candidate | None = None
    """What the surest lone corner says."""
    spots: tuple[Spot, ...] = ()
    """Every index corner that was found."""


class Reader:
    """Reads cards. Keep one for a process: it holds the four nets."""

    def __init__(self, deck: str = "en", weights: Path = WEIGHTS) -> None:
        """Load the nets.

        Args:
            deck: Language of the index letters: "en", "de", "fr" or "nl".
            weights: Folder with the four nets.

        Raises:
            BadDeck: No such language.
            BadWeights: The nets are missing or damaged.
        """
        self.deck = check_language(deck)
        self.detector = Detector(weights / "detector.onnx")
        self.glyphs = GlyphReader(weights / "reader.onnx", deck)
        self.witness = GlyphReader(weights / "witness.onnx", deck)
        self.middles = MiddleReader(weights / "middle.onnx")

    def read_picture(self, bgr: Image) -> Reading:
        """Read the top card of one picture whose scale nobody knows.

        Args:
            bgr: Picture, shape (height, width, 3), uint8, as models.pictures loads it.
        """
        candidates: list[Candidate] = []
        spots: list[Spot] = []
        for side in SCALES:
            found, seen = self._at_scale(bgr, side)
            candidates += found
            spots += seen
        cards = sorted(merged(candidates), key=lambda c: -c.worth)
        cards = [c for c in cards if c.readable > LIKELY and c.worth > cards[0].worth - RIVAL]
        cards = [self._middled(bgr, card) for card in cards]
        pair, clear = top_of(cards, np.ascontiguousarray(luma_colour(bgr)[..., 0]))
        if pair is not None:
            pair = looked_at(bgr, pair, (self.glyphs, self.witness), SHARP_HEIGHT_PX)
            if pair.readable > 0:
                if clear and not is_sure(pair) and is_half_seen(pair):
                    clear = not self._has_rival(bgr, spots, pair)
                return pair_reading(pair, spots, clear=clear)
        return self._single_reading(bgr, spots)

    def _middled(self, bgr: Image, card: Candidate) -> Candidate:
        """The card after a look at its middle, at the scale that suits the net."""
        factor = SHARP_HEIGHT_PX / card.pose.height_px
        colour = luma_colour(resized(bgr, factor))
        (seen,) = middled(colour, [card.scaled(factor)], self.middles)
        return seen.scaled(1 / factor)

    def _at_scale(self, bgr: Image, side: float) -> tuple[list[Candidate], list[Spot]]:
        """Pairs and corners on the picture brought to this long side, in its own pixels."""
        factor = side / max(bgr.shape[:2])
        colour = luma_colour(resized(bgr, factor))
        spots = find_spots(self.detector.maps(whole_cells(colour[..., 0])))
        low, high = SEEN_PX[0] * 0.85, SEEN_PX[1] * 1.15
        pairs = [pair for pair in find_pairs(spots) if low < pair.pose.height_px < high]
        candidates = read_pairs(colour, pairs[:TRIED_PAIRS], self.glyphs)
        return (
            [candidate.scaled(1 / factor) for candidate in candidates],
            [spot.scaled(1 / factor) for spot in spots],
        )

    def _single_reading(self, bgr: Image, spots: Sequence[Spot]) -> Reading:
        """No pair: the surest lone corner, if it is very sure."""
        best = max(self._lone(bgr, spots, 4), key=lambda one: one.readable, default=None)
        if best is None:
            return Reading(None, 0.0, spots=tuple(spots))
        best = looked_at(bgr, best, (self.glyphs, self.witness), SHARP_HEIGHT_PX)
        guess = best.together.card
        sure = best.readable >= SINGLE_BAR and not self._has_rival(bgr, spots, best)
        card = guess if sure else None
        return Reading(card, best.readable, guess, best.pose, None, best, tuple(spots))

    def _lone(self, bgr: Image, spots: Sequence[Spot], most: int) -> list[Candidate]:
        """The likeliest corners of a picture, each read for itself."""
        likely = sorted(spots, key=lambda spot: -spot.score - spot.new)[:most]
        colour = luma_colour(bgr)
        crops = [index_crop(colour, s.x, s.y, s.down, s.height_px) for s in likely]
        return [
            lone(spot, opinion, spot.height_px)
            for spot, opinion in zip(likely, self.glyphs.read(crops), strict=True)
        ]

    def _has_rival(self, bgr: Image, spots: Sequence[Spot], one: Candidate) -> bool:
        """Corners of about the same size name another rank: a second card may lie on top.

        A picture is looked at in five sizes, so that a true corner is found more than once.
        """
        said = [
            other.together.answer
            for other in self._lone(bgr, spots, RIVALS_READ)
            if other.readable >= RIVAL_BAR
            and 1 / SAME_SIZE < other.pose.height_px / one.pose.height_px < SAME_SIZE
        ]
        rivals = Counter(answer for answer in said if answer != one.together.answer)
        return any(times >= RIVAL_TIMES for times in rivals.values())

    def settled(self, colour: Image, card_height_px: float) -> list[tuple[Point, str]]:
        """Every index of a pile at rest and what it says: none of them is new."""
        spots = find_spots(self.detector.maps(np.ascontiguousarray(colour[..., 0])))
        points = [(spot.x, spot.y, spot.down) for spot in spots]
        opinions = self.glyphs.read(
            [index_crop(colour, x, y, down, card_height_px) for x, y, down in points]
        )
        return [(point, opinion.answer) for point, opinion in zip(points, opinions, strict=True)]

    def lone_corners(
        self, colour: Image, spots: Sequence[Spot], card_height_px: float
    ) -> list[Candidate]:
        """Read corners that belong to no pair, by both nets."""
        crops = [index_crop(colour, s.x, s.y, s.down, card_height_px) for s in spots]
        voices = zip(self.glyphs.read(crops), self.witness.read(crops), strict=True)
        return [
            lone(spot, averaged(both), card_height_px)
            for spot, both in zip(spots, voices, strict=True)
        ]

    def newest(
        self, colour: Image, before: NDArray[np.uint8], card_height_px: float
    ) -> tuple[list[Candidate], Candidate | None, list[Spot]]:
        """Read what changed on a pile, in two independent ways.

        Args:
            colour: The changed region as YCrCb, sides multiples of 8.
            before: Luma of the same region before.
            card_height_px: Calibrated height of a card, 95 to 215 px.

        Returns:
            Cards that pairs of corners give, the surest first; the card that the changed area
            itself gives, if it is one; all corners.
        """
        now = np.ascontiguousarray(colour[..., 0])
        spots = find_spots(self.detector.maps(now, before))
        pairs = find_pairs(spots, card_height_px)
        pairs = [pair for pair in pairs if pair.new >= NEW_BAR][:NEWEST_PAIRS]
        candidates = sorted(read_pairs(colour, pairs, self.glyphs), key=lambda c: -c.worth)
        pose = card_from_change(now, before, card_height_px)
        if pose is None:
            return self._heard(colour, candidates), None, spots
        like = next((c for c in candidates if c.pose.is_near(pose)), None)
        whole = read_whole(colour, pose, self.glyphs, like)
        *candidates, whole = self._heard(colour, [*candidates, whole])
        return candidates, whole, spots

    def _heard(self, colour: Image, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates after a second reading of their corners and a look at their middles."""
        return middled(colour, seconded(colour, candidates, self.witness), self.middles)


def is_sure(candidate: Candidate, bar: float = PAIR_BAR, corner_bar: float = CORNER_BAR) -> bool:
    """Both corners say the same card, and surely enough together.

    If the middle contradicts them (a misread letter, or a deck that prints no pips), they must be
    beyond doubt.
    """
    together = candidate.together
    if candidate.contradicted:
        bar, corner_bar = max(bar, DESPITE_BAR), max(corner_bar, DESPITE_CORNER_BAR)
    best = int(together.answers.argmax())
    return (
        candidate.agree
        and candidate.readable >= bar
        and all(float(opinion.answers[best]) >= corner_bar for opinion in candidate.each)
    )


def is_half_seen(candidate: Candidate) -> bool:
    """One corner is beyond doubt, the other one is hidden or blurred but names no other rank."""
    together = candidate.together
    best = int(together.answers.argmax())
    shares = [float(opinion.answers[best]) for opinion in candidate.each]
    silent = all(opinion.answer in (together.answer, "none") for opinion in candidate.each)
    return silent and max(shares) >= SINGLE_BAR and candidate.readable >= PAIR_BAR


def pair_reading(pair: Candidate, spots: Sequence[Spot], *, clear: bool = True) -> Reading:
    """The reading that follows from two corners of one card, `clear`ly the top one."""
    guess = pair.together.card
    card = guess if clear and (is_sure(pair) or is_half_seen(pair)) else None
    return Reading(card, pair.readable, guess, pair.pose, pair, None, tuple(spots))
