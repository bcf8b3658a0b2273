"""Last chances, elimination, places and the end of a game."""

from __future__ import annotations

from referee.rules.pile import ACTIVE, LAST_CHANCE, NOBODY, OUT, PileState
from referee.rules.verdicts import CardsMoved, Eliminated, GameOver, PileReturned, Verdict


class Chances(PileState):
    """Who waits, who is out, who has won."""

    def stock_empty(self, seat: int, himself: bool, t_ns: int, out: list[Verdict]) -> None:
        """A player has laid or paid his last card.

        Source: Slapjack, "Spielablauf" 5; "Häufige Varianten" (Keine letzte Chance).
        """
        if self.rules.slap_in == "never":
            self.eliminate([seat], t_ns, out)
        else:
            self.run_out(seat, himself, t_ns, out)

    def end_chances(
        self, trigger: str, flip: int, winners: tuple[int, ...], t_ns: int, out: list[Verdict]
    ) -> None:
        """A trigger was won by another or covered: who waited for it is out.

        Args:
            trigger: What it was.
            flip: Number of the flip that made it.
            winners: Seats that won it.

        Source: Slapjack, "Spielablauf" 5; Egyptian Ratscrew, "Wenn die Karten ausgehen".
        """
        rules = self.rules
        if not self.ran_out or rules.slap_in == "always":
            return
        if rules.chance_ends_on != "any" and trigger != rules.chance_ends_on:
            return
        missed = [
            seat for seat in self.ran_out if seat not in winners and self.is_his_chance(seat, flip)
        ]
        self.eliminate(missed, t_ns, out)

    def is_his_chance(self, seat: int, flip: int) -> bool:
        """The trigger was flipped after he ran out.

        Source: Slapjack, "Spielablauf" 5 (Beim nächsten Buben).
        """
        at = self.ran_out_at[seat]
        own = self.rules.own_last_card_counts and self.ran_out_himself[seat]
        return flip > at or (own and flip == at)

    def eliminate(self, seats: list[int], t_ns: int, out: list[Verdict]) -> None:
        """These players are out for good, in this order.

        Source: Slapjack, "Gewinnen" (Ausscheidungsreihenfolge).
        """
        best = len(self.players) - len(self.fallen) - len(seats) + 1
        shared = self.rules.simultaneous_out == "shared"
        for seat in seats:
            place = best if shared else len(self.players) - len(self.fallen)
            self.status[seat] = OUT
            if seat in self.ran_out:
                self.ran_out.remove(seat)
            self.fallen.append(seat)
            out.append(Eliminated(t_ns, self.players[seat], place))

    def check_all_cards(self, t_ns: int, out: list[Verdict]) -> None:
        """A player holds all cards, or he is the only one left: he has won.

        Source: Slapjack, "Gewinnen"; Egyptian Ratscrew, "Das Gewinnen".
        """
        if self.winner == NOBODY and self.total in self.counts:
            self._end(self.counts.index(self.total), "all_cards", t_ns, out)
        else:
            self.check_last_player(t_ns, out)

    def check_last_player(self, t_ns: int, out: list[Verdict]) -> None:
        """All others are out: he has won.

        Source: Slapjack, "Gewinnen" (b).
        """
        if self.winner == NOBODY and len(self.fallen) >= len(self.players) - 1:
            left = [seat for seat, status in enumerate(self.status) if status != OUT]
            if left:
                self._end(left[0], "last_player", t_ns, out)

    def _end(self, winner: int, reason: str, t_ns: int, out: list[Verdict]) -> None:
        """Announce the winner and the places.

        Source: Slapjack, "Gewinnen" (Ausscheidungsreihenfolge).
        """
        self.winner = winner
        waiting = [seat for seat in reversed(self.ran_out) if seat != winner]
        fallen = [seat for seat in reversed(self.fallen) if seat != winner]
        self.placing = (winner, *waiting, *fallen)
        self.to_act = NOBODY
        out.append(GameOver(t_ns, self.players[winner], reason))

    def return_pile_if_all_out(self, t_ns: int, out: list[Verdict]) -> None:
        """Nobody holds cards and nobody can win the pile: it goes back to the last flipper.

        Source: the box's own.
        """
        if self.winner != NOBODY or any(self.counts) or not self._pile_is_nobodys():
            return
        seat = next(
            (at for at in self.clockwise_from(max(self.last_flipper, 0)) if self.status[at] != OUT),
            NOBODY,
        )
        if seat == NOBODY:
            return
        n = self.take_all(seat)
        if self.status[seat] == LAST_CHANCE:
            self.status[seat] = ACTIVE
            self.ran_out.remove(seat)
        self.turn_from = seat
        player = self.players[seat]
        out.append(PileReturned(t_ns, player, (CardsMoved("pile", player, n),)))
        self.settle_turn()
        self.check_repeating(t_ns, out)

    def _pile_is_nobodys(self) -> bool:
        """No trigger, no claim, no play-off card, and the top card is known."""
        if self.trigger is not None or self.has_claim() or self.playoff_open:
            return False
        return not self.pile or self.pile[-1].is_read

    def check_repeating(self, t_ns: int, out: list[Verdict]) -> None:
        """Announce a game that repeats itself."""

    def has_claim(self) -> bool:
        """Somebody will get the pile if nobody slaps."""
        return False
