"""Watches one pile: frames in, observations out.

Nothing is read while anything moves. When the pile has come to rest and looks different, the nets
read the part that changed, and an answer needs two ways of finding the card that agree, or the
same answer in two frames. Until there is an answer the watermark stands still: a card that cannot
be read yet delays verdicts, it never falsifies them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.arrivals import Arrival, Arrivals, Attempt
from models.follow import followed
from models.hand_side import HandSide
from models.landing import Landing, Waiting, landed, place_of
from models.locate import Pose
from models.lying import Lying
from models.pushed import View, only_pushed, same_face, stays
from models.reader import Reader
from models.stillness import (
    SHRINK,
    History,
    Mask,
    Seen,
    box_of,
    changed,
    reaches_in,
    share_alike,
    shrunk,
)
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
        self._reader = reader
        self._arrivals = Arrivals(reader)
        self._history = History()
        self._previous: Image | None = None
        self._settled: View | None = None
        self._bare_small: Image | None = None
        self._lying = Lying()
        self._attempts: list[Attempt] = []
        self._over: list[Attempt] = []
        """Readings of what came onto a card that waits."""
        self._waiting: Waiting | None = None
        self._still = 0

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
            if self._sides and self._settled is not None:
                self._hands.note(changed(seen.small, self._settled.small))
            return self._say("empty" if first else "motion", seen)
        self._still += 1
        if self._settled is None:
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
            self._lying.lay(card, pose)
        elif pose is None:
            self._bare_small = seen.small
        self._settle(zone, seen)
        kind = "start" if card else "empty"
        return self._say(kind, seen, (card,) if card else (), pose=pose)

    def _look(self, zone: Image, seen: Seen) -> list[Observation]:
        """A still frame: the same pile, a changed one, or none."""
        assert self._settled is not None
        where = changed(seen.small, self._settled.small)
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
        if self._waiting is not None and not self._lying.cards:
            return self._cleared(zone, seen)
        self._hands.forget()
        self._waiting = None
        if self._still % REFRESH == 0:
            self._settled = View(zone.copy(), seen.small)
        self._pass(seen)
        return self._say("still" if self._lying.cards else "empty", seen)

    def _read(self, zone: Image, seen: Seen, where: Mask) -> list[Observation]:
        """Let the nets look at what changed."""
        assert self._settled is not None
        waiting = self._waiting
        covered = waiting is not None and share_alike(seen.small, waiting.view.small, where) < ALIKE
        if waiting is not None and covered:
            said = self._read_over(zone, seen, waiting)
            if said is not None:
                return said
        attempts = self._try(self._attempts, zone, self._settled.image, where)
        arrival = self._arrivals.decide(attempts, self._lying.cards)
        is_new = self._is_new(arrival, seen)
        if not is_new and self._follow_top(zone, seen, attempts, arrival):
            return []
        if covered and waiting is not None and not _near(arrival.pose, waiting.pose):
            return self._say("unread", seen, pose=arrival.pose, guess=arrival.guess)
        if is_new:
            return self._arrived(zone, seen, arrival)
        if arrival.kind == "seen again" and arrival.guess in self._lying.cards[:-1]:
            return self._uncovered(zone, seen, arrival)
        rests = len(attempts) >= PATIENCE // 2 and not reaches_in(where)
        if arrival.kind == "unread" and arrival.pose and rests:
            self._wait(zone, seen, arrival.pose)
        kind = arrival.kind if arrival.kind == "hand" else "unread"
        return self._say(kind, seen, pose=arrival.pose, guess=arrival.guess)

    def _read_over(self, zone: Image, seen: Seen, waiting: Waiting) -> list[Observation] | None:
        """Something came onto the card that waits, or it was moved; None: nobody can tell yet."""
        where = changed(seen.small, waiting.view.small)
        over = self._try(self._over, zone, waiting.view.image, where)
        arrival = self._arrivals.decide(over, self._lying.cards)
        if self._is_new(arrival, seen) and not _near(arrival.pose, waiting.pose):
            return self._bury(waiting) + self._arrived(zone, seen, arrival)
        if arrival.kind == "seen again":
            return self._uncovered(zone, seen, arrival)
        if self._follow_top(zone, seen, over, arrival):
            return []
        if self._follow_waiting(zone, seen, over, waiting):
            return self._say("unread", seen, pose=waiting.pose)
        rests = len(over) >= PATIENCE // 2 and not reaches_in(where)
        second = _same_place(over) if rests else None
        if second is None or self._may_be_pushed(zone, seen, second, waiting):
            return None
        buried = self._bury(waiting)
        self._wait(zone, seen, second)
        self._say("unread", seen, pose=second)
        return buried

    def _may_be_pushed(self, zone: Image, seen: Seen, second: Pose, waiting: Waiting) -> bool:
        """What looks like a second card may be the one that waits, in another place."""
        if stays(waiting.view.small, seen.small, waiting.pose, second) is False:
            return True
        guesses = [second, *(pose for look in self._attempts[-1:] for pose in _guesses(look, None))]
        perhaps = followed(waiting.view.image, waiting.pose, zone, guesses, loosely=True)
        return perhaps is not None and not perhaps.is_near(waiting.pose, shift=0.02, turn=0.03)

    def _is_new(self, arrival: Arrival, seen: Seen) -> bool:
        """Cards came, and none of them is one that has left its place on this pile."""
        assert self._settled is not None
        for card in arrival.cards:
            lay = self._lying.place_of(card)
            if lay is None or arrival.pose is None:
                continue
            if stays(self._settled.small, seen.small, lay, arrival.pose) is False:
                return False
        return bool(arrival.cards) or arrival.kind == "back"

    # --- pushed cards -----------------------------------------------------------------------------

    def _follow_top(
        self, zone: Image, seen: Seen, attempts: list[Attempt], arrival: Arrival
    ) -> bool:
        """Whether the newest card lies free as before, only pushed: then no card came."""
        lay = self._lying.top_pose
        if lay is None or len(attempts) < 2:
            return False
        assert self._settled is not None
        pose = self._pushed(self._settled, lay, zone, seen, _guesses(attempts[-1], arrival))
        if pose is None:
            return False
        top = self._lying.cards[-1]
        if top.is_read:
            face = same_face(self._reader, zone, pose, top)
            if face is None:
                return False
            self._arrivals.remember(Arrival("seen again", pose=pose, candidates=(face,)))
        kind = "removed" if self._waiting else "still"
        self._lying.push(pose)
        self._settle(zone, seen)
        self._say(kind, seen, pose=pose)
        return True

    def _follow_waiting(
        self, zone: Image, seen: Seen, over: list[Attempt], waiting: Waiting
    ) -> bool:
        """Whether the card that waits lies free as before, only pushed."""
        if len(over) < 2:
            return False
        guesses = [
            spot for look in (*self._attempts[-1:], over[-1]) for spot in _guesses(look, None)
        ]
        pose = self._pushed(waiting.view, waiting.pose, zone, seen, guesses)
        if pose is None:
            return False
        self._forget_attempts()
        self._waiting = replace(waiting, view=View(zone.copy(), seen.small), pose=pose)
        return True

    def _pushed(
        self, before: View, lay: Pose, zone: Image, seen: Seen, guesses: list[Pose]
    ) -> Pose | None:
        now, limit = View(zone, seen.small), CHANGED_SHARE * self._card_area()
        return only_pushed(before, lay, now, guesses, bare=self._bare_small, limit=limit)

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

    def _arrived(self, zone: Image, seen: Seen, arrival: Arrival) -> list[Observation]:
        """New cards have been read."""
        assert self._settled is not None
        landing = self._landed(arrival.pose, seen)
        if self._waiting is not None:
            landing = replace(self._waiting.landing, where=landing.where)
        self._lying.keep_picture(self._settled.small)
        observations = [self._flip(card, landing, arrival.confidence) for card in arrival.cards]
        for candidate in arrival.candidates:
            if (card := candidate.together.card) is not None:
                self._lying.lay(card, candidate.pose)
        self._arrivals.remember(arrival)
        self._settle(zone, seen)
        self._say(arrival.kind, seen, arrival.cards, arrival.confidence, arrival.pose)
        return observations

    def _landed(self, pose: Pose | None, seen: Seen) -> Landing:
        """When the card came that lies here now."""
        assert self._settled is not None
        place = place_of(pose, seen.small)
        return landed(self._history, place, self._settled.small, seen.small)

    def _flip(self, card: Card, landing: Landing, confidence: float) -> Observation:
        """The observation: the card came to lie in the light of these two frames' rows."""
        t_ns, early_ns = landing.span()
        return Flip(
            t_ns,
            card,
            self._flipper(),
            early_ns=early_ns,
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
        self._waiting = Waiting(View(zone.copy(), seen.small), self._landed(pose, seen), pose)

    def _bury(self, waiting: Waiting) -> list[Observation]:
        """Another card lies on the one that waits: nobody will read it any more."""
        assert self._settled is not None
        self._lying.keep_picture(self._settled.small)
        given_up = self._give_up_waiting()
        self._settled = waiting.view
        self._forget_attempts()
        return given_up

    def _give_up_waiting(self) -> list[Observation]:
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            return []
        self._lying.lay(UNREAD, waiting.pose)
        return [self._flip(UNREAD, waiting.landing, 0.0)]

    def _cleared(self, zone: Image, seen: Seen) -> list[Observation]:
        """The bare table again: somebody took the pile."""
        assert self._settled is not None
        before = self._waiting.view.small if self._waiting else self._settled.small
        given_up = self._give_up_waiting()
        where = changed(seen.small, before)
        t_ns, early_ns = landed(self._history, where, before, seen.small).span()
        self._bare_small = seen.small
        self._lying.forget()
        self._arrivals.forget()
        self._settle(zone, seen)
        self._say("cleared", seen)
        return [*given_up, Cleared(t_ns, early_ns=early_ns, pile=self._pile)]

    def _taken_back(self, zone: Image, seen: Seen) -> list[Observation]:
        """The pile looks as it did before the newest card."""
        self._settle(zone, seen)
        return self._say("removed", seen)

    def _uncovered(self, zone: Image, seen: Seen, arrival: Arrival) -> list[Observation]:
        """A known card lies free again, a little pushed: what lay on it was taken back."""
        if self._waiting is None and arrival.guess is not None:
            self._lying.uncover(arrival.guess, arrival.pose)
        self._settle(zone, seen)
        return self._say("removed", seen)

    # --- small things -----------------------------------------------------------------------------

    def _settle(self, zone: Image, seen: Seen) -> None:
        """This is how the pile looks from now on."""
        self._settled = View(zone.copy(), seen.small)
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
        if self._bare_small is None or (not self._lying.cards and self._waiting is None):
            return False
        return int(changed(small, self._bare_small).sum()) < CHANGED_SHARE * self._card_area()

    def _is_earlier(self, small: Image) -> bool:
        return self._lying.go_back(small, CHANGED_SHARE * self._card_area())


def _near(pose: Pose | None, other: Pose) -> bool:
    return pose is not None and pose.is_near(other)


def _same_place(attempts: list[Attempt]) -> Pose | None:
    """Where the last two looks found something of a card's shape."""
    before, now = attempts[-2].pose, attempts[-1].pose
    return now if now is not None and _near(before, now) else None


def _guesses(attempt: Attempt, arrival: Arrival | None) -> list[Pose]:
    """Where a pushed card may lie."""
    poses = [arrival.pose if arrival else None, attempt.pose, *(p.pose for p in attempt.pairs)]
    return [pose for pose in poses if pose is not None]
