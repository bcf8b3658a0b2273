"""Two people who play Spit at the simulated table, both at once and on both piles.

They know their own cards and see the piles. What goes on between them and the box is what
`referee.rules.spit_view` says: cards on the piles, touches of the pads, and the box's verdicts.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from hardware.simulated import spit_snapshot
from hardware.simulated.people import MS
from hardware.simulated.snapshot import Record
from hardware.simulated.spit_cards import OnPile, SpitHolder, SpitPiles
from hardware.simulated.truth import TrueFlip, TrueSlap
from referee.rules import verdicts as v
from referee.rules.cards import Card, deck_of_52
from referee.rules.events import Award, Observation
from referee.rules.game import TableView

if TYPE_CHECKING:
    from hardware.simulated.world import World

PLAY_MS = (900.0, 2000.0)
"""From one play to a player's next one."""
MOVE_MS = (350.0, 700.0)
"""A move between the own stock piles."""
CARRY_MS = (280.0, 400.0)
"""A card's way to a pile."""
SPIT_MS = (900.0, 1300.0)
""""Spit!": until both turn their deck cards."""
STUCK_MS = (800.0, 1500.0)
"""Until a player is sure that nothing fits."""
STUCK_AGAIN_MS, FINISHED_AGAIN_MS = 5000.0, 4000.0
"""So long people wait before they say it again."""
CHOICE_MS = (1500.0, 2200.0)
LAYOUT_MS = (2500.0, 3500.0)
NOTICE_MS = 3500.0
"""So long people wait until they lay an unnoticed card again."""
ELBOW_ROOM_MS = 220.0
"""A pile is left alone so long after another hand has gone."""
PUSHY, CLUMSY = 0.06, 0.015
"""Chance to play into another hand, and to play a card that does not fit."""
LOOK_MS = 40.0
SETTLE_MS = 1000
"""Before anybody acts when a game goes on."""


class SpitPlayers:
    """Both people at the table."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._rng = Random(f"spit {world.seed}")
        self._holders = {name: SpitHolder(name) for name in world.players}
        self._piles = SpitPiles(world)
        self._due: set[str] = set()
        """Who has to turn a deck card."""
        self._turning: set[str] = set()
        self._playing = False
        self._single = False
        self._chooser: str | None = None
        self._free_ns = dict.fromkeys(world.players, world.now_ns)
        """When each player's hand is free."""
        quick = self._rng.uniform(0.7, 0.9)
        paces = [quick, 2.1 - quick]
        self._rng.shuffle(paces)
        self._pace = dict(zip(world.players, paces, strict=True))
        """How slow each player is."""
        self._pile_free_ns = [0, 0]
        self._in_flight = [0, 0]
        self._carried: list[OnPile] = []
        """Cards in the air."""
        self._unnoticed: list[OnPile | None] = [None, None]
        self._laid_again = [0, 0]
        self._stuck_ns: dict[str, int] = {}
        self._pressed: list[Observation] = []
        self.winner: str | None = None
        """Who was declared the winner."""
        self._deal()
        world.schedule(world.now_ns, self._look)

    # --- what others may ask ---

    @property
    def stocks(self) -> dict[str, tuple[Card, ...]]:
        """Everything that each player holds."""
        return {name: tuple(holder.all_cards()) for name, holder in self._holders.items()}

    def pile(self, number: int = 0) -> tuple[Card, ...]:
        """What lies on a pile, bottom first."""
        return tuple(laid.card for laid in self._piles.cards[number])

    def pressed(self) -> list[Observation]:
        """Buttons pressed since the last call."""
        pressed, self._pressed = self._pressed, []
        return pressed

    # --- a table that goes on ---

    def snapshot(self) -> Record:
        """The table at rest."""
        return spit_snapshot.take(self._holders, self._piles, self._carried) | {
            "due": sorted(self._due - (self._turning - {one.flip.player for one in self._carried})),
            "playing": self._playing,
            "single": self._single,
            "chooser": self._chooser,
        }

    def restore(self, record: Record, books: TableView) -> None:
        """Lay the cards as a snapshot has them, where it differs as the books have them."""
        now = self._world.now_ns
        spit_snapshot.lay(record, books, self._world, self._holders, self._piles)
        self._playing, self._single = record["playing"], record["single"]
        self._chooser = record["chooser"]
        self._due, self._turning = set(record["due"]), set()
        self._free_ns = dict.fromkeys(self._holders, now + SETTLE_MS * MS)
        if self._chooser is not None:
            self._world.schedule(self._soon(CHOICE_MS), self._choose)
        elif not self._playing and not self._due:
            self._world.schedule(self._soon(LAYOUT_MS), self._next_round)

    # --- looking around ---

    def _deal(self) -> None:
        """Half a deck for each.

        Source: Spit, "Aufbau".
        """
        cards = list(deck_of_52())
        self._rng.shuffle(cards)
        half = len(cards) // 2
        for i, holder in enumerate(self._holders.values()):
            holder.lay_out(cards[i * half : (i + 1) * half])
        self._call_spit(set(self._holders), 1500.0)

    def _look(self) -> None:
        if self.winner is not None:
            return
        now = self._world.now_ns
        self._lay_again_if_overlooked()
        names = list(self._holders)
        self._rng.shuffle(names)
        for name in names:
            if self._free_ns[name] <= now:
                self._act(self._holders[name])
        self._world.schedule(now + round(LOOK_MS * MS), self._look)

    def _act(self, holder: SpitHolder) -> None:
        if holder.name in self._due and holder.name not in self._turning:
            self._turn_deck_card(holder)
        elif self._playing and not self._due:
            self._play(holder)

    def _soon(self, ms: tuple[float, float]) -> int:
        return self._world.now_ns + round(self._rng.uniform(*ms) / self._world.tempo * MS)

    def _own_pile(self, name: str) -> int:
        return 0 if self._single else self._world.players.index(name)

    # --- deck cards ---

    def _call_spit(self, players: set[str], after_ms: float = 0.0) -> None:
        """Count to three together, then everybody turns a card."""
        self._due = {name for name in players if self._holders[name].deck}
        self._turning = set()
        at_ns = self._soon(SPIT_MS) + round(after_ms * MS)
        for name in self._due:
            self._free_ns[name] = at_ns + round(abs(self._rng.gauss(0, 90)) * MS)

    def _turn_deck_card(self, holder: SpitHolder) -> None:
        """Source: Spit, "Spielablauf" (keine Züge mehr)."""
        self._turning.add(holder.name)
        self._carry(holder, holder.deck.popleft(), self._own_pile(holder.name), None)

    # --- plays ---

    def _play(self, holder: SpitHolder) -> None:
        now = self._world.now_ns
        if len(holder.stacks) == 0:
            self._say_finished(holder)
            return
        choice = self._choose_play(holder)
        if choice is not None:
            place, pile = choice
            card = holder.stacks.places[place].top
            if card is not None:
                holder.stacks = holder.stacks.without(place)
                self._carry(holder, card, pile, place)
            return
        move = holder.useful_move()
        if move is not None:
            holder.stacks = holder.stacks.moved(*move)
            self._free_ns[holder.name] = self._soon(MOVE_MS)
        elif holder.is_blocked(self._piles.tops) and not any(self._in_flight):
            self._say_stuck(holder, now)

    def _choose_play(self, holder: SpitHolder) -> tuple[int, int] | None:
        tops = self._piles.tops
        if self._rng.random() < CLUMSY:
            wrong = holder.playable(tops, loosely=True)
            if wrong and self._is_free(wrong[0][1]):
                return wrong[0]
        good = [(place, pile) for place, pile in holder.playable(tops) if self._is_free(pile)]
        return self._rng.choice(good) if good else None

    def _is_free(self, pile: int) -> bool:
        now = self._world.now_ns
        if self._in_flight[pile] == 0 and now >= self._pile_free_ns[pile]:
            return True
        return self._rng.random() < PUSHY * LOOK_MS / 300.0

    def _carry(self, holder: SpitHolder, card: Card, pile: int, place: int | None) -> None:
        start_ns = self._world.now_ns
        rest_ns = start_ns + round(self._rng.uniform(*CARRY_MS) * MS)
        pose, gone_ns = self._world.gestures.flip(
            holder.name, card, pile, start_ns, rest_ns, is_open=place is not None
        )
        flip = TrueFlip(0, card, holder.name, pile, start_ns, rest_ns, gone_ns)
        self._in_flight[pile] += 1
        self._pile_free_ns[pile] = gone_ns + round(ELBOW_ROOM_MS * MS)
        pace = self._pace[holder.name]
        self._free_ns[holder.name] = max(
            gone_ns, self._soon((PLAY_MS[0] * pace, PLAY_MS[1] * pace))
        )
        carried = OnPile(card, pose, flip, place)
        self._carried.append(carried)
        self._world.schedule(rest_ns, lambda: self._land(pile, carried))

    def _land(self, pile: int, laid: OnPile) -> None:
        self._in_flight[pile] -= 1
        self._carried.remove(laid)
        self._piles.land(pile, laid)
        self._unnoticed[pile] = self._piles.cards[pile][-1]
        self._laid_again[pile] = 0
        self._stuck_ns.clear()

    # --- what people say with their pads ---

    def _touch(self, player: str, kind: str, at_ns: int) -> None:
        """A short touch of a pad."""
        release_ns = at_ns + round(self._rng.uniform(90, 200) * MS)
        self._world.gestures.slap(player, at_ns, release_ns)

        def touch() -> None:
            truth = self._world.truth
            slap = TrueSlap(
                len(truth.slaps), at_ns, player, kind, None, None, False, False, release_ns
            )
            truth.slaps.append(slap)

        self._world.schedule(at_ns, touch)

    def _say_stuck(self, holder: SpitHolder, now: int) -> None:
        said = self._stuck_ns.get(holder.name)
        if said is not None and now - said < STUCK_AGAIN_MS * MS:
            return
        at_ns = self._soon(STUCK_MS)
        self._stuck_ns[holder.name] = at_ns
        self._free_ns[holder.name] = at_ns
        self._world.schedule(at_ns - 130 * MS, lambda: self._touch_if_stuck(holder, at_ns))

    def _touch_if_stuck(self, holder: SpitHolder, at_ns: int) -> None:
        blocked = holder.is_blocked(self._piles.tops) and not any(self._in_flight)
        if self._playing and not self._due and blocked:
            self._touch(holder.name, "stuck", at_ns)
        else:
            self._stuck_ns.pop(holder.name, None)

    def _say_finished(self, holder: SpitHolder) -> None:
        """Two touches: "I have no stock cards left". Again after a while, if the box is silent."""
        if any(self._in_flight):
            return
        first_ns = self._world.now_ns + 350 * MS
        self._touch(holder.name, "finished", first_ns)
        self._touch(holder.name, "finished", first_ns + 420 * MS)
        self._free_ns[holder.name] = first_ns + round(FINISHED_AGAIN_MS * MS)

    # --- what the box says ---

    def hear(self, verdicts: Sequence[v.Verdict], to_act: str | None) -> None:
        """Both hear the verdicts."""
        for verdict in verdicts:
            self._hear_one(verdict)

    def _hear_one(self, verdict: v.Verdict) -> None:
        if isinstance(verdict, v.LegalPlay):
            self._noticed(verdict.pile, verdict.card)
        elif isinstance(verdict, v.IllegalPlay):
            self._noticed(verdict.pile, verdict.card)
            self._take_back(verdict.pile, verdict.card)
        elif isinstance(verdict, v.TiePlay):
            self._unnoticed[verdict.pile] = None
        elif isinstance(verdict, v.Go):
            self._go()
        elif isinstance(verdict, v.BothStuck):
            self._call_spit(set(verdict.flip))
        elif isinstance(verdict, v.RoundOver):
            self._end_round(verdict.player)
        elif isinstance(verdict, v.Deadlock):
            self._end_round(verdict.player or self._world.players[0])
        elif isinstance(verdict, v.PileChoice):
            self._take_piles(verdict)
        elif isinstance(verdict, v.SinglePile):
            self._single = True
        elif isinstance(verdict, v.Recount):
            self._believe_me()
        elif isinstance(verdict, v.GameOver):
            self.winner = verdict.player

    def _noticed(self, pile: int, card: Card) -> None:
        waiting = self._unnoticed[pile]
        if waiting is not None and waiting.card.rank == card.rank:
            self._unnoticed[pile] = None

    def _go(self) -> None:
        self._due, self._turning, self._playing = set(), set(), True
        self._unnoticed = [None, None]
        self._stuck_ns.clear()
        for name in self._holders:
            self._free_ns[name] = self._soon((350.0, 900.0))

    def _take_back(self, pile: int, card: Card) -> None:
        """The card goes back to where it came from, if it still lies on top."""
        laid = self._piles.cards[pile]
        if not laid or laid[-1].card.rank != card.rank or self._in_flight[pile]:
            return
        last = laid.pop()
        owner = self._holders[last.flip.player]
        reach_ns = self._soon((200.0, 400.0))
        gone_ns = self._world.gestures.take_top(owner.name, last.card, pile, last.place, reach_ns)
        self._world.schedule(reach_ns + 260 * MS, lambda: self._piles.note(pile))
        self._pile_free_ns[pile] = gone_ns + round(ELBOW_ROOM_MS * MS)
        self._free_ns[owner.name] = gone_ns
        self._carried.append(last)

        def taken() -> None:
            self._carried.remove(last)
            owner.take_back(last.card, last.from_place)

        self._world.schedule(gone_ns, taken)

    def _believe_me(self) -> None:
        done = [name for name, holder in self._holders.items() if len(holder.stacks) == 0]
        if done:
            self._pressed.append(Award(self._world.now_ns, done[0]))

    def _lay_again_if_overlooked(self) -> None:
        now = self._world.now_ns
        for pile, waiting in enumerate(self._unnoticed):
            if waiting is None or self._in_flight[pile] or not self._piles.cards[pile]:
                continue
            top = self._piles.cards[pile][-1]
            if top.card != waiting.card or now < top.flip.hand_gone_ns + NOTICE_MS * MS:
                continue
            if self._laid_again[pile] >= 2 or self._free_ns[top.flip.player] > now:
                continue
            self._laid_again[pile] += 1
            self._relay(pile)

    def _relay(self, pile: int) -> None:
        again = self._piles.lay_again(pile)
        flip = again.flip
        self._in_flight[pile] += 1
        self._carried.append(again)
        self._free_ns[flip.player] = flip.hand_gone_ns
        self._pile_free_ns[pile] = flip.hand_gone_ns + round(ELBOW_ROOM_MS * MS)

        def landed() -> None:
            self._in_flight[pile] -= 1
            self._carried.remove(again)
            self._piles.put(pile, again)

        self._world.schedule(flip.rest_ns, landed)

    # --- after the round ---

    def _end_round(self, finisher: str) -> None:
        """The finisher wants the smaller pile and touches the pad beside it.

        Source: Spit, "Die Ablagestapel".
        """
        self._playing, self._chooser = False, finisher
        self._due = set()
        at_ns = self._soon(CHOICE_MS)
        self._world.schedule(at_ns, self._choose)

    def _choose(self) -> None:
        if self._chooser is None or self.winner is not None:
            return
        sizes = [len(pile) for pile in self._piles.cards]
        smaller = 0 if sizes[0] <= sizes[1] else 1
        if self._rng.random() < 0.12:
            smaller = 1 - smaller
        pad = self._world.players[0 if self._single else smaller]
        self._touch(pad, "choice", self._world.now_ns + 150 * MS)
        self._world.schedule(self._world.now_ns + 4000 * MS, self._choose)

    def _take_piles(self, choice: v.PileChoice) -> None:
        self._chooser, self._playing, self._single = None, False, False
        now = self._world.now_ns
        done_ns = now
        for moved in choice.cards_moved:
            if moved.target in self._holders and moved.source in ("pile0", "pile1", "pile"):
                pile = 1 if moved.source == "pile1" else 0
                done_ns = max(done_ns, self._take_pile(self._holders[moved.target], pile))
        after_ns = done_ns + round(self._rng.uniform(*LAYOUT_MS) / self._world.tempo * MS)
        self._world.schedule(after_ns, self._next_round)

    def _take_pile(self, holder: SpitHolder, pile: int) -> int:
        if not self._piles.cards[pile]:
            return self._world.now_ns
        reach_ns = self._soon((200.0, 500.0))
        off_ns, gone_ns = self._world.gestures.take_pile(holder.name, pile, reach_ns)
        holder.deck.extend(laid.card for laid in self._piles.cards[pile])
        self._piles.cards[pile] = []
        self._unnoticed[pile] = None
        self._world.schedule(off_ns, lambda: self._piles.note(pile))
        return gone_ns

    def _next_round(self) -> None:
        """Pile, deck and what is left of the stock piles are laid out anew, not shuffled.

        Source: Spit, "Die Ablagestapel" (nicht gemischt).
        """
        for holder in self._holders.values():
            holder.lay_out(holder.all_cards())
        self._stuck_ns.clear()
        self._call_spit(set(self._holders))
