"""Pads on gpiozero's mock pins, with exact stamps injected."""

import gc
import itertools
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.clock import NS_PER_MS, NS_PER_S
from hardware.gpio import BadPin, mock_factory, open_input
from hardware.heartbeat import Beater, Pulse
from hardware.pad_health import BURST_EDGES, BURST_WINDOW_NS, CHATTER_EDGES, PadState
from hardware.pad_settings import STAMP_NS
from hardware.pads import (
    ORDER_MARGIN_NS,
    QUEUE_EDGES,
    BadPads,
    GpioPads,
    PadSettings,
    PadsState,
    PadWarning,
    pad_of_kind,
)
from referee.rules.events import DEMO, Slap, Watermark

START_NS = 1_000 * NS_PER_S + 123_456_789
BEAT_NS = 20 * NS_PER_MS
PLAYERS = tuple("ABCDEFGH")


class Table:
    """Pads on mock pins and a hand that makes edges."""

    def __init__(self, pads: dict[str, PadSettings] | None = None, **options: Any) -> None:
        settings = pads or {name: PadSettings(5 + seat) for seat, name in enumerate(PLAYERS)}
        options.setdefault("settle_ns", 0)
        self.pads = GpioPads(settings, 20, 21, mock_factory(), **options)
        self.t_ns = self.touched_ns = START_NS
        self.levels = itertools.cycle((1, 0))
        self.beat()

    def beat(self, t_ns: int | None = None) -> None:
        self.t_ns = self.t_ns + BEAT_NS if t_ns is None else t_ns
        self.pads.heartbeat_pin.when_changed(self.t_ns / 1e9, next(self.levels))

    def touch(self, player: str, t_ns: int, state: int = 1) -> None:
        self.touched_ns = max(self.touched_ns, t_ns)
        self.pads.pins[player].when_changed(t_ns / 1e9, state)

    def slaps(self) -> list[Slap]:
        """Slaps after the heartbeat by which the last touch is believed."""
        if self.touched_ns + BURST_WINDOW_NS > self.t_ns:
            self.beat(self.touched_ns + BURST_WINDOW_NS)
        return [seen for seen in self.pads.observations() if isinstance(seen, Slap)]


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.pads.close()


def _edge_ns(slap: Slap, pad: PadSettings) -> int:
    return slap.t_ns + slap.late_ns + pad.fastest_ns - STAMP_NS


def test_touch_is_a_slap_with_the_exact_stamp(table: Table) -> None:
    touched_ns = START_NS + 777_777_777
    table.touch("A", touched_ns)
    assert table.slaps() == [Slap(touched_ns, "A", STAMP_NS, STAMP_NS, DEMO)]


@given(st.integers(START_NS + 2 * BEAT_NS, 2**52 - 1))
@settings(max_examples=60, deadline=None)
def test_stamp_error_is_zero(touched_ns: int) -> None:
    table = Table()
    table.touch("A", touched_ns)
    (slap,) = table.slaps()
    assert _edge_ns(slap, PadSettings(5)) - touched_ns == 0
    table.pads.close()


def test_latency_of_a_pad_makes_the_slap_an_interval_before_the_edge() -> None:
    table = Table({"A": PadSettings(5, True, 9 * NS_PER_MS, 12 * NS_PER_MS)})
    edge_ns = START_NS + NS_PER_S
    table.touch("A", edge_ns)
    (slap,) = table.slaps()
    assert slap.t_ns - slap.early_ns == edge_ns - 12 * NS_PER_MS - STAMP_NS
    assert slap.t_ns + slap.late_ns == edge_ns - 9 * NS_PER_MS + STAMP_NS
    table.pads.close()


@pytest.mark.parametrize(("apart_ns", "overlap"), [(200_000, True), (200_001, False)])
def test_slaps_closer_than_the_tie_floor_overlap(
    table: Table, apart_ns: int, overlap: bool
) -> None:
    table.touch("A", START_NS + NS_PER_S)
    table.touch("B", START_NS + NS_PER_S + apart_ns)
    first, second = table.slaps()
    assert (second.t_ns - second.early_ns <= first.t_ns + first.late_ns) is overlap


def test_eight_pads_at_once_give_eight_slaps(table: Table) -> None:
    touched_ns = START_NS + NS_PER_S
    for player in PLAYERS:
        table.touch(player, touched_ns)
    slaps = table.slaps()
    assert {slap.player for slap in slaps} == set(PLAYERS)
    assert {slap.t_ns for slap in slaps} == {touched_ns}


def test_edges_that_arrive_out_of_order_are_sorted_by_stamp(table: Table) -> None:
    for player, later_ns in (("C", 30), ("A", 10), ("D", 40), ("B", 20)):
        table.touch(player, START_NS + NS_PER_S + later_ns)
    assert [slap.player for slap in table.slaps()] == ["A", "B", "C", "D"]


def test_lost_release_still_gives_two_slaps(table: Table) -> None:
    # gpiozero's `when_pressed` drops the second press when the release was lost.
    table.touch("A", START_NS + NS_PER_S)
    table.touch("A", START_NS + 2 * NS_PER_S)
    assert len(table.slaps()) == 2


def test_release_is_no_slap(table: Table) -> None:
    table.touch("A", START_NS + NS_PER_S, state=0)
    assert table.slaps() == []


def test_time_out_of_the_line_is_no_slap(table: Table) -> None:
    # lgpio reports level 2 when its watchdog ran out.
    table.touch("A", START_NS + NS_PER_S, state=2)
    assert table.slaps() == []


@pytest.mark.parametrize(("active_high", "edges"), [(True, "rising"), (False, "falling")])
def test_pad_listens_to_its_own_edge_only(active_high: bool, edges: str) -> None:
    table = Table({"A": PadSettings(5, active_high)})
    assert table.pads.pins["A"].edges == edges
    assert table.pads.pins["A"].bounce is None
    table.touch("A", START_NS + NS_PER_S, state=int(active_high))
    table.touch("A", START_NS + 2 * NS_PER_S, state=int(not active_high))
    assert len(table.slaps()) == 1
    table.pads.close()


def test_pads_survive_the_collector(table: Table) -> None:
    # gpiozero holds the handler weakly; the pads hold the object behind it.
    gc.collect()
    table.touch("A", START_NS + NS_PER_S)
    assert len(table.slaps()) == 1


def test_listener_held_by_nobody_hears_nothing() -> None:
    class Ear:
        heard = 0

        def edge(self, ticks: float, state: int) -> None:
            Ear.heard += 1

    device = open_input(5, Ear(), factory=mock_factory(), edges="rising", active_high=True)
    gc.collect()
    assert device.pin.when_changed is None
    device.pin.drive_high()
    assert Ear.heard == 0
    device.close()


def test_handler_that_raises_harms_nobody() -> None:
    # An exception would end lgpio's only delivering thread: every pad would be deaf.
    calls = iter([0, "raise", 0, 0])

    def now() -> int:
        if next(calls) == "raise":
            raise SystemExit("a fault in the handler")
        return 0

    table = Table(now=now)
    table.touch("A", START_NS + NS_PER_S)
    table.touch("B", START_NS + NS_PER_S)
    assert [slap.player for slap in table.slaps()] == ["B"]
    assert table.pads.warnings() == [PadWarning("fault")]
    table.pads.close()


@pytest.mark.parametrize("ticks", [float("nan"), -1.0, None])
def test_stamp_that_is_no_time_is_counted_and_left_out(table: Table, ticks: Any) -> None:
    table.pads.pins["A"].when_changed(ticks, 1)
    table.touch("B", START_NS + NS_PER_S)
    assert [slap.player for slap in table.slaps()] == ["B"]
    assert table.pads.warnings() == [PadWarning("fault")]
    assert table.pads.warnings() == []


def test_queue_is_bounded_and_loss_is_told(table: Table) -> None:
    for n in range(QUEUE_EDGES + 10):
        table.touch("A", START_NS + NS_PER_S + n * NS_PER_S)
    assert len(table.slaps()) == QUEUE_EDGES
    assert PadWarning("lost", n=10) in table.pads.warnings()


def test_pad_that_storms_takes_no_room_from_the_others(table: Table) -> None:
    # All lines shared one queue: a storm on one pad lost the slaps of all others.
    for n in range(5 * QUEUE_EDGES):
        table.touch("A", START_NS + NS_PER_S + n * 100_000)
    touched_ns = START_NS + NS_PER_S + 5 * QUEUE_EDGES * 100_000
    table.touch("B", touched_ns)
    assert [(slap.player, slap.t_ns) for slap in table.slaps()] == [("B", touched_ns)]
    assert PadWarning("chatter", "A") in table.pads.warnings()


@pytest.mark.parametrize(("edges", "slaps"), [(BURST_EDGES - 1, BURST_EDGES - 1), (BURST_EDGES, 0)])
def test_first_edge_of_a_burst_is_no_slap(table: Table, edges: int, slaps: int) -> None:
    # A field strong enough to make a pad flutter began with a false slap.
    apart_ns = BURST_WINDOW_NS // (BURST_EDGES - 1)
    for n in range(edges):
        table.touch("A", START_NS + NS_PER_S + n * apart_ns)
    assert len(table.slaps()) == slaps


def test_burst_after_the_window_leaves_the_slap_alone(table: Table) -> None:
    touched_ns = START_NS + NS_PER_S
    table.touch("A", touched_ns)
    for n in range(BURST_EDGES):
        table.touch("A", touched_ns + BURST_WINDOW_NS + 1 + n)
    assert [slap.t_ns for slap in table.slaps()] == [touched_ns]


def test_nothing_is_promised_beyond_a_touch_that_is_not_believed_yet(table: Table) -> None:
    touched_ns = table.t_ns + BEAT_NS - 1
    table.touch("A", touched_ns)
    table.beat()
    (mark,) = table.pads.observations()
    assert isinstance(mark, Watermark)
    assert mark.t_ns == table.t_ns - ORDER_MARGIN_NS < touched_ns - STAMP_NS
    table.beat(touched_ns + BURST_WINDOW_NS - 1)
    assert table.pads.observations() == [Watermark(touched_ns - STAMP_NS - 1, "pads")]
    table.beat(touched_ns + BURST_WINDOW_NS)
    assert [seen.kind for seen in table.pads.observations()] == ["slap", "watermark"]


# --- watermark and heartbeat ---------------------------------------------------------------------


def test_watermark_is_the_newest_heartbeat_less_the_slowest_pad() -> None:
    table = Table({"A": pad_of_kind("at42qt1010", 5), "B": pad_of_kind("ttp223", 6)})
    table.beat()
    assert table.pads.observations() == [
        Watermark(START_NS + 2 * BEAT_NS - 60 * NS_PER_MS - ORDER_MARGIN_NS, "pads")
    ]
    table.pads.close()


def test_watermark_stands_still_without_a_heartbeat(table: Table) -> None:
    table.pads.observations()
    table.touch("A", START_NS + NS_PER_S)
    assert table.pads.observations() == []


def test_late_heartbeat_never_takes_the_promise_back(table: Table) -> None:
    table.beat(START_NS + NS_PER_S)
    table.pads.observations()
    table.beat(START_NS + NS_PER_S - BEAT_NS)
    assert table.pads.observations() == []


@given(
    st.lists(st.tuples(st.sampled_from("AB"), st.integers(0, 2_000_000_000)), max_size=30),
    st.lists(st.integers(0, 40), min_size=1, max_size=8),
)
@settings(max_examples=60, deadline=None)
def test_no_slap_comes_after_a_watermark_that_covers_it(
    touches: list[tuple[str, int]], calls: list[int]
) -> None:
    """However the box's calls fall: each promise holds for everything delivered in stamp order."""
    table = Table({"A": pad_of_kind("at42qt1010", 5), "B": pad_of_kind("ttp223", 6)})
    edges = [(START_NS + at, player) for player, at in touches]
    edges += [(START_NS + n * BEAT_NS, "") for n in range(1, 100)]
    asked = itertools.cycle(calls)
    promised_ns, wait = 0, 0
    for t_ns, player in sorted(edges):
        table.touch(player, t_ns) if player else table.beat(t_ns)
        wait -= 1
        if wait > 0:
            continue
        wait = next(asked)
        for seen in table.pads.observations():
            if isinstance(seen, Watermark):
                promised_ns = seen.t_ns
            elif isinstance(seen, Slap):
                assert seen.t_ns - seen.early_ns > promised_ns
    table.pads.close()


@pytest.mark.parametrize(
    ("later_ms", "state"), [(300, PadsState.READY), (301, PadsState.SUSPENDED)]
)
def test_lost_heartbeat_suspends(table: Table, later_ms: int, state: PadsState) -> None:
    table.pads.observations()
    assert table.pads.state(table.t_ns + later_ms * NS_PER_MS) is state


def test_heartbeat_that_comes_back_ends_the_suspension(table: Table) -> None:
    table.pads.observations()
    assert table.pads.state(START_NS + NS_PER_S) is PadsState.SUSPENDED
    table.beat(START_NS + NS_PER_S)
    table.pads.observations()
    assert table.pads.state(START_NS + NS_PER_S) is PadsState.READY


def test_heartbeat_that_never_came_suspends() -> None:
    pads = GpioPads({"A": PadSettings(5)}, 20, 21, mock_factory())
    assert pads.state(START_NS) is PadsState.SETTLING
    assert pads.state(START_NS + 301 * NS_PER_MS) is PadsState.SUSPENDED
    assert pads.observations() == []
    pads.close()


# --- settling, stuck, chatter --------------------------------------------------------------------


def test_touches_while_the_pads_settle_are_ignored() -> None:
    table = Table(settle_ns=500 * NS_PER_MS)
    first_ns = table.t_ns
    table.touch("A", first_ns + 500 * NS_PER_MS - 1)
    table.touch("B", first_ns + 500 * NS_PER_MS)
    assert [slap.player for slap in table.slaps()] == ["B"]
    assert table.pads.state(first_ns) is PadsState.SETTLING
    table.pads.close()


def test_nothing_is_promised_while_the_pads_settle() -> None:
    table = Table(settle_ns=500 * NS_PER_MS)
    table.beat()
    assert table.pads.observations() == []
    table.pads.close()


def _hold(table: Table, player: str, ms: int) -> int:
    """Lay a palm on a pad and let the heartbeat go on for so long."""
    held_ns = START_NS + NS_PER_S
    pin = table.pads.pins[player]
    pin.edges = "none"
    pin.drive_high()
    table.touch(player, held_ns)
    assert len(table.slaps()) == 1
    for n in range(2, ms // 20 + 1):
        table.beat(held_ns + n * BEAT_NS)
        table.pads.observations()
    return held_ns


def test_pad_held_for_two_seconds_is_not_stuck(table: Table) -> None:
    _hold(table, "A", 2000)
    assert table.pads.pad_states()["A"] is PadState.GOOD


def test_pad_held_longer_is_stuck_and_left_out_until_it_is_quiet(table: Table) -> None:
    held_ns = _hold(table, "A", 2020)
    assert table.pads.pad_states()["A"] is PadState.STUCK
    assert table.pads.warnings() == [PadWarning("stuck", "A")]
    table.touch("A", held_ns + 2100 * NS_PER_MS)
    table.touch("B", held_ns + 2100 * NS_PER_MS)
    assert [slap.player for slap in table.slaps()] == ["B"]
    table.pads.pins["A"].drive_low()
    for n in range(110, 140):
        table.beat(held_ns + n * BEAT_NS)
        table.pads.observations()
    assert table.pads.warnings() == [PadWarning("good", "A")]
    table.touch("A", held_ns + 3 * NS_PER_S)
    assert [slap.player for slap in table.slaps()] == ["A"]


def test_pad_that_is_active_from_the_start_is_stuck() -> None:
    table = Table({"A": PadSettings(5)})
    table.pads.pins["A"].when_changed = None  # nobody saw the edge
    table.pads.pins["A"].drive_high()
    for _ in range(105):
        table.beat()
        table.pads.observations()
    assert table.pads.pad_states() == {"A": PadState.STUCK}
    table.pads.close()


def test_pad_that_is_idle_high_is_not_touched_at_rest() -> None:
    table = Table({"A": PadSettings(5, active_high=False)})
    for _ in range(105):
        table.beat()
        assert not table.slaps()
    assert table.pads.pad_states() == {"A": PadState.GOOD}
    table.pads.close()


def test_chattering_pad_is_left_out_with_a_warning(table: Table) -> None:
    for n in range(CHATTER_EDGES + 5):
        table.touch("A", START_NS + NS_PER_S + n * 10 * NS_PER_MS)
    # What came within one burst window of being found out is no slap, either.
    assert len(table.slaps()) == CHATTER_EDGES - 2
    assert table.pads.warnings() == [PadWarning("chatter", "A")]
    assert table.pads.pad_states()["B"] is PadState.GOOD


def test_fast_honest_hands_are_no_chatter(table: Table) -> None:
    for n in range(100):
        table.touch("A", START_NS + NS_PER_S + n * 100 * NS_PER_MS)
    assert len(table.slaps()) == 100
    assert table.pads.warnings() == []


# --- setting up ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pads", "said"),
    [
        ({"A": PadSettings(20)}, "pin 20 is both the heartbeat's output and the pad of A"),
        ({"A": PadSettings(5), "B": PadSettings(5)}, "both the pad of A and the pad of B"),
        ({"A": PadSettings(5, True, 9, 8)}, "expected -10 ms <= fastest <= slowest"),
    ],
)
def test_pads_that_contradict_themselves_are_refused(
    pads: dict[str, PadSettings], said: str
) -> None:
    with pytest.raises(BadPads, match=said):
        GpioPads(pads, 20, 21, mock_factory())


@pytest.mark.parametrize("pin", [28, -1, 99])
def test_pin_that_is_not_there_is_refused(pin: int) -> None:
    with pytest.raises(BadPin, match=rf"cannot listen to pin {pin}: .*wiring/pins.toml"):
        GpioPads({"A": PadSettings(pin)}, 20, 21, mock_factory())


def test_unknown_kind_of_pad_is_refused() -> None:
    with pytest.raises(BadPads, match="no such kind of pad: 'wood', expected one of at42qt1010"):
        pad_of_kind("wood", 5)


def test_closing_twice_is_safe_and_gives_the_pins_back() -> None:
    factory: MockFactory = mock_factory()
    for _ in range(2):
        pads = GpioPads({"A": PadSettings(5)}, 20, 21, factory)
        pads.close()
        pads.close()


@pytest.mark.parametrize(("back_ns", "slaps"), [(ORDER_MARGIN_NS, 1), (ORDER_MARGIN_NS + 1, 0)])
def test_stamp_that_went_back_behind_an_earlier_heartbeat_is_no_slap(
    back_ns: int, slaps: int
) -> None:
    clock = {"ns": START_NS + BEAT_NS}
    table = Table(now=lambda: clock["ns"], proves_clock=True)
    clock["ns"] += NS_PER_S
    table.beat(clock["ns"])
    table.pads.observations()
    table.pads.pins["A"].when_changed((clock["ns"] - back_ns) / 1e9, 1)
    clock["ns"] += BEAT_NS
    table.beat(clock["ns"])
    assert [seen.kind for seen in table.pads.observations()].count("slap") == slaps
    assert len(table.pads.warnings()) == 1 - slaps
    table.pads.close()


def test_own_heartbeat_comes_back_through_a_wire() -> None:
    """The thread beats until the wire comes off, and again when it is back on."""
    # It ended with the first failure: the pads stayed silent until the box was restarted.
    came_back = threading.Event()
    pads = GpioPads({"A": PadSettings(5)}, 20, 21, mock_factory(), beats=False)
    beats = itertools.count()

    def wire(level: bool) -> None:
        n = next(beats)
        if n in (2, 3):
            raise OSError("the wire came off")
        pads.heartbeat_pin.drive_high() if level else pads.heartbeat_pin.drive_low()
        if n > 4:
            came_back.set()

    beater = Beater(wire)
    beater.start()
    assert came_back.wait(10)
    beater.stop()
    pads.observations()
    assert pads.pulse.first_ns is not None
    assert pads.pulse.newest_ns is not None
    assert pads.pulse.newest_ns > pads.pulse.first_ns
    assert pads.state(pads.pulse.newest_ns + NS_PER_S) is PadsState.SUSPENDED
    pads.close()


@pytest.mark.parametrize(
    ("stamp_ms", "wrong"), [(-1.001, 1), (-1, 0), (0, 0), (30, 0), (31, 0), (31.001, 1)]
)
def test_heartbeat_proves_the_clock(stamp_ms: float, wrong: int) -> None:
    pulse = Pulse(opened_ns=START_NS)
    pulse.came_back(START_NS + int(stamp_ms * NS_PER_MS), START_NS + 30 * NS_PER_MS)
    assert pulse.wrong_clock == wrong
    assert (pulse.newest_ns is None) is bool(wrong)


def test_stamp_of_the_future_promises_nothing_and_slaps_nobody() -> None:
    # The promise ran ahead with the stamp, and every later slap was called late.
    clock = {"ns": START_NS + BEAT_NS}
    table = Table(now=lambda: clock["ns"], proves_clock=True)
    clock["ns"] += NS_PER_S
    table.beat(START_NS + 3600 * NS_PER_S)
    table.pads.pins["A"].when_changed((START_NS + 60 * NS_PER_S) / 1e9, 1)
    table.touch("B", clock["ns"] - BURST_WINDOW_NS)
    table.beat(clock["ns"])
    slap, mark = table.pads.observations()
    assert (slap.kind, getattr(slap, "player", "")) == ("slap", "B")
    assert mark.t_ns <= clock["ns"]
    assert table.pads.warnings() == [PadWarning("clock", n=2)]
    table.pads.close()


def test_pins_that_went_away_suspend_and_do_not_end_the_box(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(self: object) -> bool:
        raise OSError("no such device")

    monkeypatch.setattr(MockPin, "_get_state", gone)
    assert table.slaps() == []
    assert table.pads.warnings() == [PadWarning("fault")]
    assert table.pads.state(table.t_ns + NS_PER_S) is PadsState.SUSPENDED
