"""Every test that the README names for a report exists."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
ROWS = 22


def _table() -> list[str]:
    lines = (HERE / "README.md").read_text().splitlines()
    return [line for line in lines if re.match(r"\| \d+ \|", line)]


def test_each_of_the_reports_has_a_row() -> None:
    assert [int(line.split("|")[1]) for line in _table()] == list(range(1, ROWS + 1))


def test_named_tests_exist() -> None:
    sources = {path.name: path.read_text() for path in HERE.parent.rglob("test_*.py")}
    missing = []
    for line in _table():
        file = ""
        for named, test in re.findall(r"`(test_\w+\.py|\.\.)(?:::(\w+))?", line):
            file = file if named == ".." else named
            if file not in sources or (test and f"def {test}(" not in sources[file]):
                missing.append(f"{file}::{test}")
    assert missing == []
