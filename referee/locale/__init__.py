"""Every word that people see, in German and English (gettext, one catalogue an area).

The source text is the English sentence; `de/LC_MESSAGES/<area>.po` holds the German one. Display
texts are looked up with a context a width (`led32`, `led64`), so that a short word can differ.
"""

from __future__ import annotations

import gettext
import os
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "de")
LANGUAGE_VARIABLE = "REFEREE_LANGUAGE"
_FOLDER = Path(__file__).parent
_chosen = ""


def choose_language(language: str | None = None) -> str:
    """Fix the language of this process.

    Args:
        language: "de" or "en"; None: $REFEREE_LANGUAGE, else the system's, else English.
    """
    global _chosen
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    wanted = [language or os.environ.get(LANGUAGE_VARIABLE, "")]
    wanted += [os.environ.get(name, "") for name in names]
    named = (name[:2].lower() for name in wanted if name)
    _chosen = next((name for name in named if name in LANGUAGES), "en")
    return _chosen


def language() -> str:
    """The language of this process."""
    return _chosen or choose_language()


@cache
def _catalogue(area: str, name: str) -> gettext.NullTranslations:
    return gettext.translation(area, _FOLDER, languages=[name], fallback=True)


def text(area: str, message: str, *, context: str = "", language: str | None = None) -> str:
    """Translate a message.

    Args:
        area: The catalogue: "cli", "led", "rules" or "read".
        message: The English sentence, or a key in a context.
        context: Where it is shown, such as "led32"; empty for running text.
        language: Overrides the language of the process.
    """
    catalogue = _catalogue(area, language or _chosen or choose_language())
    return catalogue.pgettext(context, message) if context else catalogue.gettext(message)
