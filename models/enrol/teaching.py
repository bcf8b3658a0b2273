"""Guides through a deck, frame by frame: which card is wanted, and what became of it.

Pure: no clock, no camera, no words. The caller shows frames and turns what is said into sentences.
"""

from __future__ import annotations

import math
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from models.candidates import Candidate
from models.decks import check_language
from models.enrol.collect import SAME_LETTER, Collected, Trouble, judge
from models.enrol.letter import alike
from models.enrol.look import Flaw, Look, take_look
from models.enrol.own import OwnReader
from models.enrol.profile import Profile, check_name
from models.enrol.steps import Ask, Said, Step, What
from models.locate import Pose, wrapped
from models.reader import Reader, is_sure
from models.recognise import Image
from models.stillness import SHRINK, changed, shrunk
from models.watch import MOVING_PX
from referee.rules.cards import RANKS

LOOKS = 2
"""Looks at each card, the second one after it was moved."""
CHECKS = 6
"""Cards that are asked for again at the end."""
STILL = 2
"""Like frames that show a table at rest."""
AGAIN = 20
"""Still frames after which a table that taught nothing is looked at once more."""
LEAST_SHIFT, LEAST_TURN = 0.04, 0.06
"""How far a card must have been moved for a second look: card heights, radians."""
OTHER_SIZE = 0.12
"""Cards of one deck differ less in height."""
ELSEWHERE = 0.5
"""Share of a card's area that may differ from the bare table beside the card."""
TRIES = 2
"""Chances of a card that is asked for again."""
MOST_UNREAD = 1 / 3
"""Of the cards asked for again; more and the deck was not learned."""


class Teaching:
    """One deck being taught."""

    def __init__(
        self,
        reader: Reader,
        name: str,
        language: str,
        *,
        looks: int = LOOKS,
        checks: int = CHECKS,
        seed: int = 0,
        demo: bool = False,
    ) -> None:
        """Begin with a bare table.

        Args:
            reader: Holds the nets, for this language.
            name: Of the deck.
            language: Of its index letters.
            looks: At each card.
            checks: Cards that are asked for again at the end.
            seed: Of their order.
            demo: The deck is drawn.

        Raises:
            BadProfile: No deck can be called so.
            BadDeck: No such language.
        """
        self._reader = reader
        self._collected = Collected(check_name(name), check_language(language), demo)
        self._looks, self._checks, self._seed = looks, checks, seed
        self._bare: Image | None = None
        self._previous: Image | None = None
        self._still, self._fresh, self._insists = 0, True, False
        self._order: list[str] = []
        self._own: Reader | None = None
        self._tries = TRIES
        self._last: Look | None = None
        """The newest one that was taken."""
        self._unread: list[str] = []
        self.trouble: Trouble | None = None
        """Why the deck was refused."""
        self.profile: Profile | None = None
        """The deck, once it was taught and checked."""

    @property
    def ask(self) -> Ask:
        """What is wanted now."""
        total = len(RANKS) * self._looks + self._checks
        done = self._collected.looks + (self._checks - len(self._order) if self._own else 0)
        progress = min(1.0, done / total)
        if self.trouble is not None:
            return Ask(Step.REFUSED, progress=progress)
        if self.profile is not None:
            return Ask(Step.DONE, progress=1.0)
        if self._bare is None:
            return Ask(Step.BARE)
        if self._order:
            number = self._checks - len(self._order) + 1
            return Ask(Step.CHECK, self._order[0], number, self._checks, progress)
        rank = RANKS[self._collected.looks // self._looks]
        number = self._collected.looks % self._looks + 1
        step = Step.LAY if number == 1 else Step.MOVE
        return Ask(step, rank, number, self._looks, progress)

    @property
    def is_over(self) -> bool:
        """Nothing more is wanted."""
        return self.profile is not None or self.trouble is not None

    @property
    def missing(self) -> int:
        """Cards that were not looked at often enough."""
        return len(RANKS) - self._collected.looks // self._looks

    def insist(self) -> None:
        """The person says that the card on the table is the one that was asked for."""
        self._insists = self._fresh = True
        self._still = 0

    def see(self, bgr: Image) -> Said | None:
        """Take the next frame, BGR, shape (height, width, 3), uint8."""
        if self.is_over:
            return None
        small = shrunk(bgr)
        previous, self._previous = self._previous, small
        if previous is None or int(changed(small, previous).sum()) >= MOVING_PX:
            self._still, self._fresh = 0, True
            return None
        self._still += 1
        if not self._fresh and self._still % AGAIN:
            return None
        if self._still < STILL:
            return None
        was_fresh, self._fresh = self._fresh, False
        said = self._look(bgr, small)
        self._insists = False
        return said if was_fresh or (said and said.what in _PROGRESS) else None

    def _look(self, bgr: Image, small: Image) -> Said | None:
        ask = self.ask
        if ask.step is Step.BARE:
            return self._look_at_bare(bgr, small)
        look = take_look(self._reader, bgr, self._collected.card_height_px)
        if isinstance(look, Flaw):
            return self._flawed(look, ask, bgr, small)
        pose = look.pose
        if self._is_crowded(small, pose):
            return Said(What.HAND, ask.rank, pose=pose)
        if self._last is not None and lies_as_before(look, self._last):
            return None  # nobody has moved it yet
        if ask.step is Step.CHECK:
            return self._check(look, ask)
        other = self._collected.shown_as(look, ask.rank)
        if other and not self._insists:
            return Said(What.SAME_CARD, ask.rank, other, pose=pose)
        other = _surely(look.net)
        if other not in ("", ask.rank) and not self._insists:
            return Said(What.OTHER_RANK, ask.rank, other, pose=pose)
        self._collected.add(look, ask.rank)
        self._last = look
        if self._collected.looks == len(RANKS) * self._looks:
            return self._begin_checks(ask, pose)
        return Said(What.TAKEN, ask.rank, pose=pose)

    def _look_at_bare(self, bgr: Image, small: Image) -> Said | None:
        look = take_look(self._reader, bgr)
        if look is Flaw.DARK and int(bgr.max()) < 12:
            return Said(What.FLAW, flaw=Flaw.DARK)
        if isinstance(look, Look):
            return Said(What.HAND, pose=look.pose)
        self._bare = small
        return Said(What.CLEARED)

    def _flawed(self, flaw: Flaw, ask: Ask, bgr: Image, small: Image) -> Said | None:
        if self._bare is not None and self._is_bare(small):
            return None  # between two cards
        known = self._collected.card_height_px
        if known is not None and flaw in (Flaw.EMPTY, Flaw.ONE_CORNER):
            free = take_look(self._reader, bgr)
            if isinstance(free, Look):
                away = abs(np.log(free.pose.height_px / known))
                if away > OTHER_SIZE:
                    return Said(What.OTHER_SIZE, ask.rank, pose=free.pose)
        return Said(What.FLAW, ask.rank, flaw=flaw)

    def _is_bare(self, small: Image) -> bool:
        assert self._bare is not None
        height = (self._collected.card_height_px or 150.0) / SHRINK
        return int(changed(small, self._bare).sum()) < 0.1 * height * height

    def _is_crowded(self, small: Image, pose: Pose) -> bool:
        """Beside the card the table looks different from the bare one: a hand, another card."""
        assert self._bare is not None
        if small.shape != self._bare.shape:
            return False
        place = np.zeros(small.shape, np.uint8)
        cv2.fillConvexPoly(place, np.round(_grown(pose) / SHRINK).astype(np.int32), 1)
        beside: NDArray[np.bool_] = changed(small, self._bare) & ~place.astype(bool)
        area = 0.7 * (pose.height_px / SHRINK) ** 2
        return int(beside.sum()) > ELSEWHERE * area

    def _begin_checks(self, ask: Ask, pose: Pose) -> Said:
        profile = self._collected.profile()
        self.trouble, nearest = judge(profile, self._reader)
        if self.trouble is not None:
            return Said(What.REFUSED, ask.rank, trouble=self.trouble, pose=pose)
        self._own = OwnReader(profile)
        order = list(dict.fromkeys([*nearest, "J", *RANKS]))[: self._checks]
        Random(self._seed).shuffle(order)
        if order and order[0] == ask.rank:
            order.append(order.pop(0))
        self._order = order
        return self._finished() if not order else Said(What.TAKEN, ask.rank, pose=pose)

    def _check(self, look: Look, ask: Ask) -> Said:
        """The card that was asked for, as the taught deck reads it."""
        assert self._own is not None
        said = read_again(self._own, look)
        pose = look.pose
        if said == ask.rank:
            self._last = look
            self._next_check()
            return self._finished() if not self._order else Said(What.RIGHT, ask.rank, pose=pose)
        self._tries -= 1
        if self._tries > 0:
            return Said(What.WRONG if said else What.UNREAD, ask.rank, said, pose=pose)
        if said:
            self.trouble = Trouble("misread", ask.rank, said)
            return Said(What.REFUSED, ask.rank, said, trouble=self.trouble, pose=pose)
        self._unread.append(ask.rank)
        self._next_check()
        return self._finished() if not self._order else Said(What.UNREAD, ask.rank, pose=pose)

    def _next_check(self) -> None:
        self._order.pop(0)
        self._tries = TRIES

    def _finished(self) -> Said:
        if len(self._unread) > MOST_UNREAD * self._checks:
            self.trouble = Trouble("unread", self._unread[0], count=len(self._unread))
            return Said(What.REFUSED, trouble=self.trouble)
        self.profile = self._collected.profile()
        return Said(What.DONE)


_PROGRESS = (What.CLEARED, What.TAKEN, What.RIGHT, What.DONE, What.REFUSED)


def read_again(own: Reader, look: Look) -> str:
    """What the taught deck reads on a look; "" if it is not sure."""
    opinions = tuple(own.glyphs.read(list(look.patches[:2])))
    card = Candidate(look.pose, look.net.points, opinions, 1.0)
    return card.together.answer if is_sure(card) and card.together.answer in RANKS else ""


def lies_as_before(look: Look, last: Look) -> bool:
    """The same letter in the same place: the card of the look before still lies there."""
    away = math.hypot(look.pose.x - last.pose.x, look.pose.y - last.pose.y) / look.pose.height_px
    turned = abs(wrapped(2 * (look.pose.down - last.pose.down))) / 2
    if away > LEAST_SHIFT or turned > LEAST_TURN:
        return False
    return alike(look.patches, last.patches) > SAME_LETTER


def _surely(card: Candidate) -> str:
    """The rank that the net reads beyond doubt, or ""."""
    sure = is_sure(card, 0.98, 0.8) and card.together.answer in RANKS
    return card.together.answer if sure else ""


def _grown(pose: Pose) -> NDArray[np.float32]:
    """The card's outline, with room for its shadow."""
    corners = pose.corners()
    middle = corners.mean(0)
    return np.asarray(middle + (corners - middle) * 1.15, np.float32)
