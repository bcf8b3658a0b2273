"""Several slaps: whose was first, ties, and slaps whose time is not sharp enough to be sure.

A slap happened somewhere in [t - early, t + late], a card came to lie somewhere in the same kind
of interval. A slap is taken up at the start of its interval: every card that surely lay there
before has been dealt with. The cards that may have come before the slap ended are tried out one
by one; the slap is what it is on all of them, or it is in doubt. First is the set of all valid
slaps that begin before the earliest of them ends.
"""

from __future__ import annotations

from referee.rules.events import Flip, Slap
from referee.rules.pile import NS_PER_MS
from referee.rules.slaps import ON_TRIGGER, Touch
from referee.rules.ties import Entrant, Ties
from referee.rules.timeline import NEXT_HAND_NS
from referee.rules.verdicts import (
    CardsMoved,
    Doubt,
    ValidSlap,
    Verdict,
)

PAD_FLOOR_NS = 200_000
"""Two pads closer than this are a tie whatever the pads: the kernel serves pins one by one."""

SURE_REACTION_NS = 100 * NS_PER_MS
"""Nobody reacts faster: an earlier slap was a guess that came true. Source: athletics' starts."""


class Races(Ties):
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
        if self._is_unsure(entrant[0]):
            entrant = (entrant[0], True, entrant[2])
        if touch is Touch.VALID:
            self._race(entrant, out)
        elif touch is Touch.FALSE and (entrant[1] or self.lies_on_won):
            out.append(Doubt(entrant[0].t_ns, entrant[0].player, entrant[2], entrant[0].stamp))
        else:
            self.announce_touch(touch, entrant[0], entrant[2], out)

    def _is_unsure(self, slap: Slap) -> bool:
        """Something lay there then that nobody could read and that is gone."""
        return slap.t_ns - slap.early_ns <= self.unsure_until_ns

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
            out.append(Doubt(slap.t_ns, slap.player, width_ns, slap.stamp))
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
            self.let([first, *rivals], out)
        elif rivals:
            self.tie([first, *rivals], out)
        elif in_doubt and self.rules.doubt == "let":
            self.let([first], out)
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
            return [(slap, self._is_unsure(slap), width_ns)]
        touches = self._touches(slap, flips)
        in_doubt = self._is_unsure(slap) or any(touch is not Touch.VALID for touch in touches)
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


def _has_width(slap: Slap) -> bool:
    return slap.early_ns + slap.late_ns > 0
