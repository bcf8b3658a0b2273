"""Spit: what the table overrules because the box cannot see it."""

from __future__ import annotations

from referee.rules.events import Award, HiddenCard
from referee.rules.house_rules import HouseRules
from referee.rules.spit_round import finish_round
from referee.rules.spit_stacks import Stacks
from referee.rules.spit_stuck import begin_round, go_if_complete
from referee.rules.spit_table import Phase, SpitTable
from referee.rules.spit_view import NoDeck
from referee.rules.verdicts import (
    CardsMoved,
    CountFixed,
    JudgeAward,
    Recount,
    SinglePile,
    Verdict,
)


def hidden_card(table: SpitTable, event: HiddenCard) -> list[Verdict]:
    """So many cards of a player went onto the spit piles unseen.

    Cards whose hand nobody saw are counted first: they lie there already. More of them slipped in
    unseen, onto his own pile.

    Source: the box's own.
    """
    stacks = table.stacks[event.player]
    if isinstance(stacks, Stacks):
        return []
    n = min(event.n, table.most(event.player))
    known = min(n, table.unseen)
    table.stacks[event.player] = stacks - n
    table.unseen -= known
    pile = table.own_pile(event.player)
    table.piles[pile] = table.piles[pile].with_hidden(n - known)
    moved = (CardsMoved(event.player, f"pile{pile}", n),)
    return [CountFixed(event.t_ns, event.player, moved)]


def no_deck(table: SpitTable, event: NoDeck, rules: HouseRules) -> list[Verdict]:
    """A player has no deck card, whatever the books say: they follow, and ask to be checked.

    Without his first card the round has a single pile.

    Source: the box's own.
    """
    stacks, n = table.stacks[event.player], table.decks[event.player]
    if isinstance(stacks, Stacks):
        return []
    begin_round(table)
    own = table.own_pile(event.player)
    table.stacks[event.player], table.decks[event.player] = stacks + n, 0
    table.due.discard(event.player)
    said: list[Verdict] = [Recount(event.t_ns, "deck")]
    if not table.is_single and not table.piles[own].size:
        del table.piles[own]
        said.append(SinglePile(event.t_ns, event.player))
    return said + go_if_complete(table, event.t_ns, rules)


def award(table: SpitTable, event: Award, rules: HouseRules) -> list[Verdict]:
    """The table says that a player has no stock cards left; the books follow.

    Source: the box's own.
    """
    if table.phase not in (Phase.PLAY, Phase.SPIT) or table.knows_cards:
        return []
    left = table.most(event.player)
    fixed = hidden_card(table, HiddenCard(event.t_ns, event.player, left))
    moved = (CardsMoved(event.player, f"pile{table.own_pile(event.player)}", left),)
    said: list[Verdict] = [JudgeAward(event.t_ns, event.player, moved if fixed else ())]
    return said + finish_round(table, event.player, event.t_ns, rules)
