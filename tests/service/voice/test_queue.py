"""What is heard, what waits and what is dropped."""

import pytest

from referee.service.voice.queue import LONGEST_NS, STALE_NS, Queue, Sound

MS = 1_000_000


def sound(t_ms: int, priority: int = 2) -> Sound:
    return Sound(t_ms * MS, priority, (("say", str(t_ms)),))


def test_first_sound_begins_at_once() -> None:
    queue = Queue()
    assert not queue.take(sound(5))
    assert queue.next(6 * MS) == sound(5)


@pytest.mark.parametrize(("priority", "stops"), [(1, False), (2, True), (3, True)])
def test_newer_one_of_the_same_or_a_higher_priority_stops_the_older(
    priority: int, stops: bool
) -> None:
    queue = Queue()
    queue.take(sound(0, 2))
    queue.next(0)
    assert queue.take(sound(100, priority)) is stops
    assert queue.next(100 * MS) == sound(100, priority)
    assert queue.next(100 * MS) is None


def test_less_important_one_waits_for_the_end() -> None:
    queue = Queue()
    queue.take(sound(0, 3))
    queue.next(0)
    queue.take(sound(100, 1))
    assert queue.heard == sound(0, 3)
    assert queue.next(900 * MS) == sound(100, 1)


def test_of_several_that_wait_the_newest_of_the_most_important_is_heard() -> None:
    queue = Queue()
    queue.take(sound(0, 4))
    queue.next(0)
    for later in (sound(10, 2), sound(20, 3), sound(30, 3), sound(40, 1)):
        assert not queue.take(later)
    assert queue.next(900 * MS) == sound(30, 3)


@pytest.mark.parametrize(("late_ns", "begins"), [(-1, True), (0, True), (1, False)])
def test_stale_sound_is_dropped(late_ns: int, begins: bool) -> None:
    queue = Queue()
    queue.take(sound(0, 3))
    queue.next(0)
    queue.take(sound(100, 2))
    heard = queue.next(100 * MS + STALE_NS + late_ns)
    assert (heard == sound(100, 2)) is begins
    assert (queue.heard is not None) is begins


@pytest.mark.parametrize(("late_ns", "hangs"), [(-1, False), (0, False), (1, True)])
def test_program_that_does_not_end_is_noticed(late_ns: int, hangs: bool) -> None:
    queue = Queue()
    assert not queue.hangs(LONGEST_NS * 2)
    queue.take(sound(0))
    queue.next(7 * MS)
    assert queue.hangs(7 * MS + LONGEST_NS + late_ns) is hangs
