"""Observations in any order of arrival -> the order of event time, as far as it is certain.

Slaps and cards that were taken back are placed at the start of their interval, other cards at the
end of theirs, everything else at its time; at the same time by kind, then `seq`, then seat. Two
watermarks, one of the pads and one of the camera, say how far the past is complete: no observation
that begins at or before a source's watermark is still to come from it.
"""

from __future__ import annotations

from bisect import bisect_left, insort

from referee.rules.errors import BadLog
from referee.rules.events import (
    Burn,
    Call,
    Choose,
    Cleared,
    Flip,
    Move,
    Observation,
    Play,
    Slap,
    SpitCard,
    Stuck,
    TakenBack,
    Tick,
    Watermark,
)
from referee.rules.house_rules import HouseRules

NS_PER_MS = 1_000_000
NEVER_NS = -(10**18)
FOR_EVER_NS = 10**18

NEXT_HAND_NS = 60 * NS_PER_MS
"""How long the winner's lead over the next hand is looked for."""

PRIORITIES: dict[type[Observation], int] = {
    Slap: 0,
    Call: 1,
    TakenBack: -1,
    Cleared: 2,
    Flip: 3,
    Play: 4,
    Move: 5,
    SpitCard: 6,
    Stuck: 7,
    Choose: 8,
    Burn: 9,
    Tick: 11,
}
"""Kind -> its place among observations of the same time."""

JUDGE_PRIORITY = 10

FROM_PADS = frozenset((Slap, Call))
FROM_CAMERA = frozenset((Flip, TakenBack, Cleared, Play, Move, SpitCard, Burn))

Entry = tuple[int, int, int, int, int, Observation, int, int]
"""Time, kind, seq, seat, number, observation, and the watermarks that it needs: pads, camera."""


class Timeline:
    """All observations of a game in order; those before `at` are ruled on."""

    def __init__(self, players: tuple[str, ...], rules: HouseRules, lockout_ms: int) -> None:
        self.entries: list[Entry] = []
        self.at = 0
        self.pads_ns = NEVER_NS
        self.camera_ns = NEVER_NS
        self.blind_ns = NEVER_NS
        """The table has told what lay there until then: the camera comes too late."""
        self.struck: set[int] = set()
        """`id` of every observation that the table struck out."""
        self._seats = {player: seat for seat, player in enumerate(players)}
        self._calls: dict[str, list[int]] = {player: [] for player in players}
        self._reach_back: set[int] = set()
        self._touched_ns: dict[str, int] = {}
        self._lockout_ns = lockout_ms * NS_PER_MS
        self._longest_flip_ns = 0
        self._number = 0
        joint_ms = rules.tie_ms
        if rules.call_out == "required":
            joint_ms = max(joint_ms, rules.call_window_ms)
        self._joint_ns = max(joint_ms * NS_PER_MS, NEXT_HAND_NS)
        self._early_ns = rules.early_tolerance_ms * NS_PER_MS

    # --- arrival ----------------------------------------------------------------------------------

    def promise(self, mark: Watermark) -> None:
        """A source has told everything up to here.

        Raises:
            BadLog: There is no such source.
        """
        if mark.source == "pads":
            self.pads_ns = max(self.pads_ns, mark.t_ns)
        elif mark.source == "camera":
            self.camera_ns = max(self.camera_ns, mark.t_ns)
        else:
            raise BadLog(f"no such source: {mark.source!r}, expected pads or camera")

    def add(self, seen: Observation) -> bool:
        """Put an observation into its place.

        Returns:
            False if it is late: its source had promised that nothing so old would come.
        """
        kind = type(seen)
        if self._is_late(seen, kind):
            return False
        entry = self._entry(seen, kind)
        entries = self.entries
        if not entries or entry > entries[-1]:
            entries.append(entry)
        elif self.at and entry < entries[self.at - 1]:
            self._reach_back.add(id(seen))
            ruled_ns = entries[self.at - 1][0]
            insort(entries, (ruled_ns, -1, *entry[2:]), lo=self.at)
        else:
            insort(entries, entry, lo=self.at)
        return True

    def _is_late(self, seen: Observation, kind: type[Observation]) -> bool:
        if kind in FROM_PADS:
            return seen.t_ns <= self.pads_ns
        if kind not in FROM_CAMERA:
            return False
        return (
            seen.t_ns <= self.camera_ns or seen.t_ns - getattr(seen, "early_ns", 0) < self.blind_ns
        )

    def _entry(self, seen: Observation, kind: type[Observation]) -> Entry:
        self._number += 1
        t_ns, number = seen.t_ns, self._number
        if kind is Slap:
            end_ns = t_ns + seen.late_ns  # type: ignore[attr-defined]
            seat = self._seats[seen.player]  # type: ignore[attr-defined]
            begin_ns = t_ns - seen.early_ns  # type: ignore[attr-defined]
            needs = (end_ns + self._joint_ns, end_ns + self._early_ns)
            return (begin_ns, 0, seen.seq, seat, number, seen, *needs)
        priority = PRIORITIES.get(kind, JUDGE_PRIORITY)
        if kind is Flip:
            end_ns = t_ns + seen.late_ns  # type: ignore[attr-defined]
            width_ns = seen.early_ns + seen.late_ns  # type: ignore[attr-defined]
            self._longest_flip_ns = max(self._longest_flip_ns, width_ns)
            return (end_ns, priority, seen.seq, 0, number, seen, end_ns, end_ns)
        if kind is TakenBack:
            t_ns -= seen.early_ns  # type: ignore[attr-defined]
        if kind is Call:
            insort(self._calls[seen.player], t_ns)  # type: ignore[attr-defined]
        t_ns += getattr(seen, "late_ns", 0)
        seat = self._seats.get(getattr(seen, "player", ""), 0)
        return (t_ns, priority, seen.seq, seat, number, seen, t_ns, t_ns)

    def add_before(self, later: Observation, seen: Observation) -> None:
        """Put an observation directly before one that is not ruled on yet."""
        for place in range(self.at, len(self.entries)):
            if self.entries[place][5] is later:
                entry = self._entry(seen, type(seen))
                self.entries.insert(place, (self.entries[place][0], -1, *entry[2:]))
                return

    def release_until(self, t_ns: int) -> None:
        """Everything up to this time needs no watermark any more."""
        for place in range(self.at, len(self.entries)):
            entry = self.entries[place]
            if entry[0] > t_ns:
                return
            self.entries[place] = (*entry[:6], NEVER_NS, NEVER_NS)

    def drop(self, seen: list[Slap]) -> None:
        """Take slaps out that nobody rules on."""
        self.entries[self.at :] = [
            entry for entry in self.entries[self.at :] if not any(entry[5] is one for one in seen)
        ]

    # --- what can be ruled on ---------------------------------------------------------------------

    def next_ready(self) -> Entry | None:
        """The next entry, if both sources have passed what it needs."""
        if self.at == len(self.entries):
            return None
        entry = self.entries[self.at]
        if entry[6] > self.pads_ns or entry[7] > self.camera_ns:
            return None
        return entry

    @property
    def complete_ns(self) -> int:
        """Nothing before this time is still to come or to be ruled on."""
        known_ns = min(self.pads_ns, self.camera_ns)
        return min(known_ns, self.entries[self.at][0]) if self.at < len(self.entries) else known_ns

    def first_touch(self, slap: Slap) -> bool:
        """Note a slap as ruled on; False if it belongs to an earlier touch of the same pad."""
        if self.is_same_touch(slap):
            return False
        self._touched_ns[slap.player] = slap.t_ns
        return True

    def rewind(self) -> None:
        """Begin again with the first observation."""
        self.at = 0
        self._touched_ns.clear()

    def replace(self, place: int, seen: Observation) -> None:
        """Correct an observation that keeps its time."""
        old = self.entries[place]
        self.entries[place] = (*old[:5], seen, *old[6:])

    def remove(self, place: int) -> None:
        """Forget an observation."""
        del self.entries[place]
        self.at -= place < self.at

    def add_ruled(self, seen: Observation) -> None:
        """Put an observation into the past, where it belongs; the game is replayed then."""
        insort(self.entries, self._entry(seen, type(seen)))
        self.at += 1

    # --- what a game may ask (Upcoming) -----------------------------------------------------------

    def flips_beginning_before(self, end_ns: int) -> list[Flip]:
        """Later cards whose interval begins before this time, in order."""
        flips: list[Flip] = []
        entries, stop_ns = self.entries, end_ns + self._longest_flip_ns
        for place in range(self.at, len(entries)):
            entry = entries[place]
            if entry[0] > stop_ns:
                break
            seen = entry[5]
            if type(seen) is Flip:
                if seen.t_ns - seen.early_ns >= end_ns:
                    break
                flips.append(seen)
        return flips

    def slaps_until(self, until_ns: int) -> list[Slap]:
        """Later slaps before the next card whose interval begins no later than this."""
        slaps: list[Slap] = []
        entries = self.entries
        for place in range(self.at, len(entries)):
            entry = entries[place]
            seen = entry[5]
            if entry[0] > until_ns or type(seen) is Flip:
                break
            if type(seen) is Slap:
                slaps.append(seen)
        return slaps

    def has_call(self, player: str, from_ns: int, until_ns: int) -> bool:
        """The player called between these times, both included."""
        calls = self._calls[player]
        place = bisect_left(calls, from_ns)
        return place < len(calls) and calls[place] <= until_ns

    def is_struck(self, observation: Slap | Flip) -> bool:
        """The table struck this slap or flip out."""
        return bool(self.struck) and id(observation) in self.struck

    def is_same_touch(self, slap: Slap) -> bool:
        """It belongs to an earlier touch of the same pad."""
        before_ns = self._touched_ns.get(slap.player)
        return before_ns is not None and slap.t_ns - before_ns < self._lockout_ns

    def reaches_back(self, slap: Slap) -> bool:
        """It may have happened before something that is already ruled on."""
        return bool(self._reach_back) and id(slap) in self._reach_back
