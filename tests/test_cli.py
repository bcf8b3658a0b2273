"""The program: help, unknown words, exit codes."""

import pytest

from referee.cli import COMMANDS, main


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name}" in shown for name in COMMANDS)


@pytest.mark.parametrize(
    "words",
    [["chess"], ["demo", "--chess"], ["--language", "xx", "demo"], ["--language"], ["read"]],
)
def test_bad_words_give_one_sentence_and_exit_code_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith("referee: ")
    assert shown.err.count("\n") == 1
    assert "Traceback" not in shown.err + shown.out
