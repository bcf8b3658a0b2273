"""The table of what teaching is worth: pairs of answers to the same picture."""

from __future__ import annotations

from models.enrol.measure import HEADER, Paired


def test_pairs_are_counted_and_intervals_count_each_picture_once() -> None:
    score = Paired("cards")
    for picture, truth, alone, taught in (
        ("a", "7", "7", "7"),
        ("b", "8", None, "8"),
        ("c", "9", "6", None),
        ("d", "J", None, None),
    ):
        for _ in range(3):
            score.add(picture, truth, alone, taught)
    rows = score.rows()
    assert rows[0].startswith("| cards, net alone | 4 | 25.00 (")
    assert rows[1].startswith("| cards, with the profile | 4 | 50.00 (")
    assert rows[0].split("|")[4].strip().startswith("25.00")
    assert rows[1].split("|")[4].strip().startswith("0.00")
    assert rows[0].rstrip(" |").endswith("50.0")
    assert "12 readings: r>r 3, u>r 3, u>u 3, w>u 3" in rows[2]
    assert {row.count("|") for row in (*rows, HEADER.splitlines()[0])} == {6}


def test_nothing_read_is_no_row() -> None:
    assert Paired("cards").rows() == []
