"""A card that nobody can read does not stop the game, whatever becomes of it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hardware.simulated.true_sight import EXPOSURE_NS, LINE_NS, TrueWatcher, encoded
from referee.rules.cards import UNREAD, parse_card
from referee.rules.events import Cleared, Flip, Observation, Slap, TakenBack, Watermark
from referee.rules.house_rules import house_rules
from referee.rules.position import Position
from referee.rules.referee import Referee
from referee.service.patient import AT_REST_NS, PATIENCE_NS, PatientWatcher

_path = Path(__file__).parents[1] / "models" / "table.py"
_spec = importlib.util.spec_from_file_location("models_table", _path)
assert _spec is not None
assert _spec.loader is not None
tables = importlib.util.module_from_spec(_spec)
sys.modules["models_table"] = tables
_spec.loader.exec_module(tables)

MS, S = 1_000_000, 1_000_000_000
FRAME_NS = tables.FRAME_NS
PATIENT = PATIENCE_NS // FRAME_NS
"""Frames until a card is given up."""


class Pixels:
    """The real watcher on a table of rectangles."""

    def __init__(self) -> None:
        self.table = tables.table()
        watcher = self.table.watcher
        self.watcher = self.table.watcher = PatientWatcher(watcher, lambda: watcher.answer.pose)
        self._pile: list[np.ndarray] = []

    def lay(self, name: str) -> None:
        """A card comes to lie beside the one before."""
        self._pile.append(self.table.image.copy())
        x = 130 + 60 * (len(self._pile) % 2)
        self.table.flight(name, x=x)
        self.table.lay(name, x=x)

    def rename(self, name: str) -> None:
        """The card can be read now: glare has gone."""
        self.table.lay(name, x=130 + 60 * (len(self._pile) % 2))

    def take_back(self) -> None:
        self.table.image[:] = self._pile.pop()

    def clear(self) -> None:
        self.table.clear()

    def show(self, frames: int) -> list[Observation]:
        return list(self.table.show(frames))

    def wave(self, frames: int) -> list[Observation]:
        """A hand that does not rest."""
        said: list[Observation] = []
        for n in range(frames):
            said += self.table.show(1, np.roll(self.table.hand(), 10 * (n % 2), axis=1))
        return said


class Told:
    """The simulated watcher, to which the cards are told."""

    def __init__(self) -> None:
        watcher = TrueWatcher(unread_every=7)
        self.watcher = PatientWatcher(watcher, watcher.where)
        self._lying: list[tuple[int, int]] = []
        self._serial, self._number = 0, 0
        self.show(4)

    def lay(self, name: str) -> None:
        """A card comes to lie; every seventh laying cannot be read."""
        self._serial = self._serial // 7 * 7 + (7 if name == "unreadable" else self._serial % 7 + 1)
        self.wave(3)
        self._lying.append((len(self._lying), self._serial))

    def rename(self, name: str) -> None:
        pytest.skip("a card that is told is never read later")

    def take_back(self) -> None:
        self._lying.pop()

    def clear(self) -> None:
        self._lying.clear()

    def show(self, frames: int, *, is_still: bool = True) -> list[Observation]:
        said: list[Observation] = []
        image = encoded(tuple(self._lying), is_still=is_still)
        for _ in range(frames):
            self._number += 1
            t_ns = S + self._number * FRAME_NS
            said += self.watcher.see(image, t_ns=t_ns, exposure_ns=EXPOSURE_NS, line_ns=LINE_NS)
        return said

    def wave(self, frames: int) -> list[Observation]:
        return self.show(frames, is_still=False)


@pytest.fixture(params=[Pixels, Told])
def pile(request: pytest.FixtureRequest) -> Pixels | Told:
    """A pile with one card that was read."""
    made = request.param()
    made.lay("7S")
    made.show(10)
    return made


def _given_up(pile: Pixels | Told) -> Flip:
    """An unreadable card lies there until it is told as unread."""
    pile.lay("unreadable")
    (flip,) = pile.show(PATIENT + 20)
    assert isinstance(flip, Flip)
    assert flip.card == UNREAD
    return flip


def test_unread_card_is_told_once_after_a_while(pile: Pixels | Told) -> None:
    # Nothing more was ever ruled on, until somebody covered the card.
    pile.lay("unreadable")
    before_ns = pile.watcher.watermark_ns
    assert pile.show(PATIENT) == []
    assert pile.watcher.watermark_ns == before_ns
    (flip,) = pile.show(20)
    assert isinstance(flip, Flip)
    assert before_ns <= flip.t_ns - flip.early_ns
    assert flip.t_ns < before_ns + S
    assert pile.show(30) == []
    assert pile.watcher.watermark_ns > before_ns + PATIENCE_NS
    assert pile.show(2 * PATIENT) == []
    assert pile.watcher.watermark_ns > before_ns + 3 * PATIENCE_NS
    assert pile.watcher.state == "unread"


def test_hands_put_off_the_end_of_the_patience_but_not_for_ever(pile: Pixels | Told) -> None:
    pile.lay("unreadable")
    pile.show(20)
    assert pile.wave(PATIENT) == []
    assert pile.show(AT_REST_NS // FRAME_NS) == []
    assert len(pile.show(20)) == 1


@pytest.mark.parametrize("told", [False, True])
def test_card_that_covers_an_unread_one_is_told_after_it(pile: Pixels | Told, told: bool) -> None:
    pile.lay("unreadable")
    seen = pile.show(PATIENT + 20 if told else 30)
    pile.lay("KD")
    seen += pile.show(20)
    cards = [one.card.is_read for one in seen if isinstance(one, Flip)]
    assert cards == [False, True]
    assert [one.t_ns for one in seen] == sorted(one.t_ns for one in seen)
    before_ns = pile.watcher.watermark_ns
    pile.show(5)
    assert pile.watcher.watermark_ns > before_ns


@pytest.mark.parametrize("told", [False, True])
def test_unread_card_that_is_taken_back_is_told_as_taken_back(
    pile: Pixels | Told, told: bool
) -> None:
    before_ns = pile.watcher.watermark_ns
    pile.lay("unreadable")
    seen = pile.show(PATIENT + 20 if told else 30)
    pile.take_back()
    seen += pile.show(20)
    assert [type(one) for one in seen] == [Flip, TakenBack] if told else [TakenBack]
    taken = seen[-1]
    assert isinstance(taken, TakenBack)
    began_ns = taken.t_ns - taken.early_ns
    assert before_ns <= began_ns
    if told:
        (flip, _) = seen
        assert isinstance(flip, Flip)
        assert began_ns == flip.t_ns - flip.early_ns
    assert pile.watcher.watermark_ns > began_ns
    pile.lay("JH")
    assert [type(one) for one in pile.show(20)] == [Flip]


@pytest.mark.parametrize("told", [False, True])
def test_pile_that_is_taken_with_an_unread_card_is_cleared(pile: Pixels | Told, told: bool) -> None:
    pile.lay("unreadable")
    seen = pile.show(PATIENT + 20 if told else 30)
    pile.clear()
    seen += pile.show(20)
    assert [type(one) for one in seen] == [Flip, Cleared]


def test_card_that_is_read_at_last_is_told_with_the_time_at_which_it_came() -> None:
    pile = Pixels()
    pile.lay("7S")
    pile.show(10)
    flip = _given_up(pile)
    pile.rename("KD")
    (again,) = pile.show(20)
    assert isinstance(again, Flip)
    assert (again.card, again.t_ns, again.early_ns) == (parse_card("KD"), flip.t_ns, flip.early_ns)


def test_second_unread_card_does_not_stop_the_game_either(pile: Pixels | Told) -> None:
    _given_up(pile)
    pile.lay("unreadable")
    before_ns = pile.watcher.watermark_ns
    told = len(pile.show(PATIENT + 90))
    assert pile.watcher.watermark_ns > before_ns + PATIENCE_NS
    pile.lay("KD")
    seen = pile.show(20)
    assert all(isinstance(one, Flip) and one.t_ns > before_ns for one in seen)
    assert told + len(seen) >= 1
    assert pile.watcher.watermark_ns > before_ns + PATIENCE_NS + S


@pytest.mark.parametrize("make", [Pixels, Told])
def test_something_unread_for_a_moment_is_no_card(make: Callable[[], Pixels | Told]) -> None:
    pile = make()
    pile.lay("7S")
    pile.show(10)
    pile.lay("unreadable")
    seen = pile.show(2)
    pile.take_back()
    assert seen + pile.show(20) == []


@pytest.mark.parametrize(("cleared", "last"), [(False, "unreadable"), (True, "challenge_won")])
def test_game_goes_on_after_an_unread_last_payment(cleared: bool, last: str) -> None:
    """From the pixels to the books: the card can be named now, or the pile be taken."""
    pile = Pixels()
    start = Position(
        counts=(("A", 9), ("B", 9)), pile=(parse_card("3H"),), last_flipper="B", to_act="A"
    )
    referee = Referee("ratscrew", "AB", house_rules("ratscrew"), start)
    said: list[str] = []

    def show(frames: int) -> None:
        seen = [*pile.show(frames), Watermark(pile.watcher.watermark_ns, "camera")]
        for one in [*seen, Watermark(pile.table.t_ns, "pads")]:
            said.extend(verdict.kind for verdict in referee.observe(one))

    pile.lay("JH")
    show(10)
    pile.lay("unreadable")
    show(PATIENT + 20)
    if cleared:
        pile.clear()
    show(20)
    assert [kind for kind in said if kind != "card_seen"][-1] == last
    assert dict(referee.table.counts) == {"A": 8 + 3 * cleared, "B": 8}


def test_slap_on_an_unread_card_waits_for_the_table_and_no_longer_for_the_camera() -> None:
    pile = Pixels()
    pile.lay("7S")
    pile.show(10)
    referee = Referee("slapjack", "AB", house_rules("slapjack"))
    referee.observe(Flip(S, parse_card("7S")))
    pile.lay("unreadable")
    seen = pile.show(30)
    seen.append(Slap(pile.table.t_ns, "A", early_ns=5 * MS))
    said = []
    for _ in range(2):
        seen += [*pile.show(PATIENT), Watermark(pile.table.t_ns, "pads")]
        seen.append(Watermark(pile.watcher.watermark_ns, "camera"))
        for one in seen:
            said += [verdict.kind for verdict in referee.observe(one)]
        seen = []
    assert said[-3:] == ["card_seen", "unreadable", "pending_slap"]
