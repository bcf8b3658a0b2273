"""Settings: defaults, every kind of mistake in one sentence."""

from pathlib import Path

import pytest

from referee.service.config import BadSettings, load_settings, parse_settings


def test_no_file_gives_the_defaults() -> None:
    settings = load_settings(None)
    assert settings.game == "slapjack"
    assert settings.players == ("Ann", "Bo", "Cy", "Di")


def test_file_changes_only_what_it_names(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text('game = "ratscrew"\n[pads]\nkind = "ttp223"\n')
    settings = load_settings(path)
    assert (settings.game, settings.pads.kind, settings.pads.lockout_ms) == (
        "ratscrew",
        "ttp223",
        120,
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("game = 'chess'", "game: invalid enum value 'chess', expected one of: slapjack"),
        ("language = 'fr'", "expected one of: de, en"),
        (
            "[pads]\nkind = 'ttp'",
            "pads.kind: invalid enum value 'ttp', expected one of: at42qt1010",
        ),
        ("gmae = 'spit'", "unknown field gmae, expected one of: language, game"),
        ("[pads]\nfoo = 1", "pads: object contains unknown field foo, expected one of: kind"),
        ("players = ['Ann', 'Ann']", "two players share a name: Ann, Ann"),
        ("players = ['Ann']", "players"),
        ("players = ['Ann', 3]", "players[1]: expected str, got int"),
        ("[camera]\ncard_height_px = 10", "camera.card_height_px: expected float >= 60.0"),
        ("a =", "not a TOML file"),
    ],
)
def test_mistake_is_one_sentence_with_file_field_and_mending(content: str, said: str) -> None:
    with pytest.raises(BadSettings) as refused:
        parse_settings(content, "box.toml")
    assert str(refused.value).startswith("box.toml: ")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_unreadable_file_is_one_sentence(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "box.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadSettings, match=r"cannot read settings .*expected a TOML file"):
        load_settings(path)


def test_folder_instead_of_a_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="cannot read settings"):
        load_settings(tmp_path)
