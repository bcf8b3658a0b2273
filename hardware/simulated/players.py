"""People who play Slapjack or Egyptian Ratscrew at the simulated table.

They hold real cards. They know the game as people do: they see the table, and they hear and see
what the box declares. They never know what the box has seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from hardware.simulated.holdings import Holdings, Laid
from hardware.simulated.people import MS, Person, draw_skills
from hardware.simulated.slapping import Slapping
from hardware.simulated.snapshot import Cards, Record
from hardware.simulated.truth import TrueFlip
from hardware.simulated.usual_slaps import Predicate
from referee.rules import verdicts as v
from referee.rules.cards import Card
from referee.rules.events import Observation, VoidFlip
from referee.rules.game import TableView

if TYPE_CHECKING:
    from hardware.simulated.world import World

PACE_MS = (700.0, 1000.0)
"""From one card's rest to the next one's."""
FLIP_MS = (260.0, 360.0)
"""How long a flip takes."""
GLANCE_MS = 25.0
"""So often people look whether it is their turn."""
NOTICE_MS = 3000.0
"""So long a flipper waits for the box to notice his card before he lays it again."""
LAY_AGAIN_TIMES = 2
ANSWER_MS = 1200.0
"""Time to answer a question of the box."""
GREETING_MS = 1500.0
"""Before the first flip."""
TURN_MS = (120.0, 260.0)
"""From the display's change to the hand of the player whose turn it is."""
TALK_MS = (350.0, 600.0)
"""People look at each other after a slap before the game goes on."""

_ABOUT_A_SLAP = v.ValidSlap | v.FalseSlap | v.LateSlap | v.IgnoredSlap | v.Doubt | v.Tie | v.Let


class SimulatedPlayers:
    """All people at one table."""

    def __init__(self, world: World, is_slappable: Predicate) -> None:
        self._world = world
        self._rng = rng = Random(f"people {world.seed} {world.game}")
        skills = draw_skills(len(world.players), rng)
        self._people = {
            name: Person(name, skill) for name, skill in zip(world.players, skills, strict=True)
        }
        self._holdings = Holdings(world, self._people, is_slappable, rng)
        self._slapping = Slapping(world, self._holdings, is_slappable, rng)
        self._to_act: str | None = self._next_after(world.dealer)
        self._flying: TrueFlip | None = None
        self._unnoticed: TrueFlip | None = None
        self._laid_again = 0
        self._taken_back_ns = 0
        """When the last unnoticed card was taken from the pile."""
        self._earliest_ns = world.now_ns + round(GREETING_MS * MS)
        self._patient_until_ns = 0
        self.winner: str | None = None
        """Who was declared the winner."""
        world.schedule(world.now_ns, self._glance)

    # --- what others may ask ---

    @property
    def stocks(self) -> dict[str, tuple[Card, ...]]:
        """What everybody holds, top card first."""
        return {name: tuple(person.stock) for name, person in self._people.items()}

    def pile(self, number: int = 0) -> tuple[Card, ...]:
        """What lies on the pile, bottom first."""
        return self._holdings.pile

    def pressed(self) -> list[Observation]:
        """Buttons pressed since the last call."""
        pressed, self._slapping.pressed = self._slapping.pressed, []
        return pressed

    # --- a table that goes on ---

    def snapshot(self) -> Record:
        """The table at rest."""
        return self._holdings.at_rest(self._flying).to_record() | {
            "playoff": list(self._slapping.playoff)
        }

    def restore(self, record: Record, books: TableView) -> None:
        """Lay the cards as a snapshot has them, where it differs as the books have them."""
        cards = Cards.from_record(record)
        cards.agree(dict(books.counts), books.pile, books.top)
        self._holdings.lay_as(cards)
        self._slapping.playoff = tuple(record["playoff"])
        self._to_act = books.to_act
        for name, status in books.status:
            self._people[name].is_out = status == "out"

    def keep_hand_down(self, player: str, until_ns: int) -> None:
        """A player leaves his palm on his pad: he cannot slap meanwhile."""
        person = self._people[player]
        person.hand_down_until_ns = max(person.hand_down_until_ns, until_ns)

    def be_patient(self, until_ns: int) -> None:
        """The box cannot see: nobody flips, takes a card back or answers a question."""
        self._patient_until_ns = until_ns
        self._wait_until(until_ns)
        self._slapping.be_patient(until_ns)

    # --- turns ---

    def _glance(self) -> None:
        """Everybody looks at the table: is it my turn, was my card noticed?"""
        if self.winner is not None:
            return
        now = self._world.now_ns
        next_glance = now + round(GLANCE_MS * MS)
        if self._flying is None and self._slapping.is_settled():
            person = self._whose_turn()
            if self._unnoticed is not None:
                self._lay_again_if_overlooked()
            elif person is None or person.hand_down_until_ns > now:
                pass  # who slaps does not flip
            elif self._earliest_ns < next_glance:
                self._start_flip(person, max(now, self._earliest_ns))
        self._world.schedule(next_glance, self._glance)

    def _whose_turn(self) -> Person | None:
        """Whose turn the display shows; if he holds no cards, the next one who does."""
        if self._to_act is None:
            return None
        names = self._world.players
        at = names.index(self._to_act)
        for i in range(len(names)):
            person = self._people[names[(at + i) % len(names)]]
            if person.stock and not person.is_out:
                return person
        return None

    def _next_after(self, player: str) -> str:
        names = self._world.players
        return names[(names.index(player) + 1) % len(names)]

    def _start_flip(self, person: Person, start_ns: int) -> None:
        """Turn the top card over, away from oneself.

        Source: Slapjack, "Spielablauf".
        """
        card = person.stock.popleft()
        rest_ns = start_ns + round(self._rng.uniform(*FLIP_MS) * MS)
        place, gone_ns = self._world.gestures.flip(person.name, card, 0, start_ns, rest_ns)
        number = sum(not flip.again for flip in self._world.truth.flips)
        flip = TrueFlip(number, card, person.name, 0, start_ns, rest_ns, gone_ns)
        self._world.truth.flips.append(flip)
        self._flying = self._unnoticed = flip
        self._laid_again = 0
        self._world.schedule(rest_ns, lambda: self._land(Laid(card, place, flip)))
        self._slapping.think(flip, (*self._holdings.seen_pile, card))

    def _land(self, laid: Laid) -> None:
        self._flying = None
        self._holdings.lay(laid)
        pace = self._rng.uniform(*PACE_MS) / self._world.tempo
        self._wait_until(laid.flip.rest_ns + round((pace - sum(FLIP_MS) / 2) * MS))

    def _lay_again_if_overlooked(self) -> None:
        flip, laid = self._unnoticed, self._holdings.laid
        if flip is None:
            return
        last = laid[-1].flip if laid else flip
        since_ns = max(last.hand_gone_ns, self._patient_until_ns)
        if self._world.now_ns < since_ns + round(NOTICE_MS * MS):
            return
        if self._laid_again < LAY_AGAIN_TIMES and laid and last.number == flip.number:
            self._laid_again += 1
            self._taken_back_ns = self._world.now_ns
            again = self._holdings.lay_again()
            self._flying = again.flip
            self._world.schedule(again.flip.rest_ns, lambda: self._land(again))
            return
        self._unnoticed = None
        self._to_act = self._next_after(flip.player)

    def _wait_until(self, t_ns: int) -> None:
        self._earliest_ns = max(self._earliest_ns, t_ns)

    def _wait_a_little(self, ms: tuple[float, float]) -> None:
        self._wait_until(self._world.now_ns + round(self._rng.uniform(*ms) * MS))

    # --- what the box says ---

    def hear(self, verdicts: Sequence[v.Verdict], to_act: str | None) -> None:
        """Everybody hears the verdicts and sees whose turn it is."""
        for verdict in verdicts:
            self._hear_one(verdict)
        if to_act != self._to_act:
            self._to_act = to_act
            self._noticed()
            self._wait_a_little(TURN_MS)

    def _noticed(self) -> None:
        if self._flying is None:
            self._unnoticed = None

    def _hear_one(self, verdict: v.Verdict) -> None:
        if isinstance(verdict, v.CardSeen | v.Unreadable):
            self._noticed()
            self._void_if_taken_back(verdict)
        elif isinstance(verdict, v.GameOver):
            self.winner = verdict.player
            self._slapping.is_over = True
        elif isinstance(verdict, v.Eliminated):
            self._people[verdict.player].is_out = True
        elif isinstance(verdict, v.BackIn):
            self._people[verdict.player].is_out = False
        elif isinstance(verdict, v.Hold | v.PendingSlap):
            self._slapping.wait(verdict.player)
        elif isinstance(verdict, v.AskTable):
            self._slapping.wait(verdict.player)
            self._answer_soon(verdict.player)
        elif isinstance(verdict, _ABOUT_A_SLAP):
            self._hear_about_slap(verdict)
        if isinstance(verdict, v.OutOfTurn):
            self._noticed()
            self._wait_until(self._holdings.give_back())
        else:
            self._move_cards(verdict)

    def _void_if_taken_back(self, verdict: v.Verdict) -> None:
        """The box speaks of a card that was taken back in the meantime: it does not count."""
        if isinstance(verdict, v.Unreadable) and verdict.t_ns < self._taken_back_ns:
            void = VoidFlip(self._world.now_ns, verdict.t_ns)
            self._slapping.pressed.append(void)

    def _answer_soon(self, player: str) -> None:
        at_ns = self._world.now_ns + round(ANSWER_MS * MS)
        self._world.schedule(at_ns, lambda: self._answer(player))

    def _answer(self, player: str) -> None:
        """While the box cannot see, people wait: a look at the pile may settle it yet."""
        if self._world.now_ns < self._patient_until_ns:
            self._answer_soon(player)
        elif not self._patient_until_ns or self._slapping.is_open(player):
            self._slapping.answer(player)

    def _hear_about_slap(self, verdict: v.Verdict) -> None:
        if isinstance(verdict, v.Tie | v.Let):
            named = verdict.players
        else:
            named = (getattr(verdict, "player", ""),)
        for player in named:
            self._slapping.settle(player)
        if isinstance(verdict, v.Tie):
            self._slapping.playoff = verdict.players
        elif isinstance(verdict, v.ValidSlap):
            self._slapping.playoff = ()
        self._wait_a_little(TALK_MS)

    def _move_cards(self, verdict: v.Verdict) -> None:
        """People do with their cards what the box has declared."""
        moves: tuple[v.CardsMoved, ...] = getattr(verdict, "cards_moved", ())
        after_ns = self._flying.hand_gone_ns if self._flying is not None else 0
        for moved in moves:
            source, target = self._people.get(moved.source), self._people.get(moved.target)
            if source is None and target is not None and moved.source == "pile":
                shuffle = getattr(verdict, "shuffle", False)
                self._wait_until(
                    self._holdings.take_pile(
                        target, moved.n, verdict.t_ns, after_ns, shuffle=shuffle
                    )
                )
            elif source is not None and target is not None:
                self._wait_until(self._holdings.pay(source, target, moved.n))
            elif source is not None and moved.target == "pile_bottom":
                self._wait_until(self._holdings.bury(source, moved.n, after_ns))
