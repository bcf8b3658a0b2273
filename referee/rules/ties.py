"""Ties and lets: several hands were first, or nobody knows whether the first one was valid."""

from __future__ import annotations

from collections.abc import Callable

from referee.rules.events import Slap, weakest_stamp
from referee.rules.pile import NOBODY
from referee.rules.slaps import Slaps
from referee.rules.verdicts import CardsMoved, Doubt, Let, Split, Tie, Verdict

Entrant = tuple[Slap, bool, int]
"""A slap in a race, whether it is in doubt, and the width of the doubt."""


class Ties(Slaps):
    """How a race without a single winner goes on."""

    def let(self, entrants: list[Entrant], out: list[Verdict]) -> None:
        """Nobody knows whether the first slap was valid: nobody wins, play goes on.

        Source: the box's own.
        """
        t_ns = entrants[0][0].t_ns
        for slap, in_doubt, width_ns in entrants:
            if in_doubt:
                out.append(Doubt(slap.t_ns, slap.player, width_ns, slap.stamp))
        self._spend(entrants)
        self._kill_top()
        out.append(Let(t_ns, self._in_seat_order(entrants)))

    def tie(self, entrants: list[Entrant], out: list[Verdict]) -> None:
        """Slaps too close to tell apart: the agreed rule decides.

        Source: Slapjack, "Gewinnen" (Gleichstandsregelung).
        """
        t_ns = entrants[0][0].t_ns
        self._spend(entrants)
        players = self._in_seat_order(entrants)
        width_ns = max(width_ns for _, _, width_ns in entrants)
        stamp = weakest_stamp(slap.stamp for slap, _, _ in entrants)
        out.append(Tie(t_ns, players, width_ns, stamp))
        seats = tuple(self.seats[player] for player in players)
        _TIE_RULES["replay" if self.playoff else self.rules.tie_rule](self, seats, t_ns, out)

    def _spend(self, entrants: list[Entrant]) -> None:
        self.spent = self.spent + [slap for slap, _, _ in entrants[1:]]

    def _in_seat_order(self, entrants: list[Entrant]) -> tuple[str, ...]:
        seats = sorted(self.seats[slap.player] for slap, _, _ in entrants)
        return tuple(self.players[seat] for seat in seats)

    def _kill_top(self) -> None:
        """The top card is dead: nobody may slap it any more."""
        self.is_dead = True
        self.trigger = None

    # --- the three ways to settle a tie -----------------------------------------------------------

    def replay_tie(self, seats: tuple[int, ...], t_ns: int, out: list[Verdict]) -> None:
        """The pile stays; the next card starts a play-off of the tied players.

        Source: Slapjack, "Gewinnen" (mit einer neuen Karte erneut).
        """
        if not self.playoff:
            self.tied_trigger = self.won_trigger()
        self.playoff, self.playoff_open = seats, False
        self._kill_top()
        self.drop_claim()
        self.return_pile_if_all_out(t_ns, out)

    def split_tie(self, seats: tuple[int, ...], t_ns: int, out: list[Verdict]) -> None:
        """Equal shares; odd cards one by one, clockwise from the last flipper.

        Source: Slapjack, "Gewinnen" (teilen den Stapel gleichmäßig auf).
        """
        trigger = self.won_trigger()
        first = max(self.last_flipper, 0)
        order = [seat for seat in self.clockwise_from(first) if seat in seats]
        each, odd = divmod(self.empty_pile(), len(order))
        shares = [(seat, each + (place < odd)) for place, seat in enumerate(order)]
        for seat, n in shares:
            self.counts[seat] += n
        if self.books is not None:
            self.books.share(shares)
            self.books.was_slapped()
        out.append(
            Split(t_ns, tuple(CardsMoved("pile", self.players[seat], n) for seat, n in shares if n))
        )
        self.end_demand()
        self.won_ns, self.won_by = t_ns, NOBODY
        for seat in seats:
            self.come_back(seat, t_ns, out)
        self.end_chances(trigger[0], trigger[1], seats, t_ns, out)
        self.check_all_cards(t_ns, out)
        self.turn_from = (first + 1) % len(self.players)
        self.settle_turn()

    def wait_for_next_trigger(self, seats: tuple[int, ...], t_ns: int, out: list[Verdict]) -> None:
        """The pile stays, the top card is dead; everybody may slap the next trigger.

        Source: the box's own.
        """
        self._kill_top()
        self.return_pile_if_all_out(t_ns, out)

    # --- for games with claims --------------------------------------------------------------------

    def drop_claim(self) -> None:
        """A play-off decides about the pile instead of a paid demand."""

    def has_window(self) -> bool:
        """Something ends by time."""
        return False

    def close_before(self, now_ns: int, out: list[Verdict]) -> None:
        """Close the windows that ended before this time."""


_TIE_RULES: dict[str, Callable[[Ties, tuple[int, ...], int, list[Verdict]], None]] = {
    "replay": Ties.replay_tie,
    "split": Ties.split_tie,
    "next_trigger": Ties.wait_for_next_trigger,
}
