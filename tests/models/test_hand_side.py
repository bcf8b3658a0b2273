"""Whose hand it was: the edge that it hides tells, or nobody says anything."""

import numpy as np
import pytest

from models.hand_side import LEAST_PX, HandSide
from models.stillness import Mask

SHAPE = (80, 60)


def _arm(top: int, bottom: int, left: int, right: int) -> Mask:
    hidden = np.zeros(SHAPE, np.bool_)
    hidden[top:bottom, left:right] = True
    return hidden


@pytest.mark.parametrize(
    ("arm", "side"),
    [
        (_arm(30, 80, 20, 40), "bottom"),
        (_arm(0, 50, 20, 40), "top"),
        (_arm(45, 80, 40, 60), "bottom"),
        (_arm(0, 35, 0, 20), "top"),
        (_arm(30, 50, 20, 40), None),
        (_arm(0, 80, 20, 40), None),
    ],
)
def test_side_is_the_half_of_the_edge_that_the_arm_hides(arm: Mask, side: str | None) -> None:
    hands = HandSide()
    hands.note(arm)
    assert hands.side(["top", "bottom"]) == side


def test_a_few_pixels_tell_nothing() -> None:
    hands = HandSide()
    hands.note(_arm(79, 80, 0, LEAST_PX - 1))
    assert hands.side(["top", "bottom"]) is None


def test_pile_at_rest_forgets_the_hand_before() -> None:
    hands = HandSide()
    hands.note(_arm(30, 80, 20, 40))
    hands.forget()
    assert hands.side(["top", "bottom"]) is None
