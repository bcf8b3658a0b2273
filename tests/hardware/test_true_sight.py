"""The camera that tells the pile instead of showing it keeps the promises of the real one."""

import pytest

from hardware.simulated.true_sight import (
    EXPOSURE_NS,
    LINE_NS,
    NUMBER,
    ROWS,
    Lying,
    TrueCamera,
    TrueWatcher,
    decoded,
    encoded,
)
from hardware.simulated.world import World
from referee.rules.cards import UNREAD, parse_card
from referee.rules.events import Cleared, Flip, Observation

MS = 1_000_000
FRAME_NS = 33 * MS
JACK: Lying = (NUMBER[parse_card("JS")], 1)
SEVEN: Lying = (NUMBER[parse_card("7H")], 2)


class Sight:
    """Shows piles to a watcher, a frame every 33 ms."""

    def __init__(self, unread_every: int = 0) -> None:
        self.watcher = TrueWatcher(unread_every=unread_every)
        self.t_ns = 0

    def show(self, *lying: Lying, frames: int = 3, is_still: bool = True) -> list[Observation]:
        seen: list[Observation] = []
        for _ in range(frames):
            self.t_ns += FRAME_NS
            seen += self.watcher.see(
                encoded(lying, is_still=is_still),
                t_ns=self.t_ns,
                exposure_ns=EXPOSURE_NS,
                line_ns=LINE_NS,
            )
        return seen


def test_picture_tells_the_pile_and_whether_it_is_hidden() -> None:
    lying = ((51, 65_535), (0, 256))
    assert decoded(encoded(lying, is_still=False)) == (lying, False)
    assert decoded(encoded((), is_still=True)) == ((), True)


def test_card_is_told_with_the_light_of_the_frames_around_its_arrival() -> None:
    sight = Sight()
    sight.show()
    clean_ns = sight.t_ns - EXPOSURE_NS
    sight.show(is_still=False)
    (flip,) = sight.show(JACK)
    first_ns = sight.t_ns - 2 * FRAME_NS + ROWS * LINE_NS
    assert isinstance(flip, Flip)
    assert (flip.card, flip.t_ns, flip.t_ns - flip.early_ns) == (
        parse_card("JS"),
        first_ns,
        clean_ns,
    )


def test_nothing_is_promised_while_something_hides_the_pile() -> None:
    sight = Sight()
    sight.show()
    promised_ns = sight.watcher.watermark_ns
    assert promised_ns == sight.t_ns - EXPOSURE_NS
    sight.show(JACK, is_still=False)
    assert sight.watcher.watermark_ns == promised_ns
    assert sight.watcher.state == "motion"


def test_card_that_waits_to_be_read_is_told_with_its_own_time_when_it_is_covered() -> None:
    sight = Sight(unread_every=1)
    sight.show()
    promised_ns = sight.watcher.watermark_ns
    assert sight.show(JACK) == []
    assert (sight.watcher.state, sight.watcher.watermark_ns) == ("unread", promised_ns)
    waited_ns = sight.t_ns - EXPOSURE_NS
    unread, *_ = sight.show(JACK, SEVEN)
    assert isinstance(unread, Flip)
    assert unread.card == UNREAD
    assert unread.t_ns < waited_ns


def test_card_that_waits_and_is_taken_back_was_never_there() -> None:
    sight = Sight(unread_every=2)
    sight.show(JACK)
    sight.show(JACK, SEVEN)
    assert sight.show(JACK) == []
    assert sight.watcher.watermark_ns == sight.t_ns - EXPOSURE_NS


def test_pile_that_is_taken_is_cleared() -> None:
    sight = Sight()
    sight.show(JACK, SEVEN)
    (cleared,) = sight.show()
    assert isinstance(cleared, Cleared)


@pytest.mark.parametrize("seed", [1, 2])
def test_first_card_of_a_table_is_told_with_its_true_time(seed: int) -> None:
    world = World(seed)
    camera, watcher = TrueCamera(world, fps=30), TrueWatcher()
    seen: list[Observation] = []
    while world.now_ns < world.start_ns + 3000 * MS:
        world.advance(world.now_ns + FRAME_NS)
        for frame in camera.frames():
            seen += watcher.see(
                frame.image,
                t_ns=frame.t_ns,
                exposure_ns=frame.exposure_ns,
                line_ns=frame.line_ns,
            )
    (flip,) = seen
    (true,) = world.truth.flips
    assert isinstance(flip, Flip)
    assert flip.card == true.card
    assert flip.t_ns - flip.early_ns < true.rest_ns <= flip.t_ns < true.rest_ns + 4 * FRAME_NS
