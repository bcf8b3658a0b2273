"""A drawn table without pixels: its true landings and touches go straight to the box's referee."""

from __future__ import annotations

from pathlib import Path

from hardware.simulated.usual_slaps import agreed_slaps
from hardware.simulated.world import World
from referee.rules.events import Flip, Observation, Slap, Watermark
from referee.rules.house_rules import house_rules
from referee.rules.position import Deal
from referee.rules.referee import Referee
from referee.rules.verdicts import Verdict
from referee.service.journal.clock import moved
from referee.service.journal.journal import Journal
from referee.service.journal.resume import after_power_cut

MS = 1_000_000
STEP_NS = 20 * MS
SEEN_AFTER_NS = 60 * MS
"""From a card's rest to its observation."""


class DrawnEvening:
    """One game of simulated people, kept in a journal."""

    def __init__(self, path: Path, game: str, seed: int, boot: str, start_ns: int) -> None:
        """Begin a game, or go on with the open one of the journal."""
        self.journal = Journal.open(path)
        rules = house_rules(game)
        players = ("Ann", "Bo") if game == "spit" else ("Ann", "Bo", "Cleo")
        self.world = World(
            seed=seed,
            game=game,
            players=players,
            is_slappable=None if game == "spit" else agreed_slaps(rules),
            start_ns=start_ns,
            tempo=3,
        )
        self._flips = self._slaps = 0
        self._offset_ns = 0
        opened = self.journal.open_game()
        if opened is None:
            self.referee = Referee(game, players, rules, Deal(dealer=players[-1]))
            box = {"boot": boot}
            self.record = self.journal.begin(self.referee.header, box, begun_ms=1)
            self.resumed: list[Verdict] = []
            return
        self.referee = opened.replayed()
        sitting = opened.sitting.after(opened.last_ns, boot, start_ns)
        self._offset_ns = sitting.offset_ns
        table = opened.note("table")
        assert table is not None
        self.world.restore(table, self.referee.table, sitting.offset_ns)
        self._flips = len(self.world.truth.flips)
        self.record = self.journal.go_on(opened, sitting)
        self.resumed = self.tell(after_power_cut(self.referee, start_ns))

    def tell(self, seen: list[Observation]) -> list[Verdict]:
        said: list[Verdict] = []
        for stamped in seen:
            one = moved(stamped, self._offset_ns)
            verdicts = self.referee.observe(one)
            self.record.write(one, verdicts)
            said += verdicts
        self.world.hear(said, to_act=self.referee.table.to_act)
        if said:
            self.record.note("table", self.world.snapshot())
        return said

    def play(self, until_ns: int) -> list[Verdict]:
        """Play up to a time of the world, or to the winner."""
        said: list[Verdict] = []
        while self.world.now_ns < until_ns and not self.world.is_over:
            self.world.advance(self.world.now_ns + STEP_NS)
            said += self.tell([*self._camera(), *self._pads(), *self.world.observations()])
        return said

    def cut_the_power(self) -> None:
        """Nothing is said good-bye to."""
        self.journal.close()

    def _camera(self) -> list[Observation]:
        seen: list[Observation] = []
        now_ns, flips = self.world.now_ns - SEEN_AFTER_NS, self.world.truth.flips
        while self._flips < len(flips) and flips[self._flips].rest_ns <= now_ns:
            flip = flips[self._flips]
            self._flips += 1
            if not flip.again:
                player = flip.player if self.world.game == "spit" else None
                seen.append(Flip(flip.rest_ns, flip.card, player, pile=flip.pile))
        # Only what lies still is promised: a card in the air comes later.
        waits = min((flip.rest_ns for flip in flips[self._flips :]), default=now_ns + 1)
        promised_ns = min(now_ns, waits - 1)
        return [*sorted(seen, key=lambda one: one.t_ns), Watermark(promised_ns, "camera")]

    def _pads(self) -> list[Observation]:
        slaps = self.world.truth.slaps
        seen = [Slap(slap.touch_ns, slap.player) for slap in slaps[self._slaps :]]
        self._slaps = len(slaps)
        return [*seen, Watermark(self.world.now_ns, "pads")]
