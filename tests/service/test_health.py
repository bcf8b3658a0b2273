"""systemd hears what the box says, and a deaf systemd stops nothing."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service.health import Health

SILENCE_NS = 10_000_000_000
QUARTER_NS = SILENCE_NS // 4


class Systemd:
    """The other end of the socket."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address.replace("@", "\0", 1))
        self._socket.setblocking(False)

    def heard(self) -> list[str]:
        words = []
        while True:
            try:
                words.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return words

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(params=["file", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Systemd]:
    name = str(tmp_path / "notify")
    listener = Systemd(name if request.param == "file" else f"@{name}")
    yield listener
    listener.close()


def _health(systemd: Systemd, **more: str) -> Health:
    silence = {"WATCHDOG_USEC": str(SILENCE_NS // 1000), "WATCHDOG_PID": str(os.getpid())}
    return Health.from_environment({"NOTIFY_SOCKET": systemd.address} | silence | more)


def test_life_of_a_service_is_told(systemd: Systemd) -> None:
    health = _health(systemd)
    health.ready("4 pads,\n60 frames/s")
    health.beat(5)
    health.stopping()
    assert systemd.heard() == [
        "READY=1\nSTATUS=4 pads, 60 frames/s",
        "WATCHDOG=1",
        "STOPPING=1",
    ]


@pytest.mark.parametrize(("later_ns", "beats"), [(QUARTER_NS - 1, 1), (QUARTER_NS, 2)])
def test_beat_is_sent_four_times_in_the_silence(
    systemd: Systemd, later_ns: int, beats: int
) -> None:
    health = _health(systemd)
    health.beat(7)
    health.beat(7 + later_ns)
    assert systemd.heard() == ["WATCHDOG=1"] * beats


def test_status_is_sent_when_it_changes(systemd: Systemd) -> None:
    health = _health(systemd)
    for status in ("playing", "playing", "hold"):
        health.status(status)
    assert systemd.heard() == ["STATUS=playing", "STATUS=hold"]


@pytest.mark.parametrize(
    "more", [{"WATCHDOG_PID": "1"}, {"WATCHDOG_USEC": ""}, {"WATCHDOG_USEC": "soon"}]
)
def test_watchdog_of_nobody_or_of_another_process_is_left_alone(
    systemd: Systemd, more: dict[str, str]
) -> None:
    _health(systemd, **more).beat(5)
    assert systemd.heard() == []


def test_without_systemd_nothing_happens() -> None:
    health = Health.from_environment({})
    health.ready("ready")
    health.beat(1)
    health.stopping()


def test_deaf_systemd_does_not_stop_the_box(
    systemd: Systemd, caplog: pytest.LogCaptureFixture
) -> None:
    systemd.close()
    _health(systemd).ready("ready")
    assert "systemd was not told" in caplog.text
