"""Every sentence that people see exists in German, and the compiled catalogues are up to date."""

import ast
import gettext
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from referee.cli import COMMANDS
from referee.locale import choose_language, text

ROOT = Path(__file__).parent.parent
GERMAN = ROOT / "referee" / "locale" / "de" / "LC_MESSAGES"
AREAS = sorted(path.stem for path in GERMAN.glob("*.po"))


def _catalogue(area: str) -> Catalog:
    with (GERMAN / f"{area}.po").open("rb") as file:
        return read_po(file)


def _calls() -> Iterator[tuple[str, str, str, str]]:
    """Area, context, message and place of every `text("area", "literal")`."""
    for path in sorted(ROOT.glob("referee/**/*.py")) + sorted(ROOT.glob("[hm]*/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id != "text" or len(node.args) < 2:
                continue
            area, message = node.args[0], node.args[1]
            if not (isinstance(area, ast.Constant) and isinstance(message, ast.Constant)):
                continue
            contexts = [word.value for word in node.keywords if word.arg == "context"]
            context = (
                contexts[0].value if contexts and isinstance(contexts[0], ast.Constant) else ""
            )
            yield area.value, context, message.value, f"{path.relative_to(ROOT)}:{node.lineno}"


def test_every_literal_message_has_a_german_one() -> None:
    catalogues = {area: _catalogue(area) for area in AREAS}
    missing = []
    for area, context, message, place in _calls():
        assert area in catalogues, f"{place}: no catalogue {area}"
        entry = catalogues[area].get(message, context or None)
        if entry is None or not entry.string or entry.fuzzy:
            missing.append(f"{place}: {message!r}")
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("line", COMMANDS.values())
def test_every_command_is_explained_in_german(line: str) -> None:
    assert text("cli", line, language="de") != line


@pytest.mark.parametrize("area", AREAS)
def test_compiled_catalogue_is_up_to_date(area: str) -> None:
    with (GERMAN / f"{area}.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    stale = [
        entry.id
        for entry in _catalogue(area)
        if entry.id
        and isinstance(entry.id, str)
        and entry.string
        and _said(compiled, entry.context, entry.id) != entry.string
    ]
    assert not stale, f"pybabel compile -D {area} -d referee/locale -l de"


def _said(compiled: gettext.GNUTranslations, context: str | None, message: str) -> str:
    return compiled.pgettext(context, message) if context else compiled.gettext(message)


@pytest.mark.parametrize("area", AREAS)
def test_translation_keeps_the_fields_of_its_sentence(area: str) -> None:
    for entry in _catalogue(area):
        if not entry.id or not entry.string or isinstance(entry.id, tuple):
            continue
        names = [
            {name for _, name, _, _ in string.Formatter().parse(str(part)) if name}
            for part in (entry.id, entry.string)
        ]
        assert names[0] == names[1], entry.id


@pytest.mark.parametrize("area", AREAS)
def test_a_pad_is_a_feld_everywhere(area: str) -> None:
    others = [
        entry.string
        for entry in _catalogue(area)
        if isinstance(entry.id, str)
        and re.search(r"\bpads?\b", entry.id, re.IGNORECASE)
        and not re.search(r"\bfeld", str(entry.string), re.IGNORECASE)
    ]
    assert not others, "one word for one thing"


@pytest.mark.parametrize(
    ("wanted", "environment", "chosen"),
    [
        ("de", {}, "de"),
        (None, {"REFEREE_LANGUAGE": "de", "LANG": "en_GB.UTF-8"}, "de"),
        (None, {"LANG": "de_AT.UTF-8"}, "de"),
        (None, {"LANG": "fr_FR.UTF-8"}, "en"),
        (None, {}, "en"),
    ],
)
def test_language_is_the_wanted_one_else_the_systems(
    wanted: str | None, environment: dict[str, str], chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("REFEREE_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert choose_language(wanted) == chosen
    choose_language("en")
