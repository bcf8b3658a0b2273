"""Reads a deck that was taught: the net's opinion, confirmed, doubted or replaced by likeness.

A profile may only make an answer out of doubt, or doubt out of an answer. Limits were chosen on
drawn decks (models/README.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.decks import ANSWERS, LANGUAGES
from models.enrol.match import Match, Matcher
from models.enrol.profile import Profile, open_profile
from models.reader import WEIGHTS, Reader
from models.recognise import GlyphReader, Image, Opinion
from referee.rules.cards import RANKS

NEAR = 1.8
"""Units: a corner farther from all that was taught confirms and replaces nothing."""
AWAY = 2.4
"""Units: a corner farther from all that was taught does not even doubt."""
DOUBT_MARGIN = 0.6
"""Units: the likest rank, if not the net's, must lead by this much to make its answer doubtful."""
AGREE_MARGIN = 1.2
"""To confirm it."""
REPLACE_MARGIN = 1.6
"""To replace it."""
CONFIRMED = 0.1
"""What remains of the net's doubt when the likest rank is its own answer."""
REPLACED = 0.9
"""Share of an answer that likeness alone gives: two corners of a card must do so."""
CONTRADICTED = (0.28, 0.24)
"""Shares of likeness and of the net when they contradict each other; the rest is spread evenly. Two
corners that say so, to whatever letters, are never sure enough together to be an answer."""

SURE, ENOUGH, STRANGE_SHARE = 0.95, 24, 0.6
"""Another deck lies there if, of at least so many corners that the net is sure of, this share is
like nothing that was taught."""


class OwnGlyphs(GlyphReader):
    """Reads the corners of one taught deck."""

    def __init__(self, weights: Path, profile: Profile) -> None:
        """Load the net and the profile.

        Raises:
            BadWeights: The net is missing or damaged.
        """
        super().__init__(weights, profile.language)
        self._said = np.zeros((0, 0), np.float32)
        self._matcher = Matcher(profile, self.scores)
        self._sure = self._strange = 0

    @property
    def is_other_deck(self) -> bool:
        """What lies on the table is not the deck that was taught."""
        return self._sure >= ENOUGH and self._strange > STRANGE_SHARE * self._sure

    def scores(self, crops: Sequence[Image]) -> NDArray[np.float32]:
        """As GlyphReader.scores; they are kept for `read`, so that the net runs once."""
        self._said = super().scores(crops)
        return self._said

    def read(self, crops: Sequence[Image]) -> list[Opinion]:
        """Read crops of index_crop from a YCrCb picture, all at once."""
        opinions = super().read(crops)
        if not opinions:
            return []
        matches = self._matcher.match(crops, self._said)
        for opinion, match in zip(opinions, matches, strict=True):
            self._count(opinion, match)
        return [weighed(o, match) for o, match in zip(opinions, matches, strict=True)]

    def _count(self, opinion: Opinion, match: Match) -> None:
        if opinion.answer in RANKS and opinion.confidence >= SURE:
            self._sure += 1
            self._strange += match.distance > AWAY or opinion.answer != RANKS[match.rank]


def weighed(opinion: Opinion, match: Match) -> Opinion:
    """The net's opinion after a look at what the corner is like."""
    rank, answers = match.rank, opinion.answers
    if int(answers.argmax()) == rank:
        confirmed = match.margin >= AGREE_MARGIN and match.distance <= NEAR
        share = 1 - (1 - float(answers[rank])) * CONFIRMED if confirmed else None
    elif match.margin >= REPLACE_MARGIN and match.distance <= NEAR:
        share = REPLACED
    elif match.margin >= DOUBT_MARGIN and match.distance <= AWAY:
        return replace(opinion, answers=_doubtful(answers, rank))
    else:
        share = None
    return opinion if share is None else replace(opinion, answers=_with_share(answers, rank, share))


def _with_share(answers: NDArray[np.float32], rank: int, share: float) -> NDArray[np.float32]:
    rest = max(1 - float(answers[rank]), 1e-9)
    changed = answers * np.float32((1 - share) / rest)
    changed[rank] = share
    return changed


def _doubtful(answers: NDArray[np.float32], rank: int) -> NDArray[np.float32]:
    spread = (1 - sum(CONTRADICTED)) / len(answers)
    changed = np.full(len(answers), spread, np.float32)
    changed[rank] += CONTRADICTED[0]
    changed[int(answers.argmax())] += CONTRADICTED[1]
    return changed


def open_reader(deck: str = "en", weights: Path = WEIGHTS, *, folder: Path | None = None) -> Reader:
    """A reader for index letters of a language, or for a deck that was taught.

    Args:
        deck: "en", "de", "fr", "nl", or the name of a taught deck.
        weights: Folder with the nets.
        folder: Where taught decks are; None: where they usually are.

    Raises:
        BadProfile: No such deck, or its file cannot be used.
        BadWeights: The nets are missing or damaged.
    """
    if deck in LANGUAGES:
        return Reader(deck, weights)
    return OwnReader(open_profile(deck, folder), weights)


class OwnReader(Reader):
    """Reads the cards of one taught deck; every net that reads letters is asked about likeness."""

    def __init__(self, profile: Profile, weights: Path = WEIGHTS) -> None:
        """Load the nets and the profile.

        Raises:
            BadWeights: The nets are missing or damaged.
        """
        super().__init__(profile.language, weights)
        self.profile = profile
        own = OwnGlyphs(weights / "reader.onnx", profile)
        second = weights / "witness.onnx"
        self._own = own
        self.glyphs: GlyphReader = own
        self.witness: GlyphReader = OwnGlyphs(second, profile) if second.exists() else own

    @property
    def is_other_deck(self) -> bool:
        """What lies on the table is not the deck that was taught."""
        return self._own.is_other_deck


assert ANSWERS[: len(RANKS)] == RANKS, "a rank's place is its answer's place"
