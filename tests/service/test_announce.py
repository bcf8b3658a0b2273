"""Every verdict is said, in both languages, in words that fit; or silent, with a reason."""

import gettext
import itertools
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from hardware.announcement import Announcement, Motion, Priority
from hardware.drawing import SIZES, steps, word_face
from hardware.lettering import face, icons
from referee.locale import LANGUAGES
from referee.rules import verdicts
from referee.rules.cards import UNREAD, Card, parse_card
from referee.rules.verdicts import (
    CardsMoved,
    FalseSlap,
    GameOver,
    IllegalPlay,
    LegalPlay,
    Tie,
    ValidSlap,
    Verdict,
)
from referee.service import announce as said
from referee.service import sentences
from referee.service.announce import (
    SAID,
    SILENT,
    STATES,
    announce,
    announce_fault,
    announce_state,
)
from referee.service.doctor.codes import Code
from referee.service.sentences import card_name, milliseconds, sentence

SEATS = {name: seat for seat, name in enumerate(("Ann", "Bo", "Cy", "Di"), start=1)}
CATALOGUE = Path(said.__file__).parent.parent / "locale" / "de" / "LC_MESSAGES" / "led.mo"
CLASSES = [kind for kind in vars(verdicts).values() if getattr(kind, "kind", "")]
WON = (CardsMoved("pile", "Cy", 14),)

EXAMPLES: dict[str, Any] = {
    "t_ns": 0,
    "player": "Cy",
    "payer": "Bo",
    "to_act": "Ann",
    "players": ("Bo", "Di"),
    "flip": ("Ann", "Bo"),
    "can_move": ("Ann",),
    "counts": (("Ann", 26), ("Bo", 26)),
    "cards_moved": (*WON, CardsMoved("Cy", "Bo", 2)),
    "card": Card("J", "S"),
    "trigger": "jack",
    "reason": "rank",
    "ruling": "void_slap",
    "owes": 3,
    "place": 2,
    "pile": 1,
    "stacks": (1, 2, 3, 4, 5),
    "deck": 11,
    "waits_for": "camera",
    "what": "slap",
    "width_ns": 14_400_000,
    "cards": 3,
    "margin_ns": 37_200_000,
}


def _example(kind: type[Verdict]) -> Verdict:
    known = {field.name: EXAMPLES[field.name] for field in fields(kind) if field.name in EXAMPLES}
    return kind(**known)


def test_examples_cover_every_verdict() -> None:
    assert len(CLASSES) > 45
    for kind in CLASSES:
        _example(kind)


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.kind)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_verdict_is_announced_or_silent_with_a_reason(
    kind: type[Verdict], language: str
) -> None:
    announcement = announce(_example(kind), SEATS, language)
    if announcement is None:
        assert SILENT[kind.kind]
        assert kind.kind not in SAID
    else:
        assert kind.kind not in SILENT
        assert announcement.kind == kind.kind
        assert announcement.icon in icons()
        assert announcement.sentence


def test_no_announcement_is_for_a_verdict_that_does_not_exist() -> None:
    assert {*SAID, *SILENT} == {kind.kind for kind in CLASSES}


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.kind)
def test_sentence_is_whole_and_differs_between_the_languages(kind: type[Verdict]) -> None:
    english, german = (sentence(_example(kind), language) for language in ("en", "de"))
    assert english != german
    for spoken in (english, german):
        assert "{" not in spoken
        assert spoken[-1] in ".!"
        assert "\n" not in spoken


# --- the words -----------------------------------------------------------------------------------


def _shown(language: str) -> list[Announcement]:
    spoken = [announce(_example(kind), SEATS, language) for kind in CLASSES]
    spoken += [announce(ValidSlap(0, "Cy", "jack", WON, benefit=True), SEATS, language)]
    spoken += [announce_state(state, language) for state in STATES]
    spoken += [announce_fault(code, 3, language) for code in Code]
    return [one for one in spoken if one]


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_fit_their_width_and_every_letter_can_be_drawn(language: str) -> None:
    for one in _shown(language):
        for width, _ in SIZES:
            word = one.word(width)
            assert face("tall").can_write(word), word
            assert face("tall").width_px(word) <= width, (word, width)
            assert word_face(word, width).name == "tall"


@pytest.mark.parametrize("language", LANGUAGES)
def test_facts_fit_beside_icon_and_seat(language: str) -> None:
    for one in _shown(language):
        if len(one.seats) < 2:
            assert face("tall").width_px(one.fact) <= 16, one.fact


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_announcement_can_be_drawn_on_every_matrix(language: str) -> None:
    for one, size in itertools.product(_shown(language), SIZES):
        first, _ = next(steps(one, size))
        assert first.getbbox(), one.kind


def _catalogue() -> dict[str, str]:
    with CATALOGUE.open("rb") as file:
        translations = gettext.GNUTranslations(file)
    found: dict[str, str] = vars(translations)["_catalog"]
    return found


def _all_messages() -> set[str]:
    running = {*sentences.SENTENCES.values(), *sentences.WORDS.values(), *sentences.AMOUNTS}
    running |= {*sentences.RANKS.values(), *sentences.SUITS.values(), *sentences.OTHER_CARDS}
    running |= {
        sentences.NOBODY_KNOWN,
        sentences.CARD,
        sentences.JOINING,
        sentences.BENEFIT,
        sentences.WIDTH,
    }
    running |= {sentences.TO_NEXT, sentences.TO_VALID, sentences.DOUBTFUL}
    running |= {*said.STATE_SENTENCES.values()}
    sayings = [*SAID.values(), *STATES.values()]
    small = {saying.word for saying in sayings} | {said.BENEFIT_WORD}
    large = {saying.long_word or saying.word for saying in sayings} | {said.BENEFIT_WORD}
    return running | {f"led32\x04{word}" for word in small} | {f"led64\x04{word}" for word in large}


def test_every_message_has_a_german_translation_and_none_is_left_over() -> None:
    translated = set(_catalogue()) - {"", "decimal point\x04."}
    assert _all_messages() == translated


def test_translations_name_the_same_fields() -> None:
    for english, german in _catalogue().items():
        names = set(re.findall(r"{\w+}", english))
        assert set(re.findall(r"{\w+}", german)) == names or "header" in english, english


def test_compiled_catalogue_is_up_to_date() -> None:
    source = CATALOGUE.with_suffix(".po").read_text(encoding="utf-8")
    for english, german in _catalogue().items():
        escaped = german.replace('"', '\\"')
        assert not english or f'msgstr "{escaped}"' in source


# --- some in full --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "word32", "spoken"),
    [
        (
            "en",
            "SLAP!",
            "Cy slapped first (jack): +14 cards. 37.2 ms before the next one (± 7.2 ms).",
        ),
        (
            "de",
            "ZUERST",
            "Cy war zuerst dran (Bube): +14 Karten. 37,2 ms vor dem nächsten Schlag (± 7,2 ms).",
        ),
    ],
)
def test_valid_slap_is_said_with_margin_and_doubt(language: str, word32: str, spoken: str) -> None:
    verdict = ValidSlap(0, "Cy", "jack", WON, margin_ns=37_200_000, width_ns=14_400_000)
    announcement = announce(verdict, SEATS, language)
    assert announcement == Announcement(
        kind="valid_slap",
        icon="hand",
        seats=(3,),
        fact="+14",
        word32=word32,
        word64=word32,
        sentence=spoken,
        motion=Motion.FILL,
        priority=Priority.VERDICT,
    )


def test_slap_in_doubt_that_counts_says_so() -> None:
    announcement = announce(
        ValidSlap(0, "Cy", "jack", WON, width_ns=24_000_000, benefit=True), SEATS, "en"
    )
    assert announcement is not None
    assert announcement.word32 == "CLOSE!"
    assert announcement.sentence.endswith("Uncertainty ± 12.0 ms. In doubt for the slapper.")


def test_false_slap_shows_the_price() -> None:
    verdict = FalseSlap(0, "Cy", (CardsMoved("Cy", "Bo", 1),), margin_ns=210_000_000)
    announcement = announce(verdict, SEATS, "en")
    assert announcement is not None
    assert (announcement.icon, announcement.fact) == ("cross", "-1")
    assert announcement.sentence == (
        "False slap by Cy: -1 card. 210.0 ms from the nearest valid moment."
    )


def test_tie_names_all_seats() -> None:
    announcement = announce(Tie(0, ("Bo", "Di")), SEATS, "de")
    assert announcement is not None
    assert announcement.seats == (2, 4)
    assert announcement.sentence == "Bo und Di haben gleichzeitig geschlagen."


def test_player_without_a_seat_is_named_all_the_same() -> None:
    announcement = announce(GameOver(0, "Zoe", "all_cards"), SEATS, "en")
    assert announcement is not None
    assert announcement.seats == ()
    assert announcement.sentence == "Zoe wins the game: all cards."


def test_fault_is_a_code_a_seat_and_a_sentence() -> None:
    announcement = announce_fault("E22", 3, "de")
    assert (announcement.seats, announcement.fact) == ((3,), "E22")
    assert announcement.sentence.startswith("E22: " + Code.PAD_STUCK.sentence("de"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", Code)
def test_every_fault_is_said_with_its_way_out(code: Code, language: str) -> None:
    spoken = announce_fault(code.value, language=language).sentence
    assert spoken == f"{code.value}: {code.sentence(language)} {code.mend(language)}"


def test_fault_that_is_not_in_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="E99"):
        announce_fault("E99")


@pytest.mark.parametrize(
    ("card", "english", "german"),
    [
        (parse_card("JS"), "the jack of spades", "Pik Bube"),
        (parse_card("10H"), "the 10 of hearts", "Herz 10"),
        (parse_card("Q?"), "the queen", "Dame"),
        (parse_card("XR"), "a joker", "Joker"),
        (UNREAD, "an unread card", "eine ungelesene Karte"),
    ],
)
def test_card_is_named_as_people_name_it(card: Card, english: str, german: str) -> None:
    assert card_name(card, "en") == english
    assert card_name(card, "de") == german


def test_milliseconds_are_written_as_the_language_does() -> None:
    assert (milliseconds(7_249_999, "en"), milliseconds(7_249_999, "de")) == ("7.2", "7,2")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    "verdict",
    [IllegalPlay(1, "", parse_card("7H"), 0, "rank"), LegalPlay(1, "", parse_card("7H"), 0)],
)
def test_unseen_hand_has_no_seat_but_a_sentence(verdict: Verdict, language: str) -> None:
    said = announce(verdict, {"Ann": 1, "Bo": 2}, language)
    assert said is None or said.seats == ()
    assert sentence(verdict, language).startswith({"en": "Somebody ", "de": "Jemand "}[language])
