"""When the people of a slap game slap: rightly, wrongly, too late, twice, or not at all."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from hardware.simulated.holdings import Holdings
from hardware.simulated.people import MS, Person, reaction_ns
from hardware.simulated.truth import PileState, TrueFlip, TrueSlap
from hardware.simulated.usual_slaps import Predicate, looks_like_it
from referee.rules.cards import Card
from referee.rules.events import Call, Observation, TableAnswer

if TYPE_CHECKING:
    from hardware.simulated.world import World

SEEN_BEFORE_REST_MS = 70.0
"""People know a card so long before it lies still."""
SLAP_MOVE_MS = 130.0
"""From the decision to slap to the touch; nobody stops a hand in less."""
LIFT_MS = 40
"""A hand must be up so long before it can come down again."""
SEES_A_HAND_MS = 190.0
"""Who sees another hand on its pad for so long often holds back."""
HOLDS_BACK = 0.8
HOLD_DOWN_MS, TAP_MS = (180.0, 520.0), (70.0, 160.0)
"""How long a slap and a second touch stay on the pad."""
SWEEPS = 0.12
"""Share of slaps that shoot on over the pile."""
PATIENCE_MS, HOLD_PATIENCE_MS = 2500.0, 9000.0
"""So long people wait for a word about a slap; and if the box asked them to wait."""
RARELY = 0.06
"""How likely a mistake is for a card that does not look like a slap card, against one that does."""


class Slapping:
    """All slap hands at one table."""

    def __init__(
        self, world: World, holdings: Holdings, is_slappable: Predicate, rng: Random
    ) -> None:
        self._world, self._holdings, self._rng = world, holdings, rng
        self._is_slappable = is_slappable
        self.is_over = False
        self.playoff: tuple[str, ...] = ()
        """Only these slap the next card, whatever it is."""
        self._open: dict[str, int] = {}
        """Slaps about which the box has not spoken yet: player -> until when people wait."""
        self._won: set[int] = set()
        """Flips on which somebody really was first."""
        self.pressed: list[Observation] = []
        """Buttons of the box that were pressed."""

    # --- waiting for the box ---

    def is_settled(self) -> bool:
        """No slap waits for a word of the box."""
        now = self._world.now_ns
        self._open = {player: t_ns for player, t_ns in self._open.items() if t_ns > now}
        return not self._open

    def wait(self, player: str) -> None:
        """The box asked for patience about a slap."""
        self._open[player] = self._world.now_ns + round(HOLD_PATIENCE_MS * MS)

    def settle(self, player: str) -> None:
        """The box has spoken about a player's slap."""
        self._open.pop(player, None)

    def be_patient(self, until_ns: int) -> None:
        """No word can come before this time, and some time after it."""
        waits_ns = until_ns + round(PATIENCE_MS * MS)
        self._open = {player: max(t_ns, waits_ns) for player, t_ns in self._open.items()}

    def is_open(self, player: str) -> bool:
        """The box has not spoken about a player's slap yet."""
        return player in self._open

    def answer(self, player: str) -> None:
        """The table answers honestly: was there something to slap?"""
        slaps = [slap for slap in self._world.truth.slaps if slap.player == player]
        if slaps:
            answer = "slap" if slaps[-1].slappable else "no_slap"
            self.pressed.append(TableAnswer(self._world.now_ns, answer))

    # --- seeing and deciding ---

    def think(self, flip: TrueFlip, pile: tuple[Card, ...]) -> None:
        """Everybody sees a card come down and decides what to do with his hand."""
        seen_ns = flip.rest_ns - round(SEEN_BEFORE_REST_MS * MS)
        for person in self._holdings.people.values():
            kind = None if person.is_out else self._urge(person, pile)
            if kind is None:
                continue
            touch_ns = seen_ns + reaction_ns(person.skill, self._rng)
            if kind == "jumpy":
                touch_ns = flip.rest_ns + round(self._rng.uniform(-40, 110) * MS)
            self._plan(person, touch_ns, kind, flip)

    def _urge(self, person: Person, pile: tuple[Card, ...]) -> str | None:
        rng, skill = self._rng, person.skill
        if self.playoff:
            return "playoff" if person.name in self.playoff and rng.random() < 0.97 else None
        if self._is_slappable(pile):
            return "trigger" if rng.random() >= skill.miss else None
        if rng.random() < skill.jumpy:
            return "jumpy"
        likeness = 1.0 if looks_like_it(self._world.game, pile) else RARELY
        return "mistake" if rng.random() < skill.mistake * likeness else None

    def _plan(self, person: Person, touch_ns: int, kind: str, flip: TrueFlip) -> None:
        decide_ns = touch_ns - round(SLAP_MOVE_MS * MS)
        self._world.schedule(decide_ns, lambda: self._decide(person, touch_ns, kind, flip))

    def _decide(self, person: Person, touch_ns: int, kind: str, flip: TrueFlip) -> None:
        """The last moment in which a slap can be held back."""
        touch_ns = max(touch_ns, self._world.now_ns + round(SLAP_MOVE_MS * MS))
        hand_is_down = person.hand_down_until_ns > touch_ns - LIFT_MS * MS
        if self.is_over or person.is_out or hand_is_down:
            return
        if kind != "second" and not self._still_wants(touch_ns, flip):
            return
        hold = self._rng.uniform(*(TAP_MS if kind == "second" else HOLD_DOWN_MS))
        release_ns = touch_ns + round(hold * MS)
        sweep = kind in ("trigger", "playoff") and self._rng.random() < SWEEPS
        self._world.gestures.slap(person.name, touch_ns, release_ns, sweep=sweep)
        person.hand_down_until_ns = release_ns
        self._world.schedule(
            touch_ns, lambda: self._touch(person, touch_ns, release_ns, kind, flip)
        )

    def _still_wants(self, touch_ns: int, flip: TrueFlip) -> bool:
        laid = self._holdings.laid
        covered = bool(laid) and laid[-1].flip.number > flip.number
        is_gone = self._world.now_ns > flip.rest_ns and (
            not laid or laid[-1].flip.number < flip.number
        )
        if is_gone or (covered and self._rng.random() < HOLDS_BACK):
            return False
        decided_ns = touch_ns - round((SEES_A_HAND_MS + SLAP_MOVE_MS) * MS)
        others = [slap for slap in self._world.truth.slaps[-8:] if slap.flip == flip.number]
        sees_a_hand = any(slap.touch_ns < decided_ns for slap in others)
        return not (sees_a_hand and self._rng.random() < HOLDS_BACK)

    # --- touching ---

    def _touch(
        self, person: Person, touch_ns: int, release_ns: int, kind: str, flip: TrueFlip
    ) -> None:
        truth = self._world.truth
        top = truth.top_at(touch_ns)
        first = self._is_first(top, kind)
        if first and top.flip is not None:
            self._won.add(top.flip)
        elif top.slappable and kind == "trigger":
            kind = "late"
        slap = TrueSlap(
            len(truth.slaps),
            touch_ns,
            person.name,
            kind,
            top.top,
            top.flip,
            top.slappable,
            first,
            release_ns,
        )
        truth.slaps.append(slap)
        if kind == "second":
            return
        self._open[person.name] = touch_ns + round(PATIENCE_MS * MS)
        self._call(person, touch_ns)
        if self._rng.random() < person.skill.second:
            again_ns = release_ns + round(self._rng.uniform(60, 220) * MS)
            self._plan(person, again_ns, "second", flip)

    def _is_first(self, top: PileState, kind: str) -> bool:
        if top.flip is None or top.flip in self._won:
            return False
        return kind == "playoff" if self.playoff else top.slappable

    def _call(self, person: Person, touch_ns: int) -> None:
        """Call "Slapjack!", if the table plays so; sometimes somebody forgets it."""
        if not self._world.calls or self._rng.random() > 0.95:
            return
        call = Call(touch_ns + round(self._rng.uniform(0, 150) * MS), person.name)
        self._world.schedule(call.t_ns, lambda: self.pressed.append(call))
