"""In which language a viewer reads, and the words of the templates."""

from __future__ import annotations

from collections.abc import Mapping

from referee.locale import LANGUAGES, text

AREA = "page"
COOKIE = "language"


def language_of(cookies: Mapping[str, str], accepts: str, usual: str) -> str:
    """Choose a language for a viewer.

    Args:
        cookies: The request's cookies: what he chose himself.
        accepts: The Accept-Language header.
        usual: The box's own language.
    """
    chosen = cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    for name in _by_weight(accepts):
        if name in LANGUAGES:
            return name
    return usual if usual in LANGUAGES else "en"


def _by_weight(accepts: str) -> list[str]:
    weighed = []
    for number, part in enumerate(accepts[:200].split(",")):
        name, _, quality = part.partition(";")
        try:
            weight = float(quality.partition("=")[2] or 1)
        except ValueError:
            weight = 0.0
        weighed.append((-weight, number, name.strip().lower()[:2]))
    return [name for _, _, name in sorted(weighed)]


class Words:
    """The templates' `t`: a sentence of the page in one language, with its fields filled in."""

    def __init__(self, language: str, area: str = AREA) -> None:
        self.language = language
        self._area = area

    def __call__(self, message: str, **fields: object) -> str:
        """Translate; `{name}` in the message is replaced by the field of that name."""
        said = text(self._area, message, language=self.language)
        return said.format(**fields) if fields else said
