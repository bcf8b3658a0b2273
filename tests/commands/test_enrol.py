"""`referee enrol`: what it refuses in one sentence, and what it keeps."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.enrol.own import OwnReader, open_reader
from models.enrol.profile import BadProfile, Profile, profile_file, write_profile
from referee.cli import main
from referee.locale import choose_language


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("REFEREE_LANGUAGE", "en")
    choose_language("en")


def _kept(name: str) -> None:
    patches = np.random.default_rng(3).integers(0, 256, (4, 64, 48, 3), np.uint8)
    numbers = np.array([0, 0, 1, 1])
    profile = Profile(name, "de", patches, numbers, numbers, numbers, 150.0, (640, 480))
    write_profile(profile, profile_file(name))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "the deck needs a name"),
        (["--name", "Oma Erna"], "bad name of a deck"),
        (["--name", "de"], "choose another name"),
        (["--name", "oma", "--camera", "nowhere.mp4"], "nowhere.mp4"),
        (["--name", "oma", "--camera", "drawn", "--style", "nonsense"], "no such deck"),
        (["--name", "oma", "--looks", "1"], "--looks"),
    ],
)
def test_bad_input_is_one_sentence(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["enrol", *arguments]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_folder_without_names_or_pictures_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "photos").mkdir()
    assert main(["enrol", "--name", "oma", "--camera", "photos"]) == 2
    assert "no pictures in photos" in capsys.readouterr().err
    cv2.imwrite("photos/IMG_1.png", np.full((60, 60, 3), 90, np.uint8))
    assert main(["enrol", "--name", "oma", "--camera", "photos"]) == 2
    assert "IMG_1.png does not say which card it shows" in capsys.readouterr().err


def test_folder_with_too_few_pictures_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "photos").mkdir()
    dice = np.random.default_rng(1)
    cv2.imwrite("photos/A-1.png", dice.integers(60, 120, (200, 200, 3), np.uint8))
    assert main(["enrol", "--name", "oma", "--camera", "photos"]) == 1
    said = capsys.readouterr().out
    assert "A-1.png: " in said
    assert "Too few good looks at 13 of 13 cards" in said
    assert not profile_file("oma").exists()


def test_list_names_the_decks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["enrol", "--list"]) == 0
    assert "No deck was taught" in capsys.readouterr().out
    _kept("oma")
    _kept("club-2")
    assert main(["enrol", "--list"]) == 0
    assert "club-2, oma" in capsys.readouterr().out


def test_reader_opens_a_language_or_a_taught_deck() -> None:
    assert not isinstance(open_reader("fr"), OwnReader)
    _kept("oma")
    reader = open_reader("oma")
    assert isinstance(reader, OwnReader)
    assert reader.deck == "de"
    with pytest.raises(BadProfile, match=r"no such deck: 'opa'.*en, de, fr, nl.*oma"):
        open_reader("opa")
