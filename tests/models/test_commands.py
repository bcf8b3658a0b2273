"""`referee read` and `referee watch` as people call them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.simulated.deck import STYLES, draw_deck
from referee.cli import main
from referee.commands import watch
from referee.rules.cards import Card
from referee.rules.errors import RefereeError


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    face = draw_deck(STYLES["classic"], "en", 1)[Card("K", "S")].bgr
    table = np.full((420, 560, 3), (60, 90, 60), np.uint8)
    small = cv2.resize(face, (140, 200), interpolation=cv2.INTER_AREA)
    table[110:310, 200:340] = small
    noise = np.random.default_rng(1).normal(0, 2, table.shape)
    return np.clip(table + noise, 0, 255).astype(np.uint8)


@pytest.fixture
def folder(tmp_path: Path, picture: np.ndarray) -> Path:
    for name in ("a.png", "b.png"):
        cv2.imwrite(str(tmp_path / name), picture)
    return tmp_path


def test_json_gives_one_object_a_picture(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--json", str(folder)]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [Path(record["file"]).name for record in records] == ["a.png", "b.png"]
    for record in records:
        assert set(record) == {"file", "rank", "suit", "confidence", "ms"}
        assert record["rank"] in ("K", None)
        assert 0 <= record["confidence"] <= 1


def test_words_name_the_card(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "de", "read", str(folder / "a.png")]) == 0
    assert "König" in capsys.readouterr().out


def test_bad_picture_alone_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_text("no picture")
    assert main(["read", str(bad)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "is not a picture" in captured.err


def test_bad_picture_in_a_folder_spoils_no_other(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "aa.jpg").write_text("no picture")
    assert main(["read", "--json", str(folder)]) == 2
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 2
    assert "aa.jpg is not a picture" in captured.err


def test_unknown_deck_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--deck", "xx", str(folder)]) == 2
    assert "expected one of en, de, fr, nl" in capsys.readouterr().err


def test_explanation_is_drawn(folder: Path, tmp_path: Path) -> None:
    assert main(["read", str(folder / "a.png"), "--explain", str(tmp_path / "why")]) == 0
    drawn = cv2.imread(str(tmp_path / "why" / "a.png"))
    assert drawn is not None
    assert max(drawn.shape) >= 560


def test_watch_prints_one_object_a_frame(
    tmp_path: Path, picture: np.ndarray, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = np.full_like(picture, (60, 90, 60))
    for number in range(9):
        cv2.imwrite(str(tmp_path / f"{number}.png"), bare if number < 4 else picture)
    watch.run(tmp_path, card_px=200, as_json=True, deck="en", fps=60.0)
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    frames = [record for record in records if record["frame"] is not None]
    assert len(frames) == 9
    assert [record["t_ns"] for record in frames] == sorted(record["t_ns"] for record in frames)
    cards = [o["card"] for record in records for o in record["observations"] if "card" in o]
    assert cards in (["KS"], ["??"])


def test_watch_refuses_what_is_no_film(tmp_path: Path) -> None:
    with pytest.raises(RefereeError, match="no such film or folder"):
        watch.run(tmp_path / "none.mp4")
    fake = tmp_path / "fake.mp4"
    fake.write_text("no film")
    with pytest.raises(RefereeError, match="is not a film"):
        watch.run(fake, deck="en", fps=60.0, card_px=None, as_json=False)
