"""Keys as pads, on a pseudo-terminal."""

import io
import os
import pty
import termios
from collections.abc import Iterator
from typing import TextIO

import pytest

from hardware.keys import KEY_DOUBT_NS, BadKeys, Keys
from referee.rules.events import SOFTWARE, Slap, Watermark

T_NS = 5_000_000_000


class Terminal:
    """Both ends of a pseudo-terminal and a clock that we set."""

    def __init__(self) -> None:
        self.near, far = pty.openpty()
        self.stream: TextIO = open(far, encoding="utf-8")  # noqa: SIM115
        self.t_ns = T_NS

    def now(self) -> int:
        return self.t_ns

    def type(self, keys: Keys, typed: str) -> None:
        os.write(self.near, typed.encode())
        assert keys.read_keys(5)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal()
    yield terminal
    terminal.stream.close()
    os.close(terminal.near)


@pytest.fixture
def keys(terminal: Terminal) -> Iterator[Keys]:
    keys = Keys(("Ann", "Bo"), now=terminal.now, stream=terminal.stream, reads=False)
    yield keys
    keys.close()


def test_digit_is_a_slap_with_a_program_s_doubt(terminal: Terminal, keys: Keys) -> None:
    terminal.type(keys, "2")
    assert keys.observations() == [
        Slap(T_NS, "Bo", KEY_DOUBT_NS, KEY_DOUBT_NS, SOFTWARE),
        Watermark(T_NS - KEY_DOUBT_NS - 1, "pads"),
    ]


def test_two_keys_at_once_are_two_slaps(terminal: Terminal, keys: Keys) -> None:
    terminal.type(keys, "12")
    slaps = [seen.player for seen in keys.observations() if isinstance(seen, Slap)]
    assert slaps == ["Ann", "Bo"]


def test_other_keys_are_commands(terminal: Terminal, keys: Keys) -> None:
    terminal.type(keys, " q39")
    assert keys.commands() == [" ", "q", "3", "9"]
    assert keys.commands() == []


def test_arrow_key_is_one_command(terminal: Terminal, keys: Keys) -> None:
    terminal.type(keys, "\x1b[1A")
    assert keys.commands() == ["\x1b[1A"]
    assert not [seen for seen in keys.observations() if isinstance(seen, Slap)]


def test_no_slap_comes_after_a_watermark_that_covers_it(terminal: Terminal, keys: Keys) -> None:
    (promise,) = keys.observations()
    terminal.type(keys, "1")
    slap = keys.observations()[0]
    assert isinstance(slap, Slap)
    assert slap.t_ns - slap.early_ns > promise.t_ns


def test_watermark_moves_with_the_clock_and_never_twice(terminal: Terminal, keys: Keys) -> None:
    assert len(keys.observations()) == 1
    assert keys.observations() == []
    terminal.t_ns += 1
    assert keys.observations() == [Watermark(T_NS - KEY_DOUBT_NS, "pads")]


def test_terminal_is_given_back(terminal: Terminal) -> None:
    before = termios.tcgetattr(terminal.stream)
    keys = Keys(("Ann",), stream=terminal.stream, reads=False)
    assert termios.tcgetattr(terminal.stream) != before
    keys.close()
    keys.close()
    assert termios.tcgetattr(terminal.stream) == before


def test_thread_reads_and_ends(terminal: Terminal) -> None:
    keys = Keys(("Ann",), stream=terminal.stream)
    os.write(terminal.near, b"1x")
    seen: list[str] = []
    while "x" not in seen:
        seen += keys.commands()
    assert isinstance(keys.observations()[0], Slap)
    keys.close()


def test_terminal_that_went_away_ends_the_reading() -> None:
    near, far = pty.openpty()
    stream = open(far, encoding="utf-8")  # noqa: SIM115
    keys = Keys(("Ann",), stream=stream, reads=False)
    os.close(near)
    assert not keys.read_keys(5)
    keys.close()
    stream.close()


def test_file_is_no_terminal() -> None:
    with pytest.raises(BadKeys, match="keys 1-8 need a terminal"):
        Keys(("Ann",), stream=io.StringIO("1"))
