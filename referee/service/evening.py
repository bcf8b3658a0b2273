"""Games one after another at one table: begin, play, correct, end; everything is told and kept.

The box's loop calls `step` and `picture`. A game is made from a set-up; when it is over, the next
one comes from the page, or the same again. Nothing here waits, and nothing asks the time.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PIL import Image

from hardware.announcement import Announcement, Priority
from hardware.counts import draw_counts
from hardware.drawing import blank
from hardware.protocols import Display, Frame
from hardware.screen import Screen
from models.enrol.profile import taught_decks
from referee.rules.events import Observation
from referee.rules.record import Header
from referee.rules.verdicts import Verdict
from referee.service.announce import announce, announce_fault, announce_state
from referee.service.broadcast import Broadcast
from referee.service.doctor.codes import Code
from referee.service.evening_page import EveningPage
from referee.service.faults.looks import AskLook, PowerCutLook
from referee.service.faults.steady_display import SteadyDisplay
from referee.service.faults.watchman import Watchman
from referee.service.follower import Follower
from referee.service.game_view import counts_by_seat
from referee.service.guides import Guide
from referee.service.journal.journal import Journal
from referee.service.journal.record import GameRecord
from referee.service.journal.resume import OpenGame, after_power_cut
from referee.service.live_game import LiveGame, NewGame
from referee.service.setup import Setup

IDLE, PLAYING, OVER, SAFE = "idle", "playing", "over", "safe"
"""What the evening does: nothing yet, a game, showing its end, waiting with bad settings."""
CODE = "code"
"""Kind of the announcement that shows the code."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """The times that a box needs; exchanged in tests."""

    monotonic_ns: Callable[[], int]
    unix_ms: Callable[[], int]
    boot: str


class Evening:
    """One table for an evening."""

    def __init__(
        self,
        make_game: Callable[[NewGame], LiveGame],
        broadcast: Broadcast,
        clocks: Clocks,
        *,
        journal: Journal | None = None,
        display: Display,
        followers: Sequence[Follower] = (),
        keeps_pictures: bool = False,
        version: str = "",
        **box: object,
    ) -> None:
        """Prepare; no game yet.

        Args:
            make_game: Opens table, pads and camera for one game.
            broadcast: The way to the page.
            clocks: Of this computer.
            journal: Where games are kept; None: nowhere.
            display: The matrix.
            followers: Voice, lights: whatever else says announcements.
            keeps_pictures: Pictures of the pile stay in the journal after the game.
            version: Of this program.
            box: Further fields of the page's "box" message.
        """
        self.game: LiveGame | None = None
        self.setup: Setup | None = None
        self.led = Screen(display.size)
        self.code = f"{secrets.randbelow(1_000_000):06d}"
        """Whoever wants to change something through the page must know it."""
        self.state = IDLE
        self.seats: dict[str, int] = {}
        """Player -> seat number, from 1."""
        self.frame: Frame | None = None
        """The newest frame."""
        self.watchman = Watchman()
        self.guide: Guide | None = None
        """Between two games: what people are led through."""
        self.page = EveningPage(broadcast, keeps_pictures=keeps_pictures)
        """What the page is told of the game."""
        self.broadcast, self.journal = broadcast, journal
        self._make_game, self._clocks, self._followers = make_game, clocks, list(followers)
        self._display = display
        self._always = [display] if isinstance(display, SteadyDisplay) else []
        self._keeps_pictures, self._version = keeps_pictures, version
        self._record: GameRecord | None = None
        broadcast.box(
            state=IDLE,
            width=display.size[0],
            code=self.code,
            keep_pictures=keeps_pictures,
            version=version,
            journal=str(journal.path) if journal is not None else "",
            **box,
        )

    # --- games ------------------------------------------------------------------------------------

    def begin(self, setup: Setup) -> None:
        """Begin a game; one that runs is given up.

        Raises:
            RefereeError: A part cannot be had; there is no game then.
        """
        self.end()
        self._close_game()
        self._play(setup, NewGame(setup, self._new_record, self._see))

    def go_on(self, opened: OpenGame) -> None:
        """Go on with the game that a power cut interrupted.

        Raises:
            RefereeError: A part cannot be had; there is no game then.
        """
        assert self.journal is not None
        journal, header = self.journal, opened.log.header
        referee = opened.replayed()
        now_ns = self._clocks.monotonic_ns()
        sitting = opened.sitting.after(opened.last_ns, self._clocks.boot, now_ns)
        setup = Setup(header.game, header.players, header.house_rules, opened.box.get("deck", "en"))

        def goes_on(header: Header, box: dict[str, Any]) -> GameRecord:
            self._record = journal.go_on(opened, sitting)
            return self._record

        new = NewGame(setup, goes_on, self._see, referee, sitting.offset_ns, opened.note("table"))
        self._play(setup, new)
        reason = f"game {opened.id} goes on after {len(opened.log.observations)} observations"
        self.watchman.looks.append(PowerCutLook(reason))
        self._tell(self.game.hear(after_power_cut(referee, now_ns)) if self.game else [])

    def end(self) -> list[Verdict]:
        """End the game, with or without a winner; what is held is decided."""
        if self.game is None or self.state != PLAYING:
            return []
        verdicts = self.game.finish()
        if self._record is not None:
            self._record.end(self.game.referee.table, self._clocks.unix_ms(), verdicts)
        self._tell(verdicts)
        if not self._keeps_pictures:
            self.delete_pictures()
        self._set_state(OVER)
        return verdicts

    def close(self) -> None:
        """Give everything back. A game that runs is not ended: it goes on with the next start."""
        self._end_guide()
        self._close_game()
        for follower in self._followers:
            follower.close()
        self._display.close()

    # --- the loop ---------------------------------------------------------------------------------

    def step(self) -> list[Verdict]:
        """Take what has come, and say it to everybody."""
        verdicts: list[Verdict] = []
        if self.game is not None and self.state == PLAYING:
            verdicts = self.game.step()
            self._tell(verdicts)
            if self.game.is_over:
                verdicts = verdicts + self.end()
        elif self.guide is not None:
            self._follow_guide(self.guide)
        elif self.game is not None:
            self.page.show_touches(self.game.touches(), self.seats)
        for change in self.watchman.step(self._clocks.monotonic_ns()):
            self.broadcast.fault(change.code.value, change.seat, on=change.on)
            if change.on:
                self._say(partial(announce_fault, change.code.value, change.seat))
        for code, seat in self.watchman.reminders(self._clocks.monotonic_ns()):
            self._say(partial(announce_fault, code.value, seat))
        for follower in self._followers:
            follower.step(self._clocks.monotonic_ns())
        return verdicts

    def tell(self, ruling: Observation) -> list[Verdict]:
        """The table overrules the box.

        Raises:
            BadLog: Nobody at this table can have done that.
        """
        if self.game is None or self.state != PLAYING:
            return []
        verdicts = self.game.hear([ruling])
        self._tell(verdicts)
        return verdicts

    def say(self, announcement: Announcement) -> None:
        """Say something on the matrix and in every other way."""
        self._say(lambda language: announcement)

    def picture(self) -> Image.Image:
        """What the matrix shows now; the matrix and the page are told."""
        now_ns = self._clocks.monotonic_ns()
        if self.game is not None:
            view = self.game.referee.table
            seat = self.seats.get(view.to_act or "")
            counts, demo = counts_by_seat(view), self.game.is_demo
            self.led.rest(draw_counts(counts, self.led.size, to_act=seat, demo=demo))
        if self.journal is not None:  # a fresh file may have taken over
            self.broadcast.box(journal=str(self.journal.path))
        picture = self.led.picture(now_ns)
        # The code is for those who sit at the table; everybody on the network sees the page.
        hidden = self.led.is_saying(CODE)
        self.broadcast.led(blank(self.led.size) if hidden else picture)
        self._display.show(picture)
        if self.game is not None:
            self.page.show_table(self.game, now_ns)
        return picture

    def lead(self, begin: Callable[[], Guide]) -> None:
        """Begin a guide; pads and camera are free then.

        Raises:
            RefereeError: A part cannot be had.
        """
        self._end_guide()
        self._close_game()
        self._set_state(IDLE)
        self.guide = begin()

    # --- settings that cannot be used -------------------------------------------------------------

    def be_safe(self, reason: Mapping[str, str]) -> None:
        """Wait with bad settings: nothing is ruled until a game is begun on purpose.

        Args:
            reason: Language -> all that is wrong.
        """
        trouble = (Code.BAD_SETTINGS.value, reason["en"])
        self.watchman.looks = [*self._always, AskLook(lambda: trouble)]
        self._set_state(SAFE, reason=dict(reason))

    # --- what the page needs ----------------------------------------------------------------------

    def show_code(self) -> None:
        """Write the code on the matrix: who can read it sits at the table."""
        announcement = Announcement(
            kind=CODE,
            icon="lock",
            word32=self.code,
            word64=self.code,
            sentence=self.code,
            priority=Priority.END,
        )
        self.led.say(announcement, self._clocks.monotonic_ns())

    def delete_pictures(self, *, of_all_games: bool = False) -> None:
        """Forget the pictures of this game's piles, here and in the journal; or those of all."""
        self.broadcast.forget_pictures()
        if self.journal is None:
            return
        if of_all_games:
            self.journal.delete_crops()
        elif self._record is not None:
            self.journal.delete_crops(self._record.id)

    # --- inside -----------------------------------------------------------------------------------

    def _follow_guide(self, guide: Guide) -> None:
        for message in guide.step():
            self.broadcast.pass_on(message)
        if guide.is_over:
            self._end_guide()

    def _end_guide(self) -> None:
        if self.guide is not None:
            self.guide.close()
            self.guide = None

    def _hands_off(self) -> None:
        """Pads are set up with every game, and a camera takes seconds: the matrix says so first."""
        self._say(partial(announce_state, "hands_off"))
        self.picture()

    def _play(self, setup: Setup, new: NewGame) -> None:
        self._end_guide()
        if self._always:
            self._hands_off()
        game = self.game = self._make_game(new)
        self.setup = setup
        players = game.referee.header.players
        self.seats = {player: seat for seat, player in enumerate(players, 1)}
        self.led = Screen(self.led.size, demo=game.is_demo)
        self.watchman.looks = [
            *self._always,
            *game.looks(),
            AskLook(self._journal_trouble),
        ]
        self._set_state(
            PLAYING,
            reason={},
            demo=game.is_demo,
            stamp=game.stamp,
            interactive=game.is_interactive,
        )
        self.page.begin(game, new, self._record)
        self._note_table()

    def _new_record(self, header: Header, box: dict[str, Any]) -> GameRecord | None:
        if self.journal is None:
            return None
        told = box | {"boot": self._clocks.boot, "version": self._version}
        self._record = self.journal.begin(header, told, self._clocks.unix_ms())
        return self._record

    def _tell(self, verdicts: Sequence[Verdict]) -> None:
        self.page.tell(verdicts)
        for verdict in verdicts:
            self._say(partial(announce, verdict, self.seats))
        if verdicts:
            self._note_table()

    def _note_table(self) -> None:
        """Keep the cards of a drawn table, so that it can be laid again after a power cut."""
        table = self.game.snapshot() if self.game is not None else None
        if self._record is not None and table is not None:
            self._record.note("table", table)

    def _say(self, words: Callable[[str | None], Announcement | None]) -> None:
        """Say something everywhere, each in its own language; None: that of the box."""
        now_ns = self._clocks.monotonic_ns()
        announcement = words(None)
        if announcement is None:
            return
        self.led.say(announcement, now_ns)
        for follower in self._followers:
            own = words(follower.language) if follower.language else announcement
            if own is not None:
                follower.say(own, now_ns)

    def _see(self, frame: Frame) -> None:
        self.frame = frame
        self.page.see(frame)

    def _journal_trouble(self) -> tuple[str, str] | None:
        trouble = self.journal.trouble if self.journal is not None else None
        return None if trouble is None else (trouble.code.value, trouble.sentence("en"))

    def _set_state(self, state: str, **changes: object) -> None:
        self.state = state
        changes["decks"] = taught_decks()
        self.broadcast.box(state=state, **changes)

    def _close_game(self) -> None:
        if self.game is not None:
            self.game.close()
        self.game = self._record = None
        self.page.close_game()
