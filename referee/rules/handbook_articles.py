"""All articles of the handbook, game by game, in the order in which a table agrees on them."""

from __future__ import annotations

from referee.rules.handbook import Article
from referee.rules.handbook_slap import CARDS, DEMANDS, DOUBT, FALSE_SLAPS, LAST_CHANCE, WINNING
from referee.rules.handbook_spit import SPIT_RULES
from referee.rules.handbook_triggers import TRIGGERS
from referee.rules.house_rules_check import games_of

ARTICLES: tuple[Article, ...] = (
    *CARDS,
    *TRIGGERS,
    *DEMANDS,
    *WINNING,
    *FALSE_SLAPS,
    *LAST_CHANCE,
    *SPIT_RULES,
    *DOUBT,
)


def articles(game: str) -> tuple[Article, ...]:
    """What a table of this game may agree on."""
    return tuple(article for article in ARTICLES if game in games_of(article.option))
