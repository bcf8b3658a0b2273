"""Flips: whose turn it is, what a new card does, what a won pile means for everybody."""

from __future__ import annotations

from referee.rules.cards import Card
from referee.rules.chances import Chances
from referee.rules.events import Flip
from referee.rules.pile import LAST_CHANCE, NOBODY, NS_PER_MS, OUT, PILE_BOTTOM
from referee.rules.verdicts import (
    CardSeen,
    CardsMoved,
    Cycling,
    OutOfTurn,
    Recount,
    Unreadable,
    Verdict,
    VoidedFlip,
)

FROM_PAD_TO_PILE_NS = 450 * NS_PER_MS
"""In less nobody lifts his palm from a pad and turns a card. Source: the box's own."""


class Flips(Chances):
    """Cards come onto the pile, and leave it with a winner."""

    # --- a flip -----------------------------------------------------------------------------------

    def flip(self, flip: Flip, out: list[Verdict]) -> None:
        """A card came onto the pile.

        Source: Slapjack, "Spielablauf" 1; Egyptian Ratscrew, "Das Spiel".
        """
        self.end_claim(flip.t_ns, out)
        if self.winner != NOBODY:
            return
        seat = self.to_act if flip.player is None else self.seat_of(flip.player)
        in_the_air = self._in_the_air_at_win(flip)
        if self.upcoming.is_struck(flip):
            self._void_flip(seat, flip, out)
        elif in_the_air != NOBODY:
            self._flip_in_turn(in_the_air, flip, out, leads=self.to_act)
        elif seat == NOBODY:
            out.append(Recount(flip.t_ns, "nobody should hold cards, but one was flipped"))
        elif seat != self.to_act:
            self._flip_out_of_turn(seat, flip, out)
        else:
            self._flip_in_turn(seat, flip, out)

    def _in_the_air_at_win(self, flip: Flip) -> int:
        """A card that lands just after a slap was in the air: it is his whose turn it was.

        It was not won, for it did not lie there; it begins the new pile, and the winner leads.
        The definition of the rules, where every time is exact, knows no cards in the air.

        Source: the box's own (the winner's hand was on his pad).
        """
        before, until_ns = self.had_turn
        is_exact = not flip.early_ns + flip.late_ns
        if is_exact or flip.player is not None or flip.t_ns + flip.late_ns > until_ns:
            return NOBODY
        is_his = before not in (NOBODY, self.to_act) and self.counts[before] > 0
        return before if is_his and self.status[before] != OUT else NOBODY

    def _void_flip(self, seat: int, flip: Flip, out: list[Verdict]) -> None:
        """The table struck the flip out: the card goes back on top of its stock.

        Source: Slapjack, "Spielablauf" 7 (Unerlaubtes Spiel).
        """
        self.flip_struck = True
        self.wrong_card_lies = False
        player = self.players[seat] if seat != NOBODY else ""
        out.append(VoidedFlip(flip.t_ns, player, flip.card))

    def _flip_out_of_turn(self, seat: int, flip: Flip, out: list[Verdict]) -> None:
        """It was not his turn: the card goes back, or under the pile.

        Source: the box's own.
        """
        self.flip_struck = False
        player = self.players[seat]
        if self.rules.out_of_turn == "return":
            self.wrong_card_lies = True
            out.append(OutOfTurn(flip.t_ns, player, flip.card))
            return
        n = min(1, self.counts[seat])
        self.counts[seat] -= n
        self.put_under(seat, n, [flip.card])
        if self.books is not None:
            self.books.bury(seat, n, flip.card if flip.card.is_read else None)
        moved = (CardsMoved(player, PILE_BOTTOM, n),) if n else ()
        out.append(OutOfTurn(flip.t_ns, player, flip.card, moved))
        if n:
            self.after_payment(seat, flip.t_ns, out)
            self.follow_cards(flip.t_ns, out)

    def _flip_in_turn(self, seat: int, flip: Flip, out: list[Verdict], leads: int = NOBODY) -> None:
        t_ns, card, announced = flip.t_ns, flip.card, len(out)
        self.flips += 1
        if self.trigger is not None:
            self._cover(t_ns + flip.late_ns, t_ns, out)
        self._lay(seat, flip)
        if leads != NOBODY:
            self.turn_from, self.lies_on_won = leads, True
        if self.books is not None and (problem := self.books.flip(seat, card)):
            out.append(Recount(t_ns, problem, card))
        if card.rank == "?":
            out.append(Unreadable(t_ns, self.players[seat]))
        if not self.counts[seat]:
            self.stock_empty(seat, True, t_ns, out)
        if self.playoff:
            self.playoff_open = True
        else:
            self.trigger = self.find_trigger()
            self.demand(seat, card, t_ns, out)
        if self.fallen:
            self.check_last_player(t_ns, out)
        self.settle_turn()
        if self.to_act == NOBODY:
            self.return_pile_if_all_out(t_ns, out)
        turn = self.players[self.to_act] if self.to_act != NOBODY else None
        out.insert(announced, CardSeen(t_ns, self.players[seat], card, turn))

    def _cover(self, covered_ns: int, t_ns: int, out: list[Verdict]) -> None:
        """The card covers a trigger that nobody slapped: its chance is gone.

        Source: Slapjack, "Spielablauf" 4 (Blockierregel).
        """
        self.covered_ns = covered_ns
        if self.ran_out and self.rules.covered_ends_chance and self.trigger is not None:
            self.end_chances(self.trigger, self.flips - 1, (), t_ns, out)

    def _lay(self, seat: int, flip: Flip) -> None:
        """The card lies on top; the turn goes on."""
        self.counts[seat] -= 1
        self.pile.append(flip.card)
        self.top_ns = flip.t_ns + flip.late_ns
        self.top_early_ns = flip.t_ns - flip.early_ns
        self.last_flipper = seat
        self.turn_from = seat + 1 if seat + 1 < len(self.players) else 0
        self.wrong_card_lies = self.flip_struck = self.is_dead = self.lies_on_won = False
        self.trigger = None
        if self.was_false:
            self.was_false = []
        if self.pending:
            self.pending = []
            self.is_taken = False

    # --- for games with demands -------------------------------------------------------------------

    def end_claim(self, t_ns: int, out: list[Verdict]) -> None:
        """A flip, or a hand that takes the pile, ends the time in which it may be slapped."""

    def claim_unread(self, t_ns: int, out: list[Verdict]) -> None:
        """The pile was taken: cards that nobody could read may have paid for it."""

    def demand(self, seat: int, card: Card, t_ns: int, out: list[Verdict]) -> None:
        """What the card asks of others, or pays."""

    def end_demand(self) -> None:
        """The pile is gone, nobody owes anything."""

    # --- a pile changes hands ---------------------------------------------------------------------

    def take_pile(
        self,
        seat: int,
        trigger: tuple[str, int] | None,
        t_ns: int,
        out: list[Verdict],
    ) -> None:
        """What follows when somebody has won the pile by a slap or by the table's word.

        Args:
            trigger: What he won it with and the number of its flip; None: no trigger lay there.

        Source: Slapjack, "Spielablauf" 2 and 5; Egyptian Ratscrew, "Die Schläge".
        """
        self.had_turn = (self.to_act, t_ns + FROM_PAD_TO_PILE_NS)
        self.end_demand()
        self.won_ns, self.won_by = t_ns, seat
        self.come_back(seat, t_ns, out)
        if trigger is not None:
            self.end_chances(trigger[0], trigger[1], (seat,), t_ns, out)
        self.check_all_cards(t_ns, out)
        self._lead_after_slap(seat)

    def _lead_after_slap(self, winner: int) -> None:
        """Who goes on after a won slap.

        Source: Slapjack, "Spielablauf" 2; Egyptian Ratscrew, "Die Schläge" (bei ihr wieder los).
        """
        n = len(self.players)
        match self.rules.lead_after_slap:
            case "winner":
                self.turn_from = winner
            case "next_after_winner":
                self.turn_from = (winner + 1) % n
            case _:
                flipper = self.last_flipper if self.last_flipper != NOBODY else self.turn_from - 1
                self.turn_from = (flipper + 1) % n
        self.settle_turn()

    def won_trigger(self) -> tuple[str, int]:
        """What the pile is being slapped for, and the number of the flip that made it."""
        if self.playoff:
            return self.tied_trigger
        return (self.trigger or "", self.flips)

    def check_repeating(self, t_ns: int, out: list[Verdict]) -> None:
        """The same cards in the same stocks, again: without slaps the game never ends.

        Source: the box's own.
        """
        if (
            self.winner == NOBODY
            and self.books is not None
            and self.books.is_repeating(self.to_act)
        ):
            out.append(Cycling(t_ns))

    # --- a price was paid -------------------------------------------------------------------------

    def after_payment(self, payer: int, t_ns: int, out: list[Verdict]) -> None:
        """Who has paid his last card waits; the turn and a demand follow the cards.

        Source: Slapjack, "Spielablauf" 3 and 5; Egyptian Ratscrew, "Die Forderung".
        """
        if not self.counts[payer] and self.status[payer] not in (LAST_CHANCE, OUT):
            self.stock_empty(payer, False, t_ns, out)

    def follow_cards(self, t_ns: int, out: list[Verdict]) -> None:
        """After cards changed hands: has anybody won, whose turn is it?"""
        self.check_all_cards(t_ns, out)
        self.settle_turn()
        self.return_pile_if_all_out(t_ns, out)
