"""The box's end, with real processes: it never waits, and it outlives them all."""

from __future__ import annotations

import logging
import os
import select
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service.voice import mouth as mouth_module
from referee.service.voice.mouth import RETRY_NS, Mouth, _close_pipes

PATIENCE_S = 30
"""Only a test that fails waits so long."""
NEVER_STALE_NS = 1 << 62
"""A busy machine may need seconds to start the process; a sound from the future is not stale."""


class Pipe:
    """Where a command says that it runs."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._reader = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def read(self) -> str:
        ready, _, _ = select.select([self._reader], [], [], PATIENCE_S)
        assert ready, "nothing was heard"
        return os.read(self._reader, 4096).decode().strip()

    def close(self) -> None:
        os.close(self._reader)


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Pipe]:
    pipe = Pipe(tmp_path / "pipe")
    yield pipe
    pipe.close()


def _says(pipe: Pipe, words: str, *, then: str = "") -> list[str]:
    return ["sh", "-c", f'echo {words} > "{pipe.path}"; {then}']


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _ends(pid: int) -> bool:
    """It has ended or does so soon, whether or not somebody asks for its exit code."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], PATIENCE_S)[0])
    finally:
        os.close(watched)


def test_sound_is_heard_and_a_newer_one_stops_it(pipe: Pipe) -> None:
    mouth = Mouth()
    try:
        mouth.send(NEVER_STALE_NS, 2, [["true"], _says(pipe, "$$", then="exec sleep 600")])
        older = int(pipe.read())
        assert _is_alive(older)
        mouth.send(NEVER_STALE_NS, 2, [_says(pipe, "newer")])
        assert pipe.read() == "newer"
        assert not _is_alive(older)
    finally:
        mouth.close()


@pytest.mark.parametrize(("patience_s", "code"), [(PATIENCE_S, 0), (0, -signal.SIGKILL)])
def test_box_that_closes_leaves_nothing_behind(
    pipe: Pipe, patience_s: float, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mouth_module, "STOP_S", patience_s)
    monkeypatch.setattr(mouth_module, "_close_pipes", _close_pipes if patience_s else _leave_open)
    mouth = Mouth()
    mouth.send(NEVER_STALE_NS, 2, [_says(pipe, "$$", then="exec sleep 600")])
    heard = int(pipe.read())
    process = mouth._process
    assert process is not None
    mouth.close()
    mouth.close()
    assert process.returncode == code
    assert _ends(heard)
    _close_pipes(process)


def _leave_open(process: object) -> None:
    """A process that does not notice that the box hung up."""


def test_box_that_is_killed_leaves_nothing_behind(pipe: Pipe) -> None:
    """The process sees its input end, however the box ended."""
    script = (
        "import os, sys\n"
        "from referee.service.voice.mouth import Mouth\n"
        "mouth = Mouth()\n"
        "mouth.send(1 << 62, 2, [sys.argv[1:]])\n"
        "os.read(0, 1)\n"
    )
    ours, theirs = os.pipe()
    box = os.posix_spawn(
        sys.executable,
        [sys.executable, "-c", script, *_says(pipe, "$$", then="exec sleep 600")],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, ours, 0)],
    )
    heard = int(pipe.read())
    os.kill(box, signal.SIGKILL)
    os.waitpid(box, 0)
    assert _ends(heard), "it is still heard"
    for descriptor in (ours, theirs):
        os.close(descriptor)


def test_missing_program_is_one_line_in_the_log(
    pipe: Pipe, caplog: pytest.LogCaptureFixture
) -> None:
    mouth = Mouth()
    try:
        with caplog.at_level(logging.WARNING):
            for words in ("one", "two"):
                mouth.send(NEVER_STALE_NS, 2, [["no-such-program"], _says(pipe, words)])
                assert pipe.read() == words
                mouth.keep(NEVER_STALE_NS)
        assert [record.getMessage() for record in caplog.records] == [
            "no-such-program: No such file or directory; the game goes on without"
        ]
    finally:
        mouth.close()


def test_process_that_dies_is_started_again_after_a_while(
    pipe: Pipe, caplog: pytest.LogCaptureFixture
) -> None:
    mouth = Mouth()
    try:
        for start in (0, 1):
            t_ns = start * RETRY_NS
            mouth.keep(t_ns)
            process = mouth._process
            assert process is not None
            process.kill()
            process.wait()
            mouth.send(t_ns + RETRY_NS - 1, 2, [_says(pipe, "lost")])
            assert mouth._process is None
        mouth.keep(2 * RETRY_NS)
        mouth.send(NEVER_STALE_NS, 2, [_says(pipe, "back")])
        assert pipe.read() == "back"
        assert len(caplog.records) == 1
    finally:
        mouth.close()


def test_process_that_takes_nothing_does_not_stop_the_box(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(mouth_module, "STOP_S", 0.01)
    mouth = Mouth(("sleep", "600"))
    for n in range(200):
        mouth.send(n, 2, [["x" * 1000]])
    assert [record.getMessage() for record in caplog.records] == [
        "sounds: they are not taken: one was left out; the game goes on without"
    ]
    process = mouth._process
    assert process is not None
    mouth.close()
    assert process.returncode == -signal.SIGKILL


def test_process_that_cannot_be_started_does_not_stop_the_box(
    caplog: pytest.LogCaptureFixture,
) -> None:
    mouth = Mouth(("/nowhere/python",))
    mouth.send(0, 2, [["x"]])
    mouth.send(RETRY_NS, 2, [["x"]])
    mouth.close()
    assert len(caplog.records) == 1


def test_sound_that_is_too_long_for_the_pipe_is_left_out(pipe: Pipe) -> None:
    mouth = Mouth()
    try:
        mouth.send(NEVER_STALE_NS, 2, [["x" * 5000]])
        mouth.send(NEVER_STALE_NS, 2, [_says(pipe, "short")])
        assert pipe.read() == "short"
    finally:
        mouth.close()
