"""`referee settings`: check, show and edit."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest

from referee.cli import main
from referee.commands import settings as command
from referee.commands.settings_edit import CannotEdit, edit
from referee.service.calibration.file import Calibration, CameraMeasured, write_calibration
from referee.service.settings.commented import commented

GOOD = 'game = "ratscrew"\npreset = "strict"\n\n[rules]\nburn = 1\n\n[camera]\ndeck = "de"\n'
BAD = 'game = "chess"\n\n[display]\nwidth = 48\n'


@pytest.fixture(autouse=True)
def _no_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings and no calibration of the machine that runs the tests."""
    monkeypatch.setattr(command, "BOX_SETTINGS", tmp_path / "none.toml")
    monkeypatch.setattr(command, "calibration_file", lambda: tmp_path / "calibration.toml")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "box.toml"
    path.write_text(GOOD)
    return path


def _run(*words: str) -> int:
    return main(["--language", "en", "settings", *words])


# --- check ----------------------------------------------------------------------------------------


def test_good_file_is_right(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("check", str(file)) == 0
    assert capsys.readouterr().out == f"{file}: everything is right.\n"


def test_check_says_every_mistake_in_a_line_and_exits_with_2(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(BAD)
    assert _run("check", str(file)) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert [line.split(": ")[0] for line in shown.err.splitlines()] == [
        f"{file} line 1",
        f"{file} line 4",
    ]


def test_check_for_programs_has_both_languages(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(BAD)
    assert _run("check", str(file), "--json") == 2
    first, second = json.loads(capsys.readouterr().out)
    assert (first["line"], first["key"]) == (1, "game")
    assert "erwartet" in second["sentence"]["de"]
    assert "expected" in second["sentence"]["en"]


def test_without_a_file_the_defaults_are_in_force(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("check") == 0
    assert "the defaults are in force" in capsys.readouterr().out


def test_missing_file_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("check", str(tmp_path / "nothing.toml")) == 2
    assert "cannot be read: No such file" in capsys.readouterr().err


def test_box_file_is_taken_without_a_name(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "BOX_SETTINGS", file)
    assert _run("check") == 0
    assert str(file) in capsys.readouterr().out


# --- show -----------------------------------------------------------------------------------------


def _shown(capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[object, str]]:
    records = json.loads(capsys.readouterr().out)
    return {one["key"]: (one["value"], one["from"]) for one in records}


def test_show_says_where_every_value_comes_from(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = CameraMeasured(301.5, (1, 2, 30, 40), 2.0, (640, 480), 2.0, 200.0)
    write_calibration(tmp_path / "calibration.toml", Calibration(camera=measured))
    assert _run("show", str(file), "--json") == 0
    values = _shown(capsys)
    assert values["game"] == ("ratscrew", "file, line 1")
    assert values["camera.deck"] == ("de", "file, line 8")
    assert values["camera.card_height_px"] == (301.5, "calibration")
    assert values["camera.zone"] == ([1, 2, 30, 40], "calibration")
    assert values["display.width"] == (32, "default")
    assert values["language"] == (None, "not set")
    assert values["rules.burn"] == (1, "file, line 5")
    assert values["rules.out_of_turn"] == ("burn", "preset strict")
    assert values["rules.tie_ms"] == (0, "default")
    assert "rules.penalty" not in values, "Slapjack's alone"


def test_demo_calibration_is_not_in_force(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = CameraMeasured(301.5, (1, 2, 30, 40), 2.0, (640, 480), 2.0, 200.0, demo=True)
    write_calibration(tmp_path / "calibration.toml", Calibration(camera=measured))
    assert _run("show", str(file), "--json") == 0
    assert _shown(capsys)["camera.zone"] == (None, "not set")


def test_file_beats_the_calibration(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = CameraMeasured(301.5, (1, 2, 30, 40), 2.0, (640, 480), 2.0, 200.0)
    write_calibration(tmp_path / "calibration.toml", Calibration(camera=measured))
    file.write_text("[camera]\ncard_height_px = 200\n")
    assert _run("show", str(file), "--json") == 0
    assert _shown(capsys)["camera.card_height_px"] == (200.0, "file, line 2")


def test_show_of_a_wrong_file_shows_what_is_right_and_all_mistakes(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(BAD + "brightness = 9\n")
    assert _run("show", str(file)) == 2
    shown = capsys.readouterr()
    assert "display.brightness" in shown.out
    assert "file, line 5" in shown.out
    assert shown.err.count("\n") == 2


def test_show_commented_keeps_what_the_file_says(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("show", str(file), "--commented") == 0
    content = capsys.readouterr().out
    assert '\ngame = "ratscrew"' in content
    assert "\nburn = 1" in content
    assert "\n#width = 32" in content


def test_show_commented_without_a_file_is_the_installed_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _run("show", "--commented") == 0
    assert capsys.readouterr().out == commented()


# --- edit -----------------------------------------------------------------------------------------


def _editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *contents: str) -> Path:
    """An editor that writes one content after the other; returns a file that counts its calls."""
    calls = tmp_path / "calls"
    for number, content in enumerate(contents):
        (tmp_path / f"content{number}").write_text(content)
    script = tmp_path / "editor"
    script.write_text(
        f'#!/bin/sh\nn=$(cat "{calls}" 2>/dev/null | wc -l)\n'
        f'echo "$1" >> "{calls}"\ncat "{tmp_path}/content$n" > "$1"\n'
    )
    script.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(script))
    return calls


def _answers(*words: str) -> object:
    left = list(words)
    return lambda question: left.pop(0)


def test_right_edit_is_saved_and_the_old_file_kept(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file.chmod(0o640)
    _editor(tmp_path, monkeypatch, 'game = "spit"\n')
    assert _run("edit", str(file)) == 0
    assert file.read_text() == 'game = "spit"\n'
    assert file.with_name("box.toml.backup").read_text() == GOOD
    assert file.stat().st_mode & 0o777 == 0o640
    assert "systemctl restart" in capsys.readouterr().out
    assert not list(tmp_path.glob("*.new"))


def test_broken_edit_is_not_saved_when_nobody_can_be_asked(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = _editor(tmp_path, monkeypatch, BAD)
    assert _run("edit", str(file)) == 2
    assert file.read_text() == GOOD
    shown = capsys.readouterr().err
    assert f"{file} line 1: game" in shown
    copy = Path(calls.read_text().strip())
    assert f"your copy is {copy}" in shown
    assert copy.read_text() == BAD, "the work must not be lost"


def test_broken_edit_can_be_mended(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = _editor(tmp_path, monkeypatch, BAD, 'game = "spit"\n')
    edit(file, _answers("?", "e"))  # type: ignore[arg-type]
    assert file.read_text() == 'game = "spit"\n'
    assert len(calls.read_text().splitlines()) == 2


@pytest.mark.parametrize(("answer", "content"), [("d", GOOD), ("s", BAD)])
def test_broken_edit_is_discarded_or_saved_as_was_asked(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, content: str
) -> None:
    calls = _editor(tmp_path, monkeypatch, BAD)
    edit(file, _answers(answer))  # type: ignore[arg-type]
    assert file.read_text() == content
    assert not Path(calls.read_text().strip()).exists()


def test_unchanged_file_is_left_alone(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _editor(tmp_path, monkeypatch, GOOD)
    assert _run("edit", str(file)) == 0
    assert "Nothing was changed." in capsys.readouterr().out
    assert not file.with_name("box.toml.backup").exists()


def test_new_file_begins_with_every_key_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "true")  # saves what it was given
    edit(tmp_path / "new.toml")
    assert (tmp_path / "new.toml").read_text() == commented()


def test_file_that_somebody_else_changed_meanwhile_is_not_overwritten(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor"
    script.write_text(f'#!/bin/sh\necho "# other" > "{file}"\necho "# mine" > "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(script))
    with pytest.raises(CannotEdit, match="changed by somebody else"):
        edit(file)
    assert file.read_text() == "# other\n"


@pytest.mark.parametrize("editor", ["false", "/nowhere/editor", "'", "sh -c 'exit 3'"])
def test_editor_that_fails_saves_nothing(
    file: Path, editor: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VISUAL", editor)
    assert _run("edit", str(file)) == 2
    assert file.read_text() == GOOD
    assert "EDITOR" in capsys.readouterr().err
    assert not list(file.parent.glob("referee-settings-*"))


def test_edit_needs_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("edit") == 2
    assert "no settings file here" in capsys.readouterr().err


def test_link_is_followed_and_kept(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link.toml"
    link.symlink_to(file)
    _editor(tmp_path, monkeypatch, 'game = "spit"\n')
    edit(link)
    assert link.is_symlink()
    assert file.read_text() == 'game = "spit"\n'


@pytest.mark.parametrize("name", ["", "no/such/folder/box.toml"])
def test_folder_is_no_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(CannotEdit, match="is no file"):
        edit(tmp_path / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_file_of_root_is_refused_before_the_work(file: Path) -> None:
    file.chmod(0o400)
    with pytest.raises(CannotEdit, match="you may not write"):
        edit(file)
