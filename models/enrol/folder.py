"""Teaches a deck from pictures whose names say which card they show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from models.decks import check_language
from models.enrol.collect import Collected, Trouble, judge
from models.enrol.look import Flaw, Look, take_look
from models.enrol.own import OwnReader
from models.enrol.profile import BadProfile, Profile, check_name
from models.enrol.teaching import MOST_UNREAD, read_again
from models.pictures import load_picture, pictures_in
from models.reader import Reader
from referee.rules.cards import RANKS

LEAST_LOOKS = 2
"""Good pictures that each card needs: one alone cannot be checked."""

_NAMED = re.compile(r"(10|[2-9AJQK])([SHDC]?)(?![0-9A-Za-z])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """A picture and the card that its name tells."""

    path: Path
    rank: str
    suit: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A picture that taught nothing."""

    path: Path
    rank: str
    flaw: Flaw | None
    other: str = ""
    """Without a flaw: the card as which this very card was shown before."""


def named_pictures(folder: Path) -> list[Named]:
    """The pictures of a folder with the cards that their names tell.

    Raises:
        BadProfile: A name tells no card.
        BadPicture: No pictures.
    """
    return [_named(path) for path in pictures_in([folder])]


def _named(path: Path) -> Named:
    found = _NAMED.match(path.stem)
    if found is None:
        raise BadProfile(
            f"{path.name} does not say which card it shows, expected a name such as A-1.jpg, "
            "10H.jpg or K_2.png (letters A J Q K)"
        )
    return Named(path, found[1].upper(), found[2].upper() or "?")


class FolderTeaching:
    """A deck taught from a folder; the last picture of a card that has three or more is a test."""

    def __init__(self, reader: Reader, name: str, language: str) -> None:
        """Begin.

        Raises:
            BadProfile: No deck can be called so.
            BadDeck: No such language.
        """
        self._reader = reader
        self._collected = Collected(check_name(name), check_language(language))
        self._held_back: list[tuple[str, Look]] = []
        self.trouble: Trouble | None = None
        """Why the deck was refused."""
        self.profile: Profile | None = None
        """The deck, once it was taught and checked."""
        self.checked = 0
        """Pictures that were read as a test."""

    def learn(self, pictures: list[Named]) -> Iterator[Skipped]:
        """Take all pictures and judge; yields those that teach nothing."""
        counts = dict.fromkeys(RANKS, 0)
        for named in pictures:
            found = self._look(named)
            if isinstance(found, Skipped):
                yield found
                continue
            more = sum(other.rank == named.rank for other in pictures)
            counts[named.rank] += 1
            if more > LEAST_LOOKS and named is _last(pictures, named.rank):
                self._held_back.append((named.rank, found))
            else:
                self._collected.add(found, named.rank, named.suit)
        missing = [rank for rank in RANKS if counts[rank] < LEAST_LOOKS]
        if missing:
            self.trouble = Trouble("missing", missing[0], count=len(missing))
            return
        self._judge()

    def _look(self, named: Named) -> Look | Skipped:
        look = take_look(self._reader, load_picture(named.path))
        if isinstance(look, Flaw):
            return Skipped(named.path, named.rank, look)
        other = self._collected.shown_as(look, named.rank)
        if other:
            return Skipped(named.path, named.rank, None, other)
        return look

    def _judge(self) -> None:
        profile = self._collected.profile()
        self.trouble, _ = judge(profile, self._reader)
        if self.trouble is not None:
            return
        own = OwnReader(profile)
        unread = []
        for rank, look in self._held_back:
            said = read_again(own, look)
            self.checked += 1
            if said not in ("", rank):
                self.trouble = Trouble("misread", rank, said)
                return
            if not said:
                unread.append(rank)
        if len(unread) > MOST_UNREAD * max(1, self.checked):
            self.trouble = Trouble("unread", unread[0], count=len(unread))
            return
        self.profile = profile


def _last(pictures: list[Named], rank: str) -> Named:
    return [named for named in pictures if named.rank == rank][-1]
