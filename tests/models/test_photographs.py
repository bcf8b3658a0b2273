"""The bars on real photographs. They are not in this repository: see models/README.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.measure import measure_indices, measure_photographs, photographs_folder
from models.reader import Reader
from models.scores import Score

pytestmark = pytest.mark.pictures


@pytest.fixture(scope="module")
def photographs() -> Path:
    folder = photographs_folder()
    if folder is None:
        pytest.skip("no photographs: set $REFEREE_PICTURES or put them in ../shared/real-cards")
    return folder


@pytest.fixture(scope="module")
def scores(photographs: Path) -> dict[str, Score]:
    measured = measure_photographs(Reader("en"), photographs / "edje-tf")
    return {score.name: score for score in measured}


def test_single_cards_are_read_and_hardly_ever_wrongly(scores: dict[str, Score]) -> None:
    single = scores["edje-tf single"]
    assert single.n > 100
    assert single.right >= 0.9 * single.n
    assert single.wrong <= 0.02 * single.n


def test_piles_are_hardly_ever_read_wrongly(scores: dict[str, Score]) -> None:
    pile = scores["edje-tf pile"]
    assert pile.n > 40
    assert pile.wrong <= 0.05 * pile.n


def test_index_readings_of_spreads_are_right(photographs: Path) -> None:
    index = measure_indices(Reader("en"), photographs / "cadyze-webcam", every=4)
    assert index.boxes > 200
    assert index.readings.right >= 0.95 * index.readings.n
