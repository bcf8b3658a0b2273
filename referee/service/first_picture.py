"""The matrix lights up before the program is loaded: `python -m referee.service.first_picture`.

Loading the card reader takes a Pi some seconds. The chips of the matrix keep what they were told
last, so this small program writes "hands off the pads" and ends; the service starts it first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from hardware.display import MatrixDisplay, open_matrix
from hardware.drawing import draw
from referee.locale import choose_language
from referee.rules.errors import RefereeError
from referee.service.announce import announce_state
from referee.service.settings.check import check
from referee.service.settings.fields import Settings


def main(arguments: Sequence[str], open_display: Callable[..., MatrixDisplay] = open_matrix) -> int:
    """Show it.

    Args:
        arguments: The settings file, or nothing.
        open_display: Opens the matrix.

    Returns:
        The exit code: 0, or 1 without a matrix.
    """
    settings = _settings(arguments[0]) if arguments else Settings()
    if settings.language:
        choose_language(settings.language)
    wanted = settings.display
    try:
        matrix = open_display(
            wanted.width,
            brightness=wanted.brightness,
            block_orientation=wanted.block_orientation,
        )
    except RefereeError as error:
        print(f"first picture: {error}", file=sys.stderr)
        return 1
    matrix.show(draw(announce_state("hands_off"), matrix.size))
    matrix.leave()
    return 0


def _settings(name: str) -> Settings:
    """What can be used of a file; the program itself says what is wrong with it."""
    try:
        usable, _, _ = check(Path(name).read_text(encoding="utf-8"), name)
    except (OSError, UnicodeDecodeError):
        return Settings()
    return usable


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
