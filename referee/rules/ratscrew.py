"""Egyptian Ratscrew: court cards demand payment, slaps beat demands, a false slap burns.

A demand is (challenger, payer, cards due). It is paid when none are due, or when nobody can pay;
then the challenger has a claim on the pile. A claim waits for the slap that the last card may
allow, if the table wants that; it is settled by time or by the next flip.
"""

from __future__ import annotations

from referee.rules.cards import Card
from referee.rules.game import Upcoming
from referee.rules.house_rules import HouseRules
from referee.rules.penalties import burn
from referee.rules.pile import NOBODY, NS_PER_MS, OUT
from referee.rules.position import Start
from referee.rules.slap_game import SlapGame
from referee.rules.verdicts import CardsMoved, Challenge, ChallengeStopped, ChallengeWon, Verdict


class Ratscrew(SlapGame):
    """One game of Egyptian Ratscrew."""

    def __init__(
        self, players: tuple[str, ...], rules: HouseRules, start: Start, upcoming: Upcoming
    ) -> None:
        super().__init__(players, rules, start, upcoming)
        self.penalty = burn
        self.owed_for = dict(rules.challenge)
        self.challenger = NOBODY
        self.payer = NOBODY
        """NOBODY if no demand runs."""
        self.owes = 0
        self.unread_paid = 0
        """Cards of this demand's payers that nobody could read."""
        self.claimant = NOBODY
        self.claim_until_ns = 0

    # --- the demand -------------------------------------------------------------------------------

    def demand(self, seat: int, card: Card, t_ns: int, out: list[Verdict]) -> None:
        """A court card or ace demands; any other card pays.

        Source: Egyptian Ratscrew, "Die Forderung".
        """
        if card.rank == "?":
            self.unread_paid += seat == self.payer
            if seat == self.payer and not self.counts[seat]:
                self._payer_is_broke(t_ns, out)
            return
        owed = self.owed_for.get(card.rank, 0)
        if owed and self.status[seat] != OUT:
            self.challenger, self.unread_paid = seat, 0
            self._ask(self._next_payer(seat, seat), owed, t_ns, out)
        elif self.payer != NOBODY:
            self._pay(seat, card, t_ns, out)

    def _next_payer(self, after: int, challenger: int) -> int:
        """The next player with cards, never the challenger.

        Source: Egyptian Ratscrew, "Die Forderung" (schuldet der Nächste).
        """
        for seat in self.clockwise_from(after + 1):
            if self.counts[seat] and seat != challenger:
                return seat
        return NOBODY

    def _ask(self, payer: int, owes: int, t_ns: int, out: list[Verdict]) -> None:
        """The demand goes to this player; if nobody can pay, the challenger has the pile.

        Source: Egyptian Ratscrew, "Die Forderung".
        """
        self.payer, self.owes = payer, owes
        if payer == NOBODY:
            self._claim(t_ns, out)
        else:
            challenger = self.players[self.challenger]
            out.append(Challenge(t_ns, challenger, self.players[payer], owes))

    def _pay(self, seat: int, card: Card, t_ns: int, out: list[Verdict]) -> None:
        """One card less is due.

        Source: Egyptian Ratscrew, "Die Forderung" (Er dreht sie einzeln um).
        """
        if self.rules.ten_stops and card.rank == "10":
            self.end_demand()
            out.append(ChallengeStopped(t_ns, self.players[seat]))
            return
        self.owes -= 1
        if not self.owes:
            self._claim(t_ns, out)
        elif not self.counts[seat]:
            self._payer_is_broke(t_ns, out)

    def _payer_is_broke(self, t_ns: int, out: list[Verdict]) -> None:
        """The payer has no cards left: the next one owes the rest.

        Source: the box's own.
        """
        if self.rules.broke_payer == "challenger_wins":
            self._claim(t_ns, out)
        else:
            self._ask(self._next_payer(self.payer, self.challenger), self.owes, t_ns, out)

    def end_demand(self) -> None:
        """Nobody owes anything, nobody has a claim.

        Source: Egyptian Ratscrew, "Die Schläge" (Ein Schlag sticht eine Forderung).
        """
        self.challenger = self.payer = self.claimant = NOBODY
        self.owes = self.unread_paid = 0

    # --- the claim --------------------------------------------------------------------------------

    def has_claim(self) -> bool:
        """Somebody will get the pile if nobody slaps."""
        return self.claimant != NOBODY or self.payer != NOBODY

    def _claim(self, t_ns: int, out: list[Verdict]) -> None:
        """The demand is paid: the challenger takes the pile, but a slap goes first.

        Source: Egyptian Ratscrew, "Die Forderung"; "Ein Beispiel".
        """
        claimant = self.challenger
        self.end_demand()
        self.claimant = claimant
        is_unread = bool(self.pile) and not self.pile[-1].is_read
        may_be_slapped = self.trigger is not None or is_unread or self.may_hide_trigger()
        if may_be_slapped and self.rules.slap_after_payment:
            self.claim_until_ns = t_ns + self.rules.claim_window_ms * NS_PER_MS
        else:
            self._win_demand(t_ns, out)

    def claim_unread(self, t_ns: int, out: list[Verdict]) -> None:
        """The pile was taken: the cards that nobody could read had paid the demand.

        No picture shows who takes a pile. If nobody slapped and no more is due than came unread,
        the table has seen a payment that the box could not.

        Source: Egyptian Ratscrew, "Die Forderung" (nimmt den ganzen Stapel).
        """
        is_paid = self.payer != NOBODY and self.owes <= self.unread_paid
        if is_paid and not self.pending and not self.playoff:
            self._claim(t_ns, out)

    def _win_demand(self, t_ns: int, out: list[Verdict]) -> None:
        """The pile goes to the challenger.

        Source: Egyptian Ratscrew, "Die Forderung" (nimmt den ganzen Stapel).
        """
        seat = self.claimant
        self.end_demand()
        n = self.take_all(seat)
        player = self.players[seat]
        out.append(ChallengeWon(t_ns, player, (CardsMoved("pile", player, n),)))
        self.won_ns, self.won_by = t_ns, seat
        self.come_back(seat, t_ns, out)
        if self.rules.challenge_ends_chance and self.rules.slap_in != "always":
            self.eliminate([each for each in self.ran_out if each != seat], t_ns, out)
        self.check_all_cards(t_ns, out)
        follows = self.rules.lead_after_challenge == "next"
        self.turn_from = (seat + follows) % len(self.players)
        self.settle_turn()
        self.check_repeating(t_ns, out)

    def has_window(self) -> bool:
        """The last payment card may still be slapped."""
        return self.claimant != NOBODY

    def close_before(self, now_ns: int, out: list[Verdict]) -> None:
        """The time to slap the last payment card is over.

        Source: the box's own.
        """
        if self.claimant != NOBODY and self.claim_until_ns < now_ns:
            self._win_demand(self.claim_until_ns, out)

    def end_claim(self, t_ns: int, out: list[Verdict]) -> None:
        """The next flip ends the time to slap, or the hand that takes the pile.

        Source: the box's own.
        """
        if self.claimant != NOBODY:
            self._win_demand(t_ns, out)

    def drop_claim(self) -> None:
        """A play-off decides about the pile instead."""
        if self.claimant != NOBODY:
            self.end_demand()
            self.settle_turn()

    # --- the turn and the price -------------------------------------------------------------------

    def settle_turn(self) -> None:
        """The payer turns his cards; while a claim is open nobody does.

        Source: Egyptian Ratscrew, "Die Forderung".
        """
        if self.winner != NOBODY or self.claimant != NOBODY:
            self.to_act = NOBODY
        elif self.payer != NOBODY and self.counts[self.payer] and not self.playoff_open:
            self.to_act = self.payer
        else:
            self.to_act = self.next_with_cards(self.turn_from)

    def after_payment(self, payer: int, t_ns: int, out: list[Verdict]) -> None:
        """A false slap costs no debt, but a payer without cards passes it on.

        Source: Egyptian Ratscrew, "Die Schläge"; "Die Forderung".
        """
        super().after_payment(payer, t_ns, out)
        if payer == self.payer and not self.counts[payer] and not self.playoff:
            self._payer_is_broke(t_ns, out)

    def eliminate(self, seats: list[int], t_ns: int, out: list[Verdict]) -> None:
        """Who is out cannot get a pile any more: his demand ends.

        Source: the box's own.
        """
        super().eliminate(seats, t_ns, out)
        if self.challenger in seats or self.claimant in seats:
            self.end_demand()

    def demand_view(self) -> tuple[str, str, int] | None:
        """Challenger, payer, cards still due."""
        if self.payer == NOBODY:
            return None
        return self.players[self.challenger], self.players[self.payer], self.owes
