"""What an evening tells its page of a game: the table, races, live pictures, touches."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.clock import NS_PER_MS
from hardware.protocols import Frame
from referee.rules.events import Slap
from referee.rules.record import to_record
from referee.rules.verdicts import Verdict
from referee.service.broadcast import Broadcast
from referee.service.coverage import Coverage
from referee.service.journal.record import GameRecord
from referee.service.live_game import LiveGame, NewGame

PICTURE_LEASE_NS = 10_000 * NS_PER_MS
"""A viewer who wants the live picture asks again before this time has passed."""
PICTURE_EVERY_NS = 250 * NS_PER_MS


class EveningPage:
    """The page's part of an evening."""

    def __init__(self, broadcast: Broadcast, *, keeps_pictures: bool) -> None:
        """Begin without a game.

        Args:
            broadcast: The way to the page.
            keeps_pictures: Pictures of the pile stay in the journal after the game.
        """
        self.tests_pads = False
        """Between two games: touches are shown and ruled on by nobody."""
        self._broadcast, self._keeps_pictures = broadcast, keeps_pictures
        self._coverage: Coverage | None = None
        self._unrecorded = 0
        self._picture_until_ns = self._picture_ns = 0

    def begin(self, game: LiveGame, new: NewGame, record: GameRecord | None) -> None:
        """A game begins or goes on.

        Args:
            game: Which.
            new: What it was made of.
            record: Where it is kept; None: nowhere.
        """
        self.tests_pads = False
        self._unrecorded += record is None
        self._coverage = Coverage(
            self._broadcast,
            game.referee,
            record.id if record is not None else self._unrecorded,
            deck=new.setup.deck,
            zone=game.zone,
            offset_ns=new.offset_ns,
            resumed=new.referee is not None,
            keep_picture=record.crop if record is not None and self._keeps_pictures else None,
        )

    def close_game(self) -> None:
        """There is no game any more."""
        self._coverage = None

    def see(self, frame: Frame) -> None:
        """Take a frame for the photo finish."""
        if self._coverage is not None:
            self._coverage.see(frame)

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        """Tell what was observed since the last call, and what was said about it."""
        if self._coverage is not None:
            self._coverage.tell(verdicts)

    def want_picture(self, now_ns: int) -> None:
        """A viewer looks at the live picture."""
        self._picture_until_ns = now_ns + PICTURE_LEASE_NS

    def show_table(self, game: LiveGame, now_ns: int) -> None:
        """How the table stands; now and then the picture, if anybody looks."""
        if self._coverage is None:
            return
        self._coverage.table(pile_state=game.state, lines=game.lines, now_ns=now_ns)
        due = now_ns - self._picture_ns >= PICTURE_EVERY_NS
        if due and now_ns < self._picture_until_ns:
            self._picture_ns = now_ns
            jpeg = self._coverage.newest_picture()
            if jpeg is not None:
                self._broadcast.live_picture(jpeg)

    def show_touches(self, touches: Sequence[Slap], seats: dict[str, int]) -> None:
        """Touches between two games, while pads are tried out."""
        for slap in touches if self.tests_pads else ():
            told = to_record(slap) | {"type": "touch", "seat": seats.get(slap.player)}
            self._broadcast.pass_on(told)
