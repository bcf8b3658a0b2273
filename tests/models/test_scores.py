"""Counting answers, and the sheet that shows them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models import measure
from models.scores import Score, calibration, confusion_table, percent, wilson
from models.sheet import COLUMNS, TILE_PX, Case, draw_sheet
from referee.rules.errors import RefereeError


def test_unread_is_neither_right_nor_wrong() -> None:
    score = Score("clips")
    for truth, said in (("J", "J"), ("8", "J"), ("Q", None)):
        score.add(truth, said)
    assert (score.n, score.right, score.wrong) == (3, 1, 1)
    assert (score.false_jacks, score.not_jacks) == (1, 2)
    assert confusion_table([score, score]) == ["8 read as J: 2"]


def test_card_that_did_not_come_is_wrong_even_beside_the_right_one() -> None:
    score = Score("clips")
    for truth, said in (("9", "Q and 9"), ("9", "J and 9"), ("J", "J and J")):
        score.add(truth, said)
    assert (score.right, score.wrong, score.false_jacks) == (0, 3, 1)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"), [(0, 0, 0, 1), (0, 100, 0, 0.037), (50, 100, 0.404, 0.596)]
)
def test_interval_is_wilsons(hits: int, n: int, low: float, high: float) -> None:
    assert wilson(hits, n) == pytest.approx((low, high), abs=1e-3)
    assert percent(0, 0) == "-"


def test_calibration_counts_each_answer_in_its_band() -> None:
    rows = calibration([(0.92, True), (0.92, False), (1.0, True)])
    assert [row.rpartition(" of ")[2] for row in rows] == ["2", "0", "0", "1"]


def _case(truth: str, said: str | None) -> Case:
    return Case(np.full((50, 60, 3), 90, np.uint8), truth, said, 0.99)


def test_sheet_has_a_row_for_every_kind_that_there_is() -> None:
    cases = [_case("J", "J")] * (COLUMNS + 1) + [_case("8", "J")]
    sheet = draw_sheet(cases)
    headings, rows = 3, 3
    assert sheet.shape == (34 * headings + (TILE_PX + 22) * rows, COLUMNS * TILE_PX, 3)


def test_sheet_is_only_written_where_it_can_be(tmp_path: Path) -> None:
    measure.write_sheet(tmp_path / "sheet.png", [_case("J", None)])
    assert cv2.imread(str(tmp_path / "sheet.png")) is not None
    for wrong in (tmp_path / "sheet.txt", tmp_path / "none" / "sheet.png"):
        with pytest.raises(RefereeError, match="cannot write"):
            measure.write_sheet(wrong, [_case("J", None)])
