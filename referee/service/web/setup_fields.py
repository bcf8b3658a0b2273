"""The house rules as fields of a form, each value with its plain-language rule. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from referee.locale import text
from referee.rules.handbook import ANY_NUMBER, Article
from referee.rules.handbook_articles import articles
from referee.rules.handbook_pages import translated_source
from referee.rules.house_rules_check import CHOICES, LIMITS, MOST_MS
from referee.service.web.setup_form import MOST_OWED, Form, fresh
from referee.service.web.setup_words import GROUPS, TITLES

AREA, HANDBOOK = "page", "handbook"


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that may be chosen, with what it means."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Field:
    """One house rule."""

    name: str
    title: str
    kind: str
    """`choice`, `many`, `number` or `owed`."""
    choices: tuple[Choice, ...]
    value: str
    least: int
    most: int
    source: str
    changed: bool
    """It differs from the preset."""
    mistake: str


@dataclass(frozen=True, slots=True)
class Group:
    """Fields under one heading."""

    title: str
    fields: tuple[Field, ...]

    @property
    def changed(self) -> int:
        """How many differ from the preset."""
        return sum(each.changed for each in self.fields)

    @property
    def is_wrong(self) -> bool:
        """One of them has a mistake."""
        return any(each.mistake for each in self.fields)


def groups_of(form: Form, language: str) -> list[Group]:
    """All options of the form's game, under their headings."""
    known = {each.option for each in articles(form.game)}
    usual = fresh(form.game, form.preset)
    groups = [
        Group(
            text(AREA, heading, language=language),
            tuple(
                _field(article, form, usual[article.option], language)
                for article in found
                if article.option in known
            ),
        )
        for heading, found in GROUPS
    ]
    return [group for group in groups if group.fields]


def _field(article: Article, form: Form, usual: object, language: str) -> Field:
    option = article.option
    value = form.values[option]
    kind = _kind(option, usual)
    chosen = set(value) if isinstance(value, list) else {_written(value)}
    values = article.values
    if kind == "many":
        order = sorted(values, key=lambda each: each not in chosen)
    else:
        order = [each for each in values if option not in CHOICES or each in CHOICES[option]]
    least, most = LIMITS.get(option, (0, MOST_OWED if kind == "owed" else MOST_MS))

    def say(sentence: str) -> str:
        return text(HANDBOOK, sentence, language=language).replace("{n}", "N")

    return Field(
        name=option,
        title=text(AREA, TITLES[option], language=language),
        kind=kind,
        choices=tuple(
            Choice("N" if each == ANY_NUMBER else each, say(values[each]), each in chosen)
            for each in order
        ),
        value=_written(value),
        least=least,
        most=most,
        source=translated_source(article.source_for(form.game), say),
        changed=value != usual,
        mistake=form.mistakes.get(option, ""),
    )


def _kind(option: str, usual: object) -> str:
    if option == "triggers":
        return "many"
    if option == "challenge":
        return "owed"
    return "choice" if option in CHOICES or isinstance(usual, bool) else "number"


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
