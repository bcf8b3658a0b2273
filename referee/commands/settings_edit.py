"""`referee settings edit`: an editor on a copy; a file with mistakes is never saved unasked."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from referee.locale import text
from referee.rules.errors import RefereeError
from referee.service.config import Mistake, read_settings
from referee.service.settings.check import check
from referee.service.settings.commented import commented

EDITORS = ("sensible-editor", "nano", "vi")
"""Tried in this order if $VISUAL and $EDITOR name none."""
AGAIN, SAVE, DISCARD = "e", "s", "d"


class CannotEdit(RefereeError, OSError):
    """The settings cannot be edited here."""


def edit(path: Path, ask: Callable[[str], str] | None = None) -> None:
    """Open a settings file in the editor and save it if it is right.

    Args:
        path: The file; it need not exist yet.
        ask: Puts a question and returns the answer; None: at the terminal, if there is one.

    Raises:
        CannotEdit: The file cannot be written, there is no editor, or it has mistakes and there
            is nobody to ask. The copy is kept then, and the text says where.
    """
    path = path.resolve()
    _refuse_unwritable(path)
    before = path.read_bytes() if path.exists() else None
    folder = Path(tempfile.mkdtemp(prefix="referee-settings-"))
    copy = folder / path.name
    copy.write_bytes(commented().encode() if before is None else before)
    start = copy.read_bytes()
    try:
        wanted = _until_right(copy, path, ask or _asker())
    except CannotEdit:
        if copy.read_bytes() == start:  # no work is lost
            shutil.rmtree(folder)
        raise
    after = copy.read_bytes()
    if not wanted or (before is not None and after == start):
        shutil.rmtree(folder)
        print(text("settings", "Nothing was changed."))
        return
    if (path.read_bytes() if path.exists() else None) != before:
        raise CannotEdit(
            text(
                "settings",
                "{file} was changed by somebody else meanwhile; your copy is {copy} "
                "(put both together)",
            ).format(file=path, copy=copy)
        )
    _save(path, after)
    shutil.rmtree(folder)
    done = text("settings", "Saved: {file}. Now: sudo systemctl restart referee")
    print(done.format(file=path))


def _refuse_unwritable(path: Path) -> None:
    if path.is_dir() or not path.parent.is_dir():
        raise CannotEdit(
            text("settings", "{file} is no file, expected a settings file").format(file=path)
        )
    if not os.access(path.parent, os.W_OK) or (
        path.exists() and not os.access(path, os.R_OK | os.W_OK)
    ):
        raise CannotEdit(
            text("settings", "you may not write {file} (sudo referee settings edit)").format(
                file=path
            )
        )


def _until_right(copy: Path, path: Path, ask: Callable[[str], str] | None) -> bool:
    """Edit until it is right, or until somebody decides.

    Returns:
        The copy is to be saved.
    """
    while True:
        _open_editor(copy)
        mistakes = _mistakes(copy, path)
        if not mistakes:
            return True
        for mistake in mistakes:
            print(mistake.sentence(), file=sys.stderr)
        if ask is None:
            raise CannotEdit(
                text("settings", "not saved: {file} would be wrong; your copy is {copy}").format(
                    file=path, copy=copy
                )
            )
        answer = ""
        while answer not in (AGAIN, SAVE, DISCARD):
            answer = ask(text("settings", "e edit again, d discard, s save all the same: "))
        if answer != AGAIN:
            return answer == SAVE


def _mistakes(copy: Path, path: Path) -> list[Mistake]:
    content, unread = read_settings(copy)
    return [unread] if unread else check(content, str(path))[2]


def _open_editor(copy: Path) -> None:
    """Wait until the editor is closed.

    Raises:
        CannotEdit: There is none, or it failed.
    """
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    found = next(filter(shutil.which, EDITORS), None)
    try:
        words = shlex.split(named) if named else [found] if found else []
    except ValueError:  # a quotation mark that is not closed
        words = []
    if not words:
        raise CannotEdit(text("settings", "no editor here, expected one in $EDITOR"))
    try:
        code = subprocess.run([*words, str(copy)], check=False).returncode
    except OSError as error:
        raise CannotEdit(
            text("settings", "the editor {name} cannot be started: {reason} ($EDITOR)").format(
                name=words[0], reason=error.strerror
            )
        ) from error
    if code:
        raise CannotEdit(
            text(
                "settings", "the editor {name} failed with {code}; nothing was saved ($EDITOR)"
            ).format(name=words[0], code=code)
        )


def _asker() -> Callable[[str], str] | None:
    if not sys.stdin.isatty():
        return None

    def ask(question: str) -> str:
        try:
            return input(question).strip().lower()
        except EOFError:
            return DISCARD

    return ask


def _save(path: Path, content: bytes) -> None:
    """Put the new file in place whole or not at all; the old one stays beside it."""
    unfinished = path.with_name(path.name + ".new")
    try:
        unfinished.write_bytes(content)
        if path.exists():
            shutil.copystat(path, unfinished)
            owner = path.stat()
            os.chown(unfinished, owner.st_uid, owner.st_gid)
            shutil.copy2(path, path.with_name(path.name + ".backup"))
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise CannotEdit(
            text("settings", "cannot write {file}: {reason}").format(
                file=path, reason=error.strerror
            )
        ) from error
