"""When looks at corners agree: the second witnesses of an answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from models.candidates import Candidate
from models.locate import Point, Spot, wrapped
from models.reader import SINGLE_BAR, is_sure
from models.recognise import Opinion, averaged
from referee.rules.cards import JOKER_RANK, Card

BACK_BAR = 0.8
BEFORE_BAR = 0.8
"""Confidence of a pair in the frame before that seconds one."""
CHANGE_BAR = 0.8
"""Confidence that the changed area needs to second a pair."""
ALONE_BAR = 0.97
"""Confidence of each corner of a changed area that speaks without a pair."""
OLD_SHIFT, OLD_TURN = 0.13, 0.35
"""What moved less (card heights, radians) from one frame to another is the same."""
PUSHED = 0.2
"""A corner of the picture before that moved less and turned less than OLD_TURN was pushed."""
COVERED, CLEARLY_NEW, NEARLY_NEW = 0.5, 0.55, 0.6
"""A card whose middle is hidden more surely than this, and that is less surely new."""
SAME_CORNER = 0.1
"""Card heights within which two corners are one."""
OTHER, OTHER_BAR = 0.2, 0.55
"""A corner farther than this (card heights) from all of a card's, and so surely new, is of another
card that came at the same time."""
NO_INDEX_BAR = 0.8
LOOKS_BACK = 3
"""Earlier still frames whose readings of a card count, too."""


def steadied(pair: Candidate, earlier: Sequence[Sequence[Candidate]]) -> Candidate:
    """The pair with the mean of what its corners said in the still frames so far.

    Noise differs from frame to frame, so one lucky or unlucky look counts less.
    """
    looks = [
        next((other for other in pairs if other.pose.is_near(pair.pose)), None)
        for pairs in earlier[-LOOKS_BACK:]
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


def was_there(pair: Candidate, old: Sequence[tuple[Point, str]]) -> bool:
    """Its corners lay nearly there before and said the same: the card was only pushed.

    Of a card that is not clearly new and lies under another one, one such corner is enough.
    """
    lay = [
        any(_is_from(before, answer, point, opinion, pair) for before, answer in old)
        for point, opinion in zip(pair.points, pair.each, strict=True)
    ]
    return any(lay) if pair.covered > COVERED and pair.new < CLEARLY_NEW else all(lay)


def _is_from(before: Point, answer: str, now: Point, opinion: Opinion, pair: Candidate) -> bool:
    """A corner was pushed from there: it says the same, or lay so near that nothing else fits."""
    height = pair.pose.height_px
    if answer == opinion.answer:
        return _is_pushed(before, now, height)
    return pair.new < NEARLY_NEW and _is_pushed(before, now, height, share=0.5)


def _is_pushed(before: Point, now: Point, card_height_px: float, share: float = 1.0) -> bool:
    """A corner may have come from one place to the other when its card was pushed."""
    away = math.hypot(now[0] - before[0], now[1] - before[1])
    turned = abs(wrapped(now[2] - before[2]))
    return away < share * PUSHED * card_height_px and turned < share * OLD_TURN


def is_other(spot: Spot, pair: Candidate) -> bool:
    """A new corner that is none of this card's."""
    reach = OTHER * pair.pose.height_px
    return spot.new > OTHER_BAR and all(
        math.hypot(x - spot.x, y - spot.y) > reach for x, y, _ in pair.pose.index_points()
    )


def lay_there(spot: Spot, old: Sequence[tuple[Point, str]], card_height_px: float) -> bool:
    """There was a corner already: its card was only pushed."""
    now = (spot.x, spot.y, spot.down)
    return any(_is_pushed(before, now, card_height_px) for before, _ in old)


def same_corner(now: Sequence[Candidate], before: Sequence[Candidate]) -> Candidate | None:
    """A corner that names the same card beyond doubt in two frames."""
    for corner in now:
        if corner.together.card is None or corner.readable < SINGLE_BAR:
            continue
        for other in before:
            same = corner.together.answer == other.together.answer
            if same and other.readable >= SINGLE_BAR and other.pose.is_near(corner.pose):
                return corner
    return None


def is_no_index(corner: Candidate) -> bool:
    """Both nets hold it for a place without an index."""
    opinion = corner.together
    return opinion.answer == "none" and opinion.confidence > NO_INDEX_BAR


def is_same(one: Card, other: Card) -> bool:
    """The same card as far as both were read."""
    return one.rank == other.rank and (one.suit == other.suit or "?" in (one.suit, other.suit))


def apart(pairs: Sequence[Candidate]) -> tuple[Candidate, Candidate] | None:
    """Two different cards, the better witnessed (so the upper) one last."""
    for i, first in enumerate(pairs):
        for second in pairs[i + 1 :]:
            near = first.pose.is_near(second.pose, shift=0.35, turn=0.5)
            if not near and not _share_corner(first, second) and not _same_card(first, second):
                return second, first
    return None


def _share_corner(one: Candidate, other: Candidate) -> bool:
    """A corner belongs to one card only: one of the two is made of corners of both."""
    reach = SAME_CORNER * one.pose.height_px
    return any(
        math.hypot(x - u, y - v) < reach for x, y, _ in one.points for u, v, _ in other.points
    )


def _same_card(one: Candidate, other: Candidate) -> bool:
    first, second = one.together.card, other.together.card
    return first is not None and second is not None and is_same(first, second)


def seconds(change: Candidate, pair: Candidate) -> bool:
    """The changed area names the same card in the same place."""
    return (
        change.together.answer == pair.together.answer
        and change.readable >= CHANGE_BAR
        and change.pose.is_near(pair.pose)
    )


def has(pairs: Sequence[Candidate], wanted: Candidate) -> bool:
    """The frame before says the same, nearly as surely."""
    return any(
        is_sure(pair, BEFORE_BAR)
        and pair.together.answer == wanted.together.answer
        and pair.pose.is_near(wanted.pose)
        for pair in pairs
    )


def stands_alone(now: Candidate | None, before: Candidate | None) -> bool:
    """Two still frames changed in the same card shape, and every corner names the same card."""
    if now is None or before is None or not now.pose.is_near(before.pose):
        return False
    card = now.together.card
    if card is None or card.rank == JOKER_RANK:
        return False
    return all(
        opinion.answer == card.rank and opinion.confidence >= ALONE_BAR
        for candidate in (now, before)
        for opinion in candidate.each
    )


def is_double(pair: Candidate, pile: Sequence[Card]) -> bool:
    """A card that already lies in this pile: each is there once, so look twice."""
    card = pair.together.card
    return card is not None and card.suit != "?" and card in pile


def is_pushed_top(corner: Candidate, pile: Sequence[Card]) -> bool:
    """A corner not clearly new that has the rank of the pile's newest card: that was pushed."""
    return bool(pile) and corner.new < NEARLY_NEW and corner.together.answer == pile[-1].rank


def is_back(change: Candidate | None) -> bool:
    return (
        change is not None
        and change.together.answer == "back"
        and all(opinion.answer == "back" for opinion in change.each)
        and change.readable >= BACK_BAR
    )
