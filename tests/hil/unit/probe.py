"""In the sandbox of the box's unit: what is allowed, what is not, and do the libraries live there?

Stands in for the program for one start: says READY, then writes what it found.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import mmap
import os
import socket
import subprocess
import sys
import types
from collections.abc import Callable
from functools import partial
from pathlib import Path

LIBRARIES = (
    "cv2", "numpy", "onnxruntime", "gpiozero", "luma.led_matrix.device", "msgspec", "PIL.Image",
    "sqlite3", "starlette.applications", "uvicorn", "libcamera", "picamera2",
)  # fmt: skip
PORT = 8080
PICAMERA2 = "/opt/box/lib/python3.13/site-packages"


def tried(deed: Callable[[], object]) -> str:
    """ "done", or why not."""
    try:
        deed()
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:160]
    return "done"


def writes(folder: str) -> Callable[[], object]:
    path = Path(folder) / "probe"
    return lambda: (path.write_text("x"), path.unlink())


def socketpair_to_a_child() -> None:
    ours, theirs = socket.socketpair()
    words = "import os,sys;os.write(int(sys.argv[1]), b'alive')"
    number = str(theirs.fileno())
    subprocess.run([sys.executable, "-c", words, number], pass_fds=[theirs.fileno()], check=True)
    assert ours.recv(5) == b"alive"


def page_listens() -> None:
    with (
        socket.create_server(("0.0.0.0", PORT)) as server,
        socket.create_connection(("127.0.0.1", PORT)) as client,
    ):
        peer, _ = server.accept()
        client.sendall(b"GET")
        assert peer.recv(3) == b"GET"
        peer.close()


def writable_code() -> None:
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()


def raw_socket() -> None:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()


def new_namespace() -> None:
    if ctypes.CDLL(None, use_errno=True).unshare(0x10000000):
        raise OSError(ctypes.get_errno(), "unshare")


def cards_are_read() -> None:
    subprocess.run([sys.executable, "-m", "referee.service.doctor.reading"], check=True)


ALLOWED: dict[str, Callable[[], object]] = {
    "state folder": writes(os.environ["STATE_DIRECTORY"]),
    "runtime folder": writes(os.environ["RUNTIME_DIRECTORY"]),
    "current folder": writes("."),
    "own /tmp": writes("/tmp"),
    "child on a socketpair": socketpair_to_a_child,
    "page listens": page_listens,
}
FORBIDDEN: dict[str, Callable[[], object]] = {
    "settings": writes("/etc/referee"),
    "program": writes("/opt/referee"),
    "/usr": writes("/usr"),
    "/home": lambda: os.listdir("/root"),
    "writable code": writable_code,
    "raw socket": raw_socket,
    "namespace": new_namespace,
    "kernel log": lambda: Path("/dev/kmsg").read_bytes(),
    "kernel settings": lambda: Path("/proc/sys/kernel/panic").write_text("1"),
    "host name": lambda: socket.sethostname("other"),
    "another user": lambda: os.setuid(0),
}


class Anything(type):
    """Has every name."""

    def __getattr__(cls, name: str) -> object:
        return name


def without_a_screen() -> None:
    """picamera2 imports its preview's library, which is not in Debian, even for taking pictures."""
    stand_in = types.ModuleType("pykms")
    for name in ("PixelFormat", "PlaneType"):
        setattr(stand_in, name, Anything(name, (), {}))
    sys.modules["pykms"] = stand_in


def main() -> None:
    without_a_screen()
    sys.path.append(PICAMERA2)  # where the camera's root keeps it; on a Pi it comes from apt
    found = {
        "user": os.getresuid() != (0, 0, 0),
        "allowed": {name: tried(deed) for name, deed in ALLOWED.items()},
        "forbidden": {name: tried(deed) for name, deed in FORBIDDEN.items()},
        "libraries": {name: tried(partial(importlib.import_module, name)) for name in LIBRARIES},
        "cards are read": tried(cards_are_read),
    }
    (Path(os.environ["STATE_DIRECTORY"]) / "probe.json").write_text(json.dumps(found))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.connect(os.environ["NOTIFY_SOCKET"].replace("@", "\0", 1))
        systemd.send(b"READY=1\nSTATUS=probed")


if __name__ == "__main__":
    main()
