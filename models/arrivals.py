"""Decides whether a new card has come to the pile, and which: the agreement rule.

An answer needs two witnesses. Either pairs of corners and the changed area name the same card in
the same place, or pairs do it in two still frames with both corners each, or no pair is seen and a
changed area of exactly a card's shape does it in two still frames, both its corners beyond doubt.
Otherwise: unread. So is a card beside which another one landed, unless a corner of that one is
beyond doubt, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.agreement import (
    OLD_SHIFT,
    OLD_TURN,
    apart,
    has,
    is_back,
    is_double,
    is_no_index,
    is_other,
    is_pushed_top,
    is_same,
    lay_there,
    same_corner,
    seconds,
    stands_alone,
    steadied,
    was_there,
)
from models.candidates import Candidate, luma_colour, resized
from models.enrol.letter import sharpness
from models.locate import CELL_PX, SEEN_PX, Pose, Spot
from models.reader import NEW_BAR, Reader, is_sure
from models.recognise import SHARP_HEIGHT_PX, index_crop
from referee.rules.cards import JOKER_RANK, Card

Image = NDArray[np.uint8]

MARGIN = 0.2
"""Of a card's height around what changed: whole corners, and enough unchanged table to compare."""
ROUND_PX = 32
"""Regions have sides of multiples of this: few sizes, few plans for the nets."""
STRONG_BAR, STRONG_CORNER_BAR = 0.95, 0.5
"""What a pair must reach, together and each corner."""
AGREED_BAR, AGREED_CORNER_BAR = 0.85, 0.4
"""The same if the changed area seconds it and the frame before says the same."""
SHARP_BAR = 0.48
"""Letters whose edges are less steep are out of focus."""
BLURRED_BAR, BLURRED_CORNER_BAR = 0.99, 0.9
"""What such a pair must reach."""
REMEMBERED = 12
"""Cards already read."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One reading of one still frame, in the zone's pixels."""

    pairs: tuple[Candidate, ...]
    change: Candidate | None
    spots: tuple[Spot, ...]
    height_px: float | None
    """Card height as measured, if it was not known."""
    beside: tuple[Candidate, ...] = ()
    """New corners that do not belong to the surest pair: a second card came with it."""

    @property
    def pose(self) -> Pose | None:
        """Where a card lies that could not be read."""
        return self.change.pose if self.change else None

    @property
    def looks_like_card(self) -> bool:
        """Something of a card's shape, or a new index, is there."""
        return self.change is not None or any(spot.new > NEW_BAR for spot in self.spots)


@dataclass(frozen=True, slots=True)
class Arrival:
    """What the attempts come to."""

    kind: str
    """"card", "joker", "two", "back", "seen again", "unread" or "hand"."""
    cards: tuple[Card, ...] = ()
    """The lowest first."""
    confidence: float = 0.0
    pose: Pose | None = None
    guess: Card | None = None
    candidates: tuple[Candidate, ...] = ()


class Arrivals:
    """Reads changes and remembers which cards are old."""

    def __init__(self, reader: Reader) -> None:
        """Use this reader's nets."""
        self._reader = reader
        self._known: list[tuple[Pose, Card]] = []

    def read_start(
        self, zone: Image, card_height_px: float | None
    ) -> tuple[Card | None, Pose | None]:
        """The card that lies there before anything happened, if it can be read."""
        reading = self._reader.read_picture(zone)
        if reading.pair is None or reading.pose is None:
            return None, None
        if card_height_px and abs(math.log(reading.pose.height_px / card_height_px)) > 0.2:
            return None, None
        if reading.card is not None:
            self._known.append((reading.pose, reading.card))
        return reading.card, reading.pose

    def attempt(
        self,
        zone: Image,
        before: Image,
        box: tuple[int, int, int, int],
        card_height_px: float | None,
    ) -> Attempt:
        """Read what changed inside the box (left, top, right, bottom)."""
        measured = None if card_height_px else self._measure(zone)
        height = card_height_px or measured
        if height is None:
            return Attempt((), None, (), None)
        left, top, right, bottom = _grown(box, height * MARGIN, zone.shape)
        factor = 1.0 if SEEN_PX[0] < height < SEEN_PX[1] else SHARP_HEIGHT_PX / height
        now = luma_colour(resized(zone[top:bottom, left:right], factor))
        earlier = luma_colour(resized(before[top:bottom, left:right], factor))
        h, w = (side // CELL_PX * CELL_PX for side in now.shape[:2])
        now, earlier = np.ascontiguousarray(now[:h, :w]), earlier[:h, :w]
        pairs, change, spots = self._reader.newest(
            now, np.ascontiguousarray(earlier[..., 0]), height * factor
        )
        alone = any(is_sure(pair) and not (change and seconds(change, pair)) for pair in pairs)
        others = _others(spots, pairs)
        if others or alone:
            old = self._reader.settled(earlier, height * factor)
            pairs = [pair for pair in pairs if not (alone and was_there(pair, old))]
            others = _others(spots, pairs)
            others = [spot for spot in others if not lay_there(spot, old, height * factor)]
        corners = self._reader.lone_corners(now, others, height * factor)
        beside = [corner for corner in corners if not is_no_index(corner)]
        back = 1 / factor
        pairs = [_measured(now, pair) for pair in pairs]
        change = _measured(now, change) if change else None
        return Attempt(
            tuple(_moved(pair, back, left, top) for pair in pairs),
            _moved(change, back, left, top) if change else None,
            tuple(spots),
            measured,
            tuple(_moved(corner, back, left, top) for corner in beside),
        )

    def _measure(self, zone: Image) -> float | None:
        """Height of the cards on a picture, if one can be read."""
        reading = self._reader.read_picture(zone)
        return reading.pose.height_px if reading.card and reading.pose and reading.pair else None

    def decide(self, attempts: Sequence[Attempt], pile: Sequence[Card]) -> Arrival:
        """What the still frames so far come to."""
        attempt = attempts[-1]
        earlier = attempts[-2] if len(attempts) > 1 else None
        earlier_pairs = [each.pairs for each in attempts[:-1]]
        pairs = [steadied(pair, earlier_pairs) for pair in attempt.pairs]
        fresh = [pair for pair in pairs if self._is_fresh(pair)]
        clear = [pair for pair in fresh if not _is_blurred(pair)]
        sure = [pair for pair in clear if is_sure(pair, STRONG_BAR, STRONG_CORNER_BAR)]
        two = apart([pair for pair in sure if earlier and has(earlier.pairs, pair)])
        if two:
            return _two(*two)
        likely = [pair for pair in clear if is_sure(pair, AGREED_BAR, AGREED_CORNER_BAR)]
        for pair in likely:
            agreed = attempt.change is not None and seconds(attempt.change, pair)
            twice = earlier is not None and has(earlier.pairs, pair)
            once = pair in sure and (agreed or twice) and not is_double(pair, pile)
            if (agreed and twice) or once:
                if not attempt.beside:
                    return _one(pair)
                other = same_corner(attempt.beside, earlier.beside if earlier else ())
                if other is not None and self._is_old(other, pair, pile):
                    return _one(pair)
                if other is not None:
                    return _two(other, pair)
        if earlier and is_back(attempt.change) and is_back(earlier.change) and not sure:
            assert attempt.change is not None
            return Arrival("back", (), attempt.change.readable, attempt.change.pose)
        if earlier and not sure and stands_alone(attempt.change, earlier.change):
            assert attempt.change is not None
            blurred = attempt.change.sharpness < SHARP_BAR
            known = is_double(attempt.change, pile) or self._is_known(attempt.change)
            if not blurred and not known:
                return _one(attempt.change)
        again = [pair for pair in pairs if self._is_known(pair) and is_sure(pair)]
        if again and not fresh and earlier and has(earlier.pairs, again[0]):
            return Arrival("seen again", pose=again[0].pose, guess=again[0].together.card)
        guess = fresh[0].together.card if fresh else None
        kind = "unread" if attempt.looks_like_card else "hand"
        return Arrival(kind, pose=fresh[0].pose if fresh else attempt.pose, guess=guess)

    def _is_fresh(self, card: Candidate) -> bool:
        """New to the net, and not a known card that was pushed a little or lies free again."""
        if card.new < NEW_BAR or card.together.answer in ("none", "back"):
            return False
        return not self._is_known(card)

    def _is_old(self, corner: Candidate, pair: Candidate, pile: Sequence[Card]) -> bool:
        """No second new card: another corner of this one, or a card of the pile that was pushed."""
        return _is_its_own(corner, pair) or self._is_known(corner) or is_pushed_top(corner, pile)

    def _is_known(self, candidate: Candidate) -> bool:
        """A card that was read in this place: by any of its corners, four-cornered decks have two
        pairs."""
        card = candidate.together.card
        return card is not None and any(
            is_same(card, known) and candidate.pose.is_near(pose, shift=OLD_SHIFT, turn=OLD_TURN)
            for pose, known in self._known
        )

    def remember(self, arrival: Arrival) -> None:
        """These cards are old from now on."""
        cards = [(each.pose, each.together.card) for each in arrival.candidates]
        self._known += [(pose, card) for pose, card in cards if card is not None]
        self._known = self._known[-REMEMBERED:]

    def forget(self) -> None:
        """The pile is gone."""
        self._known.clear()


def _others(spots: Sequence[Spot], pairs: Sequence[Candidate]) -> list[Spot]:
    """New corners that are none of the surest card's."""
    sure = next((pair for pair in pairs if is_sure(pair)), None)
    return [spot for spot in spots if sure and is_other(spot, sure)]


def _one(pair: Candidate) -> Arrival:
    card = pair.together.card
    assert card is not None
    kind = "joker" if card.rank == JOKER_RANK else "card"
    return Arrival(kind, (card,), pair.readable, pair.pose, card, (pair,))


def _is_its_own(corner: Candidate, pair: Candidate) -> bool:
    """The corner names the very card, and each is there once: it is another corner of it."""
    own, card = corner.together.card, pair.together.card
    return own is not None and own == card and "?" not in (own.suit, own.rank)


def _two(lower: Candidate, upper: Candidate) -> Arrival:
    cards = tuple(card for pair in (lower, upper) if (card := pair.together.card) is not None)
    confidence = min(lower.readable, upper.readable)
    return Arrival("two", cards, confidence, upper.pose, upper.together.card, (lower, upper))


def _grown(
    box: tuple[int, int, int, int], margin: float, shape: tuple[int, ...]
) -> tuple[int, int, int, int]:
    """The box with a margin, its sides multiples of ROUND_PX where the picture allows."""
    spans = []
    for low, high, size in ((box[0], box[2], shape[1]), (box[1], box[3], shape[0])):
        wanted = high - low + 2 * margin
        side = min(size, math.ceil(wanted / ROUND_PX) * ROUND_PX)
        start = int(min(max(0, (low + high) / 2 - side / 2), size - side))
        spans.append((start, start + side))
    (left, right), (top, bottom) = spans
    return left, top, right, bottom


def _measured(colour: Image, candidate: Candidate) -> Candidate:
    """The same with its sharpness, if it may be an answer."""
    if not is_sure(candidate, AGREED_BAR, AGREED_CORNER_BAR):
        return candidate
    height = candidate.pose.height_px
    crops = [index_crop(colour, x, y, down, height) for x, y, down in candidate.points]
    return replace(candidate, sharpness=sharpness(np.stack(crops)))


def _is_blurred(pair: Candidate) -> bool:
    """Out of focus, and not so sure that it could be read all the same."""
    return pair.sharpness < SHARP_BAR and not is_sure(pair, BLURRED_BAR, BLURRED_CORNER_BAR)


def _moved(candidate: Candidate, factor: float, dx: float, dy: float) -> Candidate:
    """From the region's pixels to the zone's."""
    grown = candidate.scaled(factor)
    points = tuple((x + dx, y + dy, down) for x, y, down in grown.points)
    pose = grown.pose.scaled(1, dx, dy)
    return replace(grown, pose=pose, points=points)
