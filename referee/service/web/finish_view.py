"""A race as the page shows it: the picture in two widths, the pile before and after, a sentence.

Pure. Made from a "race" message of the box, or from what `race_book` finds in a log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from referee.locale import text
from referee.rules.errors import RefereeError
from referee.rules.events import Flip, Slap
from referee.rules.record import observation_from_record, verdict_from_record
from referee.service.photo_finish import NARROW_PX, WIDE_PX, Lane, photo_finish
from referee.service.sentences import card_name, sentence


@dataclass(frozen=True, slots=True)
class Finish:
    """One race, ready for `_finish.html`."""

    number: int
    title: str
    """The card in words."""
    words: str
    """The verdict in one sentence."""
    wide: Markup
    narrow: Markup
    before: str
    """Name of the pile's picture before the card; empty: there is none."""
    after: str


def finish_of(race: Mapping[str, Any], crops: Iterable[str], language: str) -> Finish:
    """A race for the page.

    Args:
        race: A "race" message.
        crops: Names of the pictures that there are.
        language: "de" or "en".
    """
    card, lanes, words = read_race(race, language)
    title = title_of(card, language)
    there = set(crops)
    pictures = [
        Markup(photo_finish(card, lanes, title="", width_px=width_px, language=language))
        for width_px in (WIDE_PX, NARROW_PX)
    ]
    return Finish(
        number=int(race["id"]),
        title=title,
        words=words,
        wide=pictures[0],
        narrow=pictures[1],
        before=str(race.get("before", "")) if race.get("before") in there else "",
        after=str(race.get("after", "")) if race.get("after") in there else "",
    )


def read_race(race: Mapping[str, Any], language: str) -> tuple[Flip | None, list[Lane], str]:
    """Card, hands and sentence of a race message; what cannot be read is left out."""
    card = _observation(race["card"]) if race.get("card") else None
    lanes = []
    for lane in race["lanes"]:
        slap = _observation(lane["slap"])
        if isinstance(slap, Slap):
            lanes.append(Lane(slap, str(lane["outcome"])))
    try:
        words = sentence(verdict_from_record(race["verdict"]), language)
    except RefereeError:
        words = ""
    return (card if isinstance(card, Flip) else None), lanes, words


def _observation(record: object) -> object:
    try:
        return observation_from_record(record)
    except RefereeError:
        return None


def title_of(card: Flip | None, language: str) -> str:
    """The card in words, with a capital letter."""
    if card is None:
        return text("page", "Before the first card", language=language)
    name = card_name(card.card, language)
    return name[:1].upper() + name[1:]


def file_of(race: Mapping[str, Any], language: str) -> str:
    """A race as a file of its own: with its title and its sentence."""
    card, lanes, words = read_race(race, language)
    return photo_finish(
        card, lanes, title=title_of(card, language), verdict=words, language=language
    )
