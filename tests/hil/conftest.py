"""These tests need what `setup.sh` makes and take minutes: they run with `-m hil` only."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
Answers = dict[str, dict[str, Any]]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip all of this folder unless it was asked for."""
    if "hil" in config.getoption("-m"):
        return
    for item in items:
        if HERE in item.path.parents and item.get_closest_marker("hil"):
            item.add_marker(pytest.mark.skip(reason="takes minutes: pytest -m hil"))


@pytest.fixture(scope="session")
def cache() -> Path:
    """Where setup.sh puts everything."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("REFEREE_HIL") or Path(home) / "referee-hil")


@pytest.fixture(scope="session")
def need(cache: Path) -> Callable[..., None]:
    """Skip, with the reason, unless a part is set up."""

    def check(part: str, file: str, *, root: bool = False) -> None:
        if not (cache / file).exists():
            pytest.skip(f"not set up: tests/hil/setup.sh {part}")
        if root and os.geteuid() != 0:
            pytest.skip("needs root, for a root folder of its own")

    return check


@pytest.fixture(scope="session")
def run() -> Callable[..., Answers]:
    """Run one of the scripts here; its lines of JSON, by scenario."""

    def script(name: str, *words: object) -> Answers:
        done = subprocess.run(
            [str(HERE / name), *map(str, words)], capture_output=True, text=True, check=False
        )
        lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
        print(*lines, sep="\n")  # the figures, seen with -s or when a test fails
        assert lines, f"{name}: {done.stdout[-2000:]} {done.stderr[-2000:]}"
        answers = [json.loads(line) for line in lines]
        return {answer.get("scenario", name): answer for answer in answers}

    return script
