"""How often the watcher gives each of its answers when it is owed: on drawn stories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from models.reader import Reader
from models.scores import Score
from models.train.clips import FRAME_NS, ClipWish
from models.train.faces import DrawnDeck
from models.train.heldout import reset_decks
from models.train.stories import KINDS, Story, draw_story
from models.watch import PileWatcher
from referee.rules.cards import Card
from referee.rules.events import Flip

SAFE = ("unread", "hand", "motion", "still", "empty")
"""Answers that claim nothing: they make the box wait or ask."""
ELSEWHERE = {
    "unread": ("unread", "hand"),
    "hand": ("hand", "unread", "motion"),
    "straightened": ("still",),
    "two unread": ("unread", "hand"),
    "slapped": ("cleared",),
}
"""What is right, too: an unread card and a hand look alike, and both hold the verdict."""


def story_decks(art: Path) -> list[DrawnDeck]:
    """Decks in unseen fonts; they have jokers and backs."""
    decks = [named.deck for named in reset_decks("en", art, heights=(0.07, 0.12))]
    return [deck for deck in decks if isinstance(deck, DrawnDeck)]


def stories(kind: str, count: int, seed: int, art: Path) -> Iterator[Story]:
    """So many films of a kind, the same for the same seed."""
    cv2.setNumThreads(1)
    decks = story_decks(art)
    dice = np.random.default_rng([seed, KINDS.index(kind)])
    for number in range(count):
        yield draw_story(kind, decks[number % len(decks)], ClipWish(), dice)


def answer_of(story: Story, reader: Reader) -> str | None:
    """The story's kind if the watcher answered it, None if it claimed nothing, else what it said.

    A flip of a card that is not owed, or of one of two, is an answer, too: a wrong one.
    """
    watcher = PileWatcher(reader, card_height_px=story.height_px)
    said: list[str] = []
    flips: list[Flip] = []
    flipped: list[Card] = []
    for number, frame in enumerate(story.frames):
        seen = watcher.see(frame, t_ns=number * FRAME_NS, exposure_ns=4_000_000, line_ns=20_000)
        new = [o for o in seen if isinstance(o, Flip)]
        flips += new
        if number >= story.changed:
            said.append(watcher.answer.kind)
            flipped += [flip.card for flip in new if flip.card.is_read]
    flips += [o for o in watcher.finish() if isinstance(o, Flip)]
    unread = sum(not flip.card.is_read for flip in flips)
    if story.unread is not None and unread != story.unread:
        return f"{unread} unread"
    ranks, owed = [[card.rank for card in cards] for cards in (flipped, story.cards)]
    if ranks and sorted(ranks) != sorted(owed):
        return " and ".join(ranks)
    right = (story.kind, *ELSEWHERE.get(story.kind, ()))
    if any(answer in right for answer in said) and len(ranks) == len(owed):
        return story.kind
    strange = [answer for answer in said if answer not in SAFE]
    return strange[-1] if strange else None


def answer_scores(count: int, seed: int, art: Path) -> list[Score]:
    """Every kind of answer, so many stories of each."""
    reader = Reader("en")
    scores = []
    for kind in KINDS:
        score = Score(f"answer: {kind}")
        for story in stories(kind, count, seed, art):
            score.add(kind, answer_of(story, reader))
        scores.append(score)
    return scores
