"""`referee rules`: what it prints, what it refuses, and that the pages are those of the program."""

from __future__ import annotations

import pytest

from referee.cli import main
from referee.commands.rules import pages
from referee.locale import text
from referee.rules.handbook import notation
from referee.rules.handbook_articles import ARTICLES, articles
from referee.rules.handbook_functions import GAMES, rule_functions
from referee.rules.house_rules import HouseRules, house_rules
from referee.rules.house_rules_check import CHOICES, TRIGGER_NAMES, games_of
from referee.rules.presets import PRESETS, preset_rules


def _printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["--language", "en", "rules", *words]) == 0
    return capsys.readouterr().out


# --- the handbook knows every setting -------------------------------------------------------------


def test_every_house_rule_has_one_article() -> None:
    assert sorted(article.option for article in ARTICLES) == sorted(HouseRules.__slots__)


@pytest.mark.parametrize("article", ARTICLES, ids=lambda article: article.option)
def test_every_value_has_a_sentence(article: object) -> None:
    values = {article.option: article.values for article in ARTICLES}
    option = getattr(article, "option", "")
    if option == "triggers":
        assert set(values[option]) == set(TRIGGER_NAMES)
    elif option in CHOICES:
        assert set(values[option]) == set(CHOICES[option])
    elif isinstance(getattr(HouseRules(), option), bool):
        assert set(values[option]) == {"true", "false"}
    else:
        default = notation(getattr(HouseRules(), option))
        assert default in values[option] or "#" in values[option]


@pytest.mark.parametrize("game", GAMES)
def test_every_article_names_its_sheet_or_says_that_it_is_ours(game: str) -> None:
    sheets = ("Slapjack,", "Egyptian Ratscrew,", "Spit,", "the box's own")
    for article in articles(game):
        assert article.source_for(game).startswith(sheets)


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_function_of_a_game_names_sheet_and_heading(game: str) -> None:
    rules = rule_functions(game)
    assert len(rules) >= 20
    for rule in rules:
        assert '"' in rule.source or rule.source.startswith("the box's own"), rule


# --- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("article", ARTICLES, ids=lambda article: article.option)
def test_every_sentence_has_a_german_one(article: object) -> None:
    for sentence in getattr(article, "values", {}).values():
        german = text("handbook", sentence, language="de")
        assert german != sentence
        assert ("{n}" in german) == ("{n}" in sentence)


# --- what it prints -------------------------------------------------------------------------------


def test_usual_rules_carry_no_star(capsys: pytest.CaptureFixture[str]) -> None:
    shown = _printed(capsys)
    assert "Slap when a jack lies on top." in shown
    assert not any(line.startswith("* ") for line in shown.splitlines())


def test_changed_rule_carries_a_star_its_usual_value_and_its_source(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = _printed(capsys, "--set", "late_slap=penalty")
    assert "* Hands after the winner are false slaps." in shown
    assert 'late_slap = penalty (usually free); Slapjack, "Spielablauf" 2' in shown


def test_added_trigger_carries_a_star_and_the_usual_one_does_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = _printed(capsys, "--set", "triggers=jack,pair")
    assert "* Slap a pair" in shown
    assert "  Slap when a jack" in shown


def test_rule_without_effect_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert "call_window_ms" not in _printed(capsys)
    assert "call_window_ms = 1000" in _printed(capsys, "--set", "call_out=required")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_prints_and_says_what_it_changes(
    game: str, preset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = _printed(capsys, "--game", game, "--preset", preset)
    starred = sum(line.startswith("* ") for line in shown.splitlines())
    changes = preset_rules(game, preset) != house_rules(game)
    assert (starred > 0) == changes
    assert all(len(line) <= 100 for line in shown.splitlines())


def test_german_speaks_german(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--language", "de", "--game", "ers"]) == 0
    shown = capsys.readouterr().out
    assert "Ein Bube fordert 1 Karte" in shown
    assert main(["--language", "en", "rules"]) == 0


@pytest.mark.parametrize("game", GAMES)
def test_settings_shown_are_those_that_the_game_knows(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = _printed(capsys, "--game", game)
    for option in HouseRules.__slots__:
        if game not in games_of(option):
            assert f"    {option} = " not in shown


@pytest.mark.parametrize(
    "words",
    [
        ["--game", "chess"],
        ["--preset", "mild"],
        ["--set", "tie_ms"],
        ["--set", "=5"],
        ["--set", "tie_ms=soon"],
        ["--set", "tie_ms=--5"],
        ["--set", "tie_ms=" + "9" * 5000],
        ["--set", "triggers=jack,moon"],
        ["--set", "equal_rank=true"],
        ["--game", "ratscrew", "--set", "challenge=J"],
        ["--set", "triggers=none"],
        ["--language", "fr"],
    ],
)
def test_bad_words_are_refused_in_one_sentence(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--language", "en", "rules", *words]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("referee: ")
    assert shown.err.count("\n") == 1


# --- the pages ------------------------------------------------------------------------------------


def test_written_pages_are_those_of_the_program() -> None:
    """If this fails: `referee rules --write-pages`."""
    for path, content in pages().items():
        assert path.read_text(encoding="utf-8") == content, path.name


@pytest.mark.parametrize("game", GAMES)
def test_page_names_every_rule_function_and_every_setting(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = _printed(capsys, "--game", game, "--page")
    assert all(f"`{rule.name}` | `{rule.file}`" in page for rule in rule_functions(game))
    assert all(f"`{article.option}`" in page for article in articles(game))
