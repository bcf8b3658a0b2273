"""The whole watch: symptoms in, changes out, each with a line in the log."""

import itertools
import logging

import pytest

from hardware.pad_health import PadState
from hardware.pads import PadsState, PadWarning
from referee.service.announce import announce_fault
from referee.service.doctor.codes import Code
from referee.service.faults.fault import FaultChange, Symptoms
from referee.service.faults.looks import AskLook, DisplayLook, PileLook, PowerCutLook
from referee.service.faults.pads_look import PadsLook
from referee.service.faults.watchman import BLINDING, SUSPENDING, Watchman

S = 1_000_000_000
MS = 1_000_000
SEATS = {"Ann": 1, "Bo": 2}


class Part:
    """A part that is as somebody says."""

    def __init__(self) -> None:
        self.now: Symptoms = {}

    def symptoms(self, now_ns: int) -> Symptoms:
        return self.now


class Pads:
    """Pads that are as somebody says."""

    def __init__(self) -> None:
        self.is_alive = True
        self.states = dict.fromkeys(SEATS, PadState.GOOD)
        self.told: list[PadWarning] = []

    def state(self, now_ns: int) -> PadsState:
        return PadsState.READY if self.is_alive else PadsState.SUSPENDED

    def pad_states(self) -> dict[str, PadState]:
        return self.states

    def warnings(self) -> list[PadWarning]:
        told, self.told = self.told, []
        return told


def test_every_change_is_told_once_and_in_order() -> None:
    part = Part()
    watchman = Watchman([part])
    assert watchman.step(0) == []
    part.now = {(Code.NO_DISPLAY, None): "", (Code.PAD_STUCK, 2): "Bo", (Code.PAD_STUCK, 1): "Ann"}
    assert watchman.step(S) == [
        FaultChange(Code.PAD_STUCK, 1, True, "Ann"),
        FaultChange(Code.PAD_STUCK, 2, True, "Bo"),
        FaultChange(Code.NO_DISPLAY, None, True, ""),
    ]
    assert watchman.step(2 * S) == []
    assert watchman.standing == [
        (Code.PAD_STUCK, 1),
        (Code.PAD_STUCK, 2),
        (Code.NO_DISPLAY, None),
    ]
    part.now = {(Code.PAD_STUCK, 2): "Bo"}
    assert [(change.code, change.seat, change.on) for change in watchman.step(3 * S)] == [
        (Code.PAD_STUCK, 1, False)
    ]


@pytest.mark.parametrize("code", Code)
def test_every_code_comes_goes_is_logged_and_can_be_shown(
    code: Code, caplog: pytest.LogCaptureFixture
) -> None:
    part = Part()
    watchman = Watchman([part])
    part.now = {(code, None): "why"}
    with caplog.at_level(logging.WARNING):
        came = watchman.step(0) or watchman.step(2 * S)
        part.now = {}
        went = [change for n in range(2, 30) for change in watchman.step(n * S)]
    assert [change.on for change in came + went] == [True, False]
    assert not watchman.standing
    on, off = caplog.messages
    assert on.startswith(code.value)
    assert code.sentence("en") in on
    assert "(why)" in on
    assert off.startswith(f"{code.value} is over after ")
    assert announce_fault(code).fact == code.value


def test_part_that_is_not_looked_at_any_more_is_well() -> None:
    part = Part()
    watchman = Watchman([part])
    part.now = {(Code.HEARTBEAT_LOST, None): ""}
    watchman.step(0)
    watchman.looks.remove(part)
    assert [change.on for change in watchman.step(1)] == [False]


@pytest.mark.parametrize("code", Code)
def test_only_silent_pads_suspend_and_only_a_lost_camera_blinds(code: Code) -> None:
    part = Part()
    watchman = Watchman([part])
    part.now = {(code, None): ""}
    watchman.step(0)
    watchman.step(2 * S)
    assert watchman.is_suspended is (code in SUSPENDING)
    assert watchman.is_blind is (code in BLINDING)


# --- the looks -----------------------------------------------------------------------------------


def test_lost_heartbeat_suspends_until_it_is_back() -> None:
    pads = Pads()
    watchman = Watchman([PadsLook(pads, SEATS)])
    pads.is_alive = False
    assert watchman.step(0) == [
        FaultChange(Code.HEARTBEAT_LOST, None, True, "no heartbeat for 300 ms")
    ]
    assert watchman.is_suspended
    pads.is_alive = True
    assert [change.on for change in watchman.step(1)] == [False]
    assert not watchman.is_suspended


@pytest.mark.parametrize(
    ("state", "code"),
    [(PadState.STUCK, Code.PAD_STUCK), (PadState.CHATTER, Code.PAD_CHATTERS)],
)
def test_bad_pad_is_named_by_its_seat_until_it_is_good(state: PadState, code: Code) -> None:
    pads = Pads()
    watchman = Watchman([PadsLook(pads, SEATS)])
    pads.states["Bo"] = state
    pads.told = [PadWarning(state.value, "Bo")]
    assert watchman.step(0) == [FaultChange(code, 2, True, "Bo")]
    pads.states["Bo"] = PadState.GOOD
    pads.told = [PadWarning("good", "Bo")]
    assert watchman.step(1) == [FaultChange(code, 2, False, "Bo")]


@pytest.mark.parametrize(
    ("what", "code"),
    [("lost", Code.EDGES_LOST), ("clock", Code.PAD_CLOCK), ("fault", Code.PADS_FAULT)],
)
def test_counted_trouble_stands_until_the_counting_stops(what: str, code: Code) -> None:
    pads = Pads()
    watchman = Watchman([PadsLook(pads, SEATS)])
    pads.told = [PadWarning(what, n=7)]
    assert watchman.step(0) == [FaultChange(code, None, True, "7 edges")]
    changes = [change for ms in range(1, 12_000) for change in watchman.step(ms * MS)]
    assert [change.on for change in changes] == [False]


def test_touch_chip_is_silent_until_it_says_that_it_is_well() -> None:
    pads = Pads()
    watchman = Watchman([PadsLook(pads, SEATS)])
    pads.told = [PadWarning("silent", "Ann")]
    assert [(one.code, one.seat) for one in watchman.step(0)] == [(Code.TOUCH_CHIP_SILENT, 1)]
    assert watchman.step(60 * S) == []
    pads.told = [PadWarning("well", "Ann")]
    assert [one.on for one in watchman.step(61 * S)] == [False]


def test_unread_card_is_a_fault_until_it_is_read() -> None:
    class Pile:
        state = "unread"

    piles = [Pile(), Pile()]
    piles[0].state = "still"
    watchman = Watchman([PileLook(piles)])
    assert watchman.step(0) == []
    assert watchman.step(1500 * MS) == [FaultChange(Code.CARD_UNREADABLE, None, True, "pile 1")]
    piles[1].state = "card"
    assert watchman.step(2 * S) == []
    assert [one.on for one in watchman.step(2500 * MS)] == [False]


def test_part_names_its_own_fault() -> None:
    said: list[tuple[str, str] | None] = [("E41", "no space left on device"), None]
    watchman = Watchman([AskLook(lambda: said.pop(0))])
    assert watchman.step(0) == [FaultChange(Code.DISK_FULL, None, True, "no space left on device")]
    assert [one.on for one in watchman.step(1)] == [False]


def test_power_cut_is_shown_for_ten_seconds() -> None:
    watchman = Watchman([PowerCutLook("game 12 goes on")])
    assert watchman.step(0) == [FaultChange(Code.POWER_CUT, None, True, "game 12 goes on")]
    changes = [(n, one.on) for n in range(1, 30) for one in watchman.step(n * S)]
    assert changes == [(11, False)]


def test_display_without_a_word_on_its_health_is_well() -> None:
    class Plain:
        size = (32, 8)

        def show(self, picture: object) -> None:
            """Nothing."""

        def close(self) -> None:
            """Nothing."""

    assert Watchman([DisplayLook(Plain())]).step(0) == []


@pytest.mark.parametrize(
    ("code", "times"), [(Code.CARD_UNREADABLE, 3), (Code.CAMERA_STALLED, 0), (Code.PAD_STUCK, 0)]
)
def test_what_people_must_mend_is_said_again_while_it_stands(code: Code, times: int) -> None:
    # A card that nobody could read was named once, and then the game stood still in silence.
    part = Part()
    watchman = Watchman([part])
    part.now = {(code, None): ""}
    said: list[int] = []
    for now_ns in range(0, 35 * S, 500 * MS):
        watchman.step(now_ns)
        said += [now_ns] * len(watchman.reminders(now_ns))
    assert len(said) == times
    assert all(later - earlier == 10 * S for earlier, later in itertools.pairwise(said))
    part.now = {}
    for now_ns in range(35 * S, 60 * S, 500 * MS):
        watchman.step(now_ns)
        assert watchman.reminders(now_ns) == []
