"""Slaps: what one touch means, given the state of the table. Several touches: races.py."""

from __future__ import annotations

from enum import Enum

from referee.rules.events import Slap
from referee.rules.flips import Flips
from referee.rules.penalties import Penalty
from referee.rules.pile import LONG_AGO_NS, NOBODY, NS_PER_MS, OUT
from referee.rules.verdicts import (
    CardsMoved,
    Doubt,
    FalseSlap,
    IgnoredSlap,
    LateSlap,
    LockedOut,
    PendingSlap,
    Verdict,
)


class Touch(Enum):
    """What a slap is."""

    VALID = "valid"
    FALSE = "false"
    LATE = "late"
    PENDING = "pending"
    """On a card that nobody has read."""
    VOIDED = "voided"
    GAME_OVER = "game_over"
    ELIMINATED = "eliminated"
    WRONG_CARD = "out_of_turn_card"
    EMPTY_PILE = "empty_pile"
    PLAYOFF_PENDING = "playoff_pending"
    NOT_ELIGIBLE = "not_eligible"
    REPEAT = "repeat"
    GUESS = "anticipated"
    SILENT = "silent"
    BANNED = "locked_out"


ON_TRIGGER = frozenset((Touch.VALID, Touch.GUESS, Touch.SILENT, Touch.PENDING))
"""A trigger lies there, or a card that may be one."""


class Slaps(Flips):
    """One slap against the state of the table."""

    penalty: Penalty
    """What a false slap costs."""

    # --- what a slap is ---------------------------------------------------------------------------

    def judge(self, slap: Slap) -> Touch:
        """What the slap is, if it happened now: the first line that fits.

        Source: Slapjack, "Spielablauf" 2 and 3; Egyptian Ratscrew, "Die Schläge".
        """
        seat = self.seats[slap.player]
        if self.upcoming.is_struck(slap):
            return Touch.VOIDED
        if self.winner != NOBODY:
            return Touch.GAME_OVER
        if self.status[seat] == OUT:
            return Touch.ELIMINATED
        if self.flip_struck:
            return Touch.VOIDED
        if self.wrong_card_lies:
            return Touch.WRONG_CARD
        if self._is_banned(seat):
            return Touch.BANNED
        if not self.pile:
            return self._judge_on_bare_table(slap, seat)
        return self._judge_on_card(slap, seat)

    def _judge_on_bare_table(self, slap: Slap, seat: int) -> Touch:
        """Nothing to win: hands after the winner are late, later ones touch the bare table.

        Source: Slapjack, "Spielablauf" 2 (Die erste flache Hand).
        """
        rules = self.rules
        if slap.t_ns - slap.early_ns <= self.won_ns + rules.late_window_ms * NS_PER_MS:
            if rules.late_slap == "penalty" and seat != self.won_by:
                return self._false_or_repeat(seat)
            return Touch.LATE
        if rules.empty_pile_slap == "penalty":
            return self._false_or_repeat(seat)
        return Touch.EMPTY_PILE

    def _judge_on_card(self, slap: Slap, seat: int) -> Touch:
        if self.playoff:
            return self._judge_in_playoff(seat)
        if self.is_dead:
            return Touch.PLAYOFF_PENDING
        if not self.pile[-1].is_read:
            return Touch.PENDING
        if self.trigger is not None:
            return self._judge_on_trigger(slap, seat)
        if seat in self.was_false and self.rules.repeat_slap == "ignore":
            return Touch.REPEAT
        grace_ns = self.rules.cover_grace_ms * NS_PER_MS
        if slap.t_ns - slap.early_ns <= self.covered_ns + grace_ns:
            return Touch.LATE
        return Touch.FALSE

    def _judge_in_playoff(self, seat: int) -> Touch:
        """The tied players slap the next card, whatever it is.

        Source: Slapjack, "Gewinnen" (Gleichstandsregelung).
        """
        if not self.playoff_open:
            return Touch.PLAYOFF_PENDING
        return Touch.VALID if seat in self.playoff else Touch.NOT_ELIGIBLE

    def _judge_on_trigger(self, slap: Slap, seat: int) -> Touch:
        """A trigger lies on top: too early is a guess, without a call it is silent.

        Source: Slapjack, "Spielablauf" 2 and 6.
        """
        rules = self.rules
        reaction_ns = slap.t_ns + slap.late_ns - self.top_early_ns
        if rules.min_reaction_ms and reaction_ns < rules.min_reaction_ms * NS_PER_MS:
            return Touch.GUESS
        if rules.call_out == "required" and not self._has_called(slap):
            return Touch.SILENT
        return Touch.VALID

    def _has_called(self, slap: Slap) -> bool:
        """The same player called close enough to his slap.

        Source: Slapjack, "Spielablauf" 6; "Häufige Varianten" (Ausruf-Variante).
        """
        window_ns = self.rules.call_window_ms * NS_PER_MS
        return self.upcoming.has_call(slap.player, slap.t_ns - window_ns, slap.t_ns + window_ns)

    def _false_or_repeat(self, seat: int) -> Touch:
        """A second wrong touch costs nothing more, unless the table wants it.

        Source: the box's own.
        """
        again = seat in self.was_false and self.rules.repeat_slap == "ignore"
        return Touch.REPEAT if again else Touch.FALSE

    def _is_banned(self, seat: int) -> bool:
        """A false slap still forbids him to slap.

        Source: the box's own.
        """
        if self.rules.slap_ban == "none":
            return False
        return self.flips <= self.banned_until[seat] or seat in self.banned_pile

    # --- what follows -----------------------------------------------------------------------------

    def announce_touch(self, touch: Touch, slap: Slap, width_ns: int, out: list[Verdict]) -> None:
        """Declare a slap that wins nothing."""
        if touch is Touch.FALSE:
            self._false_slap(slap, width_ns, out)
        elif touch is Touch.LATE:
            out.append(LateSlap(slap.t_ns, slap.player, slap.stamp))
        elif touch is Touch.PENDING:
            self.pending = [*self.pending, slap]
            out.append(PendingSlap(slap.t_ns, slap.player, slap.stamp))
        else:
            out.append(IgnoredSlap(slap.t_ns, slap.player, touch.value, slap.stamp))

    def _false_slap(self, slap: Slap, width_ns: int, out: list[Verdict]) -> None:
        unsure = slap.early_ns + slap.late_ns > 0 and self.may_hide_trigger()
        if unsure or self.upcoming.reaches_back(slap):
            out.append(Doubt(slap.t_ns, slap.player, width_ns, slap.stamp))
            return
        since_ns = self.covered_ns
        margin_ns = None if since_ns == LONG_AGO_NS else slap.t_ns - slap.early_ns - since_ns
        self.pay_for_false_slap(slap, margin_ns, width_ns, out)

    def pay_for_false_slap(
        self, slap: Slap, margin_ns: int | None, width_ns: int, out: list[Verdict]
    ) -> None:
        """The false slapper pays; without cards he may be out.

        Source: Slapjack, "Spielablauf" 3; Egyptian Ratscrew, "Die Schläge" (Ein falscher Schlag).
        """
        seat, t_ns = self.seats[slap.player], slap.t_ns
        if seat not in self.was_false:
            self.was_false = [*self.was_false, seat]
        had = self.counts[seat]
        reach = had - self._in_the_air(seat, slap)
        shares = [share for share in self.penalty(self, seat, reach) if share[1]] if reach else []
        moved = [self.move(seat, target, n) for target, n in shares]
        taker = self._pile_for_opponent(seat, t_ns, moved)
        out.append(
            FalseSlap(t_ns, slap.player, tuple(moved), margin_ns, width_ns, stamp=slap.stamp)
        )
        if not had and self.rules.out_false_slap == "eliminate":
            self.eliminate([seat], t_ns, out)
        else:
            self.after_payment(seat, t_ns, out)
        receivers = [target for target, _ in shares if isinstance(target, int)]
        for receiver in receivers if taker == NOBODY else [*receivers, taker]:
            self.come_back(receiver, t_ns, out)
        self._ban(seat, t_ns, out)
        if taker != NOBODY:
            self.end_demand()
            self.turn_from = taker
        self.follow_cards(t_ns, out)

    def _in_the_air(self, seat: int, slap: Slap) -> int:
        """A card that the slapper may just have been flipping: he cannot pay with it.

        Source: the box's own: what may lie on the pile already costs nobody a second time.
        """
        flips = self.upcoming.flips_beginning_before(slap.t_ns + slap.late_ns)
        flipper = self.players[self.to_act] if self.to_act != NOBODY else None
        mine = bool(flips) and (flips[0].player or flipper) == slap.player
        return min(self.counts[seat], int(mine))

    def _pile_for_opponent(self, slapper: int, t_ns: int, moved: list[CardsMoved]) -> int:
        """A false slap gives the pile away (house rule); return who takes it.

        Source: the box's own.
        """
        if not self.rules.pile_on_false_slap or not self.pile:
            return NOBODY
        first = self.last_flipper if self.last_flipper != slapper else slapper + 1
        for seat in self.clockwise_from(max(first, 0)):
            if seat != slapper and self.status[seat] != OUT:
                n = self.take_all(seat)
                self.won_ns, self.won_by = t_ns, seat
                moved.append(CardsMoved("pile", self.players[seat], n))
                return seat
        return NOBODY

    def _ban(self, seat: int, t_ns: int, out: list[Verdict]) -> None:
        """A false slap also costs the right to slap (house rule).

        Source: the box's own.
        """
        rules = self.rules
        if rules.slap_ban == "none" or self.status[seat] == OUT or self.winner != NOBODY:
            return
        if rules.slap_ban == "cards":
            self.banned_until[seat] = self.flips + rules.slap_ban_cards
            out.append(LockedOut(t_ns, self.players[seat], rules.slap_ban_cards))
        elif self.pile and seat not in self.banned_pile:
            self.banned_pile = [*self.banned_pile, seat]
            out.append(LockedOut(t_ns, self.players[seat], None))
