"""Live coverage of one game for the page: what was seen and said, races, the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hardware.protocols import Frame
from referee.rules.events import Flip
from referee.rules.referee import Referee
from referee.rules.verdicts import AskTable, Correction, Hold, Verdict
from referee.service.broadcast import Broadcast
from referee.service.pile_pictures import PilePictures, Zone
from referee.service.race_book import Race, RaceBook, book_of

RULED = ("valid_slap", "false_slap", "late_slap", "ignored_slap", "doubt", "tie", "let")
"""Kinds of verdict after which no slap waits any more."""
KeepPicture = Callable[[str, bytes], None]


class Coverage:
    """Follows a referee and tells the page."""

    def __init__(
        self,
        broadcast: Broadcast,
        referee: Referee,
        number: int,
        *,
        deck: str,
        zone: Zone | None,
        offset_ns: int = 0,
        resumed: bool = False,
        keep_picture: KeepPicture | None = None,
    ) -> None:
        """Tell the page that a game begins; a resumed one is told from its start.

        Args:
            broadcast: The way to the page.
            referee: Whose log is followed.
            number: Of the game, in the journal.
            deck: Index letters of the deck.
            zone: The pile's part of the picture; None: no pictures are kept.
            offset_ns: From the clock of the frames to event time.
            resumed: The referee has ruled on a part of the game already.
            keep_picture: Stores a picture of the pile under its name, where that is wanted.
        """
        self._broadcast, self._referee, self._number = broadcast, referee, number
        self._pictures, self._offset_ns = PilePictures(zone), offset_ns
        self._keep_picture = keep_picture
        self._named: dict[int, tuple[str, str]] = {}
        """Race -> names of its two pictures."""
        self._book = RaceBook()
        self._told = 0
        self._hold = False
        broadcast.game(number, referee.header, deck=deck, resumed=resumed)
        if resumed:
            self._told = len(referee.log)
            for observation in referee.log:
                broadcast.seen(observation)
            for verdict in referee.verdicts:
                broadcast.said(verdict)
            self._write_anew()

    def see(self, frame: Frame) -> None:
        """Take a frame for the photo finish."""
        self._pictures.see(frame)

    def newest_picture(self) -> bytes | None:
        """The pile as it is, as JPEG."""
        return self._pictures.newest()

    def tell(self, verdicts: Iterable[Verdict]) -> None:
        """Tell what was observed since the last call, and what was said about it."""
        for observation in self._referee.log[self._told :]:
            self._broadcast.seen(observation)
            self._book.take(observation)
        self._told = len(self._referee.log)
        corrected = False
        for verdict in verdicts:
            self._broadcast.said(verdict)
            corrected = corrected or isinstance(verdict, Correction)
            self._hold = isinstance(verdict, Hold | AskTable) or (
                self._hold and verdict.kind not in RULED
            )
            race = self._book.hear(verdict)
            if race is not None and not corrected:
                self._tell_race(race)
        if corrected:
            self._write_anew()

    def table(self, *, pile_state: str, lines: Sequence[str], now_ns: int) -> None:
        """Tell how the table stands."""
        self._broadcast.table(
            self._referee.table,
            pile_state=pile_state,
            lines=lines,
            hold=self._hold,
            now_ns=now_ns,
        )

    def _write_anew(self) -> None:
        """All races as they stand after the corrections."""
        self._book = book_of(self._referee.facts, self._referee.verdicts)
        races = self._book.races
        self._broadcast.only_races([race.number for race in races])
        for race in races:
            self._tell_race(race)

    def _tell_race(self, race: Race) -> None:
        if race.number not in self._named and race.card is not None:
            self._named[race.number] = self._take_pictures(race.number, race.card)
        before, after = self._named.get(race.number, ("", ""))
        self._broadcast.race(race.message(before, after))

    def _take_pictures(self, number: int, card: Flip) -> tuple[str, str]:
        """The pile before the card and with it; their names, empty where there is none."""
        pictures = {
            "before": self._pictures.before(card.t_ns - card.early_ns - self._offset_ns),
            "after": self._pictures.after(card.t_ns + card.late_ns - self._offset_ns),
        }
        names = []
        for which, jpeg in pictures.items():
            name = f"{self._number}-{number}-{which}" if jpeg is not None else ""
            names.append(name)
            if jpeg is not None:
                self._broadcast.crop(name, jpeg)
                if self._keep_picture is not None:
                    self._keep_picture(name, jpeg)
        return names[0], names[1]
