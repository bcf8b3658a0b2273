"""Every sentence of the doctor is there in German, with the same values in it."""

import ast
import gettext
import re
from pathlib import Path

import pytest

from referee.commands import doctor
from referee.service.doctor import codes
from referee.service.doctor.codes import AREA, Code
from referee.service.doctor.examination import CHECKS
from referee.service.doctor.finding import say

ROOT = Path(__file__).parent.parent.parent
CATALOGUE = ROOT / "referee/locale/de/LC_MESSAGES/doctor.mo"
SAME_IN_GERMAN = {"gpiozero", "lgpio", "LG_WD", "GPIOZERO_PIN_FACTORY", "gpiochip", "fake-rpi"} | {
    "SPI", "I2C", "OpenCV", "-", "Code",
}  # fmt: skip


def _said(path: Path) -> set[str]:
    calls = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))
    return {
        str(call.args[0].value)
        for call in calls
        if isinstance(call.func, ast.Name)
        and call.func.id == "say"
        and call.args
        and isinstance(call.args[0], ast.Constant)
    }


def _messages() -> list[str]:
    sources = [*(ROOT / "referee/service/doctor").glob("*.py")]
    sources += [ROOT / "referee/commands/doctor.py"]
    found = {message for path in sources for message in _said(path)}
    found |= {sentence for pair in codes._WRONG.values() for sentence in pair}
    found |= {check.name for check in CHECKS} | set(doctor.WORDS.values())
    return sorted(found - SAME_IN_GERMAN)


@pytest.fixture(scope="module")
def german() -> gettext.GNUTranslations:
    with CATALOGUE.open("rb") as compiled:
        return gettext.GNUTranslations(compiled)


@pytest.mark.parametrize("message", _messages())
def test_sentence_is_there_in_german(german: gettext.GNUTranslations, message: str) -> None:
    translated = german.gettext(message)
    assert translated != message, "add it to referee/locale/de/LC_MESSAGES/doctor.po and compile"
    values = [sorted(re.findall(r"\{[^}]*\}", one)) for one in (message, translated)]
    assert values[0] == values[1]


def test_every_code_has_a_sentence_and_a_way_out() -> None:
    assert set(codes._WRONG) == set(Code)
    assert all(re.fullmatch(r"E[1-8]\d", code.value) for code in Code)
    for code in Code:
        assert code.sentence("de") != code.sentence("en")
        assert code.mend("de") != code.mend("en")


def test_messages_without_values_are_left_alone() -> None:
    assert AREA == "doctor"
    assert say("no such {thing}", thing="{x}") == "no such {x}"
