"""The program `referee`: one command a module in referee/commands.

Only the command that was asked for is imported, so that `referee rules` need not load OpenCV.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable

import typer

from referee.locale import LANGUAGES, choose_language, text
from referee.rules.errors import RefereeError

COMMANDS = {
    "demo": "Watch a whole game that plays itself.",
    "play": "Play: pads, keys 1-8, a camera, a film or a folder of pictures.",
    "read": "Say which card is in a picture.",
    "rules": "Print the house rules in force and what they mean at the table.",
    "watch": "Say what happens on a pile, frame by frame.",
    "replay": "Play a log again and show it as a timeline.",
    "scenarios": "Play scenario files and compare the verdicts.",
    "bench": "Measure this machine.",
    "doctor": "Find what is wrong with this box and say how to mend it.",
    "wiring": "Show which wire goes where.",
    "calibrate": "Measure pads, camera and light of a box.",
    "enrol": "Teach the box a deck of your own.",
    "settings": "Check, show or edit the settings.",
    "stats": "Print the statistics of a season.",
    "journal": "List, export or check the games of a season.",
    "soak": "Play by the hundred while everything fails.",
}
"""Name -> one line of help. The command is the function `run` of referee/commands/<name>.py."""

BAD_INPUT = 2
"""Exit code when the person who called can mend it."""


def build_app(asked: str | None) -> typer.Typer:
    """The program, with the command `asked` loaded and all others known by name."""
    app = typer.Typer(
        add_completion=False,
        no_args_is_help=True,
        rich_markup_mode=None,
        help=text("cli", "A tabletop referee for slap card games.")
        + " "
        + text("cli", "The option --language de|en goes before the command."),
    )
    for name, line in COMMANDS.items():
        command: Callable[..., None] = _not_loaded
        if name == asked:
            command = importlib.import_module(f"referee.commands.{name}").run
        app.command(name, help=text("cli", line))(command)
    return app


def _not_loaded() -> None:
    """Stands for a command that was not asked for."""


def main(arguments: list[str] | None = None) -> int:
    """Run the program.

    Returns:
        The exit code: 0, 1 if a check failed, 2 if the input was bad.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        choose_language(_take_language(words))
        asked = next((word for word in words if word in COMMANDS), None)
        code = build_app(asked)(args=words, prog_name="referee", standalone_mode=False)
    except typer.Exit as stop:
        return int(stop.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        return 0
    except RefereeError as error:
        return _refuse(str(error))
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        return _refuse(error.format_message())
    return code if isinstance(code, int) else 0


def _take_language(words: list[str]) -> str | None:
    """Remove `--language X` in front of the command and return X."""
    if not words or not words[0].startswith("--language"):
        return None
    name = words.pop(0).partition("=")[2] or (words.pop(0) if words else "")
    if name not in LANGUAGES:
        raise RefereeError(f"no such language: {name!r}, expected de or en (--language de)")
    return name


def _refuse(sentence: str) -> int:
    print(f"referee: {' '.join(sentence.split())}", file=sys.stderr)
    return BAD_INPUT
