"""Cards that were pushed, on drawn tables: none of them is a new one."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from models.follow import followed
from models.locate import Pose
from models.pushed import View, changed_elsewhere, only_pushed, same_face, stays
from models.reader import Reader
from models.stillness import shrunk
from models.train.answers import answer_of
from models.train.clips import SIDE_PX, ClipWish, laid
from models.train.heldout import own_decks
from models.train.lay import Laid
from models.train.scene import Table
from models.train.stories import draw_story
from referee.rules.cards import Card

HEIGHT_PX = 150.0
PUSHES = [(9.0, -6.0, 0.15), (-14.0, 3.0, -0.2), (0.0, 12.0, 0.02)]


@cache
def _card(rank: str, suit: str) -> Laid:
    face = own_decks("en")[0].deck.face(rank, suit)
    return Laid(face, SIDE_PX / 2, SIDE_PX / 2, 0.4, HEIGHT_PX)


def _pushed(card: Laid, dx: float, dy: float, turn: float) -> Laid:
    return replace(card, x=card.x + dx, y=card.y + dy, angle=card.angle + turn)


def _view(*cards: Laid) -> View:
    """These cards on a grey table, with a little noise."""
    ground = np.full((SIDE_PX, SIDE_PX, 3), 90, np.float32)
    canvas = laid(Table(ground, np.zeros((SIDE_PX, SIDE_PX), np.uint8), np.eye(3)), cards, 1).canvas
    noise = np.random.default_rng(len(cards)).normal(0, 2, canvas.shape)
    image = np.clip(canvas + noise, 0, 255).astype(np.uint8)
    return View(image, shrunk(image))


def _pose(card: Laid) -> Pose:
    h, w = card.face.bgr.shape[:2]
    width = card.height_px * w / h
    return Pose(card.x, card.y, card.angle + math.pi / 2, card.height_px, width)


def _guess(card: Laid) -> Pose:
    """Where the nets would say that the card lies: roughly there, or the other way round."""
    pose = _pose(card)
    return replace(pose, x=pose.x + 4, y=pose.y - 5, down=pose.down + 0.06 + math.pi)


@pytest.mark.parametrize("push", PUSHES)
def test_pushed_card_is_found_where_it_lies(push: tuple[float, float, float]) -> None:
    card = _card("8", "H")
    there = _pushed(card, *push)
    found = followed(_view(card).image, _pose(card), _view(there).image, [_guess(there)])
    assert found is not None
    assert math.hypot(found.x - there.x, found.y - there.y) < 1.0
    assert abs(found.down - _pose(there).down) < 0.01


@pytest.mark.parametrize("name", ["9H", "7H", "8S", "KH"])
def test_another_card_in_its_place_is_not_taken_for_it(name: str) -> None:
    card, other = _card("8", "H"), _card(name[:-1], name[-1])
    assert followed(_view(card).image, _pose(card), _view(other).image, []) is None


def test_card_that_is_covered_does_not_lie_free() -> None:
    card, other = _card("8", "H"), _pushed(_card("K", "S"), 40, 20, 0.7)
    assert followed(_view(card).image, _pose(card), _view(card, other).image, []) is None


@pytest.mark.parametrize("push", PUSHES)
def test_only_pushed_means_that_nothing_else_happened(push: tuple[float, float, float]) -> None:
    card, bare = _card("8", "H"), _view().small
    before, there = _view(card), _pushed(card, *push)
    guesses = [_guess(there)]
    limit = 0.02 * 0.7 * (HEIGHT_PX / 4) ** 2
    assert (
        only_pushed(before, _pose(card), _view(there), guesses, bare=bare, limit=limit) is not None
    )
    far = replace(_card("2", "C"), x=60.0, y=60.0)
    more = _view(far, there)
    assert changed_elsewhere(before.small, more.small, bare, _pose(card), _pose(there)) > limit
    assert only_pushed(before, _pose(card), more, guesses, bare=bare, limit=limit) is None


def test_card_stays_when_its_twin_comes_and_leaves_when_it_is_pushed() -> None:
    card = _card("8", "H")
    there = _pushed(card, 40, 30, 0.5)
    before = _view(card).small
    assert stays(before, _view(card, there).small, _pose(card), _pose(there)) is True
    assert stays(before, _view(there).small, _pose(card), _pose(there)) is False
    assert stays(before, before, _pose(card), _pose(card)) is None


def test_pushed_card_must_still_have_its_face() -> None:
    card, reader = _card("8", "H"), Reader("en")
    view = _view(card)
    assert same_face(reader, view.image, _pose(card), Card("8", "H")) is not None
    assert same_face(reader, view.image, _pose(card), Card("9", "H")) is None


@pytest.mark.parametrize(
    ("kind", "least"), [("straightened", 5), ("two unread", 4), ("slapped", 5)]
)
def test_films_of_pushed_unread_and_slapped_cards(kind: str, least: int) -> None:
    decks, dice = [named.deck for named in own_decks("en")], np.random.default_rng(4)
    reader = Reader("en")
    films = [draw_story(kind, decks[number % len(decks)], ClipWish(), dice) for number in range(6)]
    assert [answer_of(film, reader) for film in films].count(kind) >= least
