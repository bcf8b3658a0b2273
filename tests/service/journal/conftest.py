"""A journal in a folder of its own."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service.journal.journal import Journal

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the season is kept."""
    return tmp_path / "season-2026.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    """An open journal."""
    journal = Journal.open(path)
    yield journal
    journal.close()
