"""The house rules on paper: what each value means at the table, and which sheet it comes from.

One article a setting of `HouseRules`, in the order in which a table agrees on them. A test checks
that every setting has an article and every value a sentence. The sentences are English; whoever
prints them translates (catalogue `handbook`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.rules.house_rules import HouseRules

ANY_NUMBER = "#"
"""Key of the sentence for a number that has none of its own; `{n}` in it is the number."""

OWN = "the box's own"
"""Source of what no sheet says."""


@dataclass(frozen=True, slots=True)
class Article:
    """One house rule. Which games know it stands in house_rules_check.py."""

    option: str
    """Its name in `HouseRules`."""
    source: str
    """Sheet and heading, or `OWN`."""
    values: Mapping[str, str]
    """Value -> what it means at the table, in one sentence."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Game -> source, where the sheets differ."""
    only_if: tuple[str, frozenset[str]] | None = None
    """Another option and those of its values with which this one matters; None: always."""

    def source_for(self, game: str) -> str:
        """Where the rule stands for this game."""
        return self.sources.get(game, self.source)

    def sentences(self, value: object) -> tuple[tuple[str, str], ...]:
        """What a value means at the table: English sentences, and the number for their `{n}`.

        A list of values, such as the triggers, has one sentence an entry.
        """
        written = notation(value)
        if written in self.values:
            return ((self.values[written], written),)
        if isinstance(value, tuple | list | frozenset | set) and ANY_NUMBER not in self.values:
            return tuple((self.values.get(each, each), each) for each in map(str, value))
        return ((self.values.get(ANY_NUMBER, ""), written),)

    def matters(self, rules: HouseRules) -> bool:
        """The option has any effect beside the others."""
        if self.only_if is None:
            return True
        option, values = self.only_if
        return bool(values & set(notation(getattr(rules, option)).split(",")))


def notation(value: object) -> str:
    """A value as a player writes it: `true`, `once`, `1500`, `jack,pair`, `J=1,Q=2`, `none`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ",".join(f"{key}={n}" for key, n in value.items()) or "none"
    if isinstance(value, tuple | list | frozenset | set):
        items = sorted(value) if isinstance(value, frozenset | set) else value
        pairs = all(isinstance(item, tuple) and len(item) == 2 for item in items)
        if items and pairs:
            return ",".join(f"{key}={n}" for key, n in items)
        return ",".join(map(str, items)) or "none"
    return "none" if value is None else str(value)
