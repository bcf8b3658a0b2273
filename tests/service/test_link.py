"""The wire between box and page, and the process at its other end."""

import json
import socket
import threading
from collections.abc import Iterator

import pytest

from referee.service import page_process
from referee.service.link import WAITING, Link
from referee.service.page_process import FIRST_PAUSE_NS, PageAddress, PageProcess

PATIENCE_S = 30.0


class FarEnd:
    """The page's end, read and written by hand."""

    def __init__(self, channel: socket.socket) -> None:
        channel.settimeout(PATIENCE_S)
        self.channel = channel
        self._lines = channel.makefile("rb")

    def read(self) -> dict[str, object]:
        line = json.loads(self._lines.readline())
        assert isinstance(line, dict)
        return line

    def write(self, raw: bytes) -> None:
        self.channel.sendall(raw)

    def close(self) -> None:
        self._lines.close()
        self.channel.close()


@pytest.fixture
def ends() -> Iterator[tuple[Link, FarEnd]]:
    ours, theirs = socket.socketpair()
    link, far = Link(ours), FarEnd(theirs)
    yield link, far
    link.close()
    far.close()


def asked(link: Link, n: int) -> list[dict[str, object]]:
    """Wait until n asks have come; the reader is a thread."""
    got: list[dict[str, object]] = []
    tick = threading.Event()
    for _ in range(int(PATIENCE_S / 0.01)):
        got += link.asks()
        if len(got) >= n:
            return got
        tick.wait(0.01)
    raise AssertionError(f"only {got} came")


def test_messages_keep_their_order(ends: tuple[Link, FarEnd]) -> None:
    link, far = ends
    for number in range(500):
        link.publish({"type": "said", "n": number})
    assert [far.read()["n"] for _ in range(500)] == list(range(500))


def test_of_pictures_only_the_newest_waits(ends: tuple[Link, FarEnd]) -> None:
    link, far = ends
    for number in range(2000):
        link.publish({"type": "led", "rows": [str(number)] * 2000})
    seen = [far.read()["rows"][0]]  # type: ignore[index]
    while seen[-1] != "1999":
        seen.append(far.read()["rows"][0])  # type: ignore[index]
    assert len(seen) < 2000
    assert list(map(int, seen)) == sorted(map(int, seen))


def test_page_that_does_not_read_never_stops_the_box(ends: tuple[Link, FarEnd]) -> None:
    link, _ = ends
    for number in range(3 * WAITING):
        link.publish({"type": "said", "n": number, "sentence": "x" * 500})
    assert link.is_behind
    assert link.is_open


def test_nonsense_from_the_page_is_passed_over(ends: tuple[Link, FarEnd]) -> None:
    link, far = ends
    far.write(b'garbage\n[1,2]\n{"no":"ask"}\n{"ask":7}\n\xff\xfe\n{"ask":"flip"}\n')
    assert asked(link, 1) == [{"ask": "flip"}]


def test_page_that_hangs_up_is_noticed(ends: tuple[Link, FarEnd]) -> None:
    link, far = ends
    far.write(b'{"ask":"flip"}\n')
    asked(link, 1)
    far.close()
    tick = threading.Event()
    for _ in range(int(PATIENCE_S / 0.01)):
        if not link.is_open:
            break
        tick.wait(0.01)
    assert not link.is_open
    link.publish({"type": "said"})


class Child:
    """A process that lives until it is told not to."""

    def __init__(self) -> None:
        self.code: int | None = None
        self.ended = False

    def poll(self) -> int | None:
        return self.code

    def terminate(self) -> None:
        self.code = 0

    def kill(self) -> None:
        self.code = -9

    def wait(self, timeout: float | None = None) -> int:
        self.ended = True
        return self.code or 0


class Starts:
    """Starts children and keeps the far ends of their wires."""

    def __init__(self) -> None:
        self.far: list[FarEnd] = []
        self.children: list[Child] = []
        self.fails = False

    def __call__(self, address: PageAddress, theirs: socket.socket) -> Child:
        if self.fails:
            raise OSError("no such program")
        self.far.append(FarEnd(theirs.dup()))
        self.children.append(Child())
        return self.children[-1]


def hang_up(process: PageProcess, far: FarEnd) -> None:
    """The page dies; wait until the link knows."""
    link = process._link
    assert link is not None
    far.channel.shutdown(socket.SHUT_RDWR)
    far.close()
    for thread in link._threads:
        if thread.name == "page-reader":
            thread.join(PATIENCE_S)
    assert not link.is_open


def test_page_that_dies_is_started_again_and_told_everything() -> None:
    starts = Starts()
    greeting = [{"type": "box"}, {"type": "game", "id": 3}]
    process = PageProcess(PageAddress(), lambda: greeting, start=starts)
    process.keep(0)
    assert [starts.far[0].read() for _ in greeting] == greeting
    hang_up(process, starts.far[0])
    process.keep(1)
    process.keep(FIRST_PAUSE_NS)
    assert process.starts == 1
    process.keep(FIRST_PAUSE_NS + 1)
    assert process.starts == 2
    assert starts.children[0].ended
    assert [starts.far[1].read() for _ in greeting] == greeting
    process.close()
    starts.far[1].close()


def test_page_that_keeps_dying_is_started_less_and_less_often() -> None:
    starts = Starts()
    process = PageProcess(PageAddress(), list, start=starts)
    now_ns, gaps = 0, []
    process.keep(now_ns)
    for _ in range(8):
        hang_up(process, starts.far[-1])
        before_ns, count = now_ns, process.starts
        while process.starts == count:
            now_ns += FIRST_PAUSE_NS // 2
            process.keep(now_ns)
        gaps.append(now_ns - before_ns)
    assert gaps == sorted(gaps)
    assert gaps[-1] <= 61 * FIRST_PAUSE_NS
    assert gaps[-1] > 30 * FIRST_PAUSE_NS
    process.close()
    starts.far[-1].close()


def test_page_that_cannot_be_started_is_no_reason_to_stop() -> None:
    starts = Starts()
    starts.fails = True
    process = PageProcess(PageAddress(), list, start=starts)
    process.keep(0)
    process.publish({"type": "said"})
    assert process.asks() == []
    process.close()


@pytest.mark.parametrize(
    ("bind", "url"),
    [("127.0.0.1", "http://127.0.0.1:8080"), ("fd00::1", "http://[fd00::1]:8080")],
)
def test_address_is_what_a_browser_takes(bind: str, url: str) -> None:
    assert PageAddress(bind).url == url


def test_page_for_all_is_named_after_the_computer() -> None:
    assert PageAddress("0.0.0.0").url == f"http://{socket.gethostname()}.local:8080"


def test_page_started_anew_gets_the_same_key_and_nobody_sees_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[tuple[list[str], dict[str, str]]] = []

    def start(words: list[str], *, env: dict[str, str], **more: object) -> Child:
        started.append((words, env))
        return Child()

    monkeypatch.setattr(page_process.subprocess, "Popen", start)
    process = PageProcess(PageAddress(), list)
    other = PageProcess(PageAddress(), list)
    for each in (process, process, other):
        each.keep(0)
        each.close()
    keys = [env[page_process.KEY_VARIABLE] for _, env in started]
    assert keys[0] == keys[1] != keys[2]
    assert not any(keys[0] in word for words, _ in started for word in words)
