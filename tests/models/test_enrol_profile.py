"""The file of a taught deck: kept whole, refused in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from models.enrol.profile import (
    BadProfile,
    Profile,
    check_name,
    decks_folder,
    open_profile,
    profile_file,
    read_profile,
    taught_decks,
    write_profile,
)


def _profile() -> Profile:
    dice = np.random.default_rng(4)
    return Profile(
        "oma",
        "de",
        dice.integers(0, 256, (6, 64, 48, 3), np.uint8),
        np.array([0, 0, 1, 1, 12, 12]),
        np.array([0, 0, 1, 1, 4, 4]),
        np.array([0, 0, 1, 1, 2, 2]),
        171.5,
        (640, 480),
        True,
    )


def test_profile_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    kept = _profile()
    write_profile(kept, profile_file("oma", tmp_path / "new" / "folder"))
    found = open_profile("oma", tmp_path / "new" / "folder")
    for name in ("patches", "ranks", "suits", "looks"):
        assert np.array_equal(getattr(found, name), getattr(kept, name))
    for name in ("name", "language", "card_height_px", "picture", "demo"):
        assert getattr(found, name) == getattr(kept, name)
    assert taught_decks(tmp_path / "new" / "folder") == ["oma"]
    assert [path.name for path in (tmp_path / "new" / "folder").iterdir()] == ["oma.deck.npz"]


def _rewritten(path: Path, **changes: object) -> None:
    with np.load(path) as file:
        parts = {name: file[name] for name in file.files}
    head = json.loads(str(parts["head"]))
    for name, value in changes.items():
        if name in parts:
            parts[name] = np.asarray(value)
        else:
            head[name] = value
    parts["head"] = np.array(json.dumps(head))
    np.savez_compressed(path, **parts)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"version": 7}, "of version 7, this program reads version 2"),
        ({"language": "xx"}, "language 'xx'"),
        ({"patches": np.zeros((6, 20, 20, 3), np.uint8)}, "another size"),
        ({"patches": np.zeros((0, 64, 48, 3), np.uint8)}, "0 corners"),
        ({"ranks": [0, 0, 1, 1, 12, 13]}, "ranks fit no card"),
        ({"suits": [0, 0, 1]}, "suits fit no card"),
        ({"picture": "wide"}, "is damaged"),
        ({"head": "{"}, "is damaged"),
    ],
)
def test_profile_that_fits_no_deck_is_one_sentence(
    changes: dict[str, object], words: str, tmp_path: Path
) -> None:
    path = profile_file("oma", tmp_path)
    write_profile(_profile(), path)
    if changes.get("head"):
        with np.load(path) as file:
            parts = {name: file[name] for name in file.files}
        np.savez_compressed(path, **(parts | {"head": np.array("{")}))
    else:
        _rewritten(path, **changes)
    with pytest.raises(BadProfile, match=words) as refusal:
        read_profile(path)
    assert "referee enrol --name oma" in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("cut", [0, 1, 100, 0.5, 0.95])
def test_cut_file_is_one_sentence(cut: float, tmp_path: Path) -> None:
    path = profile_file("oma", tmp_path)
    write_profile(_profile(), path)
    content = path.read_bytes()
    path.write_bytes(content[: int(cut * len(content)) if 0 < cut < 1 else int(cut)])
    with pytest.raises(BadProfile, match="damaged, teach it again: referee enrol"):
        read_profile(path)


def test_flipped_bytes_are_one_sentence_or_change_nothing(tmp_path: Path) -> None:
    path = profile_file("oma", tmp_path)
    write_profile(_profile(), path)
    content = path.read_bytes()
    dice = np.random.default_rng(2)
    refused = 0
    for at in dice.integers(0, len(content), 60).tolist():
        path.write_bytes(content[:at] + bytes([content[at] ^ 0x5A]) + content[at + 1 :])
        try:
            read_profile(path)
        except BadProfile:
            refused += 1
    assert refused > 50


def test_pickles_are_never_opened(tmp_path: Path) -> None:
    path = profile_file("oma", tmp_path)
    np.savez(path, head=np.array([{"a": 1}], object))
    with pytest.raises(BadProfile, match="damaged"):
        read_profile(path)


def test_unknown_deck_names_those_that_were_taught(tmp_path: Path) -> None:
    write_profile(_profile(), profile_file("oma", tmp_path))
    with pytest.raises(BadProfile, match=r"no such deck: 'opa'.*taught here: oma"):
        open_profile("opa", tmp_path)


def test_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadProfile, match="cannot write"):
        write_profile(_profile(), tmp_path / "file" / "oma.deck.npz")


@pytest.mark.parametrize("name", ["", "de", "Oma", "../oma", "a" * 41, "o ma", "-x", "nl"])
def test_name_that_is_no_file_or_a_language_is_refused(name: str) -> None:
    with pytest.raises(BadProfile, match=r"expected|choose another"):
        check_name(name)


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"STATE_DIRECTORY": "/var/lib/referee"}, "/var/lib/referee/decks"),
        ({"STATE_DIRECTORY": "/a:/b", "XDG_DATA_HOME": "/c"}, "/a/decks"),
        ({"XDG_DATA_HOME": "/c"}, "/c/referee/decks"),
    ],
)
def test_decks_are_kept_with_the_box_or_the_user(environment: dict[str, str], folder: str) -> None:
    assert decks_folder(environment) == Path(folder)
