"""A watcher that loses patience with a card that it cannot read, so that the game goes on.

`models.watch.PileWatcher` promises nothing while a card waits to be read, so no slap and no claim
after it is ever decided. Here such a card is told as unread after a while: it counts, it can be
named on the page, and it may still be read or be taken back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from hardware.clock import NS_PER_S
from hardware.protocols import Image
from referee.rules.events import Flip, Observation, TakenBack
from referee.service.faults.looks import UNREAD

PATIENCE_NS = 10 * NS_PER_S
"""So long a card may wait to be read: time to see the fault and to straighten the card."""
AT_REST_NS = 1 * NS_PER_S
"""So long it must have lain still before it is given up: nobody is just straightening it."""
SURE_FRAMES = 3
"""Something that is unread in fewer frames is no card: the watcher itself waits for so many."""


class Place(Protocol):
    """Where a card lies."""

    def is_near(self, other: Any) -> bool:
        """Both are the same place."""


class WaitingWatcher(Protocol):
    """What waits for ever: models.watch.PileWatcher."""

    @property
    def watermark_ns(self) -> int:
        """Up to here every frame has an answer."""

    @property
    def state(self) -> str:
        """What the pile looks like now."""

    def see(self, image: Image, *, t_ns: int, exposure_ns: int, line_ns: int) -> list[Observation]:
        """Take the next frame."""

    def finish(self) -> list[Observation]:
        """Tell of a card that was never read; it may be told again."""


class PatientWatcher:
    """A peer of `models.watch.PileWatcher` that gives up in the end."""

    def __init__(
        self,
        watcher: WaitingWatcher,
        where: Callable[[], Place | None],
        *,
        patience_ns: int = PATIENCE_NS,
    ) -> None:
        """Watch a pile.

        Args:
            watcher: Reads it.
            where: Where the card lies that the watcher cannot read now; None: it cannot tell.
            patience_ns: So long a card may wait, by the stamps of the frames.
        """
        self._watcher, self._where, self._patience_ns = watcher, where, patience_ns
        self._passed_ns = 0
        self._told: Flip | None = None
        """The card that was given up and still lies there."""
        self._told_place: Place | None = None
        self._place: Place | None = None
        """Where a card lies unread, by the newest still frame that was looked at."""
        self._gave_up_ns = 0
        self._clean_ns = 0
        """Begin of the light of the newest frame that showed nothing but the told card."""
        self._since_ns: int | None = None
        """The first frame in which something waits to be read."""
        self._at_rest_ns: int | None = None
        """The first of the frames without motion in which it does."""
        self._frames = 0
        """How many frames there were."""

    @property
    def watermark_ns(self) -> int:
        """Up to here every frame has an answer."""
        return max(self._passed_ns, self._watcher.watermark_ns)

    @property
    def state(self) -> str:
        """What the pile looks like now."""
        return self._watcher.state

    def see(
        self, image: Image, *, t_ns: int, exposure_ns: int = 0, line_ns: int = 0
    ) -> list[Observation]:
        """Take the next frame; see `PileWatcher.see`."""
        before_ns = self._watcher.watermark_ns
        seen = self._watcher.see(image, t_ns=t_ns, exposure_ns=exposure_ns, line_ns=line_ns)
        passed = self._watcher.watermark_ns > before_ns
        if not seen and not passed:
            return self._wait(t_ns, exposure_ns)
        gone_ns = t_ns + image.shape[0] * line_ns
        told = [kept for one in seen if (kept := self._once(one, gone_ns)) is not None]
        if passed:
            told += [] if seen else self._taken_back(gone_ns, before_ns)
            self._forget_spell()
        return told

    # --- a card that waits ------------------------------------------------------------------------

    def _wait(self, t_ns: int, exposure_ns: int) -> list[Observation]:
        """A frame without an answer."""
        if self._watcher.state != UNREAD:
            self._at_rest_ns = self._place = None
            return []
        self._place = self._where() or self._place
        if self._is_told_card():
            self._forget_spell()
            return self._pass(t_ns - exposure_ns)
        self._frames += 1
        since_ns = self._since_ns = self._since_ns or t_ns
        rest_ns = self._at_rest_ns = self._at_rest_ns or t_ns
        if t_ns - since_ns < self._patience_ns or t_ns - rest_ns < AT_REST_NS:
            return []
        if self._told is not None:  # it was pushed, or another one lies on it: who knows
            return self._pass(t_ns - exposure_ns)
        return self._give_up(t_ns)

    def _pass(self, begin_ns: int) -> list[Observation]:
        """All is told of the frames before this one."""
        self._passed_ns = max(self._passed_ns, self._clean_ns)
        self._clean_ns = begin_ns
        return []

    def _is_told_card(self) -> bool:
        here, there = self._place, self._told_place
        return here is not None and there is not None and here.is_near(there)

    def _give_up(self, t_ns: int) -> list[Observation]:
        """Tell of the card that waits, if it is not the one that was told of."""
        waited = [one for one in self._watcher.finish() if isinstance(one, Flip)]
        new = [one for one in waited if one.t_ns > self._gave_up_ns]
        if new:
            self._told, self._told_place = new[-1], self._place
            self._gave_up_ns, self._clean_ns = t_ns, self._passed_ns
            self._forget_spell()
        return list[Observation](new)

    def _forget_spell(self) -> None:
        """What was unread is read, told, covered or gone."""
        self._since_ns = self._at_rest_ns = None
        self._frames = 0

    # --- what becomes of it -----------------------------------------------------------------------

    def _once(self, seen: Observation, now_ns: int) -> Observation | None:
        """An observation; None if it was told before."""
        told = self._told
        self._forget_told()
        if not isinstance(seen, Flip):
            return seen
        if told is not None and seen.t_ns <= self._gave_up_ns:
            # Of the same time, so that the referee knows which card has been read.
            as_told = replace(seen, t_ns=told.t_ns, early_ns=told.early_ns, player=told.player)
            return as_told if seen.card.is_read else None
        if seen.t_ns <= self._passed_ns:  # it lay on the told card, and nobody knew
            began_ns = seen.t_ns - seen.early_ns
            return replace(seen, t_ns=now_ns, early_ns=now_ns - began_ns)
        return seen

    def _taken_back(self, gone_ns: int, before_ns: int) -> list[Observation]:
        """The pile is as it was before: say from when to when something else lay there."""
        told, pile = self._told, 0
        if told is not None:
            began_ns, pile = told.t_ns - told.early_ns, told.pile
        elif self._frames >= SURE_FRAMES:
            began_ns = max(before_ns, self._passed_ns) + 1
        else:
            return []
        self._forget_told()
        return [TakenBack(gone_ns, early_ns=gone_ns - began_ns, pile=pile)]

    def _forget_told(self) -> None:
        self._told = self._told_place = None
