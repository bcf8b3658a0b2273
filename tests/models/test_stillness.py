"""Since when a card lies where it lies."""

import numpy as np
import pytest

from models.stillness import HISTORY, History, Seen, reaches_in

FRAME_NS = 16_666_667
BEFORE = np.full((60, 80), 60, np.uint8)
PLACE = np.zeros((60, 80), bool)
PLACE[20:40, 30:50] = True


def _seen(number: int, grey: int) -> Seen:
    small = BEFORE.copy()
    small[PLACE] = grey
    return Seen(small, number * FRAME_NS, 0, 0)


def _interval(hidden: int) -> tuple[int, int]:
    """Numbers of the last frame without and the first with the card, around so many hidden."""
    history = History()
    frames = [_seen(0, 60), *(_seen(n, 120) for n in range(1, hidden + 1)), _seen(hidden + 1, 200)]
    for frame in frames:
        history.add(frame)
    last, first = history.interval(PLACE, frames[0].small, frames[-1].small)
    return last.t_ns // FRAME_NS, first.t_ns // FRAME_NS


def test_card_came_between_the_last_frame_without_and_the_first_with_it() -> None:
    assert _interval(5) == (0, 6)


def test_hand_that_stays_longer_than_the_history_makes_the_interval_no_narrower() -> None:
    # The last clean frame was forgotten, and a slap right after the card was called too early.
    assert _interval(3 * HISTORY) == (0, 3 * HISTORY + 1)


@pytest.mark.parametrize(
    "side", [np.s_[:20, 5:9], np.s_[-20:, 5:9], np.s_[5:9, :20], np.s_[5:9, -20:]]
)
def test_arm_comes_in_from_a_side_and_a_card_lies_within(side: tuple[slice, slice]) -> None:
    where = np.zeros((60, 80), bool)
    where[15:45, 20:60] = True
    assert not reaches_in(where)
    where[side] = True
    assert reaches_in(where)
