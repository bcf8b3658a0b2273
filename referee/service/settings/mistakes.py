"""What is wrong with a settings file, one sentence a mistake, in German and English."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from referee.locale import LANGUAGES, text
from referee.rules.errors import RefereeError

AREA = "settings"
LONGEST_VALUE = 48
"""Letters of a value that are said again."""


class BadSettings(RefereeError, ValueError):
    """Settings that cannot be used."""

    def __init__(self, sentence: str, mistakes: Iterable[Mistake] = ()) -> None:
        """Args: one sentence, and all mistakes of the file if there is one."""
        super().__init__(sentence)
        self.mistakes = tuple(mistakes)


class Words:
    """A phrase that can be said in any language, with values or further phrases in it."""

    __slots__ = ("_parts", "template")

    def __init__(self, template: str, **parts: object) -> None:
        """Args: the English phrase (the German one is in the catalogue) and its fields."""
        self.template = template
        self._parts = parts

    def text(self, language: str | None = None) -> str:
        """The phrase in a language; None: that of the process."""
        parts = {
            name: part.text(language) if isinstance(part, Words) else part
            for name, part in self._parts.items()
        }
        said = text(AREA, self.template, language=language) if self.template else ""
        return said.format(**parts) if parts else said


NOTHING = Words("")


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in a settings file."""

    file: str
    line: int | None
    """From 1; None: no line is to blame."""
    key: str
    """Such as "pads.kind"; empty: the line or file as a whole."""
    found: Words
    expected: Words
    mend: Words

    def sentence(self, language: str | None = None) -> str:
        """What, where, what was expected, how to mend it."""
        where = Words("{file} line {line}", file=self.file, line=self.line)
        place = self.file if self.line is None else where.text(language)
        if self.key:
            place += f": {self.key}"
        return Words(
            "{place}: {found}, expected {expected} ({mend})",
            place=place,
            found=self.found,
            expected=self.expected,
            mend=self.mend,
        ).text(language)

    @property
    def sentences(self) -> dict[str, str]:
        """Language -> sentence, for the page."""
        return {language: self.sentence(language) for language in LANGUAGES}


def refusal(mistakes: list[Mistake]) -> BadSettings:
    """The error for a file with mistakes: the first, and how many more there are."""
    first, more = mistakes[0], len(mistakes) - 1
    if not more:
        return BadSettings(first.sentence(), mistakes)
    rest = Words("and {n} more: referee settings check {file}", n=more, file=first.file)
    return BadSettings(f"{first.sentence()}; {rest.text()}", mistakes)


def written(value: object) -> str:
    """A value as it stands in a settings file."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, dict):
        inside = ", ".join(f"{name} = {written(one)}" for name, one in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    return str(value)


def shortened(value: object) -> str:
    """A value for a sentence."""
    whole = written(value)
    return whole if len(whole) <= LONGEST_VALUE else whole[: LONGEST_VALUE - 1] + "…"


def nearest(name: str, names: Iterable[str]) -> str | None:
    """What somebody may have meant."""
    known = {each.lower(): each for each in names}
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.6)
    return known[close[0]] if close else None
