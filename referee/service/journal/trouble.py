"""What can be wrong with a journal: a code of the box, a reason, one sentence in two languages."""

from __future__ import annotations

from pathlib import Path

from referee.locale import text
from referee.rules.errors import RefereeError
from referee.service.doctor.codes import Code

AREA = "journal"

REASONS = {
    "full": (Code.DISK_FULL, "the disk is full"),
    "read_only": (Code.DISK_READ_ONLY, "it may not be written"),
    "no_folder": (Code.DISK_READ_ONLY, "there is no such folder, and it cannot be made"),
    "missing": (Code.LOG_DAMAGED, "there is no such file"),
    "disk": (Code.DISK_READ_ONLY, "the disk does not take it"),
    "busy": (Code.DISK_READ_ONLY, "another program keeps it locked"),
    "damaged": (Code.LOG_DAMAGED, "it is damaged"),
    "foreign": (Code.LOG_DAMAGED, "it was not written by this program"),
    "newer": (Code.LOG_DAMAGED, "a newer version of this program wrote it"),
    "older": (Code.LOG_DAMAGED, "an older version of this program wrote it: start the box once"),
    "differs": (Code.LOG_DAMAGED, "its open game replays to other verdicts"),
}
"""Why a file cannot be used -> code and words."""

DETAIL_LETTERS = 100

UNRECORDED = "The game goes on, but it is not recorded."
ELSEWHERE = "The game goes on in {fresh}."
NOT_RESUMED = "The open game in {path} cannot go on: its replay gives other verdicts."
CANNOT = "The journal {path} cannot be used: {reason}."


class JournalError(RefereeError, OSError):
    """A journal file that cannot be used."""

    def __init__(self, path: Path, why: str, detail: str = "") -> None:
        """Name file and reason.

        Args:
            path: The file.
            why: One of `REASONS`.
            detail: What the library said.
        """
        self.path, self.why, self.detail = path, why, _legible(detail)
        self.code = REASONS[why][0]
        said = f" ({self.detail})" if detail else ""
        super().__init__(
            f"cannot use the journal {path}: {REASONS[why][1]}{said}, expected a season's file of "
            "this program (--journal)"
        )

    def __str__(self) -> str:
        """The sentence, without what OSError adds."""
        return str(self.args[0])


def _legible(detail: str) -> str:
    """Short and on one line: a library may quote what it found in a damaged file."""
    shown = "".join(letter if letter.isprintable() else " " for letter in detail)
    return " ".join(shown.split())[:DETAIL_LETTERS]


class JournalInUse(RefereeError, OSError):
    """Another box writes the same file."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"another box writes the journal {path}, expected one box a file: stop the other one "
            "or name another file (--journal)"
        )

    def __str__(self) -> str:
        """The sentence, without what OSError adds."""
        return str(self.args[0])


class Trouble:
    """A fault of the journal while a box plays on."""

    def __init__(self, error: JournalError, fresh: Path | None) -> None:
        """Note it.

        Args:
            error: What is wrong with the file that was used until now.
            fresh: The file that is used instead; None: nothing is recorded.
        """
        self.code, self.path, self.fresh = error.code, error.path, fresh
        self.detail = error.detail
        self._why = error.why

    @property
    def is_recording(self) -> bool:
        """A fresh file took over."""
        return self.fresh is not None

    def sentence(self, language: str | None = None) -> str:
        """What is wrong and how the game goes on."""
        if self._why == "differs":
            said = text(AREA, NOT_RESUMED, language=language).format(path=self.path)
            return f"{self.code}: {said}"
        reason = text(AREA, REASONS[self._why][1], language=language)
        wrong = text(AREA, CANNOT, language=language).format(path=self.path, reason=reason)
        if self.fresh is None:
            onward = text(AREA, UNRECORDED, language=language)
        else:
            onward = text(AREA, ELSEWHERE, language=language).format(fresh=self.fresh)
        return f"{self.code}: {wrong} {onward}"
