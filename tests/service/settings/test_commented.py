"""The settings file with every key explained: complete, in both languages, itself a good file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from referee.locale import text
from referee.rules.handbook_articles import ARTICLES
from referee.rules.house_rules_check import GAMES, games_of
from referee.service.config import Settings, parse_settings
from referee.service.settings.commented import commented
from referee.service.settings.keys import keys, tables

INSTALLED = Path(__file__).parents[3] / "systemd" / "referee.toml"


def uncommented(content: str, *, until: str = "# Only in") -> str:
    """The file with all keys taken into use, but for those of other games."""
    wanted = content.partition(until)[0]
    return "\n".join(
        line.removeprefix("#") if _is_key(line) else line for line in wanted.split("\n")
    )


def _is_key(line: str) -> bool:
    return line.startswith("#") and not line.startswith("# ")


def test_installed_file_is_the_one_that_the_program_writes() -> None:
    """If this fails: `referee settings show --commented > systemd/referee.toml` (no file given)."""
    assert INSTALLED.read_text(encoding="utf-8") == commented()


def test_file_with_every_key_commented_out_changes_nothing() -> None:
    assert parse_settings(commented()) == Settings()


@pytest.mark.parametrize("game", GAMES)
def test_every_key_taken_into_use_is_a_good_file(game: str) -> None:
    content = uncommented(commented({"game": game}))
    settings = parse_settings(content)
    assert settings.game == game
    tree = tomllib.loads(content)
    for key in keys().values():
        assert key.name in (tree[key.table] if key.table else tree), key.path
    assert set(tree["rules"]) == {a.option for a in ARTICLES if game in games_of(a.option)}


def test_every_house_rule_of_every_game_is_in_the_file() -> None:
    lines = commented().splitlines()
    for article in ARTICLES:
        assert any(line.startswith(f"#{article.option} = ") for line in lines), article.option


def test_every_key_is_explained_in_german_and_english() -> None:
    content = " ".join(line.removeprefix("# ") for line in commented().splitlines())
    for sentence in [key.about for key in keys().values()] + [
        table.__doc__ or "" for name, table in tables().items() if name
    ]:
        german = text("settings", sentence, language="de")
        assert german != sentence
        assert sentence in content
        assert german in content


def test_what_a_file_says_stands_in_it_uncommented() -> None:
    content = commented(
        {
            "game": "ratscrew",
            "players": ["Ann", 'B"o'],
            "page": {"on": False},
            "rules": {"burn": 1, "challenge": {"J": 2}},
        }
    )
    settings = parse_settings(content)
    assert (settings.game, settings.players) == ("ratscrew", ("Ann", 'B"o'))
    assert settings.page.on is False
    assert settings.rules == {"burn": 1, "challenge": {"J": 2}}
    assert "\n#port = 8080" in content


def test_lines_fit_a_terminal() -> None:
    assert max(map(len, commented().splitlines())) <= 100
