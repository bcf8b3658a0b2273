"""The process that sounds: its decisions with faked commands."""

from __future__ import annotations

import errno
import json

from referee.service.voice.__main__ import Player
from referee.service.voice.queue import LONGEST_NS, STALE_NS

MS = 1_000_000


class Fake:
    """A command that ends when it is told to."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self.command = command
        self.ended = self.stopped = False
        self.wrong = ""

    def poll(self) -> int | None:
        return 0 if self.ended else None

    def stop(self) -> None:
        assert not self.stopped
        self.stopped = True

    def complaint(self) -> str:
        return self.wrong


class Bench:
    """A player with fakes around it."""

    def __init__(self) -> None:
        self.started: list[Fake] = []
        self.complaints: list[str] = []
        self.missing: set[str] = set()
        self.player = Player(self.complaints.append, self._start)

    def _start(self, command: tuple[str, ...]) -> Fake:
        if command[0] in self.missing:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        self.started.append(Fake(command))
        return self.started[-1]

    def ask(self, t_ms: int, *commands: str, priority: int = 2) -> None:
        sound = {"t_ns": t_ms * MS, "priority": priority, "commands": [[one] for one in commands]}
        self.player.take(json.dumps(sound).encode(), t_ms * MS)

    @property
    def names(self) -> list[str]:
        return [fake.command[0] for fake in self.started]


def test_commands_of_a_sound_follow_each_other() -> None:
    bench = Bench()
    bench.ask(0, "tone", "speech")
    assert bench.names == ["tone"]
    bench.player.step(10 * MS)
    assert bench.names == ["tone"]
    bench.started[0].ended = True
    bench.player.step(20 * MS)
    assert bench.names == ["tone", "speech"]
    bench.started[1].ended = True
    bench.player.step(30 * MS)
    assert not bench.player.is_busy
    assert bench.complaints == []


def test_newer_verdict_stops_the_older_and_what_was_to_follow() -> None:
    bench = Bench()
    bench.ask(0, "tone", "speech")
    bench.ask(100, "newer")
    assert bench.started[0].stopped
    assert bench.names == ["tone", "newer"]
    bench.started[1].ended = True
    bench.player.step(200 * MS)
    assert bench.names == ["tone", "newer"]


def test_news_waits_for_the_verdict_and_is_dropped_when_stale() -> None:
    for wait_ns, names in ((STALE_NS, ["verdict", "news"]), (STALE_NS + 1, ["verdict"])):
        bench = Bench()
        bench.ask(0, "verdict")
        bench.ask(100, "news", priority=1)
        assert not bench.started[0].stopped
        bench.started[0].ended = True
        bench.player.step(100 * MS + wait_ns)
        assert bench.names == names


def test_missing_program_is_complained_about_and_the_rest_is_heard() -> None:
    bench = Bench()
    bench.missing = {"tone"}
    bench.ask(0, "tone", "speech")
    assert bench.names == ["speech"]
    assert bench.complaints == ["tone: No such file or directory"]
    bench.missing = {"tone", "speech"}
    bench.ask(10, "tone", "speech")
    assert not bench.player.is_busy


def test_program_that_hangs_is_ended() -> None:
    bench = Bench()
    bench.ask(0, "speech")
    bench.player.step(LONGEST_NS)
    assert not bench.started[0].stopped
    bench.player.step(LONGEST_NS + 1)
    assert bench.started[0].stopped
    assert bench.complaints == ["speech: it hung and was ended"]
    assert not bench.player.is_busy
    bench.ask(20_000, "again")
    assert bench.names == ["speech", "again"]


def test_program_that_fails_is_named() -> None:
    bench = Bench()
    bench.ask(0, "/usr/bin/speech")
    bench.started[0].ended, bench.started[0].wrong = True, "no loudspeaker"
    bench.player.step(10 * MS)
    assert bench.complaints == ["speech: no loudspeaker"]


def test_line_that_is_no_sound_is_left_out() -> None:
    bench = Bench()
    for line in (b"", b"{", b"[]", b'{"t_ns": 1}', b'{"t_ns":1,"priority":1,"commands":[3]}'):
        bench.player.take(line, 0)
    assert len(bench.complaints) == 5
    bench.ask(0)  # nothing to sound
    sound = {"t_ns": 0, "priority": 2, "commands": [[]]}
    bench.player.take(json.dumps(sound).encode(), 0)
    assert bench.started == []
    assert not bench.player.is_busy


def test_closed_player_is_silent() -> None:
    bench = Bench()
    bench.ask(0, "speech")
    bench.player.close()
    assert bench.started[0].stopped
    bench.player.close()
