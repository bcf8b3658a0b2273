"""Spit: the end of a round, who takes which pile, and the next round's stock piles."""

from __future__ import annotations

from referee.rules.events import Choose
from referee.rules.house_rules import HouseRules
from referee.rules.spit_layout import lay_out
from referee.rules.spit_table import Phase, SpitTable, deal_for_round
from referee.rules.verdicts import (
    CardsMoved,
    Deadlock,
    GameOver,
    IgnoredChoice,
    Layout,
    PileChoice,
    Recount,
    RoundOver,
    SinglePile,
    Verdict,
)


def round_over(table: SpitTable, t_ns: int, rules: HouseRules) -> list[Verdict]:
    """A player's stock piles are gone: the round is over.

    Source: Spit, "Spielablauf" (ist die Runde beendet).
    """
    for player in table.players:
        if table.phase is Phase.PLAY and table.most(player) == 0:
            return finish_round(table, player, t_ns, rules)
    return []


def finish_round(table: SpitTable, player: str, t_ns: int, rules: HouseRules) -> list[Verdict]:
    """He has no stock piles left. Without a deck, at a single pile, he has won the game.

    Source: Spit, "Spielablauf" (hat er das gesamte Spiel gewonnen).
    """
    table.settle_unseen(player)
    table.ended_ns = t_ns
    if table.is_single and not table.decks[player]:
        table.phase, table.winner = Phase.OVER, player
        return [GameOver(t_ns, player, "all_cards_gone")]
    return [RoundOver(t_ns, player), *let_choose(table, player, t_ns, rules)]


def let_choose(table: SpitTable, player: str | None, t_ns: int, rules: HouseRules) -> list[Verdict]:
    """He chooses one of the piles; where only one lies, he takes nothing, at once.

    Source: Spit, "Spielablauf" (wählt einen der Ablagestapel).
    """
    table.phase, table.chooser = Phase.CHOICE, player
    if table.is_single and player is not None:
        return take_piles(table, player, None, t_ns, rules)
    return []


def deadlock(table: SpitTable, t_ns: int, rules: HouseRules) -> list[Verdict]:
    """Nobody can move and nobody has a deck: fewer stock cards chooses, as if he had finished.

    The sheet is silent. Equal numbers are the table's to decide.

    Source: the box's own.
    """
    first, second = table.players
    table.ended_ns = t_ns
    chooser: str | None = None
    if table.most(first) < table.fewest(second):
        chooser = first
    elif table.most(second) < table.fewest(first):
        chooser = second
    return [Deadlock(t_ns, chooser), *let_choose(table, chooser, t_ns, rules)]


def choose(table: SpitTable, event: Choose, rules: HouseRules) -> list[Verdict]:
    """Only the finisher chooses, and only once; the other gets the other pile.

    Source: Spit, "Spielablauf" (der andere Spieler bekommt den anderen Stapel).
    """
    his = table.phase is Phase.CHOICE and table.chooser in (None, event.player)
    if not his or not 0 <= event.pile < len(table.piles):
        return [IgnoredChoice(event.t_ns, event.player)]
    pile = None if table.is_single else event.pile
    return take_piles(table, event.player, pile, event.t_ns, rules)


def take_piles(
    table: SpitTable, player: str, pile: int | None, t_ns: int, rules: HouseRules
) -> list[Verdict]:
    """The piles change hands and both lay out the next round, unshuffled.

    Source: Spit, "Spielablauf" (die Ablagestapel nicht gemischt werden).
    """
    if table.unseen:
        return [Recount(t_ns, "stock_piles")]
    other = table.other(player)
    goes_to = {0: other} if pile is None else {pile: player, 1 - pile: other}
    moved = tuple(
        CardsMoved(f"pile{place}", owner, table.piles[place].size)
        for place, owner in goes_to.items()
    )
    cards = {each: table.held(each) for each in table.players}
    for place, owner in goes_to.items():
        cards[owner] += table.piles[place].size
    _next_round(table, cards, t_ns, rules)
    return [PileChoice(t_ns, player, pile, moved), *layouts(table, t_ns, rules)]


def _next_round(table: SpitTable, cards: dict[str, int], t_ns: int, rules: HouseRules) -> None:
    """Everything but the winner begins anew."""
    places = (0, 0) if table.is_single else (0, 1)
    table.taken_tops = {seen: table.piles[place].top for seen, place in enumerate(places)}
    new = deal_for_round(table.players, cards, partial_stack=rules.partial_stack)
    table.stacks, table.decks, table.piles = new.stacks, new.decks, new.piles
    table.phase, table.chooser, table.taken_ns = Phase.LAID, None, t_ns
    table.due, table.unseen = set(), 0
    table.stuck.clear()


def layouts(table: SpitTable, t_ns: int, rules: HouseRules) -> list[Verdict]:
    """What each player lays out, in seat order; a player without a deck leaves a single pile.

    Source: Spit, "Aufbau"; Spit, "Spielablauf" (nur noch ein Ablagestapel).
    """
    said: list[Verdict] = []
    for player in table.players:
        laid = lay_out(table.held(player), partial_stack=rules.partial_stack)
        said.append(Layout(t_ns, player, laid.stacks, laid.deck))
    without = [player for player in table.players if not table.decks[player]]
    return said + [SinglePile(t_ns, player) for player in without]
