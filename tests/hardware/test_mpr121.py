"""Touch chips: settings that are read back, edges that were touches, lines that were forgotten."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.clock import NS_PER_MS, NS_PER_S
from hardware.gpio import mock_factory
from hardware.mpr121 import (
    ADDRESSES,
    SETTINGS,
    BadTouchChip,
    Mpr121,
    open_bus,
    place_of,
    touch_buses,
)
from hardware.pad_health import BURST_WINDOW_NS
from hardware.pads import GpioPads, PadSettings, PadWarning
from hardware.touch_lines import CHECK_NS, UNREAD_NS
from referee.rules.events import Slap

START_NS = 1_000 * NS_PER_S
PLAYERS = ("Ann", "Bo")


FACTORY = {0x5C: 0x10, 0x5D: 0x24, 0x5E: 0x00}


def _nobody(level: int) -> None:
    """The line leads nowhere."""


@dataclass
class FakeChip:
    """Registers, an electrode and an open-drain interrupt line."""

    moved: Callable[[int], None] = _nobody
    """Called with the line's new level: 0 is down."""
    registers: dict[int, int] = field(default_factory=lambda: dict(FACTORY))
    forgets: int | None = None
    """A register that reads 0xEE whatever is written."""
    is_gone: bool = False
    line: int = 1
    reads: int = 0
    """Of the status."""

    def touch(self, is_touched: bool) -> None:
        """A palm comes or goes. The chip tells only if it runs, and once until it is read."""
        if not self.registers.get(0x5E):
            return
        self.registers[0x00] = int(is_touched)
        self.set_line(0)

    def dip(self) -> None:
        """The supply was away for a moment."""
        self.registers = dict(FACTORY)
        self.set_line(1)

    def set_line(self, level: int) -> None:
        if level != self.line:
            self.line = level
            self.moved(level)

    def read(self, register: int) -> int:
        if register == 0x00:
            self.reads += 1
            self.set_line(1)
        return 0xEE if register == self.forgets else self.registers.get(register, 0)

    def write(self, register: int, value: int) -> None:
        if (register, value) == (0x80, 0x63):
            self.registers = dict(FACTORY)
            return
        runs = self.registers.get(0x5E, 0) != 0
        if runs and register != 0x5E:
            return
        self.registers[register] = value
        if register == 0x5E and value:
            self.registers.setdefault(0x1E, 0x9C)  # it measures its electrode


class FakeBus:
    """What smbus2.SMBus can do."""

    def __init__(self, chips: dict[int, FakeChip]) -> None:
        self.chips = chips

    def _chip(self, address: int) -> FakeChip:
        chip = self.chips.get(address)
        if chip is None or chip.is_gone:
            raise OSError(121, "Remote I/O error")
        return chip

    def read_byte_data(self, address: int, register: int) -> int:
        return self._chip(address).read(register)

    def read_word_data(self, address: int, register: int) -> int:
        chip = self._chip(address)
        return chip.read(register) | chip.read(register + 1) << 8

    def write_byte_data(self, address: int, register: int, value: int) -> None:
        self._chip(address).write(register, value)


class Table:
    """Two players with a chip each; time is moved by hand."""

    def __init__(self) -> None:
        self.now_ns = START_NS
        self.level = 0
        self.chips = {player: FakeChip() for player in PLAYERS}
        bus = FakeBus(dict(zip(ADDRESSES, self.chips.values(), strict=False)))
        self.pads = GpioPads(
            {
                player: PadSettings(5 + seat, active_high=False)
                for seat, player in enumerate(PLAYERS)
            },
            20,
            21,
            mock_factory(),
            settle_ns=0,
            now=lambda: self.now_ns,
            chips={
                player: Mpr121(bus, address)
                for player, address in zip(PLAYERS, ADDRESSES, strict=False)
            },
        )
        for player, chip in self.chips.items():
            chip.moved = self._mover(player)
        self.beat()

    def _mover(self, player: str) -> Any:
        pin = self.pads.pins[player]

        def moved(level: int) -> None:
            pin._change_state(bool(level))  # the level only; the edge gets our stamp
            if level == 0:
                pin.when_changed(self.now_ns / 1e9, level)

        return moved

    def beat(self) -> None:
        self.level = 1 - self.level
        self.pads.heartbeat_pin.when_changed(self.now_ns / 1e9, self.level)

    def wait(self, ms: float) -> list[Slap]:
        """Let time pass in steps of 10 ms, as the box's loop does."""
        seen: list[Slap] = []
        end_ns = self.now_ns + round(ms * NS_PER_MS)
        while self.now_ns < end_ns:
            self.now_ns = min(end_ns, self.now_ns + 10 * NS_PER_MS)
            self.beat()
            seen += self.slaps()
        return seen

    def slaps(self) -> list[Slap]:
        return [seen for seen in self.pads.observations() if isinstance(seen, Slap)]


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.pads.close()


def test_chip_is_set_up_with_fast_sampling_and_no_debounce() -> None:
    chip = FakeChip()
    Mpr121(FakeBus({0x5A: chip}), 0x5A).set_up()
    assert {register: chip.registers[register] for register in SETTINGS} == SETTINGS
    assert (chip.registers[0x5D], chip.registers[0x5B], chip.registers[0x5E]) == (0x20, 0, 0x81)


@pytest.mark.parametrize("register", [*SETTINGS, 0x5E])
def test_any_register_that_forgets_is_refused(register: int) -> None:
    with pytest.raises(BadTouchChip, match=f"register {register:#04x}"):
        Mpr121(FakeBus({0x5A: FakeChip(forgets=register)}), 0x5A).set_up()


def test_chip_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(BadTouchChip, match=r"0x5b does not answer.*i2cdetect"):
        Mpr121(FakeBus({}), 0x5B).set_up()


def test_missing_bus_or_library_is_one_sentence() -> None:
    with pytest.raises(BadTouchChip, match="expected"):
        open_bus(977)


@pytest.mark.parametrize(("seat", "place"), [(1, (1, 0x5A)), (4, (1, 0x5D)), (5, (3, 0x5A))])
def test_four_chips_share_a_bus(seat: int, place: tuple[int, int]) -> None:
    assert place_of(seat, (1, 3)) == place


@pytest.mark.parametrize("seat", [0, 5, 9])
def test_seat_without_a_bus_is_refused(seat: int) -> None:
    with pytest.raises(BadTouchChip, match=r"seats 1 to 4, or a multiplexer TCA9548A at 0x70"):
        place_of(seat)


@pytest.mark.parametrize("numbers", [(22, 23), (11, 12)])
def test_multiplexer_gives_two_buses_whatever_their_numbers(
    tmp_path: Path, numbers: tuple[int, int]
) -> None:
    _multiplexer(tmp_path, numbers)
    assert touch_buses(tmp_path) == numbers
    assert place_of(4, touch_buses(tmp_path)) == (numbers[0], 0x5D)
    assert place_of(5, touch_buses(tmp_path)) == (numbers[1], 0x5A)
    assert place_of(8, touch_buses(tmp_path)) == (numbers[1], 0x5D)


def test_without_a_multiplexer_all_chips_hang_on_the_header_s_bus(tmp_path: Path) -> None:
    assert touch_buses(tmp_path) == (1,)
    (tmp_path / "1-0070").mkdir()  # named in config.txt, but not there: no channels
    assert touch_buses(tmp_path) == (1,)


def test_multiplexer_of_another_bus_is_not_ours(tmp_path: Path) -> None:
    _multiplexer(tmp_path, (22, 23), parent=3)
    assert touch_buses(tmp_path) == (1,)
    assert touch_buses(tmp_path, parent=3) == (22, 23)


def _multiplexer(devices: Path, numbers: Sequence[int], parent: int = 1) -> None:
    """What the kernel shows of one: a link for each channel."""
    chip = devices / f"{parent}-0070"
    chip.mkdir()
    for channel, number in enumerate(numbers):
        (chip / f"channel-{channel}").symlink_to(f"../i2c-{number}")


def test_asking_whether_a_chip_is_there_leaves_its_line_alone() -> None:
    chip = FakeChip()
    chip.registers[0x5E] = 0x81
    chip.touch(True)
    assert Mpr121(FakeBus({0x5A: chip}), 0x5A).answers()
    assert (chip.line, chip.reads) == (0, 0)
    assert not Mpr121(FakeBus({0x5A: chip}), 0x5B).answers()


def test_touch_is_one_slap_and_its_release_is_none(table: Table) -> None:
    touched_ns = table.now_ns
    table.chips["Ann"].touch(True)
    slaps = table.wait(200)
    table.chips["Ann"].touch(False)
    slaps += table.wait(200)
    assert [(slap.player, slap.t_ns) for slap in slaps] == [("Ann", touched_ns)]


def test_palm_that_is_gone_before_the_status_is_read_still_slapped(table: Table) -> None:
    # The status says "free" by then: its cause is lost, the edge is not.
    table.chips["Bo"].touch(True)
    table.chips["Bo"].touch(False)
    assert [slap.player for slap in table.wait(50)] == ["Bo"]
    table.chips["Bo"].touch(True)
    assert [slap.player for slap in table.wait(50)] == ["Bo"]


def test_status_is_read_after_the_edge_only(table: Table) -> None:
    table.wait(40)
    reads = table.chips["Ann"].reads
    table.wait(UNREAD_NS / NS_PER_MS * 4)
    assert table.chips["Ann"].reads == reads, "nothing happened, nothing to read"
    table.chips["Ann"].touch(True)
    assert table.chips["Ann"].line == 0
    table.slaps()
    assert table.chips["Ann"].line == 1


def test_line_that_stays_down_is_read_without_an_edge(table: Table) -> None:
    # The edge got lost on its way: without this read the pad would be deaf for ever.
    chip = table.chips["Ann"]
    moved, chip.moved = chip.moved, lambda level: table.pads.pins["Ann"]._change_state(bool(level))
    chip.touch(True)
    chip.moved = moved
    assert table.wait(50) == []
    assert chip.line == 0
    table.wait(20)
    assert chip.line == 1
    table.chips["Ann"].touch(False)
    assert table.wait(50) == [], "the lost touch is known by now, so this is its release"
    chip.touch(True)
    assert len(table.wait(50)) == 1


def test_second_player_is_not_hidden_by_an_unread_first(table: Table) -> None:
    table.chips["Ann"].touch(True)
    table.now_ns += 1_000_000
    table.chips["Bo"].touch(True)
    slaps = table.wait(20)
    assert [slap.player for slap in slaps] == ["Ann", "Bo"]
    assert slaps[1].t_ns - slaps[0].t_ns == 1_000_000


def test_chip_that_vanishes_warns_once_and_is_well_again_later(table: Table) -> None:
    chip = table.chips["Bo"]
    chip.is_gone = True
    table.wait(2 * CHECK_NS / NS_PER_MS)
    assert table.pads.warnings() == [PadWarning("silent", "Bo")]
    chip.is_gone = False
    chip.dip()
    table.wait(2 * CHECK_NS / NS_PER_MS)
    assert table.pads.warnings() == [PadWarning("well", "Bo")]
    chip.touch(True)
    assert [slap.player for slap in table.wait(30)] == ["Bo"]


def test_power_dip_is_noticed_and_mended(table: Table) -> None:
    table.chips["Ann"].dip()
    table.chips["Ann"].touch(True)
    assert table.wait(20) == [], "a chip with its factory settings senses nothing"
    table.wait(CHECK_NS / NS_PER_MS)
    table.chips["Ann"].touch(True)
    assert len(table.wait(30)) == 1


@pytest.mark.parametrize(("register", "value"), [(0x02, 0x01), (0x03, 0x80), (0x1E, 0x00)])
def test_electrode_that_cannot_be_measured_warns(table: Table, register: int, value: int) -> None:
    table.chips["Ann"].registers[register] = value
    table.wait(2 * CHECK_NS / NS_PER_MS)
    assert PadWarning("baseline", "Ann") in table.pads.warnings()


def test_palm_that_rests_is_stuck_although_the_line_is_free(table: Table) -> None:
    table.chips["Ann"].touch(True)
    table.wait(2500)
    assert table.chips["Ann"].line == 1
    assert table.pads.warnings() == [PadWarning("stuck", "Ann")]


@given(st.lists(st.tuples(st.sampled_from([1.0, 3.0, 13.0, 70.0]), st.booleans()), max_size=30))
@settings(max_examples=25, deadline=None)
def test_every_new_touch_after_a_read_is_a_slap(steps: list[tuple[float, bool]]) -> None:
    table = Table()
    is_touched, expected, seen = False, [], []
    last_read_state = False
    for wait_ms, wants in steps:
        if wants != is_touched:
            is_touched = wants
            chip = table.chips["Ann"]
            if chip.line == 1 and not last_read_state:
                expected.append(table.now_ns)
            chip.touch(wants)
        seen += table.wait(wait_ms)
        last_read_state = is_touched
    seen += table.wait(BURST_WINDOW_NS / NS_PER_MS)
    table.pads.close()
    assert [slap.t_ns for slap in seen] == expected
