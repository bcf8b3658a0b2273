"""Every word of the templates exists in German, and every page is drawn in both languages."""

from __future__ import annotations

from pathlib import Path

import jinja2.nodes
import pytest

from referee.locale import text
from referee.service.web.pages import FOLDER, NAVIGATION, templates

TEMPLATES = sorted((FOLDER / "templates").glob("*.html"))


def _messages(path: Path) -> list[str]:
    tree = templates().parse(path.read_text(encoding="utf-8"))
    return [
        call.args[0].value
        for call in tree.find_all(jinja2.nodes.Call)
        if isinstance(call.node, jinja2.nodes.Name)
        and call.node.name == "t"
        and call.args
        and isinstance(call.args[0], jinja2.nodes.Const)
    ]


SAME = ("Code", "Start", "Name", "DEMO", "Reset", "Test", "Median")
"""Words that are the same in both languages."""


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_every_word_of_a_template_exists_in_german(path: Path) -> None:
    missing = [
        message
        for message in _messages(path)
        if message not in SAME and text("page", message, language="de") == message
    ]
    assert not missing


def test_every_word_of_the_navigation_exists_in_german() -> None:
    for _, word in NAVIGATION:
        assert text("page", word, language="de") != word
