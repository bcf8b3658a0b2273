"""Watches one pile: frames in, observations out.

Nothing is read while anything moves. When the pile has come to rest and looks different, the nets
read the part that changed, and an answer needs two ways of finding the card that agree, or the
same answer in two frames. Until there is an answer the watermark stands still: a card that cannot
be read yet delays verdicts, it never falsifies them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.arrivals import Arrival, Arrivals, Attempt
from models.hand_side import HandSide
from models.locate import Pose
from models.reader import Reader
from models.stillness import SHRINK, History, Mask, Seen, box_of, changed, share_alike, shrunk
from referee.rules.cards import UNREAD, Card
from referee.rules.events import Cleared, Flip, Observation

Image = NDArray[np.uint8]

MOVING_PX = 10
"""Small pixels that must differ from one frame to the next for something to move."""
CHANGED_SHARE = 0.02
"""Share of a card's area that must differ for the pile to look different."""
DEFAULT_CARD_PX = 176.0
"""Card height until one was measured: 2 px/mm."""
PATIENCE = 6
"""Frames in which every still frame is read; after that only every eighth."""
ALIKE = 0.9
"""Share of the changed part that must look as it did for a waiting card to be still the top."""
REFRESH = 20
"""Unchanged frames after which the picture of the pile is taken anew, to follow the light."""
REMEMBERED = 4
"""Earlier pictures of the pile that are recognised when a card is taken back."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the watcher makes of a frame."""

    kind: str
    """"start", "empty", "still", "motion", "hand", "unread", "card", "joker", "back", "two",
    "removed", "cleared"."""
    t_ns: int
    """Stamp of the frame."""
    cards: tuple[Card, ...] = ()
    """New cards, the lowest first."""
    confidence: float = 0.0
    pose: Pose | None = None
    """Where the newest card lies, in frame pixels."""
    guess: Card | None = None
    """Of an unread card."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A card that lies there and has not been read."""

    image: Image
    small: Image
    where: Mask
    last: Seen
    first: Seen
    pose: Pose


class PileWatcher:
    """Turns the frames of one camera into the observations of one pile."""

    def __init__(
        self,
        reader: Reader,
        *,
        zone: tuple[int, int, int, int] | None = None,
        card_height_px: float | None = None,
        pile: int = 0,
        sides: Mapping[str, str] | None = None,
    ) -> None:
        """Watch a pile.

        Args:
            reader: Holds the nets; several watchers may share one.
            zone: Left, top, width, height of the pile's place on the frame; None: all of it.
            card_height_px: Calibrated height of a card; None: learned from the first card.
            pile: Number of the pile in its observations.
            sides: "top", "bottom", "left", "right" -> the player whose hand comes from there; a
                side that is not clear, or not named, leaves the flipper open.
        """
        self.answer = Answer("empty", 0)
        self.watermark_ns = 0
        self.card_height_px = card_height_px
        self._zone = zone
        self._pile = pile
        self._sides = dict(sides or {})
        self._hands = HandSide()
        self._arrivals = Arrivals(reader)
        self._history = History()
        self._previous: Image | None = None
        self._settled: Image | None = None
        self._settled_small: Image | None = None
        self._bare_small: Image | None = None
        self._earlier: list[Image] = []
        self._attempts: list[Attempt] = []
        self._over: list[Attempt] = []
        """Readings of what came onto a card that waits."""
        self._waiting: _Waiting | None = None
        self._still = 0
        self._pile_cards: list[Card] = []

    @property
    def state(self) -> str:
        """What the pile looks like now, for the display."""
        return self.answer.kind

    def see(
        self, image: Image, *, t_ns: int, exposure_ns: int = 0, line_ns: int = 0
    ) -> list[Observation]:
        """Take the next frame.

        Args:
            image: BGR, shape (height, width, 3), uint8.
            t_ns: Start of the readout of row 0, monotonic clock.
            exposure_ns: How long each row saw light.
            line_ns: Readout time of one row.

        Returns:
            What became certain with this frame, oldest first.
        """
        zone = self._cut(image)
        seen = Seen(shrunk(zone), t_ns + self._top() * line_ns, exposure_ns, line_ns)
        first = self._previous is None
        moved = not first and self._moves(seen.small)
        self._previous = seen.small
        self._history.add(seen)
        if first or moved:
            self._still = 0
            self._forget_attempts()
            if self._sides and self._settled_small is not None:
                self._hands.note(changed(seen.small, self._settled_small))
            return self._say("empty" if first else "motion", seen)
        self._still += 1
        if self._settled is None or self._settled_small is None:
            return self._start(zone, seen)
        return self._look(zone, seen)

    def finish(self) -> list[Observation]:
        """No more frames: report a card that was never read."""
        return self._give_up_waiting()

    # --- still frames -----------------------------------------------------------------------------

    def _start(self, zone: Image, seen: Seen) -> list[Observation]:
        """The first picture of the pile: whatever lies there was there before."""
        card, pose = self._arrivals.read_start(zone, self.card_height_px)
        if card is not None and pose is not None:
            self.card_height_px = self.card_height_px or pose.height_px
            self._pile_cards = [card]
        elif pose is None:
            self._bare_small = seen.small
        self._settle(zone, seen)
        kind = "start" if card else "empty"
        return self._say(kind, seen, (card,) if card else (), pose=pose)

    def _look(self, zone: Image, seen: Seen) -> list[Observation]:
        """A still frame: the same pile, a changed one, or none."""
        assert self._settled_small is not None
        where = changed(seen.small, self._settled_small)
        if int(where.sum()) < CHANGED_SHARE * self._card_area():
            return self._unchanged(zone, seen)
        if self._is_bare(seen.small):
            return self._cleared(zone, seen)
        if self._is_earlier(seen.small):
            return self._taken_back(zone, seen)
        if len(self._attempts) >= PATIENCE and self._still % 8:
            return self._say(self.answer.kind, seen)
        return self._read(zone, seen, where)

    def _unchanged(self, zone: Image, seen: Seen) -> list[Observation]:
        """The pile is as it was."""
        self._forget_attempts()
        if self._waiting is not None and not self._pile_cards:
            return self._cleared(zone, seen)
        self._hands.forget()
        self._waiting = None
        if self._still % REFRESH == 0:
            self._settled, self._settled_small = zone.copy(), seen.small
        self._pass(seen)
        return self._say("still" if self._pile_cards else "empty", seen)

    def _read(self, zone: Image, seen: Seen, where: Mask) -> list[Observation]:
        """Let the nets look at what changed."""
        assert self._settled is not None
        assert self._settled_small is not None
        waiting = self._waiting
        covered = waiting is not None and share_alike(seen.small, waiting.small, where) < ALIKE
        if waiting is not None and covered:
            over = self._try(self._over, zone, waiting.image, changed(seen.small, waiting.small))
            arrival = self._arrivals.decide(over, self._pile_cards)
            if arrival.cards and not _near(arrival.pose, waiting.pose):
                given_up = self._give_up_waiting()
                return given_up + self._arrived(zone, seen, arrival, waiting.small)
            if arrival.kind == "seen again":
                return self._uncovered(zone, seen, arrival.guess)
        attempts = self._try(self._attempts, zone, self._settled, where)
        arrival = self._arrivals.decide(attempts, self._pile_cards)
        if covered and waiting is not None and not _near(arrival.pose, waiting.pose):
            return self._say("unread", seen, pose=arrival.pose, guess=arrival.guess)
        if arrival.cards or arrival.kind == "back":
            return self._arrived(zone, seen, arrival, self._settled_small)
        if arrival.kind == "seen again" and arrival.guess in self._pile_cards[:-1]:
            return self._uncovered(zone, seen, arrival.guess)
        if arrival.kind == "unread" and arrival.pose and len(attempts) >= PATIENCE // 2:
            self._wait(zone, seen, arrival.pose)
        kind = "unread" if arrival.kind == "seen again" else arrival.kind
        return self._say(kind, seen, pose=arrival.pose, guess=arrival.guess)

    def _try(
        self, attempts: list[Attempt], zone: Image, before: Image, where: Mask
    ) -> list[Attempt]:
        """One more reading of the changed part; returns all of this still spell."""
        box = box_of(where) or (0, 0, zone.shape[1], zone.shape[0])
        attempt = self._arrivals.attempt(zone, before, box, self.card_height_px)
        attempts.append(attempt)
        if self.card_height_px is None and attempt.height_px is not None:
            self.card_height_px = attempt.height_px
        return attempts

    def _arrived(
        self, zone: Image, seen: Seen, arrival: Arrival, before: Image
    ) -> list[Observation]:
        """New cards have been read."""
        where = self._place(arrival.pose, seen.small)
        last, first = self._history.interval(where, before, seen.small)
        waiting = self._waiting
        if waiting is not None:
            last, first = waiting.last, waiting.first
        self._waiting = None
        observations: list[Observation] = [
            self._flip(card, where, last, first, arrival.confidence) for card in arrival.cards
        ]
        self._pile_cards += arrival.cards
        self._arrivals.remember(arrival)
        self._settle(zone, seen)
        self._say(arrival.kind, seen, arrival.cards, arrival.confidence, arrival.pose)
        return observations

    def _flip(self, card: Card, where: Mask, last: Seen, first: Seen, confidence: float) -> Flip:
        """The observation: the card came to lie in the light of these two frames' rows."""
        top, bottom = _rows(where)
        t_ns = first.light_ended_ns(bottom)
        began_ns = min(last.light_began_ns(top), t_ns)
        return Flip(
            t_ns,
            card,
            self._flipper(),
            early_ns=t_ns - began_ns,
            pile=self._pile,
            confidence=round(confidence, 4),
        )

    def _flipper(self) -> str | None:
        """Whose hand it was, if the side tells."""
        side = self._hands.side(self._sides) if self._sides else None
        return self._sides[side] if side else None

    def _wait(self, zone: Image, seen: Seen, pose: Pose) -> None:
        """A card lies there that nobody can read: keep its picture and its time."""
        if self._waiting is not None:
            return
        assert self._settled_small is not None
        place = self._place(pose, seen.small)
        last, first = self._history.interval(place, self._settled_small, seen.small)
        self._waiting = _Waiting(zone.copy(), seen.small, place, last, first, pose)

    def _give_up_waiting(self) -> list[Observation]:
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            return []
        self._pile_cards.append(UNREAD)
        return [self._flip(UNREAD, waiting.where, waiting.last, waiting.first, 0.0)]

    def _cleared(self, zone: Image, seen: Seen) -> list[Observation]:
        """The bare table again: somebody took the pile."""
        assert self._settled_small is not None
        before = self._waiting.small if self._waiting else self._settled_small
        given_up = self._give_up_waiting()
        where = changed(seen.small, before)
        last, first = self._history.interval(where, before, seen.small)
        top, bottom = _rows(where)
        t_ns = first.light_ended_ns(bottom)
        early_ns = t_ns - min(last.light_began_ns(top), t_ns)
        self._bare_small = seen.small
        self._earlier.clear()
        self._pile_cards = []
        self._arrivals.forget()
        self._settle(zone, seen, keep=False)
        self._say("cleared", seen)
        return [*given_up, Cleared(t_ns, early_ns=early_ns, pile=self._pile)]

    def _taken_back(self, zone: Image, seen: Seen) -> list[Observation]:
        """The pile looks as it did before the newest card."""
        self._pile_cards = self._pile_cards[:-1]
        self._settle(zone, seen, keep=False)
        return self._say("removed", seen)

    def _uncovered(self, zone: Image, seen: Seen, card: Card | None) -> list[Observation]:
        """A known card lies free again, a little pushed: what lay on it was taken back."""
        while self._waiting is None and self._pile_cards and self._pile_cards[-1] != card:
            self._pile_cards = self._pile_cards[:-1]
        self._settle(zone, seen, keep=False)
        return self._say("removed", seen)

    # --- small things -----------------------------------------------------------------------------

    def _settle(self, zone: Image, seen: Seen, *, keep: bool = True) -> None:
        """This is how the pile looks from now on."""
        if keep and self._settled_small is not None:
            self._earlier = [*self._earlier, self._settled_small][-REMEMBERED:]
        self._settled, self._settled_small = zone.copy(), seen.small
        self._forget_attempts()
        self._waiting = None
        self._pass(seen)

    def _forget_attempts(self) -> None:
        self._attempts.clear()
        self._over.clear()

    def _pass(self, seen: Seen) -> None:
        """Every frame up to this one has its answer."""
        self.watermark_ns = max(self.watermark_ns, seen.light_began_ns(0))
        self._history.forget_before(seen.t_ns)

    def _say(
        self,
        kind: str,
        seen: Seen,
        cards: tuple[Card, ...] = (),
        confidence: float = 0.0,
        pose: Pose | None = None,
        guess: Card | None = None,
    ) -> list[Observation]:
        left, top = (self._zone[0], self._zone[1]) if self._zone else (0, 0)
        placed = pose.scaled(1, left, top) if pose else None
        self.answer = Answer(kind, seen.t_ns, cards, confidence, placed, guess)
        return []

    def _cut(self, image: Image) -> Image:
        if self._zone is None:
            return image
        x, y, w, h = self._zone
        return image[max(0, y) : y + h, max(0, x) : x + w]

    def _top(self) -> int:
        return max(0, self._zone[1]) if self._zone else 0

    def _card_area(self) -> float:
        height = (self.card_height_px or DEFAULT_CARD_PX) / SHRINK
        return 0.7 * height * height

    def _moves(self, small: Image) -> bool:
        assert self._previous is not None
        return int(changed(small, self._previous).sum()) >= MOVING_PX

    def _is_bare(self, small: Image) -> bool:
        if self._bare_small is None or (not self._pile_cards and self._waiting is None):
            return False
        return int(changed(small, self._bare_small).sum()) < CHANGED_SHARE * self._card_area()

    def _is_earlier(self, small: Image) -> bool:
        limit = CHANGED_SHARE * self._card_area()
        for number, earlier in enumerate(reversed(self._earlier), 1):
            if int(changed(small, earlier).sum()) < limit:
                self._earlier = self._earlier[:-number]
                return True
        return False

    def _place(self, pose: Pose | None, small: Image) -> Mask:
        """The card's area on the small frame."""
        place = np.zeros(small.shape, np.uint8)
        if pose is None:
            return ~place.astype(bool)
        outline = np.round(pose.corners() / SHRINK).astype(np.int32)
        cv2.fillConvexPoly(place, outline, 1)
        return place.astype(bool)


def _near(pose: Pose | None, other: Pose) -> bool:
    return pose is not None and pose.is_near(other)


def _rows(where: Mask) -> tuple[int, int]:
    """First and last row of a place, in full pixels."""
    rows = np.flatnonzero(where.any(1))
    if len(rows) == 0:
        return 0, where.shape[0] * SHRINK
    return int(rows[0]) * SHRINK, (int(rows[-1]) + 1) * SHRINK
