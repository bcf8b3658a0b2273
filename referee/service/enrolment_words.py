"""What is said while a deck is taught, in both languages, and what the LED matrix shows."""

from __future__ import annotations

from pathlib import Path

from hardware.announcement import Announcement, Priority
from models.decks import LANGUAGES
from models.enrol.collect import Trouble
from models.enrol.folder import Skipped
from models.enrol.look import Flaw
from models.enrol.own import OwnReader
from models.enrol.profile import Profile
from models.enrol.steps import Ask, Said, Step, What
from models.reader import Reader
from referee.locale import text
from referee.rules.cards import RANKS

AREA = "enrol"

NAMES = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}

FLAWS = {
    Flaw.DARK: "The picture is black: take the cap off the lens and switch on the light.",
    Flaw.EMPTY: "No corner of a card is seen: lay it face up in the middle. Wanted: {card}.",
    Flaw.ONE_CORNER: "Only one corner of the card is seen: lay it free and whole into the picture.",
    Flaw.SMALL: "The card is too small in the picture: bring the camera nearer.",
    Flaw.BLURRED: "The corners are not sharp: focus the camera or bring more light.",
    Flaw.UNLIKE: "The card's two corners do not look alike: free them of hands and glare.",
    Flaw.CROWDED: "More than one card is seen: lay this one alone. Wanted: {card}.",
}
"""Why a look teaches nothing, and how to mend it."""

SAYINGS = {
    What.CLEARED: "The bare table is seen.",
    What.TAKEN: "{card}: seen.",
    What.RIGHT: "{card}: read again.",
    What.WRONG: "This was read as: {other}. Wanted: {card}, lay it once more.",
    What.UNREAD: "{card}: not read, lay it straight and in good light.",
    What.HAND: "Something else lies in the picture: take away hands and other cards.",
    What.OTHER_SIZE: "This card has another size: use one deck and do not move the camera.",
    What.SAME_CARD: "This card was shown before, as: {other}. Wanted: {card}.",
    What.OTHER_RANK: "This looks like: {other}. Lay this one: {card}; if it is, press Enter.",
}

TROUBLES = {
    "alike": "{card} and {other} cannot be told apart: teach it again, nearer and in more light.",
    "misread": "The second look at one card was misread, {card} as {other}: teach the deck again.",
    "unread": "{count} cards were not read on the second look: teach it again in more light.",
    "missing": "Too few good looks at {count} of 13 cards, the first is: {card}. Show each twice.",
    "stopped": "The teaching was ended before the last card: nothing was kept.",
}
"""Why a deck was refused."""

ASKS = {
    Step.BARE: "Take all cards from under the camera.",
    Step.LAY: "{card}: lay it alone under the camera, face up.",
    Step.MOVE: "{card}: push it elsewhere and turn it a little.",
    Step.CHECK: "Check {number} of {of}: {card}, lay it once more.",
}

ICONS = {Step.BARE: "stop", Step.LAY: "card", Step.MOVE: "loop", Step.CHECK: "eye"}
WORDS = {Step.BARE: "CLEAR", Step.LAY: "LAY", Step.MOVE: "TURN", Step.CHECK: "AGAIN"}
"""At most what a matrix of 32 points holds."""


def card_word(rank: str, deck: str, language: str | None = None) -> str:
    """A card in words, with the letter of the deck: "jack (B)", "7"."""
    if rank not in NAMES:
        return rank
    return f"{text(AREA, NAMES[rank], language=language)} ({card_letter(rank, deck)})"


def card_letter(rank: str, deck: str) -> str:
    """What stands in the corner of this deck's card."""
    glyphs = [glyph for glyph, named in LANGUAGES[deck].items() if named == rank]
    return glyphs[0] if glyphs else rank


def ask_sentence(ask: Ask, deck: str, language: str | None = None) -> str:
    """What is wanted; empty when nothing more is."""
    if ask.step not in ASKS:
        return ""
    return text(AREA, ASKS[ask.step], language=language).format(
        card=card_word(ask.rank, deck, language), number=ask.number, of=ask.of
    )


def said_sentence(said: Said, deck: str, language: str | None = None) -> str:
    """What became of a look; empty for the end, which has words of its own."""
    message = FLAWS[said.flaw] if said.flaw is not None else SAYINGS.get(said.what, "")
    if not message:
        return ""
    return text(AREA, message, language=language).format(
        card=card_word(said.rank, deck, language), other=card_word(said.other, deck, language)
    )


def skipped_sentence(skipped: Skipped, deck: str, language: str | None = None) -> str:
    """Why a picture taught nothing."""
    what = What.FLAW if skipped.flaw is not None else What.SAME_CARD
    return said_sentence(Said(what, skipped.rank, skipped.other, skipped.flaw), deck, language)


def trouble_sentence(trouble: Trouble, deck: str, language: str | None = None) -> str:
    """Why a deck was refused."""
    return text(AREA, TROUBLES[trouble.kind], language=language).format(
        card=card_word(trouble.rank, deck, language),
        other=card_word(trouble.other, deck, language),
        count=trouble.count,
    )


def done_sentence(profile: Profile, file: Path, language: str | None = None) -> str:
    """The deck is learned."""
    message = text(
        AREA,
        "The deck is learned: {corners} corners are kept in {file}. Play with: --deck {name}",
        language=language,
    )
    return message.format(corners=len(profile.ranks), file=file, name=profile.name)


def strange_deck(reader: Reader, language: str | None = None) -> str:
    """What to say if the deck on the table is not the taught one; empty if it may be."""
    if not isinstance(reader, OwnReader) or not reader.is_other_deck:
        return ""
    message = text(
        AREA,
        "This does not look like the deck {name}: lay that one, or choose another (--deck de)",
        language=language,
    )
    return message.format(name=reader.profile.name)


def ask_announcement(ask: Ask, deck: str, language: str | None = None) -> Announcement:
    """What the matrix shows while a card is awaited."""
    word = text(AREA, WORDS[ask.step], context="led32", language=language)
    return Announcement(
        kind="enrol",
        icon=ICONS[ask.step],
        fact=card_letter(ask.rank, deck) if ask.rank in RANKS else "",
        word32=word,
        word64=word,
        sentence=ask_sentence(ask, deck, language),
    )


def sign(*, good: bool, sentence: str) -> Announcement:
    """A tick or a cross."""
    icon, priority = ("ready", Priority.NEWS) if good else ("cross", Priority.VERDICT)
    return Announcement(kind="enrol", icon=icon, sentence=sentence, priority=priority)
