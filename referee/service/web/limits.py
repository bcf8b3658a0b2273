"""How often somebody may do something: buckets that fill again with time. Pure: told the time."""

from __future__ import annotations

from dataclasses import dataclass, field

NS_PER_S = 1_000_000_000
ADDRESSES_KEPT = 2000
"""More addresses than this are not told apart: the oldest are forgotten."""


@dataclass(slots=True)
class Bucket:
    """So many at once, and one more each `refill_ns`."""

    most: int
    refill_ns: int
    _left: dict[str, tuple[float, int]] = field(default_factory=dict)
    """Who -> what was left, and when that was."""

    def take(self, who: str, now_ns: int) -> bool:
        """Take one; False if none is left."""
        left = self.left(who, now_ns)
        allowed = left >= 1
        self._left.pop(who, None)
        self._left[who] = (left - 1 if allowed else left, now_ns)
        while len(self._left) > ADDRESSES_KEPT:
            del self._left[next(iter(self._left))]
        return allowed

    def give_back(self, who: str) -> None:
        """The last one does not count."""
        if who in self._left:
            left, since_ns = self._left[who]
            self._left[who] = (min(float(self.most), left + 1), since_ns)

    def left(self, who: str, now_ns: int) -> float:
        """How many are left."""
        left, since_ns = self._left.get(who, (float(self.most), now_ns))
        return min(float(self.most), left + (now_ns - since_ns) / self.refill_ns)


@dataclass(slots=True)
class Seats:
    """So many at the same time, a place and in all."""

    each: int
    in_all: int
    taken: dict[str, int] = field(default_factory=dict)

    def enter(self, who: str) -> bool:
        """Take a seat; False if there is none."""
        if self.taken.get(who, 0) >= self.each or sum(self.taken.values()) >= self.in_all:
            return False
        self.taken[who] = self.taken.get(who, 0) + 1
        return True

    def leave(self, who: str) -> None:
        """Free a seat."""
        left = self.taken.get(who, 0) - 1
        if left > 0:
            self.taken[who] = left
        else:
            self.taken.pop(who, None)
