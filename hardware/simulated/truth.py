"""What really happened at the simulated table. Nobody who referees may look at it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from referee.rules.cards import Card


@dataclass(frozen=True, slots=True)
class TrueFlip:
    """A card that was laid on a pile."""

    number: int
    """Counts from 0."""
    card: Card
    player: str
    pile: int
    start_ns: int
    """The hand set off."""
    rest_ns: int
    """The card came to rest: rows that see light later show it."""
    hand_gone_ns: int
    """The hand was out of the camera's view."""
    again: bool = False
    """It was lifted and laid again, because the box had not noticed it."""
    fits: bool | None = None
    """Spit: it was one rank above or below the card on which it came to rest; None for a deck
    card and in slap games."""


@dataclass(slots=True)
class TrueSlap:
    """A hand that touched a pad."""

    number: int
    touch_ns: int
    player: str
    kind: str
    """What moved the player: "trigger", "mistake", "jumpy", "late", "second" or "playoff";
    in Spit "stuck", "finished" or "choice"."""
    top: Card | None
    """The card that lay on top when the hand came down."""
    flip: int | None
    """The number of that card's flip."""
    slappable: bool
    """That pile could be slapped."""
    first: bool
    """No player still in the game touched his pad earlier on this slappable pile."""
    release_ns: int = 0
    edge_ns: int | None = None
    """When the pad told the box; None: not yet."""


@dataclass(frozen=True, slots=True)
class PileState:
    """What lay on a pile from some time on."""

    t_ns: int
    top: Card | None
    flip: int | None
    slappable: bool


@dataclass(slots=True)
class Truth:
    """The whole history, in order of time."""

    flips: list[TrueFlip] = field(default_factory=list)
    slaps: list[TrueSlap] = field(default_factory=list)
    states: dict[int, list[PileState]] = field(default_factory=dict)
    """What lay on each pile from when on."""

    def top_at(self, t_ns: int, pile: int = 0) -> PileState:
        """What lay on top of a pile at a time."""
        states = self.states.get(pile, [])
        i = bisect_right(states, t_ns, key=lambda state: state.t_ns)
        return states[i - 1] if i else PileState(0, None, None, False)

    def slappable_between(self, from_ns: int, to_ns: int, pile: int = 0) -> set[bool]:
        """Whether the pile could be slapped, at all times of a stretch: one answer or both."""
        answers = {self.top_at(from_ns, pile).slappable}
        for state in self.states.get(pile, []):
            if from_ns < state.t_ns <= to_ns:
                answers.add(state.slappable)
        return answers

    def slap_near(self, player: str, t_ns: int) -> TrueSlap | None:
        """The slap of a player whose touch lies nearest to a time."""
        own = [slap for slap in self.slaps if slap.player == player]
        return min(own, key=lambda slap: abs(slap.touch_ns - t_ns), default=None)
