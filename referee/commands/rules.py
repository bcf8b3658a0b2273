"""`referee rules`: the house rules in force, in plain words."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from referee.locale import LANGUAGES, choose_language, text
from referee.rules.errors import BadRules, RefereeError
from referee.rules.handbook import Article, notation
from referee.rules.handbook_articles import articles
from referee.rules.handbook_functions import GAMES, SHEETS
from referee.rules.handbook_pages import page, translated_source
from referee.rules.handbook_triggers import trigger_source
from referee.rules.house_rules import HouseRules, house_rules
from referee.rules.house_rules_check import SHORT_NAMES
from referee.rules.presets import PRESET_MEANINGS, PRESETS, preset_rules, read_option

WIDTH = 88
"""Letters a line: fits a terminal of 80 to 100 and a sheet of paper."""

PAGES = Path(__file__).parent.parent / "rules" / "pages"
"""Where the written pages lie."""


def run(
    game: Annotated[str, typer.Option(help=text("handbook", "slapjack, ratscrew or spit."))] = (
        "slapjack"
    ),
    preset: Annotated[
        str,
        typer.Option(help=text("handbook", "One of these:") + " " + ", ".join(PRESETS)),
    ] = "family",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="OPTION=VALUE",
            help=text("handbook", "A house rule of your own table. May be given again."),
        ),
    ] = None,
    language: Annotated[str | None, typer.Option(help=text("handbook", "de or en."))] = None,
    as_page: Annotated[
        bool, typer.Option("--page", help=text("handbook", "The whole page of the game."))
    ] = False,
    write_pages: Annotated[
        bool, typer.Option(help=text("handbook", "Write all pages anew (for developers)."))
    ] = False,
) -> None:
    """Print the house rules in force and what they mean at the table."""
    if language is not None:
        if language not in LANGUAGES:
            raise RefereeError(f"no such language: {language!r}, expected de or en (--language)")
        choose_language(language)
    if write_pages:
        for path, content in pages().items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return
    name = SHORT_NAMES.get(game, game)
    if name not in GAMES:
        raise BadRules(f"no such game: {game!r}, expected {' '.join(GAMES)} (--game)")
    rules = preset_rules(name, preset, dict(map(read_option, option or [])))
    print(page(name, _say).rstrip() if as_page else "\n".join(_in_force(name, preset, rules)))


def pages() -> dict[Path, str]:
    """Every page of every game in every language, by file."""
    written = {}
    for language in LANGUAGES:
        say = partial(_say, language=language)
        for game in GAMES:
            written[PAGES / f"{game}.{language}.md"] = page(game, say)
    return written


def _in_force(game: str, preset: str, rules: HouseRules) -> Iterator[str]:
    """The house rules, one sentence each, with setting and source below."""
    yield f"{SHEETS[game]}, {preset}: {_say(PRESET_MEANINGS[preset])}"
    yield _say("A star marks what differs from the usual.")
    usual = house_rules(game)
    for article in articles(game):
        if article.matters(rules):
            yield ""
            yield from _entry(game, article, rules, usual)


def _entry(game: str, article: Article, rules: HouseRules, usual: HouseRules) -> Iterator[str]:
    value, default = getattr(rules, article.option), getattr(usual, article.option)
    for sentence, number in article.sentences(value):
        mark = "* " if value != default and not _is_usual(number, default) else "  "
        yield from _wrapped(mark + _say(sentence).replace("{n}", number), "  ")
        if article.option == "triggers":
            source = translated_source(trigger_source(game, number), _say)
            yield from _wrapped(f"    {source}", "    ")
    setting = f"    {article.option} = {notation(value)}"
    if value != default:
        setting += f" ({_say('usually')} {notation(default)})"
    if article.option != "triggers":
        setting += f"; {translated_source(article.source_for(game), _say)}"
    yield from _wrapped(setting, "    ")


def _is_usual(entry: str, default: object) -> bool:
    """One of several values, such as a trigger, that is in force without a word."""
    return isinstance(default, tuple) and entry in default


def _wrapped(line: str, indent: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, subsequent_indent=indent)


def _say(message: str, language: str | None = None) -> str:
    return text("handbook", message, language=language)
