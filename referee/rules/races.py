"""Several slaps: whose was first, ties, and slaps whose time is not sharp enough to be sure.

A slap happened somewhere in [t - early, t + late], a card came to lie somewhere in the same kind
of interval. A slap is taken up at the start of its interval: every card that surely lay there
before has been dealt with. The cards that may have come before the slap ended are tried out one
by one; the slap is what it is on all of them, or it is in doubt. First is the set of all valid
slaps that begin before the earliest of them ends.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.rules.events import Flip, Slap
from referee.rules.pile import NOBODY, NS_PER_MS
from referee.rules.slaps import ON_TRIGGER, Slaps, Touch
from referee.rules.verdicts import (
    CardsMoved,
    Doubt,
    Let,
    Split,
    Tie,
    ValidSlap,
    Verdict,
)

PAD_FLOOR_NS = 200_000
"""Two pads closer than this are a tie whatever the pads: the kernel serves pins one by one."""

NEXT_HAND_NS = 60 * NS_PER_MS
"""How long the winner's lead over the next hand is looked for."""

SURE_REACTION_NS = 100 * NS_PER_MS
"""Nobody reacts faster: an earlier slap was a guess that came true. Source: athletics' starts."""

Entrant = tuple[Slap, bool, int]
"""A slap in a race, whether it is in doubt, and the width of the doubt."""


class Races(Slaps):
    """Slaps in the order of event time, and what they win."""

    # --- one slap comes up ------------------------------------------------------------------------

    def slap(self, slap: Slap, out: list[Verdict]) -> None:
        """A palm touched a pad."""
        if self.spent and self._is_spent(slap):
            return
        flips = self._flips_in_doubt(slap)
        if flips:
            self._slap_in_doubt(slap, flips, out)
            return
        touch = self.judge(slap)
        if touch is Touch.FALSE and self.rules.early_tolerance_ms and self._wait_for_flip(slap):
            return
        self._settle(touch, (slap, False, slap.early_ns + slap.late_ns), out)

    def _settle(self, touch: Touch, entrant: Entrant, out: list[Verdict]) -> None:
        if touch is Touch.VALID:
            self._race(entrant, out)
        else:
            self.announce_touch(touch, entrant[0], entrant[2], out)

    def _is_spent(self, slap: Slap) -> bool:
        """A tie has already used this slap."""
        for place, other in enumerate(self.spent):
            if other is slap:
                self.spent = self.spent[:place] + self.spent[place + 1 :]
                return True
        return False

    # --- which card lay there ---------------------------------------------------------------------

    def _flips_in_doubt(self, slap: Slap, longer_ns: int = 0) -> list[Flip]:
        """Later cards that may have lain there before the slap ended."""
        return self.upcoming.flips_beginning_before(slap.t_ns + slap.late_ns + longer_ns)

    def _touches(self, slap: Slap, flips: list[Flip]) -> list[Touch]:
        """What the slap is now, and after each of these flips."""
        touches = [self.judge(slap)]
        if flips:
            before = self.snapshot()
            self.books = None
            for flip in flips:
                self.close_before(flip.t_ns + flip.late_ns, [])
                self.flip(flip, [])
                touches.append(self.judge(slap))
            self.restore(before)
        return touches

    def _slap_in_doubt(self, slap: Slap, flips: list[Flip], out: list[Verdict]) -> None:
        """The slap lies within the time in which a card came: try every card that may have lain.

        Source: the box's own (doubt never costs a card).
        """
        touches = self._touches(slap, flips)
        likely = sum(flip.t_ns < slap.t_ns for flip in flips)
        width_ns = slap.early_ns + slap.late_ns + max(f.early_ns + f.late_ns for f in flips)
        valid = [place for place, touch in enumerate(touches) if touch is Touch.VALID]
        harmless = [place for place, touch in enumerate(touches) if touch is not Touch.FALSE]
        in_doubt = 0 < len(valid) < len(touches)
        if not valid and 0 < len(harmless) < len(touches):
            out.append(Doubt(slap.t_ns, slap.player, width_ns))
        fits = valid or harmless or [likely]
        place = min(fits, key=lambda each: (abs(each - likely), each))
        if place:
            self.deferred = [*self.deferred, (slap, place, in_doubt, width_ns)]
        else:
            self._settle(touches[0], (slap, in_doubt, width_ns), out)

    def _wait_for_flip(self, slap: Slap) -> bool:
        """A slap just before the trigger's flip counts for it.

        Source: the box's own (people see the card before the camera does).
        """
        flips = self._flips_in_doubt(slap, self.rules.early_tolerance_ms * NS_PER_MS + 1)
        for place, touch in enumerate(self._touches(slap, flips)):
            if place and touch in ON_TRIGGER:
                width_ns = slap.early_ns + slap.late_ns
                self.deferred = [*self.deferred, (slap, place, False, width_ns)]
                return True
        return False

    def judge_deferred(self, out: list[Verdict]) -> None:
        """After a flip: the slaps that waited for it."""
        waiting = [(slap, wait - 1, doubt, width) for slap, wait, doubt, width in self.deferred]
        self.deferred = [each for each in waiting if each[1] > 0]
        due = [(slap, doubt, width) for slap, wait, doubt, width in waiting if wait <= 0]
        self.due = due
        while self.due:
            entrant = self.due.pop(0)
            if not self._is_spent(entrant[0]):
                self._settle(self.judge(entrant[0]), entrant, out)

    # --- who was first ----------------------------------------------------------------------------

    def _race(self, first: Entrant, out: list[Verdict]) -> None:
        """Of all valid slaps, those that begin before the earliest ends were first.

        Source: Slapjack, "Spielablauf" 2 (Die erste flache Hand); "Gewinnen".
        """
        rivals, next_ns = self._rivals(first)
        slap, in_doubt, width_ns = first
        if rivals and self.rules.doubt == "let" and any(each[1] for each in (first, *rivals)):
            self._let([first, *rivals], out)
        elif rivals:
            self._tie([first, *rivals], out)
        elif in_doubt and self.rules.doubt == "let":
            self._let([first], out)
        else:
            margin_ns = None if next_ns is None else next_ns - slap.t_ns
            self._win(slap, in_doubt, width_ns, margin_ns, out)

    def _rivals(self, first: Entrant) -> tuple[list[Entrant], int | None]:
        """Who slapped together with the first one, and when the next hand came down."""
        ends_ns = first[0].t_ns + first[0].late_ns
        slack_ns = self.rules.tie_ms * NS_PER_MS
        floor_ns = max(slack_ns, PAD_FLOOR_NS)
        seen = [first[0].player]
        rivals: list[Entrant] = []
        next_ns: int | None = None
        for entrant in self._entrants(ends_ns + max(floor_ns, NEXT_HAND_NS)):
            slap = entrant[0]
            if slap.player in seen:
                continue
            starts_ns = slap.t_ns - slap.early_ns
            floor = floor_ns if _has_width(first[0]) and _has_width(slap) else slack_ns
            if starts_ns <= ends_ns + floor:
                seen.append(slap.player)
                rivals.append(entrant)
                ends_ns = min(ends_ns, slap.t_ns + slap.late_ns)
            elif next_ns is None:
                next_ns = slap.t_ns
        return self._within(first, rivals, ends_ns), next_ns

    def _within(self, first: Entrant, rivals: list[Entrant], ends_ns: int) -> list[Entrant]:
        """Rivals that begin before the earliest of all ends."""
        slack_ns = self.rules.tie_ms * NS_PER_MS
        floor_ns = max(slack_ns, PAD_FLOOR_NS)
        return [
            each
            for each in rivals
            if each[0].t_ns - each[0].early_ns
            <= ends_ns + (floor_ns if _has_width(first[0]) and _has_width(each[0]) else slack_ns)
        ]

    def _entrants(self, until_ns: int) -> list[Entrant]:
        """All later valid slaps on this card that begin in time, in order."""
        entrants = [each for each in self.due if self.judge(each[0]) is Touch.VALID]
        for slap in self.upcoming.slaps_until(until_ns):
            if not self._is_known(slap):
                entrants += self._entrant(slap)
        return entrants

    def _is_known(self, slap: Slap) -> bool:
        """Spent already, or part of an earlier touch of the same pad."""
        return any(other is slap for other in self.spent) or self.upcoming.is_same_touch(slap)

    def _entrant(self, slap: Slap) -> list[Entrant]:
        """The slap as an entrant, or nothing if it is not valid on this card."""
        if self.judge(slap) is not Touch.VALID:
            return []
        flips = self._flips_in_doubt(slap)
        width_ns = slap.early_ns + slap.late_ns
        if not flips:
            return [(slap, False, width_ns)]
        touches = self._touches(slap, flips)
        in_doubt = any(touch is not Touch.VALID for touch in touches)
        return [(slap, in_doubt, width_ns + max(f.early_ns + f.late_ns for f in flips))]

    # --- what the first one wins ------------------------------------------------------------------

    def _win(
        self,
        slap: Slap,
        in_doubt: bool,
        width_ns: int,
        margin_ns: int | None,
        out: list[Verdict],
    ) -> None:
        """The first valid slap takes the whole pile.

        Source: Slapjack, "Spielablauf" 2; Egyptian Ratscrew, "Die Schläge".
        """
        seat = self.seats[slap.player]
        trigger = self.won_trigger()
        name = "playoff" if self.playoff else trigger[0]
        guessed = slap.t_ns + slap.late_ns < self.top_early_ns + SURE_REACTION_NS
        n = self.take_all(seat)
        if self.books is not None:
            self.books.was_slapped()
        out.append(
            ValidSlap(
                slap.t_ns,
                slap.player,
                name,
                (CardsMoved("pile", slap.player, n),),
                self.rules.won_pile == "shuffle",
                margin_ns,
                width_ns,
                in_doubt,
                slap.stamp,
                guessed,
            )
        )
        self.take_pile(seat, trigger, slap.t_ns, out)

    def _let(self, entrants: list[Entrant], out: list[Verdict]) -> None:
        """Nobody knows whether the first slap was valid: nobody wins, play goes on.

        Source: the box's own.
        """
        t_ns = entrants[0][0].t_ns
        for slap, in_doubt, width_ns in entrants:
            if in_doubt:
                out.append(Doubt(slap.t_ns, slap.player, width_ns))
        self._spend(entrants)
        self._kill_top()
        out.append(Let(t_ns, self._in_seat_order(entrants)))

    def _tie(self, entrants: list[Entrant], out: list[Verdict]) -> None:
        """Slaps too close to tell apart: the agreed rule decides.

        Source: Slapjack, "Gewinnen" (Gleichstandsregelung).
        """
        t_ns = entrants[0][0].t_ns
        self._spend(entrants)
        players = self._in_seat_order(entrants)
        out.append(Tie(t_ns, players, max(width_ns for _, _, width_ns in entrants)))
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


_TIE_RULES: dict[str, Callable[[Races, tuple[int, ...], int, list[Verdict]], None]] = {
    "replay": Races.replay_tie,
    "split": Races.split_tie,
    "next_trigger": Races.wait_for_next_trigger,
}


def _has_width(slap: Slap) -> bool:
    return slap.early_ns + slap.late_ns > 0
