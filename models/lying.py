"""The cards of one pile as they lie, and how the pile looked before the newest ones came."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.agreement import is_same
from models.locate import Pose
from models.stillness import changed
from referee.rules.cards import Card

Image = NDArray[np.uint8]

REMEMBERED = 4
"""Earlier pictures of the pile that are recognised when a card is taken back."""


class Lying:
    """Cards, the lowest first, each with the place in which it was last seen."""

    def __init__(self) -> None:
        """Nothing lies there."""
        self.cards: list[Card] = []
        self._poses: list[Pose | None] = []
        self._earlier: list[tuple[Image, int]] = []
        """Small pictures, each with the number of cards it shows."""

    @property
    def top_pose(self) -> Pose | None:
        """Where the newest card lies, if that is known."""
        return self._poses[-1] if self._poses else None

    def place_of(self, card: Card) -> Pose | None:
        """Where this card was last seen; None if it is not one of these."""
        both = zip(self.cards, self._poses, strict=True)
        places = [pose for lies, pose in both if lies.is_read and is_same(lies, card)]
        return places[-1] if places else None

    def lay(self, card: Card, pose: Pose | None) -> None:
        """One more card on top."""
        self.cards.append(card)
        self._poses.append(pose)

    def push(self, pose: Pose) -> None:
        """The newest card lies here now."""
        self._poses[-1] = pose

    def take_off(self, count: int) -> None:
        """The newest cards are gone."""
        keep = max(0, len(self.cards) - count)
        del self.cards[keep:], self._poses[keep:]

    def uncover(self, card: Card, pose: Pose | None) -> None:
        """This one is the newest again; it lies here now."""
        self.take_off(len(self.cards) - 1 - self.cards.index(card) if card in self.cards else 0)
        if pose is not None and self._poses:
            self.push(pose)

    def forget(self) -> None:
        """The pile is gone."""
        self.take_off(len(self.cards))
        self._earlier.clear()

    def keep_picture(self, small: Image) -> None:
        """This is how the pile looked until now."""
        self._earlier = [*self._earlier, (small, len(self.cards))][-REMEMBERED:]

    def go_back(self, small: Image, limit: float) -> bool:
        """The pile looks as it did once: take off what came since; False if it does not."""
        for number, (earlier, count) in enumerate(reversed(self._earlier), 1):
            if int(changed(small, earlier).sum()) < limit:
                self._earlier = self._earlier[:-number]
                self.take_off(len(self.cards) - count)
                return True
        return False
