"""In the container, as root beside the box's service: questions about it, each answered in JSON."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

UNIT = "referee.service"
PATIENCE_S = 240.0
PAGE = "http://127.0.0.1:8080/"
STATE = Path("/var/lib/referee")
DROP_INS = Path("/run/systemd/system/referee.service.d")
WRITTEN = "first_picture.jsonl"
VENV = Path("/opt/referee/current/venv")
PROBE = f"{VENV}/bin/python -B /unit/probe.py"
REFEREE = f"{VENV}/bin/referee"
CURRENT = "/opt/referee/current"
BROKEN_PYTHON = """#!/bin/sh
# `python -m venv --system-site-packages FOLDER`: one whose program explains itself, and no more.
mkdir -p "$4/bin"
printf '#!/bin/sh\\nexit 0\\n' > "$4/bin/pip"
printf '#!/bin/sh\\n[ "$1" = --help ]\\n' > "$4/bin/referee"
chmod +x "$4/bin/pip" "$4/bin/referee"
"""
NO_KEYS = f"{REFEREE} play --no-keys --settings /etc/referee/referee.toml"
"""A box has no keyboard; any other computer asks for one, or to be told that there is none."""


def systemctl(*words: str) -> str:
    done = subprocess.run(["systemctl", *words], capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).strip()


def facts(*names: str) -> dict[str, str]:
    said = systemctl("show", UNIT, *(f"--property={name}" for name in names))
    return dict(line.partition("=")[::2] for line in said.splitlines())


def drop_in(name: str, lines: str) -> None:
    """Change a few lines of the unit, and nothing else."""
    DROP_INS.mkdir(parents=True, exist_ok=True)
    (DROP_INS / f"{name}.conf").write_text(f"[Service]\n{lines}")
    systemctl("daemon-reload")


def seconds_until(is_so: Callable[[], bool]) -> float | None:
    begin = time.monotonic()
    while not is_so():
        if time.monotonic() - begin > PATIENCE_S:
            return None
        time.sleep(0.05)
    return round(time.monotonic() - begin, 2)


def main_pid() -> int:
    return int(facts("MainPID").get("MainPID") or 0)


def is_ready(other_than: int = 0) -> bool:
    now = facts("ActiveState", "MainPID")
    return now.get("ActiveState") == "active" and int(now.get("MainPID") or 0) not in (
        0,
        other_than,
    )


def children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in path.read_text().split()] if path.exists() else []


def page_status() -> int:
    try:
        with urllib.request.urlopen(PAGE, timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def status_of(pid: int) -> dict[str, str]:
    wanted = ("Uid", "Groups", "NoNewPrivs", "Seccomp", "CapEff")
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    pairs = (line.partition(":")[::2] for line in lines)
    return {name: value.strip() for name, value in pairs if name in wanted}


def start() -> dict[str, Any]:
    """From start to ready; who runs then; does the page answer?"""
    (site,) = VENV.glob("lib/python3.*/site-packages")
    shutil.copy(Path(__file__).parent / "spidev.py", site)
    drop_in("no-keys", f"ExecStart=\nExecStart={NO_KEYS}\n")
    systemctl("start", "--no-block", UNIT)
    ready_s = seconds_until(is_ready)
    pid = main_pid()
    page_s = seconds_until(lambda: page_status() == 200) if ready_s is not None else None
    return {
        "ready_after_s": ready_s,
        "status": facts("StatusText").get("StatusText"),
        "process": status_of(pid) if pid else {},
        "processes": 1 + len(children(pid)),
        "page_after_s": page_s,
        "files": sorted(str(path.relative_to(STATE)) for path in STATE.rglob("*")),
        "memory_mb": round(int(facts("MemoryCurrent")["MemoryCurrent"]) / 1e6)
        if facts("MemoryCurrent").get("MemoryCurrent", "").isdigit()
        else None,
    }


def first_picture() -> dict[str, Any]:
    """What the unit wrote to the matrix before the box was loaded, and how long that took."""
    written = [json.loads(line) for line in (STATE / WRITTEN).read_text().splitlines()]
    began_us = int(facts("InactiveExitTimestampMonotonic")["InactiveExitTimestampMonotonic"])
    return {
        "writes": [one["bytes"] for one in written],
        "after_s": round(written[-1]["at_ns"] / 1e9 - began_us / 1e6, 2),
        "cpu_s": round(written[-1]["cpu_ns"] / 1e9, 2),
    }


def page_dies() -> dict[str, Any]:
    """The page's process is killed: the box goes on, and starts another one."""
    pid = main_pid()
    old = children(pid)
    for child in old:
        os.kill(child, signal.SIGKILL)
    back_s = seconds_until(lambda: bool(set(children(pid)) - set(old)) and page_status() == 200)
    return {"had_a_page": bool(old), "same_box": main_pid() == pid, "page_back_after_s": back_s}


def hang() -> dict[str, Any]:
    """The box stops beating: the watchdog ends it, and systemd starts it again."""
    pid = main_pid()
    os.kill(pid, signal.SIGSTOP)
    back_s = seconds_until(lambda: is_ready(other_than=pid))
    return {"back_after_s": back_s, "restarts": facts("NRestarts").get("NRestarts"),
            "watchdog": _journal_says("Watchdog timeout")}  # fmt: skip


def kill() -> dict[str, Any]:
    """The box is killed: systemd starts it again."""
    pid = main_pid()
    os.kill(pid, signal.SIGKILL)
    back_s = seconds_until(lambda: is_ready(other_than=pid))
    return {"back_after_s": back_s, "restarts": facts("NRestarts").get("NRestarts")}


def bad_update() -> dict[str, Any]:
    """An update whose program ends before it is ready: systemd says so, and the old one is back."""
    python = Path("/run/broken-python")
    python.write_text(BROKEN_PYTHON)
    python.chmod(0o755)
    season = STATE / "of-an-old-season"
    season.write_text("games")
    before = os.readlink(CURRENT)
    done = subprocess.run(
        ["/project/systemd/update.sh"],
        env={**os.environ, "PYTHON": str(python)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return {
        "code": done.returncode,
        "said": (done.stdout + done.stderr)[-1500:],
        "same_release": os.readlink(CURRENT) == before,
        "releases": len(list(Path("/opt/referee/releases").iterdir())),
        "games_are_back": season.exists() and season.read_text() == "games",
        "ready_after_s": seconds_until(is_ready),
        "status": facts("StatusText").get("StatusText"),
    }


def stop() -> dict[str, Any]:
    """An orderly end, with nothing left behind."""
    pid = main_pid()
    left = [pid, *children(pid)]
    begin = time.monotonic()
    systemctl("stop", UNIT)
    took_s = round(time.monotonic() - begin, 2)
    return {
        "took_s": took_s,
        "result": facts("Result").get("Result"),
        "state": facts("ActiveState").get("ActiveState"),
        "still_running": [pid for pid in left if Path(f"/proc/{pid}").exists()],
        "runtime_folder_gone": not Path("/run/referee").exists(),
    }


def sandbox() -> dict[str, Any]:
    """The same unit with a probe in the place of the program."""
    drop_in("sandbox", f"ExecStart=\nExecStart={PROBE}\nRestart=no\nRemainAfterExit=yes\n")
    systemctl("start", UNIT)
    answer = STATE / "probe.json"
    return json.loads(answer.read_text()) if answer.exists() else {"failed": _journal()[-3000:]}


def _journal() -> str:
    words = ["journalctl", "-u", UNIT, "-o", "cat", "--no-pager"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout


def _journal_says(words: str) -> bool:
    return words in _journal()


def main() -> None:
    for question in (start, first_picture, page_dies, hang, kill, bad_update, stop, sandbox):
        try:
            answer = question()
        except Exception as error:
            answer = {"failed": f"{type(error).__name__}: {error}"}
        print(json.dumps({"scenario": question.__name__} | answer), flush=True)
    Path("/hil/journal").write_text(_journal())


if __name__ == "__main__":
    main()
