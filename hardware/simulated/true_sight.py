"""A camera that tells what lies on the pile instead of showing it: for games by the hundred.

Drawing and reading pixels costs a hundred times what everything else does. Here a frame carries
the true pile in a few numbers; stamps, hands over the pile, motion, watermarks and the intervals
of the flips are those of the drawn table. What this leaves out is the reading itself, which
`models` measures on its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardware.protocols import Frame, Image
from hardware.simulated.motion import Motion
from hardware.simulated.pace import Pace
from hardware.simulated.table import Change, MovingCard, PileTaken, Table, TopTaken
from hardware.simulated.world import World
from referee.rules.cards import UNREAD, deck_of_52
from referee.rules.events import DEMO, Cleared, Flip, Observation

MS = 1_000_000
CARDS = tuple(deck_of_52())
NUMBER = {card: number for number, card in enumerate(CARDS)}

ROWS = 480
LINE_NS = 17_000
EXPOSURE_NS = 4 * MS
"""As the drawn table's camera."""
OVER_PILE_NS = 120 * MS
"""The last part of a flip, in which the card covers the pile."""
LEAVING_NS = 250 * MS
"""A pile or card that is taken covers its place for so long."""
REACH_MM = 75.0
"""A hand nearer to the middle of the pile hides part of it."""
SAMPLE_NS = 20 * MS

Lying = tuple[int, int]
"""Number of the card, serial number of its laying."""


@dataclass(slots=True)
class _Spans:
    """Stretches of time in which something hides the pile."""

    spans: list[tuple[int, int]]

    def add(self, begin_ns: int, end_ns: int) -> None:
        """One more."""
        self.spans.append((begin_ns, end_ns))

    def hides(self, begin_ns: int, end_ns: int) -> bool:
        """Something hides the pile in this stretch; what is over by then is forgotten."""
        self.spans = [span for span in self.spans if span[1] > begin_ns]
        return any(begin < end_ns for begin, _ in self.spans)


class TrueCamera:
    """Frames of one pile of a world, with the pile in place of the pixels."""

    def __init__(self, world: World, *, fps: float = 60.0, pile: int = 0) -> None:
        """Look at a pile.

        Args:
            world: The table and its time; frames come up to this time.
            fps: Frames a second.
            pile: Which pile.
        """
        self._world, self._table = world, world.table
        self._pile = pile
        self._pace = Pace(world.now_ns, fps=fps, exposure_ns=EXPOSURE_NS, readout_ns=ROWS * LINE_NS)
        self._serial = 0
        self._changes = self._hands = 0
        self._active: list[Change] = []
        self._hidden = _Spans([])
        self._lying: list[Lying] = []
        self._shown: tuple[tuple[Lying, ...], bool] = ((), True)
        self._image = encoded((), is_still=True)

    @property
    def frame_ns(self) -> int:
        """Time from frame to frame."""
        return self._pace.frame_ns

    @property
    def is_finished(self) -> bool:
        """Never: the table is always there."""
        return False

    def frames(self) -> list[Frame]:
        """All frames that have been read out by now."""
        frames: list[Frame] = []
        for number, t_ns in self._pace.due(self._world.now_ns):
            image = self._seen(t_ns - EXPOSURE_NS, t_ns + ROWS * LINE_NS)
            frames.append(Frame(number, t_ns, EXPOSURE_NS, LINE_NS, image, DEMO))
        return frames

    def close(self) -> None:
        """Nothing to release."""

    def _seen(self, begin_ns: int, end_ns: int) -> Image:
        self._take_in(self._table)
        for change in list(self._active):
            self._advance(change, begin_ns, end_ns)
        shown = tuple(self._lying), not self._hidden.hides(begin_ns, end_ns)
        if shown != self._shown:
            self._shown, self._image = shown, encoded(shown[0], is_still=shown[1])
        return self._image

    def _take_in(self, table: Table) -> None:
        """What has begun since the last frame, and when it hides the pile."""
        for change in table.changes[self._changes :]:
            if (change.onward if isinstance(change, TopTaken) else change).pile != self._pile:
                continue
            self._active.append(change)
            if isinstance(change, MovingCard):
                if change.stays and not change.under:
                    self._hidden.add(change.motion.end_ns - OVER_PILE_NS, change.motion.end_ns)
            elif isinstance(change, PileTaken):
                start_ns = change.motion.start_ns
                self._hidden.add(start_ns, start_ns + LEAVING_NS)
            else:
                self._hidden.add(change.t_ns, change.t_ns + LEAVING_NS)
        self._changes = len(table.changes)
        for hand in table.hands[self._hands :]:
            self._hide(hand.motion, hand.end_ns)
        self._hands = len(table.hands)

    def _hide(self, motion: Motion, end_ns: int) -> None:
        middle = self._table.pile_middle(self._pile)
        near = [
            t_ns
            for t_ns in range(motion.start_ns, end_ns + SAMPLE_NS, SAMPLE_NS)
            if (pose := motion.at(t_ns))
            and (pose.x - middle.x) ** 2 + (pose.y - middle.y) ** 2 < REACH_MM**2
        ]
        if near:
            self._hidden.add(near[0] - SAMPLE_NS, near[-1] + SAMPLE_NS)

    def _advance(self, change: Change, begin_ns: int, end_ns: int) -> None:
        if isinstance(change, TopTaken):
            if change.t_ns < end_ns:
                self._active.remove(change)
                self._lying = self._lying[:-1]
        elif isinstance(change, PileTaken):
            if change.motion.start_ns < end_ns:
                self._active.remove(change)
                self._land(change.motion.start_ns)
                self._lying = self._lying[-change.keep :] if change.keep else []
        elif change.motion.end_ns <= begin_ns:
            self._land(begin_ns)

    def _land(self, until_ns: int) -> None:
        """Cards whose way is over by then lie on the pile."""
        for change in list(self._active):
            if isinstance(change, MovingCard) and change.motion.end_ns <= until_ns:
                self._active.remove(change)
                if change.stays and not change.under:
                    self._serial += 1
                    self._lying.append((NUMBER[change.card], self._serial))


def encoded(lying: Sequence[Lying], *, is_still: bool) -> Image:
    """A pile as a picture of one column: stillness first, then each card, the lowest first."""
    image = np.zeros((len(lying) + 1, 1, 3), np.uint8)
    image[0, 0, 0] = is_still
    for row, (number, serial) in enumerate(lying, 1):
        image[row, 0] = number, serial >> 8 & 255, serial & 255
    return image


def decoded(image: Image) -> tuple[tuple[Lying, ...], bool]:
    """The pile in such a picture, and whether nothing hides it."""
    rows = image[:, 0].tolist()
    return tuple((row[0], row[1] << 8 | row[2]) for row in rows[1:]), bool(rows[0][0])


@dataclass(frozen=True, slots=True)
class Laying:
    """One laying of a card."""

    serial: int

    def is_near(self, other: Laying) -> bool:
        """It is the same one."""
        return self == other


class TrueWatcher:
    """Reads such pictures: a peer of `models.watch.PileWatcher`, but for the reading."""

    def __init__(self, *, pile: int = 0, unread_every: int = 0) -> None:
        """Watch a pile.

        Args:
            pile: Its number in the observations.
            unread_every: One laying in so many cannot be read; 0: every one can.
        """
        self.watermark_ns = 0
        self.state = "empty"
        self._pile, self._unread_every = pile, unread_every
        self._known: tuple[Lying, ...] = ()
        """As it lay at last; all of it is told but what waits."""
        self._unread: list[Flip] = []
        """Cards that wait to be read; they are told when they are covered or taken."""
        self._clean_ns = 0
        """Begin of the light of the last still frame that showed what is known."""
        self._fresh: tuple[tuple[Lying, ...], int] | None = None
        """What the still frame before showed instead, and the end of its light."""

    def see(
        self, image: Image, *, t_ns: int, exposure_ns: int = 0, line_ns: int = 0
    ) -> list[Observation]:
        """Take the next frame; see `PileWatcher.see`."""
        lying, is_still = decoded(image)
        begin_ns, end_ns = t_ns - exposure_ns, t_ns + ROWS * line_ns
        if not is_still:
            self.state = "motion"
            self._fresh = None
            return []
        if lying == self._known:
            self._fresh = None
            if self._unread:  # it waits to be read: nothing is promised
                self._clean_ns, self.state = begin_ns, "unread"
                return []
            return self._passed(begin_ns, "still" if lying else "empty")
        if self._fresh is None or self._fresh[0] != lying:
            self._fresh = (lying, end_ns)
            return []
        # Two still frames are alike: what they show is so since the first of them.
        return self._changed(lying, self._fresh[1], begin_ns)

    def where(self) -> Laying | None:
        """The card that waits to be read."""
        return Laying(self._known[-1][1]) if self._unread else None

    def finish(self) -> list[Observation]:
        """Tell of the card that waits; it is told again when it is covered or taken."""
        return [*self._unread]

    def _changed(self, lying: tuple[Lying, ...], first_ns: int, begin_ns: int) -> list[Observation]:
        """Another pile than before, since the end of the light of its first still frame."""
        before, self._known, self._fresh = self._known, lying, None
        early_ns = first_ns - min(self._clean_ns, first_ns)
        self._clean_ns = begin_ns
        new = [one for one in lying if one not in before]
        if not new and lying and self._unread:  # the card that waited was taken back
            self._unread = []
            return self._passed(begin_ns, "removed")
        seen: list[Observation] = [*self._unread]
        self._unread = [self._flip(one, first_ns, early_ns) for one in new]
        if new and self._is_unreadable(new[-1]):
            self.state = "unread"
            return seen
        seen += self._unread
        self._unread = []
        if not lying and before:
            seen.append(Cleared(first_ns, early_ns=early_ns, pile=self._pile))
        self._passed(begin_ns, "card" if new else "removed" if lying else "cleared")
        return seen

    def _flip(self, one: Lying, t_ns: int, early_ns: int) -> Flip:
        card = UNREAD if self._is_unreadable(one) else CARDS[one[0]]
        return Flip(t_ns, card, early_ns=early_ns, pile=self._pile)

    def _is_unreadable(self, one: Lying) -> bool:
        return bool(self._unread_every) and one[1] % self._unread_every == 0

    def _passed(self, begin_ns: int, state: str) -> list[Observation]:
        """Every frame up to this one has its answer."""
        self._clean_ns = begin_ns
        self.watermark_ns = max(self.watermark_ns, begin_ns)
        self.state = state
        return []
