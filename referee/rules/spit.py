"""Spit: the procedure of a game, from the first deck card to the winner.

The rules stand in the files around this one, in the order of the rule sheet: spit_layout (the
stock piles), spit_ranks and spit_play (what fits where), spit_stacks (when a player is blocked),
spit_stuck (deck cards), spit_round (the end of a round), spit_race (equal hands). spit_view says
what a real table's camera and pads mean. Here they are put together.
"""

from __future__ import annotations

from referee.rules.errors import BadRules
from referee.rules.events import (
    Award,
    Choose,
    Cleared,
    Flip,
    HiddenCard,
    Move,
    Observation,
    Play,
    Slap,
    SpitCard,
    Stuck,
)
from referee.rules.game import TableView
from referee.rules.house_rules import HouseRules
from referee.rules.position import Deal, SpitPosition, Start
from referee.rules.spit_cycles import Repetition
from referee.rules.spit_judge import award, hidden_card, no_deck
from referee.rules.spit_play import move, play
from referee.rules.spit_race import (
    both_go_back,
    is_slap_race,
    may_tie,
    order_ns,
    slap_race,
    tied_with,
    touch_of_nothing,
)
from referee.rules.spit_round import choose, finish_round, layouts, round_over
from referee.rules.spit_start import cards_dealt, table_of
from referee.rules.spit_stuck import both_stuck, say_stuck, turn_spit_card
from referee.rules.spit_table import SpitTable, deal_for_round
from referee.rules.spit_view import Finished, NoDeck, read_bare_place, read_flip, read_touch
from referee.rules.verdicts import (
    Doubt,
    Layout,
    LegalMove,
    LegalPlay,
    Unreadable,
    Verdict,
)


def start_spit(players: tuple[str, ...], rules: HouseRules, start: Start) -> Spit:
    """Set up a game of two: lay out a deal, or go on from a position.

    Raises:
        BadRules: Not two players, or a start that is not theirs.
    """
    if len(players) != 2:
        raise BadRules(f"spit is for two players, not for {len(players)}: {', '.join(players)}")
    pair = (players[0], players[1])
    if isinstance(start, Deal):
        state = deal_for_round(pair, cards_dealt(pair, start), partial_stack=rules.partial_stack)
        return Spit(state, rules, tuple(layouts(state, 0, rules)))
    if isinstance(start, SpitPosition):
        return Spit(table_of(pair, start), rules)
    raise BadRules("spit starts from a deal or a SpitPosition, not from a Slapjack position")


class Spit:
    """One game of Spit. It is told what happened in the order of event time."""

    def __init__(
        self, state: SpitTable, rules: HouseRules, opening: tuple[Verdict, ...] = ()
    ) -> None:
        self.state = state
        self.rules = rules
        self._opening = opening
        self._waiting: list[Observation] = []
        self._touched: dict[str, int] = {}
        self._repetition = Repetition()

    @property
    def table(self) -> TableView:
        """How the books stand."""
        state = self.state
        return TableView(
            players=state.players,
            winner=state.winner,
            cards=tuple((player, state.held(player)) for player in state.players),
            piles=tuple(pile.size for pile in state.piles),
        )

    def begin(self) -> list[Verdict]:
        """The first round's stock piles, if the cards were just dealt."""
        return list(self._opening)

    def receive(self, event: Observation) -> list[Verdict]:
        """Take the next observation; what may still turn out a tie waits."""
        now_ns = order_ns(event)
        said = self.close(now_ns)
        self._waiting.append(event)
        return said + self.close(now_ns)

    def close(self, now_ns: int | None) -> list[Verdict]:
        """Decide all that no observation at `now_ns` or later can change; None: everything."""
        said: list[Verdict] = []
        while self._waiting:
            event = self._read(self._waiting[0])
            if event is None:
                self._waiting.pop(0)
                continue
            self._waiting[0] = event
            until_ns = may_tie(self.state, event, self.rules)
            if until_ns is not None and now_ns is not None and now_ns <= until_ns:
                break
            said += self._decide(event, waited=until_ns is not None)
        return said

    def _read(self, event: Observation) -> Observation | None:
        """What a camera or a pad saw, in the words of the game; None: nothing new."""
        if isinstance(event, Flip):
            return read_flip(self.state, event, self.rules)
        if isinstance(event, Cleared):
            return read_bare_place(self.state, event)
        if isinstance(event, Slap) and not is_slap_race(self.state, self.rules):
            before_ns = self._touched.get(event.player)
            self._touched[event.player] = event.t_ns
            return read_touch(self.state, event, before_ns, self.rules) or event
        return event

    def _decide(self, event: Observation, waited: bool) -> list[Verdict]:
        """Rule on the first observation that waits; `waited`: others may be as early."""
        later = self._waiting[1:]
        del self._waiting[0]
        if isinstance(event, Play):
            return self._decide_play(event, later if waited else [])
        if isinstance(event, Slap):
            return self._decide_touch(event, later)
        if isinstance(event, SpitCard):
            return self._decide_spit_card(event)
        said = self._decide_other(event)
        return self._remember_round(said, event.t_ns)

    def _decide_play(self, event: Play, later: list[Observation]) -> list[Verdict]:
        if later:
            place = tied_with(self.state, event, later, self.rules)
            if place is not None:
                return both_go_back(self.state, event, self._waiting.pop(place).t_ns)
        said = play(self.state, event, self.rules)
        if isinstance(said[0], LegalPlay | Doubt | Unreadable):
            self._touched.clear()
            self._repetition.after_card(event.player, event.card, event.pile)
            said += self._after_change(event.t_ns)
        return self._remember_round(said, event.t_ns)

    def _decide_touch(self, event: Slap, later: list[Observation]) -> list[Verdict]:
        """A hand in the race for the smaller pile, or one that means nothing."""
        if not is_slap_race(self.state, self.rules):
            return touch_of_nothing(self.state, event, self.rules)
        until_ns = may_tie(self.state, event, self.rules) or event.t_ns
        hands = [slap for slap in later if isinstance(slap, Slap) and order_ns(slap) <= until_ns]
        self._waiting = [each for each in self._waiting if each not in hands]
        said = slap_race(self.state, [event, *hands], self.rules)
        return self._remember_round(said, event.t_ns)

    def _decide_spit_card(self, event: SpitCard) -> list[Verdict]:
        pile = self.state.own_pile(event.player)
        before = self.state.piles[pile].size
        said = turn_spit_card(self.state, event, self.rules)
        if self.state.piles[pile].size > before:
            self._touched.clear()
            self._repetition.after_card(event.player, event.card, pile)
        return self._remember_round(said, event.t_ns)

    def _decide_other(self, event: Observation) -> list[Verdict]:
        """One line for each kind of observation that waits for nobody."""
        match event:
            case Move():
                said = move(self.state, event)
                if isinstance(said[0], LegalMove):
                    said += self._after_change(event.t_ns)
                    said += self._repetition.after_move(self.state, event.t_ns)
                return said
            case Stuck():
                return say_stuck(self.state, event, self.rules)
            case Choose():
                return choose(self.state, event, self.rules)
            case Finished():
                return finish_round(self.state, event.player, event.t_ns, self.rules)
            case NoDeck():
                return no_deck(self.state, event, self.rules)
            case HiddenCard():
                return hidden_card(self.state, event) + self._after_change(event.t_ns)
            case Award():
                return award(self.state, event, self.rules)
            case _:
                return []

    def _after_change(self, t_ns: int) -> list[Verdict]:
        """After every legal play or move: is the round over, is everybody stuck?"""
        over = round_over(self.state, t_ns, self.rules)
        return over or both_stuck(self.state, t_ns, self.rules)

    def _remember_round(self, said: list[Verdict], t_ns: int) -> list[Verdict]:
        """Count the rounds that were the same, card by card."""
        if any(isinstance(verdict, Layout) for verdict in said):
            said = said + self._repetition.after_round(self.state, t_ns)
        return said
