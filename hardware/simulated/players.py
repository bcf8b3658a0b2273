"""People who play Slapjack or Egyptian Ratscrew at the simulated table.

They hold real cards. They know the game as people do: they see the table, and they hear and see
what the box declares. They never know what the box has seen.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from hardware.simulated.motion import Pose
from hardware.simulated.people import MS, Person, draw_skills, reaction_ns
from hardware.simulated.truth import PileState, TrueFlip, TrueSlap
from referee.rules import verdicts as v
from referee.rules.cards import Card, deck_of_52
from referee.rules.events import Call, Observation, TableAnswer

if TYPE_CHECKING:
    from hardware.simulated.world import World

Predicate = Callable[[Sequence[Card]], bool]
"""Whether a pile, bottom first, can be slapped."""

PACE_MS = (700.0, 1000.0)
"""From one card's rest to the next one's."""
FLIP_MS = (260.0, 360.0)
"""How long a flip takes."""
SEEN_BEFORE_REST_MS = 70.0
"""People know a card so long before it lies still."""
SLAP_MOVE_MS = 130.0
"""From the decision to slap to the touch; nobody stops a hand in less."""
LIFT_MS = 40
"""A hand must be up so long before it can come down again."""
GLANCE_MS = 25.0
"""So often people look whether it is their turn."""
NOTICE_MS = 3000.0
"""So long a flipper waits for the box to notice his card before he lays it again."""
LAY_AGAIN_TIMES = 2
PATIENCE_MS, HOLD_PATIENCE_MS = 2500.0, 9000.0
"""So long people wait for a word about a slap; and if the box asked them to wait."""
ANSWER_MS = 1200.0
"""Time to answer a question of the box."""
GREETING_MS = 1500.0
"""Before the first flip."""


def usual_triggers(game: str) -> Predicate:
    """What can be slapped if nothing else was agreed."""
    return is_jack_on_top if game != "ers" else is_pair_sandwich_or_top_bottom


def is_jack_on_top(pile: Sequence[Card]) -> bool:
    """The usual slap of Slapjack.

    Source: Slapjack, "Spielablauf".
    """
    return bool(pile) and pile[-1].rank == "J"


def is_pair_sandwich_or_top_bottom(pile: Sequence[Card]) -> bool:
    """The usual slaps of Egyptian Ratscrew.

    Source: Egyptian Ratscrew, "Die Schläge".
    """
    if len(pile) < 2:
        return False
    rank = pile[-1].rank
    return rank in (pile[-2].rank, pile[0].rank) or (len(pile) > 2 and rank == pile[-3].rank)


@dataclass(slots=True)
class Laid:
    """A card on the pile, as people remember it."""

    card: Card
    place: Pose
    flip: TrueFlip


class SimulatedPlayers:
    """All people at one table."""

    def __init__(self, world: World, is_slappable: Predicate) -> None:
        self._world = world
        self._is_slappable = is_slappable
        self._rng = Random(f"people {world.seed} {world.game}")
        skills = draw_skills(len(world.players), self._rng)
        self.people = {
            name: Person(name, skill) for name, skill in zip(world.players, skills, strict=True)
        }
        self._buried: list[Card] = []
        """Cards under the pile, the lowest first."""
        self._laid: list[Laid] = []
        self._to_act: str | None = None
        self._flying: TrueFlip | None = None
        self._unnoticed: TrueFlip | None = None
        self._laid_again = 0
        self._open_slaps: dict[str, int] = {}
        """Slaps about which the box has not spoken yet: player -> until when people wait."""
        self._won: set[int] = set()
        """Flips on which somebody really was first."""
        self._playoff: tuple[str, ...] = ()
        self._pressed: list[Observation] = []
        self._earliest_ns = world.now_ns + round(GREETING_MS * MS)
        self._pace_ns = 0
        self._touches = 0
        self.winner: str | None = None
        self._deal()
        self._note_pile()
        world.schedule(world.now_ns, self._glance)

    # --- what others may ask ---

    @property
    def stocks(self) -> dict[str, tuple[Card, ...]]:
        """What everybody holds, top card first."""
        return {name: tuple(person.stock) for name, person in self.people.items()}

    def pile(self, number: int = 0) -> tuple[Card, ...]:
        """What lies on the pile, bottom first."""
        return (*self._buried, *(laid.card for laid in self._laid))

    def pressed(self) -> list[Observation]:
        """Buttons pressed since the last call."""
        pressed, self._pressed = self._pressed, []
        return pressed

    # --- deal and turn ---

    def _deal(self) -> None:
        """One by one from the dealer's left.

        Source: Slapjack, "Vorbereitung".
        """
        cards = list(deck_of_52())
        self._rng.shuffle(cards)
        names = self._world.players
        first = (names.index(self._world.dealer) + 1) % len(names)
        for i, card in enumerate(cards):
            self.people[names[(first + i) % len(names)]].stock.appendleft(card)
        self._to_act = names[first]

    def _glance(self) -> None:
        """Everybody looks at the table: is it my turn, was my card noticed?"""
        if self.winner is not None:
            return
        now = self._world.now_ns
        next_glance = now + round(GLANCE_MS * MS)
        self._open_slaps = {p: t for p, t in self._open_slaps.items() if t > now}
        if self._unnoticed is not None and self._flying is None:
            self._lay_again_if_overlooked()
        elif self._may_flip() and self._earliest_ns < next_glance:
            self._start_flip(self._flipper(), max(now, self._earliest_ns))
        self._world.schedule(next_glance, self._glance)

    def _may_flip(self) -> bool:
        return (
            self._flying is None
            and self._unnoticed is None
            and not self._open_slaps
            and self._flipper() is not None
        )

    def _flipper(self) -> Person | None:
        """Whose turn the display shows; if he holds no cards, the next one who does."""
        if self._to_act is None:
            return None
        names = self._world.players
        at = names.index(self._to_act)
        for i in range(len(names)):
            person = self.people[names[(at + i) % len(names)]]
            if person.stock and not person.is_out:
                return person
        return None

    def _start_flip(self, person: Person | None, start_ns: int) -> None:
        if person is None:
            return
        card = person.stock.popleft()
        rest_ns = start_ns + round(self._rng.uniform(*FLIP_MS) * MS)
        place, gone_ns = self._world.gestures.flip(person.name, card, 0, start_ns, rest_ns)
        flip = TrueFlip(
            len(self._world.truth.flips), card, person.name, 0, start_ns, rest_ns, gone_ns
        )
        self._world.truth.flips.append(flip)
        self._flying = self._unnoticed = flip
        self._laid_again = 0
        self._world.schedule(rest_ns, lambda: self._land(Laid(card, place, flip)))
        self._think(flip, (*self.pile(), card))

    def _land(self, laid: Laid) -> None:
        self._flying = None
        self._laid.append(laid)
        self._note_pile()
        pace = self._rng.uniform(*PACE_MS) / self._world.tempo
        self._wait_until(laid.flip.rest_ns + round((pace - sum(FLIP_MS) / 2) * MS))

    def _wait_until(self, t_ns: int) -> None:
        self._earliest_ns = max(self._earliest_ns, t_ns)

    def _note_pile(self) -> None:
        pile = self.pile()
        top = self._laid[-1] if self._laid else None
        state = PileState(
            self._world.now_ns,
            top.card if top else None,
            top.flip.number if top else None,
            bool(top) and self._is_slappable(pile),
        )
        self._world.truth.states.setdefault(0, []).append(state)

    def _lay_again_if_overlooked(self) -> None:
        flip = self._unnoticed
        if flip is None or not self._laid or self._open_slaps:
            return
        last = self._laid[-1]
        if self._world.now_ns < last.flip.hand_gone_ns + round(NOTICE_MS * MS):
            return
        if self._laid_again >= LAY_AGAIN_TIMES or last.flip.number != flip.number:
            self._unnoticed = None
            self._to_act = self._next_after(flip.player)
            return
        self._laid_again += 1
        place, rest_ns, gone_ns = self._world.gestures.lay_again(
            flip.player, flip.card, 0, last.place, self._world.now_ns
        )
        again = TrueFlip(
            flip.number, flip.card, flip.player, 0, self._world.now_ns, rest_ns, gone_ns, again=True
        )
        self._world.truth.flips.append(again)
        self._laid[-1] = Laid(last.card, place, again)
        self._wait_until(gone_ns)

    def _next_after(self, player: str) -> str:
        names = self._world.players
        return names[(names.index(player) + 1) % len(names)]

    # --- slaps ---

    def _think(self, flip: TrueFlip, pile: tuple[Card, ...]) -> None:
        """Everybody sees the card and decides what to do with his hand."""
        seen_ns = flip.rest_ns - round(SEEN_BEFORE_REST_MS * MS)
        for person in self.people.values():
            if person.is_out:
                continue
            kind = self._urge(person, pile)
            if kind is None:
                continue
            touch_ns = seen_ns + reaction_ns(person.skill, self._rng)
            if kind == "jumpy":
                touch_ns = flip.rest_ns + round(self._rng.uniform(-40, 110) * MS)
            self._plan_touch(person, touch_ns, kind, flip)

    def _urge(self, person: Person, pile: tuple[Card, ...]) -> str | None:
        rng, skill = self._rng, person.skill
        if self._playoff:
            return "playoff" if person.name in self._playoff and rng.random() < 0.97 else None
        if self._is_slappable(pile):
            return "trigger" if rng.random() >= skill.miss else None
        if rng.random() < skill.jumpy:
            return "jumpy"
        likeness = 1.0 if pile[-1].rank in "QK" else 0.06
        return "mistake" if rng.random() < skill.mistake * likeness else None

    def _plan_touch(self, person: Person, touch_ns: int, kind: str, flip: TrueFlip) -> None:
        decide_ns = touch_ns - round(SLAP_MOVE_MS * MS)
        self._world.schedule(decide_ns, lambda: self._move_hand(person, touch_ns, kind, flip))

    def _move_hand(self, person: Person, touch_ns: int, kind: str, flip: TrueFlip) -> None:
        """The last moment in which a slap can be held back."""
        touch_ns = max(touch_ns, self._world.now_ns + round(SLAP_MOVE_MS * MS))
        if not self._still_wants(person, touch_ns, kind, flip):
            return
        hold = self._rng.uniform(180, 520) if kind != "second" else self._rng.uniform(70, 160)
        release_ns = touch_ns + round(hold * MS)
        sweep = kind in ("trigger", "playoff") and self._rng.random() < 0.12
        self._world.gestures.slap(person.name, touch_ns, release_ns, sweep=sweep)
        person.hand_down_until_ns = release_ns
        self._world.schedule(
            touch_ns, lambda: self._touch(person, touch_ns, release_ns, kind, flip)
        )

    def _still_wants(self, person: Person, touch_ns: int, kind: str, flip: TrueFlip) -> bool:
        if (
            self.winner is not None
            or person.is_out
            or person.hand_down_until_ns > touch_ns - 40 * MS
        ):
            return False
        if kind == "second":
            return True
        covered = self._laid and self._laid[-1].flip.number > flip.number
        lies_there = (
            covered
            or self._flying is flip
            or (bool(self._laid) and self._laid[-1].flip.number == flip.number)
        )
        if not lies_there or (covered and self._rng.random() < 0.7):
            return False
        others = [s.touch_ns for s in self._world.truth.slaps[-8:] if s.flip == flip.number]
        sees_a_hand = any(touch_ns - t > 190 * MS + SLAP_MOVE_MS * MS for t in others)
        return not (sees_a_hand and self._rng.random() < 0.8)

    def _touch(
        self, person: Person, touch_ns: int, release_ns: int, kind: str, flip: TrueFlip
    ) -> None:
        top = self._world.truth.top_at(touch_ns)
        first = self._is_first(top, kind)
        if first and top.flip is not None:
            self._won.add(top.flip)
        elif top.slappable and kind == "trigger":
            kind = "late"
        self._world.truth.slaps.append(
            TrueSlap(
                self._touches,
                touch_ns,
                person.name,
                kind,
                top.top,
                top.flip,
                top.slappable,
                first,
                release_ns,
            )
        )
        self._touches += 1
        if kind != "second":
            self._open_slaps[person.name] = touch_ns + round(PATIENCE_MS * MS)
        if self._world.calls and self._rng.random() < 0.95:
            t_ns = touch_ns + round(self._rng.uniform(-60, 120) * MS)
            call = Call(max(t_ns, self._world.now_ns), person.name)
            self._world.schedule(call.t_ns, lambda: self._pressed.append(call))
        if kind != "second" and self._rng.random() < person.skill.second:
            again_ns = release_ns + round(self._rng.uniform(60, 220) * MS)
            self._plan_touch(person, again_ns, "second", flip)

    def _is_first(self, top: PileState, kind: str) -> bool:
        if self._playoff:
            return kind == "playoff" and top.flip is not None and top.flip not in self._won
        return top.slappable and top.flip not in self._won

    # --- what the box says ---

    def hear(self, verdicts: Sequence[v.Verdict], to_act: str | None) -> None:
        """Everybody hears the verdicts and sees whose turn it is."""
        for verdict in verdicts:
            self._hear_one(verdict)
        if to_act != self._to_act:
            if self._unnoticed is not None and self._flying is None:
                self._unnoticed = None
            self._wait_until(self._world.now_ns + round(self._rng.uniform(120, 260) * MS))
            self._to_act = to_act

    def _hear_one(self, verdict: v.Verdict) -> None:
        if isinstance(verdict, v.CardSeen | v.Unreadable):
            self._unnoticed = None if self._flying is None else self._unnoticed
        elif isinstance(verdict, v.GameOver):
            self.winner = verdict.player
        elif isinstance(verdict, v.Eliminated):
            self.people[verdict.player].is_out = True
        elif isinstance(verdict, v.BackIn):
            self.people[verdict.player].is_out = False
        elif isinstance(verdict, v.Tie):
            self._playoff = verdict.players
        elif isinstance(verdict, v.OutOfTurn):
            self._give_back(verdict)
        elif isinstance(verdict, v.AskTable):
            self._wait(verdict.player)
            self._world.schedule(
                self._world.now_ns + round(ANSWER_MS * MS), lambda: self._answer(verdict.player)
            )
        elif isinstance(verdict, v.Hold | v.PendingSlap):
            self._wait(verdict.player)
        elif isinstance(verdict, v.ValidSlap):
            self._playoff = ()
        self._settle_slap(verdict)
        if not isinstance(verdict, v.OutOfTurn):
            for moved in getattr(verdict, "cards_moved", ()):
                self._move_cards(moved, verdict.t_ns, shuffle=getattr(verdict, "shuffle", False))

    def _wait(self, player: str) -> None:
        self._open_slaps[player] = self._world.now_ns + round(HOLD_PATIENCE_MS * MS)

    def _settle_slap(self, verdict: v.Verdict) -> None:
        spoken = v.ValidSlap | v.FalseSlap | v.LateSlap | v.IgnoredSlap | v.Doubt | v.Tie | v.Let
        if not isinstance(verdict, spoken):
            return
        named = verdict.players if isinstance(verdict, v.Tie | v.Let) else (verdict.player,)
        for player in named:
            self._open_slaps.pop(player, None)
        self._wait_until(self._world.now_ns + round(self._rng.uniform(350, 600) * MS))

    def _answer(self, player: str) -> None:
        """The table answers honestly: was there something to slap?"""
        slaps = [slap for slap in self._world.truth.slaps if slap.player == player]
        if slaps:
            answer = "slap" if slaps[-1].slappable else "no_slap"
            self._pressed.append(TableAnswer(self._world.now_ns, answer))

    # --- cards change hands ---

    def _move_cards(self, moved: v.CardsMoved, t_ns: int, *, shuffle: bool) -> None:
        if moved.source == "pile" and moved.target in self.people:
            self._take_pile(self.people[moved.target], moved.n, t_ns, shuffle=shuffle)
        elif moved.source in self.people and moved.target in self.people:
            self._pay(self.people[moved.source], self.people[moved.target], moved.n)
        elif moved.source in self.people:
            self._bury(self.people[moved.source], moved.n)

    def _pay(self, payer: Person, receiver: Person, n: int) -> None:
        for _ in range(min(n, len(payer.stock))):
            receiver.stock.append(payer.stock.popleft())
        self._wait_until(self._world.now_ns + 600 * MS)

    def _bury(self, payer: Person, n: int) -> None:
        start_ns = self._world.now_ns + round(self._rng.uniform(250, 450) * MS)
        if self._flying is not None:
            start_ns = max(start_ns, self._flying.hand_gone_ns)
        for _ in range(min(n, len(payer.stock))):
            card = payer.stock.popleft()
            self._buried.insert(0, card)
            start_ns = self._world.gestures.slide_under(payer.name, card, 0, start_ns)
        self._wait_until(start_ns)

    def _take_pile(self, winner: Person, n: int, won_ns: int, *, shuffle: bool) -> None:
        """The winner takes what lay there when the pile was won; a later card stays."""
        reach_ns = max(
            self._world.now_ns + round(self._rng.uniform(150, 300) * MS), self._earliest_hand_ns()
        )
        off_ns_least = reach_ns + 390 * MS
        self._wait_until(off_ns_least)
        self._world.schedule(reach_ns, lambda: self._pull_pile(winner, n, won_ns, shuffle=shuffle))

    def _earliest_hand_ns(self) -> int:
        return self._flying.hand_gone_ns if self._flying is not None else 0

    def _pull_pile(self, winner: Person, n: int, won_ns: int, *, shuffle: bool) -> None:
        late = sum(laid.flip.rest_ns > won_ns for laid in self._laid)
        keep = min(late, max(0, len(self.pile()) - n), len(self._laid))
        taken = self._laid[: len(self._laid) - keep]
        stay = self._laid[len(self._laid) - keep :]
        off_ns, gone_ns = self._world.gestures.take_pile(winner.name, 0, self._world.now_ns, keep)
        winner.stock.extend((*self._buried, *(laid.card for laid in taken)))
        if shuffle:
            cards = list(winner.stock)
            self._rng.shuffle(cards)
            winner.stock = deque(cards)
        self._laid, self._buried = stay, []
        self._world.schedule(off_ns, self._note_pile)
        self._wait_until(gone_ns + round(self._rng.uniform(-60, 200) * MS))

    def _give_back(self, verdict: v.OutOfTurn) -> None:
        if not self._laid:
            return
        last = self._laid.pop()
        owner = self.people[last.flip.player]
        gone_ns = self._world.gestures.take_top(
            owner.name, last.card, 0, last.place, self._world.now_ns + 300 * MS
        )
        owner.stock.appendleft(last.card)
        self._unnoticed = None
        self._world.schedule(self._world.now_ns + 560 * MS, self._note_pile)
        self._wait_until(gone_ns + 100 * MS)
