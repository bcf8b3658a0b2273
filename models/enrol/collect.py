"""Collects looks into a profile and judges whether its cards can be told apart."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.enrol.letter import alike
from models.enrol.look import Look
from models.enrol.match import Matcher
from models.enrol.profile import Profile
from models.reader import Reader
from models.recognise import Opinion
from referee.rules.cards import RANKS, SUITS

SAME_LETTER = 0.9
"""Letters this much alike are the same one."""
SAME_SCORES = 0.9
"""Probabilities of the net's answers overlap this much for the same card."""
SUIT_BAR = 0.9
"""A suit is kept if the net is this sure of it in every corner."""
LEAST_LEAD = 0.0
"""Units: how much nearer a look must be to its own rank than to any other."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a deck was refused."""

    kind: str
    """"alike", "misread", "unread" or "missing"."""
    rank: str
    other: str = ""
    count: int = 0


@dataclass(slots=True)
class Collected:
    """The looks so far."""

    name: str
    language: str
    demo: bool = False
    picture: tuple[int, int] = (0, 0)
    card_height_px: float | None = None
    """Of the first card."""
    looks: int = 0
    _patches: list[NDArray[np.uint8]] = field(default_factory=list)
    _opinions: list[tuple[Opinion, ...]] = field(default_factory=list)
    _ranks: list[str] = field(default_factory=list)
    _suits: list[int] = field(default_factory=list)

    def add(self, look: Look, rank: str, suit: str = "?") -> None:
        """Keep a look at this card."""
        self._patches.append(look.patches)
        self._opinions.append(look.net.each)
        self._ranks.append(rank)
        self._suits.append(SUITS.index(suit) if suit in SUITS else _suit(look))
        self.picture = look.picture
        self.card_height_px = self.card_height_px or look.pose.height_px
        self.looks += 1

    def shown_as(self, look: Look, rank: str) -> str:
        """The other rank as which this very card was shown before, or ""."""
        best = (SAME_LETTER, "")
        own = 0.0
        for patches, opinions, known in zip(
            self._patches, self._opinions, self._ranks, strict=True
        ):
            like = alike(look.patches, patches)
            if known == rank:
                own = max(own, like)
            elif like > best[0] and _overlap(look.net.each, opinions) > SAME_SCORES:
                best = like, known
        return best[1] if best[0] > own else ""

    def profile(self) -> Profile:
        """What was collected."""
        counts = [len(patches) for patches in self._patches]
        ranks = [RANKS.index(rank) for rank in self._ranks]
        return Profile(
            self.name,
            self.language,
            np.concatenate(self._patches),
            np.repeat(np.array(ranks, np.int64), counts),
            np.repeat(np.array(self._suits, np.int64), counts),
            np.repeat(np.arange(self.looks, dtype=np.int64), counts),
            round(float(self.card_height_px or 0.0), 1),
            self.picture,
            self.demo,
        )


def judge(profile: Profile, reader: Reader) -> tuple[Trouble | None, list[str]]:
    """Whether every look is likest to the other looks at its own rank.

    Returns:
        What is wrong, if anything; the ranks by how near they come to another one.
    """
    matcher = Matcher(profile, reader.glyphs.scores)
    leads: dict[int, tuple[float, int]] = {}
    for rank, match in matcher.match_own():
        right = match.rank == rank
        lead = match.margin if right else -match.margin
        other = match.second if right else match.rank
        leads[rank] = min(leads.get(rank, (math.inf, 0)), (lead, other))
    order = sorted(leads, key=lambda rank: leads[rank])
    worst = order[0]
    trouble = None
    if leads[worst][0] <= LEAST_LEAD:
        trouble = Trouble("alike", RANKS[worst], RANKS[leads[worst][1]])
    return trouble, [RANKS[rank] for rank in order]


def _overlap(opinions: tuple[Opinion, ...], others: tuple[Opinion, ...]) -> float:
    """Share of their answers that two cards have in common."""
    pairs = [
        float(np.minimum(one.answers, other.answers).sum()) for one in opinions for other in others
    ]
    return float(np.median(pairs))


def _suit(look: Look) -> int:
    """The suit that both corners name, else len(SUITS)."""
    named = {int(opinion.suits.argmax()) for opinion in look.net.each}
    sure = all(float(opinion.suits.max()) >= SUIT_BAR for opinion in look.net.each)
    return named.pop() if len(named) == 1 and sure else len(SUITS)
