"""The page as the process that the box starts: a real socket, a real server, loopback only."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from page_at_hand import BOX, CODE

from referee.service.web.connections import EACH

LONGEST_S = 60


@dataclass
class Child:
    """A page's process and the box's end of the line."""

    process: subprocess.Popen[bytes]
    line: socket.socket
    port: int

    def say(self, message: dict[str, Any]) -> None:
        """Tell the page."""
        self.line.sendall(json.dumps(message).encode() + b"\n")

    def ask(self) -> dict[str, Any]:
        """What the page asks next."""
        content = b""
        while not content.endswith(b"\n"):
            content += self.line.recv(1)
        asked: dict[str, Any] = json.loads(content)
        return asked

    def request(self, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str]:
        """Ask the page; it may still be starting: the listening socket takes the request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONGEST_S)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, given)
        answer = connection.getresponse()
        content = answer.read().decode()
        connection.close()
        return answer.status, content


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def child() -> Iterator[Child]:
    ours, theirs = socket.socketpair()
    port = _free_port()
    words = [sys.executable, "-m", "referee.service.web", "--fd", str(theirs.fileno())]
    process = subprocess.Popen(
        [*words, "--bind", "127.0.0.1", "--port", str(port)],
        pass_fds=[theirs.fileno()],
        stderr=subprocess.PIPE,
    )
    theirs.close()
    ours.settimeout(LONGEST_S)
    started = Child(process, ours, port)
    started.say(dict(BOX))
    assert started.ask() == {"ask": "ready"}
    yield started
    ours.close()
    process.wait(LONGEST_S)
    assert process.stderr is not None
    process.stderr.close()


def test_page_serves_what_the_box_says_and_ends_with_it(child: Child) -> None:
    child.line.sendall(b'this is no JSON\n[1]\n{"type": "race"}\n{"type": "said", "n": "x"}\n')
    child.say({"type": "fault", "code": "E12", "seat": None, "on": True})
    status, content = child.request("GET", "/", Accept_Language="de")
    assert status == 200
    assert "E12" in content
    child.line.close()
    assert child.process.wait(LONGEST_S) == 0
    assert child.process.stderr is not None
    assert b"Traceback" not in child.process.stderr.read()


def test_ask_reaches_the_box_and_its_answer_the_browser(child: Child) -> None:
    host = f"127.0.0.1:{child.port}"
    kind = "application/x-www-form-urlencoded"
    status, _ = child.request(
        "POST", "/code", f"code={CODE}", Origin=f"http://{host}", Content_Type=kind
    )
    assert status == 303
    connection = http.client.HTTPConnection("127.0.0.1", child.port, timeout=LONGEST_S)
    connection.request("POST", "/code/show", "", {"Origin": f"http://{host}"})
    asked = child.ask()
    assert asked["ask"] == "show_code"
    sentence = {"en": "The matrix shows the code.", "de": "Die Matrix zeigt den Code."}
    child.say({"type": "answer", "to": asked["id"], "ok": True, "sentence": sentence})
    answer = connection.getresponse()
    assert answer.status == 303
    assert "matrix" in answer.headers["set-cookie"]
    connection.close()


@pytest.mark.parametrize(
    "request_head",
    [
        b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 40_000 + b"\r\n\r\n",
        b"GARBAGE\r\n\r\n",
    ],
)
def test_rude_request_is_refused_and_the_page_lives_on(child: Child, request_head: bytes) -> None:
    with socket.create_connection(("127.0.0.1", child.port), LONGEST_S) as rude:
        rude.sendall(request_head)
        answer = rude.recv(200)
    assert answer.split(b" ")[1] in (b"400", b"404", b"421", b"431")
    assert child.request("GET", "/")[0] == 200


def _answers(child: Child, source: str) -> tuple[socket.socket, bool]:
    line = socket.create_connection(("127.0.0.1", child.port), LONGEST_S, (source, 0))
    line.sendall(b"GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
    try:
        return line, line.recv(12) == b"HTTP/1.1 200"
    except ConnectionError:
        return line, False


def test_one_device_cannot_take_every_connection(child: Child) -> None:
    answers = [_answers(child, "127.0.0.5") for _ in range(EACH + 3)]
    assert [good for _, good in answers] == [True] * EACH + [False] * 3
    other, good = _answers(child, "127.0.0.6")
    assert good
    for line, _ in answers:
        line.close()
    other.close()


def test_taken_port_is_refused_in_one_sentence() -> None:
    ours, theirs = socket.socketpair()
    with socket.socket() as taken, ours, theirs:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        words = [sys.executable, "-m", "referee.service.web", "--fd", str(theirs.fileno())]
        done = subprocess.run(
            [*words, "--port", str(taken.getsockname()[1])],
            pass_fds=[theirs.fileno()],
            capture_output=True,
            timeout=LONGEST_S,
            check=False,
        )
    assert done.returncode == 2
    assert b"page.port" in done.stderr
    assert b"Traceback" not in done.stderr
