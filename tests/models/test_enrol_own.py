"""A profile makes an answer out of doubt, or doubt out of an answer; never another answer."""

from __future__ import annotations

import numpy as np
import pytest

from models.candidates import Candidate
from models.decks import ANSWERS
from models.enrol.match import Match
from models.enrol.own import (
    AGREE_MARGIN,
    AWAY,
    DOUBT_MARGIN,
    NEAR,
    REPLACE_MARGIN,
    REPLACED,
    weighed,
)
from models.locate import Pose
from models.reader import is_half_seen, is_sure
from models.recognise import Opinion
from referee.rules.cards import RANKS


def _opinion(share: float, answer: str = "7", other: str = "J") -> Opinion:
    answers = np.full(len(ANSWERS), 1e-4, np.float32)
    answers[ANSWERS.index(other)] = 1 - share
    answers[ANSWERS.index(answer)] = share
    return Opinion(answers / answers.sum(), np.full(5, 0.2, np.float32))


def _match(rank: str, distance: float, margin: float) -> Match:
    return Match(RANKS.index(rank), distance, 0, margin)


def _card(*opinions: Opinion) -> Candidate:
    points = ((0.0, 0.0, 0.0),) * len(opinions)
    return Candidate(Pose(0, 0, 0, 150, 100), points, opinions, 1.0)


def test_likeness_confirms_what_the_net_says() -> None:
    before = _opinion(0.7)
    after = weighed(before, _match("7", 1.0, AGREE_MARGIN))
    assert after.answer == "7"
    assert after.confidence == pytest.approx(0.97, abs=0.001)
    assert after.answers.sum() == pytest.approx(1, abs=1e-5)
    assert not is_sure(_card(before, before), 0.98)
    assert is_sure(_card(after, after), 0.98, 0.6)


@pytest.mark.parametrize(
    "match",
    [
        _match("7", NEAR + 0.01, 9),
        _match("7", 1.0, AGREE_MARGIN - 0.01),
        _match("J", AWAY + 0.01, 9),
        _match("J", 1.0, DOUBT_MARGIN - 0.01),
    ],
)
def test_weak_likeness_changes_nothing(match: Match) -> None:
    before = _opinion(0.9)
    assert weighed(before, match) is before


@pytest.mark.parametrize("share", [0.51, 0.9, 0.9999])
@pytest.mark.parametrize("distance", [0.5, AWAY])
def test_contradiction_is_never_an_answer(share: float, distance: float) -> None:
    before = _opinion(share)
    after = weighed(before, _match("Q", distance, DOUBT_MARGIN))
    assert after.answers.sum() == pytest.approx(1, abs=1e-3)
    for pair in ((after, before), (after, after), (before, after)):
        card = _card(*pair)
        assert not is_sure(card, 0.9, 0.3)
        assert not is_half_seen(card)


@pytest.mark.parametrize("shares", [(0.31, 0.42), (0.5, 0.99), (0.99, 0.99)])
def test_two_corners_contradicted_by_the_same_letter_are_no_answer(
    shares: tuple[float, float],
) -> None:
    match = _match("5", 1.5, DOUBT_MARGIN + 0.2)
    card = _card(
        weighed(_opinion(shares[0], "8", "6"), match), weighed(_opinion(shares[1], "6", "8"), match)
    )
    assert card.together.answer == "5"
    assert not is_sure(card, 0.9, 0.3)
    assert not is_half_seen(card)


def test_strong_likeness_replaces_but_one_corner_alone_does_not_answer() -> None:
    before = _opinion(0.95)
    after = weighed(before, _match("Q", 1.0, REPLACE_MARGIN))
    assert after.answer == "Q"
    assert after.confidence == pytest.approx(REPLACED)
    assert is_sure(_card(after, after), 0.98, 0.6)
    assert not is_sure(_card(after, before), 0.9, 0.3)
    assert not is_half_seen(_card(after, before))


def test_no_answer_but_the_nets_or_the_likest_ever_wins() -> None:
    dice = np.random.default_rng(7)
    for _ in range(2000):
        answers = dice.dirichlet(np.full(len(ANSWERS), 0.3)).astype(np.float32)
        before = Opinion(answers, np.full(5, 0.2, np.float32))
        rank = int(dice.integers(13))
        match = Match(rank, float(dice.uniform(0, 4)), 0, float(dice.uniform(0, 4)))
        after = weighed(before, match)
        assert after.answer in (before.answer, RANKS[rank])
        assert after.answers.min() >= 0
        assert after.answers.sum() == pytest.approx(1, abs=1e-3)
