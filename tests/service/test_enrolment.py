"""A deck taught at the drawn table, from the bare table to a file that reads it again."""

from __future__ import annotations

import base64
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.protocols import Frame
from models.enrol.collect import Trouble
from models.enrol.look import Flaw
from models.enrol.own import OwnReader
from models.enrol.profile import Profile, read_profile
from models.enrol.steps import Ask, Said, Step, What
from models.enrol.teaching import Teaching
from models.reader import Reader
from referee.locale import text
from referee.service import enrolment_words as words
from referee.service.enrolment import Enrolment, Told
from referee.service.enrolment_demo import DrawnTeaching

MOST_FRAMES = 2500


class Still:
    """A camera whose pictures are given."""

    def __init__(self, *images: np.ndarray) -> None:
        self._images = list(images)
        self.is_closed = False

    @property
    def is_finished(self) -> bool:
        return not self._images

    def frames(self) -> list[Frame]:
        return [Frame(0, 0, 0, 0, self._images.pop(0))] if self._images else []

    def close(self) -> None:
        self.is_closed = True


def _run(enrolment: Enrolment, table: DrawnTeaching) -> list[Told]:
    told = [enrolment.first()]
    for _ in range(MOST_FRAMES):
        if enrolment.is_over:
            return told
        table.teacher.obey(enrolment.teaching.ask)
        told += enrolment.step()
    raise AssertionError("the deck was not learned in time")


def test_drawn_table_teaches_its_own_deck_in_spite_of_mistakes(tmp_path: Path) -> None:
    table = DrawnTeaching(seed=2, language="de", mistakes={"8": "7", "Q": "K"})
    teaching = Teaching(Reader("de"), "oma", "de", checks=4, demo=True)
    enrolment = Enrolment(teaching, table, deck="de", file=tmp_path / "oma.deck.npz", demo=True)
    told = _run(enrolment, table)
    said = [one.sentences["de"] for one in told]
    assert enrolment.ok is True
    assert any("war schon da, als: 7" in sentence for sentence in said)
    assert any("Dame (D)" in sentence for sentence in said)
    assert said[-1].startswith("Das Blatt ist gelernt")
    profile = read_profile(tmp_path / "oma.deck.npz")
    assert profile.demo
    assert (profile.name, profile.language, profile.picture) == ("oma", "de", (640, 480))
    assert set(profile.ranks.tolist()) == set(range(13))
    assert OwnReader(profile).deck == "de"
    message = enrolment.message()
    assert (message["type"], message["name"], message["done"], message["ok"]) == (
        "guide", "enrol", True, True,
    )  # fmt: skip
    card = cv2.imdecode(np.frombuffer(base64.b64decode(message["jpeg"]), np.uint8), 1)
    assert card is not None
    assert card.shape == (220, 154, 3)
    assert enrolment.picture((32, 8)).getpixel((31, 7)), "the point that says DEMO"


def _enrolment(camera: Still, tmp_path: Path) -> Enrolment:
    teaching = Teaching(Reader("en"), "oma", "en")
    return Enrolment(teaching, camera, deck="en", file=tmp_path / "oma.deck.npz")


def test_film_that_ends_too_early_is_refused(tmp_path: Path) -> None:
    bare = np.full((240, 320, 3), 90, np.uint8)
    enrolment = _enrolment(Still(bare, bare, bare, bare), tmp_path)
    told = []
    while not enrolment.is_over:
        told += enrolment.step()
    assert enrolment.ok is False
    assert "Too few good looks at 13 of 13 cards" in told[-1].sentences["en"]
    assert list(tmp_path.iterdir()) == []


def test_person_can_stop_and_nothing_is_kept(tmp_path: Path) -> None:
    camera = Still(np.full((240, 320, 3), 90, np.uint8))
    enrolment = _enrolment(camera, tmp_path)
    assert enrolment.act("next") == []
    [told] = enrolment.act("cancel")
    assert told.good is False
    assert enrolment.act("cancel") == []
    message = enrolment.message()
    assert (message["done"], message["ok"]) == (True, False)
    assert message["sentence"] == told.sentences
    enrolment.close()
    assert camera.is_closed
    assert list(tmp_path.iterdir()) == []


# --- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        *words.FLAWS.values(),
        *words.SAYINGS.values(),
        *words.TROUBLES.values(),
        *words.ASKS.values(),
        *words.NAMES.values(),
    ],
)
def test_everything_is_also_said_in_german(message: str) -> None:
    assert text("enrol", message, language="de") != message


@pytest.mark.parametrize("word", words.WORDS.values())
def test_words_of_the_matrix_are_short_in_both_languages(word: str) -> None:
    german = text("enrol", word, context="led32", language="de")
    assert german != word
    assert max(len(german), len(word)) <= 5


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_mishap_has_a_sentence(language: str) -> None:
    for what in What:
        if what in (What.FLAW, What.DONE, What.REFUSED):
            continue
        sentence = words.said_sentence(Said(what, "J", "Q"), "de", language)
        assert sentence
        assert "{" not in sentence
    for flaw in Flaw:
        assert "{" not in words.said_sentence(Said(What.FLAW, "J", flaw=flaw), "de", language)
    for kind in words.TROUBLES:
        assert "{" not in words.trouble_sentence(Trouble(kind, "6", "9", 2), "de", language)


@pytest.mark.parametrize("step", [Step.BARE, Step.LAY, Step.MOVE, Step.CHECK])
def test_matrix_shows_the_letter_of_the_deck(step: Step) -> None:
    rank = "" if step is Step.BARE else "J"
    announcement = words.ask_announcement(Ask(step, rank, 1, 2), "de", "de")
    assert announcement.fact == ("" if step is Step.BARE else "B")
    assert announcement.sentence


@pytest.mark.parametrize(
    ("rank", "deck", "word"),
    [("J", "de", "jack (B)"), ("Q", "nl", "queen (V)"), ("A", "fr", "ace (A)"), ("10", "en", "10")],
)
def test_card_is_named_with_the_letter_in_its_corner(rank: str, deck: str, word: str) -> None:
    assert words.card_word(rank, deck, "en") == word


def test_other_deck_on_the_table_is_said() -> None:
    class Strange(OwnReader):
        is_other_deck = True  # type: ignore[assignment]

        def __init__(self) -> None:
            self.profile = profile

    patches = np.zeros((2, 64, 48, 3), np.uint8)
    ones = np.array([0, 1])
    profile = Profile("oma", "en", patches, ones, ones, ones, 150.0, (640, 480))
    assert "deck oma" in words.strange_deck(Strange(), "en")
    assert "Blatt oma" in words.strange_deck(Strange(), "de")
    assert words.strange_deck(Reader("en")) == ""
