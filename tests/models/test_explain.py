"""What is written into pictures."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import models
from referee.locale import text

FOLDER = Path(models.__file__).parent
DRAWN_BY = ("explain.py", "sheet.py")


def _words(file: str) -> list[str]:
    return [
        call.args[1].value
        for call in ast.walk(ast.parse((FOLDER / file).read_text()))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "text"
        and isinstance(call.args[1], ast.Constant)
        and isinstance(call.args[1].value, str)
    ]


@pytest.mark.parametrize("file", DRAWN_BY)
@pytest.mark.parametrize("language", ["en", "de"])
def test_words_in_pictures_are_letters_that_every_opencv_draws(file: str, language: str) -> None:
    words = _words(file)
    assert words
    assert all(text("read", word, language=language).isascii() for word in words)
