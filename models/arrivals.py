"""Decides whether a new card has come to the pile, and which: the agreement rule.

An answer needs two witnesses. Either pairs of corners and the changed area name the same card in
the same place, or pairs do it in two still frames with both corners each, or no pair is seen and a
changed area of exactly a card's shape does it in two still frames, both its corners and both their
suits beyond doubt. Otherwise: unread.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.candidates import Candidate, luma_colour, resized
from models.locate import CELL_PX, SEEN_PX, USUAL_HEIGHT_PX, Point, Pose, Spot, wrapped
from models.reader import NEW_BAR, Reader, is_sure
from models.recognise import Opinion, averaged
from referee.rules.cards import JOKER_RANK, Card

Image = NDArray[np.uint8]

MARGIN = 0.2
"""Of a card's height around what changed: whole corners, and enough unchanged table to compare."""
ROUND_PX = 32
"""Regions have sides of multiples of this: few sizes, few plans for the nets."""
STRONG_BAR, STRONG_CORNER_BAR = 0.98, 0.6
"""What a pair must reach, together and each corner: the second witness shares the reader."""
BACK_BAR = 0.8
CHANGE_BAR = 0.9
"""Confidence that the changed area needs to second a pair."""
ALONE_BAR = 0.97
"""Confidence of each corner of a changed area that speaks without a pair."""
OLD_SHIFT, OLD_TURN = 0.13, 0.35
"""A known card that moved less (card heights, radians) with the same answer is not new."""
PUSHED = 0.2
"""A corner of the picture before that moved less and says the same was pushed."""
LOOKS_BACK = 3
"""Earlier still frames whose readings of a card count, too."""
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
        self._known: list[tuple[Pose, str]] = []

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
            self._known.append((reading.pose, reading.card.rank))
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
        factor = 1.0 if SEEN_PX[0] < height < SEEN_PX[1] else USUAL_HEIGHT_PX / height
        now = luma_colour(resized(zone[top:bottom, left:right], factor))
        earlier = luma_colour(resized(before[top:bottom, left:right], factor))
        h, w = (side // CELL_PX * CELL_PX for side in now.shape[:2])
        now, earlier = np.ascontiguousarray(now[:h, :w]), earlier[:h, :w]
        pairs, change, spots = self._reader.newest(
            now, np.ascontiguousarray(earlier[..., 0]), height * factor
        )
        if any(is_sure(pair) and not (change and _seconds(change, pair)) for pair in pairs):
            old = self._reader.settled(earlier, height * factor)
            pairs = [pair for pair in pairs if not _was_there(pair, old)]
        back = 1 / factor
        return Attempt(
            tuple(_moved(pair, back, left, top) for pair in pairs),
            _moved(change, back, left, top) if change else None,
            tuple(spots),
            measured,
        )

    def _measure(self, zone: Image) -> float | None:
        """Height of the cards on a picture, if one can be read."""
        reading = self._reader.read_picture(zone)
        return reading.pose.height_px if reading.card and reading.pose and reading.pair else None

    def decide(self, attempts: Sequence[Attempt], pile: Sequence[Card]) -> Arrival:
        """What the still frames so far come to."""
        attempt = attempts[-1]
        earlier = attempts[-2] if len(attempts) > 1 else None
        pairs = [_steadied(pair, attempts[:-1]) for pair in attempt.pairs]
        fresh = [pair for pair in pairs if self._is_fresh(pair)]
        sure = [pair for pair in fresh if is_sure(pair, STRONG_BAR, STRONG_CORNER_BAR)]
        repeated = [pair for pair in sure if earlier and _has(earlier.pairs, pair)]
        two = _apart(repeated)
        if two:
            return _two(*two)
        for pair in sure:
            agreed = attempt.change is not None and _seconds(attempt.change, pair)
            twice = pair in repeated
            if (agreed and twice) or ((agreed or twice) and not _is_double(pair, pile)):
                return _one(pair)
        if earlier and _is_back(attempt.change) and _is_back(earlier.change) and not sure:
            assert attempt.change is not None
            return Arrival("back", (), attempt.change.readable, attempt.change.pose)
        if earlier and not sure and _stands_alone(attempt.change, earlier.change):
            assert attempt.change is not None
            if not _is_double(attempt.change, pile) and not self._is_known(attempt.change):
                return _one(attempt.change)
        again = [pair for pair in pairs if self._is_known(pair) and is_sure(pair)]
        if again and not fresh and earlier and _has(earlier.pairs, again[0]):
            return Arrival("seen again", pose=again[0].pose, guess=again[0].together.card)
        guess = fresh[0].together.card if fresh else None
        kind = "unread" if attempt.looks_like_card else "hand"
        return Arrival(kind, pose=fresh[0].pose if fresh else attempt.pose, guess=guess)

    def _is_fresh(self, card: Candidate) -> bool:
        """New to the net, and not a known card that was pushed a little or lies free again."""
        if card.new < NEW_BAR or card.together.answer in ("none", "back"):
            return False
        return not self._is_known(card)

    def _is_known(self, card: Candidate) -> bool:
        """A card that was read in this place: by any of its corners, four-cornered decks have two
        pairs."""
        return any(
            known == card.together.answer
            and card.pose.is_near(pose, shift=OLD_SHIFT, turn=OLD_TURN)
            for pose, known in self._known
        )

    def remember(self, arrival: Arrival) -> None:
        """These cards are old from now on."""
        self._known += [(each.pose, each.together.answer) for each in arrival.candidates]
        self._known = self._known[-REMEMBERED:]

    def forget(self) -> None:
        """The pile is gone."""
        self._known.clear()


def _steadied(pair: Candidate, earlier: Sequence[Attempt]) -> Candidate:
    """The pair with the mean of what its corners said in the still frames so far.

    Noise differs from frame to frame, so one lucky or unlucky look counts less.
    """
    looks = [
        next((p for p in attempt.pairs if p.pose.is_near(pair.pose)), None)
        for attempt in earlier[-LOOKS_BACK:]
    ]
    each = []
    for number, opinion in enumerate(pair.each):
        said = [_nearest(look, pair.points[number]) for look in looks if look is not None]
        each.append(averaged([opinion, *(other for other in said if other is not None)]))
    return replace(pair, each=tuple(each))


def _nearest(look: Candidate, point: Point) -> Opinion | None:
    """What this look says of the corner at the point."""
    reach = OLD_SHIFT * look.pose.height_px
    for (x, y, _), opinion in zip(look.points, look.each, strict=True):
        if math.hypot(x - point[0], y - point[1]) < reach:
            return opinion
    return None


def _was_there(pair: Candidate, old: Sequence[tuple[Point, str]]) -> bool:
    """Both corners lay nearly there before and said the same: the card was only pushed."""
    return all(
        any(
            answer == opinion.answer
            and math.hypot(x - ox, y - oy) < PUSHED * pair.pose.height_px
            and abs(wrapped(down - odown)) < OLD_TURN
            for (ox, oy, odown), answer in old
        )
        for (x, y, down), opinion in zip(pair.points, pair.each, strict=True)
    )


def _one(pair: Candidate) -> Arrival:
    card = pair.together.card
    assert card is not None
    kind = "joker" if card.rank == JOKER_RANK else "card"
    return Arrival(kind, (card,), pair.readable, pair.pose, card, (pair,))


def _two(lower: Candidate, upper: Candidate) -> Arrival:
    cards = tuple(card for pair in (lower, upper) if (card := pair.together.card) is not None)
    confidence = min(lower.readable, upper.readable)
    return Arrival("two", cards, confidence, upper.pose, upper.together.card, (lower, upper))


def _apart(pairs: Sequence[Candidate]) -> tuple[Candidate, Candidate] | None:
    """Two different cards, the better witnessed (so the upper) one last."""
    for i, first in enumerate(pairs):
        for second in pairs[i + 1 :]:
            if not first.pose.is_near(second.pose, shift=0.35, turn=0.5):
                return second, first
    return None


def _seconds(change: Candidate, pair: Candidate) -> bool:
    """The changed area names the same card in the same place."""
    return (
        change.together.answer == pair.together.answer
        and change.readable >= CHANGE_BAR
        and change.pose.is_near(pair.pose)
    )


def _has(pairs: Sequence[Candidate], wanted: Candidate) -> bool:
    """The frame before says the same, as surely."""
    return any(
        is_sure(pair)
        and pair.together.answer == wanted.together.answer
        and pair.pose.is_near(wanted.pose)
        for pair in pairs
    )


def _stands_alone(now: Candidate | None, before: Candidate | None) -> bool:
    """Two still frames changed in the same card shape, and every corner names the same card."""
    if now is None or before is None or not now.pose.is_near(before.pose):
        return False
    card = now.together.card
    if card is None or card.suit == "?" or card.rank == JOKER_RANK:
        return False
    return all(
        opinion.card == card and opinion.confidence >= ALONE_BAR
        for candidate in (now, before)
        for opinion in candidate.each
    )


def _is_double(pair: Candidate, pile: Sequence[Card]) -> bool:
    """A card that already lies in this pile: each is there once, so look twice."""
    card = pair.together.card
    return card is not None and card.suit != "?" and card in pile


def _is_back(change: Candidate | None) -> bool:
    return (
        change is not None
        and change.together.answer == "back"
        and all(opinion.answer == "back" for opinion in change.each)
        and change.readable >= BACK_BAR
    )


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


def _moved(candidate: Candidate, factor: float, dx: float, dy: float) -> Candidate:
    """From the region's pixels to the zone's."""
    grown = candidate.scaled(factor)
    points = tuple((x + dx, y + dy, down) for x, y, down in grown.points)
    pose = grown.pose.scaled(1, dx, dy)
    return replace(grown, pose=pose, points=points)
