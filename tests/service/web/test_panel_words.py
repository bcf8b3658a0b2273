"""Sentences that the panels put together exist in German: those that no template names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from referee.locale import text
from referee.service.web.guides import GUIDES, STAMPS
from referee.service.web.judge_view import ANSWERS
from referee.service.web.pages import FOLDER
from referee.service.web.setup_words import DECK_WORDS, GROUPS, PRESET_NAMES, TITLES

MODULES = ("judge_view.py", "setup_form.py", "statistics.py", "setup.py")
SPEAKERS = {"say": 0, "words": 0, "wrong": 1, "text": 1}
"""Function -> which argument is the sentence."""


def _said(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        at = SPEAKERS.get(node.func.id)
        if at is not None and len(node.args) > at:
            argument = node.args[at]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                found.add(argument.value)
    return found


@pytest.mark.parametrize("name", MODULES)
def test_sentence_of_a_module_exists_in_german(name: str) -> None:
    said = _said(FOLDER / name)
    if name != "setup.py":
        assert said
    assert [one for one in said if text("page", one, language="de") == one] == []


@pytest.mark.parametrize(
    "words",
    [
        TITLES.values(),
        PRESET_NAMES.values(),
        DECK_WORDS.values(),
        ANSWERS.values(),
        STAMPS.values(),
        [heading for heading, _ in GROUPS if heading != "Spit"],
        [words for pair in GUIDES.values() for words in pair],
    ],
    ids=["titles", "presets", "decks", "answers", "stamps", "headings", "guides"],
)
def test_table_of_words_exists_in_german(words: list[str]) -> None:
    assert [one for one in words if text("page", one, language="de") == one] == []
