"""Every phrase about the settings has a German one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.locale import text
from referee.service.settings import commented
from referee.service.settings.check import check
from referee.service.settings.keys import keys, tables

SERVICE = Path(__file__).parents[3] / "referee" / "service"


def _phrases() -> Iterator[str]:
    for path in [SERVICE / "config.py", *sorted((SERVICE / "settings").glob("*.py"))]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                words = node.args[0] if node.args else None
                if node.func.id == "Words" and isinstance(words, ast.Constant):
                    yield str(words.value)
    for key in keys().values():
        yield key.about
        yield key.expected.template
    yield from (table.__doc__ or "" for name, table in tables().items() if name)
    yield from (*commented.TITLE, *commented.ABOUT_RULES, commented.OTHER_GAMES)


@pytest.mark.parametrize("phrase", sorted(set(_phrases()) - {""}))
def test_phrase_has_a_german_one(phrase: str) -> None:
    assert text("settings", phrase, language="de") != phrase


@pytest.mark.parametrize(
    "rules",
    [
        "triggers = []",
        "triggers = ['joker']",
        "pile_on_false_slap = true\nslap_ban = 'pile'",
    ],
)
def test_contradiction_is_said_in_german(rules: str) -> None:
    [mistake] = check(f"[rules]\n{rules}", "box.toml")[2]
    reason = [mistake.found.text(language).partition(": ")[2] for language in ("de", "en")]
    assert all(reason)
    assert reason[0] != reason[1]
