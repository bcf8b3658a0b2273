"""One fault: when it comes, when it goes."""

from itertools import pairwise

import pytest

from referee.service.doctor.codes import Code
from referee.service.faults.fault import PATIENCE, Fault, FaultChange
from referee.service.faults.retry import FIRST_NS, LONGEST_NS, Retry

S = 1_000_000_000
MS = 1_000_000


def test_symptom_that_needs_no_patience_is_a_fault_at_once() -> None:
    fault = Fault(Code.HEARTBEAT_LOST)
    assert fault.step(5 * S, "silent") == FaultChange(Code.HEARTBEAT_LOST, None, True, "silent")
    assert fault.step(6 * S, "silent") is None
    assert fault.step(7 * S, None) == FaultChange(Code.HEARTBEAT_LOST, None, False, "silent")
    assert fault.is_idle


@pytest.mark.parametrize(("lasted_ns", "comes"), [(1500 * MS - 1, False), (1500 * MS, True)])
def test_unread_card_is_a_fault_only_when_it_stays(lasted_ns: int, comes: bool) -> None:
    fault = Fault(Code.CARD_UNREADABLE)
    assert fault.step(S, "pile 0") is None
    assert (fault.step(S + lasted_ns, "pile 0") is not None) is comes


def test_symptom_that_pauses_begins_anew() -> None:
    fault = Fault(Code.CARD_UNREADABLE)
    fault.step(0, "pile 0")
    fault.step(S, None)
    assert fault.is_idle
    assert fault.step(2 * S, "pile 0") is None


@pytest.mark.parametrize("code", PATIENCE)
def test_fault_goes_when_it_was_right_for_long_enough(code: Code) -> None:
    fault, patience = Fault(code, 3), PATIENCE[code]
    fault.step(0, "why")
    came_ns = patience.comes_ns
    fault.step(came_ns, "why")
    assert fault.since_ns == came_ns
    if patience.goes_ns:
        assert fault.step(came_ns + 1, None) is None
        assert fault.step(came_ns + patience.goes_ns, None) is None
    change = fault.step(came_ns + 1 + patience.goes_ns, None)
    assert change == FaultChange(code, 3, False, "why")


def test_fault_that_flutters_stays() -> None:
    fault = Fault(Code.NO_DISPLAY)
    changes = [fault.step(n * 100 * MS, "lost" if n % 2 == 0 else None) for n in range(50)]
    assert [change for change in changes if change] == [
        FaultChange(Code.NO_DISPLAY, None, True, "lost")
    ]


def test_pauses_between_tries_double_up_to_the_longest() -> None:
    retry = Retry()
    tried_ns = [now_ns for now_ns in range(0, 200 * S, 100 * MS) if retry.is_due(now_ns)]
    pauses = [later - earlier for earlier, later in pairwise(tried_ns)]
    assert pauses[:4] == [FIRST_NS, 2 * FIRST_NS, 4 * FIRST_NS, 8 * FIRST_NS]
    assert max(pauses) == pauses[-1] == LONGEST_NS


def test_try_that_was_good_makes_the_next_pause_short() -> None:
    retry = Retry()
    for now_ns in range(0, 20 * S, 100 * MS):
        retry.is_due(now_ns)
    retry.was_good()
    assert retry.is_due(20 * S)
    assert not retry.is_due(20 * S + FIRST_NS - 1)
    assert retry.is_due(20 * S + FIRST_NS)
