"""A slap game as the referee sees it: observations in, verdicts out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.rules.cards import Card
from referee.rules.events import (
    Award,
    Burn,
    Cleared,
    Flip,
    HiddenCard,
    Observation,
    Penalty,
    Slap,
    TableAnswer,
    TakenBack,
)
from referee.rules.game import TableView
from referee.rules.pile import NOBODY, OUT, PILE, PILE_BOTTOM, STATUS_NAMES
from referee.rules.position import Deal
from referee.rules.races import Races
from referee.rules.verdicts import (
    CardsMoved,
    CountFixed,
    Dealt,
    JudgeAward,
    JudgePenalty,
    Let,
    Recount,
    ValidSlap,
    Verdict,
)


class SlapGame(Races):
    """What Slapjack and Egyptian Ratscrew share."""

    def begin(self) -> list[Verdict]:
        """Announce the deal.

        Source: Slapjack, "Vorbereitung und Austeilen".
        """
        if not isinstance(self.start, Deal):
            return []
        counts = tuple(zip(self.players, self.counts, strict=True))
        return [Dealt(0, counts, self.players[self.to_act])]

    def receive(self, observation: Observation) -> list[Verdict]:
        """Take the next observation in the order of event time."""
        out: list[Verdict] = []
        act = _ACTS.get(type(observation))
        if act is not None:
            act(self, observation, out)
        return out

    def close(self, now_ns: int | None) -> list[Verdict]:
        """Close the windows that ended before `now_ns`."""
        out: list[Verdict] = []
        if now_ns is not None and self.has_window():
            self.close_before(now_ns, out)
        return out

    # --- what happens at the table ----------------------------------------------------------------

    def _receive_flip(self, flip: Flip, out: list[Verdict]) -> None:
        self.flip(flip, out)
        if self.deferred:
            self.judge_deferred(out)

    def _receive_burn(self, burn: Burn, out: list[Verdict]) -> None:
        """Burned cards were shown: the first listed went under first, the last lies lowest.

        Source: the box's own.
        """
        seat = self.seats[burn.player]
        for packet in reversed(self.burned):
            if packet[0] == seat and packet[1] is None:
                packet[1] = list[Card](burn.cards)
                return

    def _receive_taken_back(self, taken: TakenBack, out: list[Verdict]) -> None:
        """A card that nobody could read was taken back: every slap on it is in doubt.

        Source: the box's own (doubt never costs a card).
        """
        self.unsure_until_ns = max(self.unsure_until_ns, taken.t_ns)

    def _receive_cleared(self, cleared: Cleared, out: list[Verdict]) -> None:
        """The table is bare: a paid pile was taken, any other should still lie there.

        Source: the box's own.
        """
        self.is_taken = bool(self.pending)
        self._take_claimed(cleared.t_ns, out)
        is_refused = self.wrong_card_lies or self.flip_struck
        if self.pile and not is_refused and self.winner == NOBODY:
            out.append(Recount(cleared.t_ns, "the pile is gone, but nobody has won it"))

    def _take_claimed(self, t_ns: int, out: list[Verdict]) -> None:
        """Somebody took the pile: the challenger, if all was paid."""
        self.claim_unread(t_ns, out)
        self.end_claim(t_ns, out)

    # --- the table's word -------------------------------------------------------------------------

    def _award(self, award: Award, out: list[Verdict]) -> None:
        """The table gives the pile to a player.

        Source: Slapjack, "Spielablauf" 7 (nach Ermessen der Spielrunde).
        """
        seat = self.seats[award.player]
        if self.winner != NOBODY or self.status[seat] == OUT:
            out.append(JudgeAward(award.t_ns, award.player, ()))
            return
        trigger = self.won_trigger() if self.trigger or self.playoff else None
        n = self.take_all(seat)
        moved = (CardsMoved(PILE, award.player, n),) if n else ()
        out.append(JudgeAward(award.t_ns, award.player, moved))
        self.take_pile(seat, trigger, award.t_ns, out)

    def _judge_penalty(self, penalty: Penalty, out: list[Verdict]) -> None:
        """The table makes a player pay.

        Source: Slapjack, "Spielablauf" 7 (nach Ermessen der Spielrunde).
        """
        seat, t_ns = self.seats[penalty.player], penalty.t_ns
        target: int | str = self.seats.get(penalty.to, penalty.to)
        if isinstance(target, int) and self.status[target] == OUT:
            target = PILE_BOTTOM
        n = min(max(penalty.n, 0), self.counts[seat])
        moved = (self.move(seat, target, n),) if n else ()
        out.append(JudgePenalty(t_ns, penalty.player, moved))
        if not n:
            return
        self.after_payment(seat, t_ns, out)
        if isinstance(target, int):
            self.come_back(target, t_ns, out)
        self.follow_cards(t_ns, out)

    def _hidden_card(self, hidden: HiddenCard, out: list[Verdict]) -> None:
        """Cards slipped into the pile unseen: count them in.

        Source: the box's own.
        """
        seat, t_ns = self.seats[hidden.player], hidden.t_ns
        n = min(max(hidden.n, 0), self.counts[seat])
        moved = (self.move(seat, PILE, n),) if n else ()
        out.append(CountFixed(t_ns, hidden.player, moved))
        if n:
            self.after_payment(seat, t_ns, out)
            self.follow_cards(t_ns, out)

    def _answer(self, answer: TableAnswer, out: list[Verdict]) -> None:
        """The table says whether the unread card was a trigger.

        Source: the box's own.
        """
        pending, self.pending = self.pending, []
        if not pending or self.winner != NOBODY:
            return
        if answer.answer == "let":
            out.append(Let(answer.t_ns, tuple(dict.fromkeys(slap.player for slap in pending))))
        elif answer.answer == "slap":
            self._win_unread(pending, out)
        else:
            for slap in pending:
                seat = self.seats[slap.player]
                if seat not in self.was_false and self.status[seat] != OUT:
                    self.pay_for_false_slap(slap, None, 0, out)
        if self.is_taken and self.winner == NOBODY:
            self._take_claimed(answer.t_ns, out)

    def _win_unread(self, pending: list[Slap], out: list[Verdict]) -> None:
        """A trigger lay there: the first hand takes the pile."""
        slap, seat = pending[0], self.seats[pending[0].player]
        n = self.take_all(seat)
        moved = (CardsMoved(PILE, slap.player, n),)
        shuffle = self.rules.won_pile == "shuffle"
        out.append(ValidSlap(slap.t_ns, slap.player, "table", moved, shuffle, stamp=slap.stamp))
        self.take_pile(seat, (self.rules.chance_ends_on, self.flips), slap.t_ns, out)

    # --- how the books stand ----------------------------------------------------------------------

    def demand_view(self) -> tuple[str, str, int] | None:
        """Challenger, payer, cards still due."""
        return None

    @property
    def table(self) -> TableView:
        """How the books stand."""
        over = self.winner != NOBODY
        return TableView(
            players=self.players,
            winner=self.players[self.winner] if over else None,
            placing=tuple(self.players[seat] for seat in self.placing) if over else None,
            to_act=self.players[self.to_act] if self.to_act != NOBODY else None,
            counts=tuple(zip(self.players, self.counts, strict=True)),
            pile=self.pile_size,
            status=tuple(
                (self.players[seat], STATUS_NAMES[status])
                for seat, status in enumerate(self.status)
                if status
            ),
            challenge=self.demand_view(),
            top=str(self.pile[-1]) if self.pile else None,
            trigger="playoff" if self.playoff_open else self.trigger,
            tied=tuple(self.players[seat] for seat in self.playoff),
        )


_ACTS: dict[type[Observation], Callable[[Any, Any, list[Verdict]], None]] = {
    Slap: SlapGame.slap,
    Flip: SlapGame._receive_flip,
    Burn: SlapGame._receive_burn,
    TakenBack: SlapGame._receive_taken_back,
    Cleared: SlapGame._receive_cleared,
    Award: SlapGame._award,
    Penalty: SlapGame._judge_penalty,
    HiddenCard: SlapGame._hidden_card,
    TableAnswer: SlapGame._answer,
}
"""Observation -> what it does; all others do nothing here."""
