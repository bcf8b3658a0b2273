"""The referee: observations in any order in, verdicts out. Pure: it never asks the time.

`observe` puts an observation into the timeline and rules on everything that both watermarks have
passed. The table's corrections are replays of the log with the correction added.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.rules.corrections import Correcting, Said, again_from, correct, is_correction
from referee.rules.events import (
    Observation,
    Ruling,
    Slap,
    TableAnswer,
    TakenBack,
    Tick,
    Watermark,
)
from referee.rules.game import Game, TableView
from referee.rules.games import make_game
from referee.rules.hindsight import read_late, take_back
from referee.rules.holds import Holds
from referee.rules.house_rules import HouseRules
from referee.rules.house_rules import house_rules as read_house_rules
from referee.rules.members import check_observation, check_players
from referee.rules.position import Deal, Start
from referee.rules.record import Header
from referee.rules.timeline import FOR_EVER_NS, Timeline
from referee.rules.verdicts import CardSeen, Correction, LateEvent, Let, Verdict


class Referee:
    """One game from the first card to the winner."""

    def __init__(
        self,
        game: str,
        players: Sequence[str],
        house_rules: HouseRules | None = None,
        start: Start | None = None,
        *,
        lockout_ms: int = 120,
    ) -> None:
        """Set up the table.

        Args:
            game: `slapjack`, `ratscrew` or `spit`.
            players: In seat order, clockwise.
            house_rules: What the table agreed; None: the game's defaults.
            start: A deal or a position; None: a fresh deal.
            lockout_ms: A pad's further touches within this time of the first are the same slap.

        Raises:
            BadRules: The game, the players or the start do not fit together.
        """
        self.header = Header(
            game=game,
            players=tuple(players),
            house_rules=house_rules or read_house_rules(game),
            start=start or Deal(),
            lockout_ms=lockout_ms,
        )
        check_players(game, self.header.players, self.header.house_rules)
        self.log: list[Observation] = []
        """Every observation, in the order of arrival; of promises that follow each other without
        a verdict only the newest of each source, or an idle table would fill the memory."""
        self._spoken = 0
        """So many entries of the log were there at the last verdict."""
        self._timeline = Timeline(self.header.players, self.header.house_rules, lockout_ms)
        self._game = self._new_game()
        self._said: Said = []
        """Every verdict of the game with the place in the timeline that caused it."""
        self._begun = False
        self._holds = Holds(self._timeline, asks=game != "spit")

    # --- the whole interface ----------------------------------------------------------------------

    def observe(self, seen: Observation) -> list[Verdict]:
        """Take note of an observation; rule on all that is certain by now.

        Raises:
            BadLog: The observation is about somebody who does not play, or of no known source.
        """
        out: list[Verdict] = []
        if not self._begun:
            self._begin(out)
        if type(seen) is Watermark:
            self._timeline.promise(seen)
            self._note_promise(seen)
            if seen.source == "camera" and self._holds.take_back_booking():
                self._again("card_is", out)
            self._rule(out)
            if out:
                self._spoken = len(self.log)
            return out
        check_observation(seen, self.header.players)
        self.log.append(seen)
        self._arrive(seen, out)
        if type(seen) is Tick or self._timeline.next_ready() is not None:
            self._rule(out)
        return out

    def _note_promise(self, mark: Watermark) -> None:
        """Log a promise instead of the one that it renews."""
        log = self.log
        for place in range(len(log) - 1, max(self._spoken, len(log) - 2) - 1, -1):
            earlier = log[place]
            if type(earlier) is not Watermark:
                break
            if earlier.source == mark.source:
                del log[place]
                break
        log.append(mark)

    def finish(self) -> list[Verdict]:
        """No more observations: decide what is held, up to the last event time."""
        out: list[Verdict] = []
        if not self._begun:
            self._begin(out)
        self._timeline.pads_ns = self._timeline.camera_ns = FOR_EVER_NS
        self._rule_ready(out)
        self._say(self._game.close(None), out)
        return out

    @property
    def table(self) -> TableView:
        """How the books stand after everything that was ruled on."""
        return self._game.table

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Everything that was declared, as it stands after all corrections."""
        return tuple(said for _, said in self._said)

    @property
    def facts(self) -> tuple[Observation, ...]:
        """What was seen, in the order of event time: corrected, without what was struck out."""
        struck = self._timeline.struck
        return tuple(entry[5] for entry in self._timeline.entries if id(entry[5]) not in struck)

    @property
    def waiting(self) -> list[Slap]:
        """Slaps that nobody has ruled on yet: pads or camera have not told all about their time."""
        waiting = (entry[5] for entry in self._timeline.entries[self._timeline.at :])
        return [seen for seen in waiting if isinstance(seen, Slap)]

    # --- ruling -----------------------------------------------------------------------------------

    def _begin(self, out: list[Verdict]) -> None:
        self._begun = True
        self._say(self._game.begin(), out)

    def _rule(self, out: list[Verdict]) -> None:
        """Rule on everything that both watermarks have passed, then close windows."""
        timeline = self._timeline
        if timeline.at < len(timeline.entries):
            self._rule_ready(out)
        closed = self._game.close(timeline.complete_ns)
        if closed:
            self._say(closed, out)
        if timeline.at < len(timeline.entries):
            self._holds.check(out)

    def _rule_ready(self, out: list[Verdict]) -> None:
        timeline = self._timeline
        while (entry := timeline.next_ready()) is not None:
            timeline.at += 1
            seen = entry[5]
            if isinstance(seen, Ruling) and is_correction(seen):
                self._correct(seen, out)  # type: ignore[arg-type]
            else:
                self._play(entry[0], seen, out)

    def _play(self, t_ns: int, seen: Observation, out: list[Verdict]) -> None:
        """One observation in its turn."""
        closed = self._game.close(t_ns)
        if closed:
            self._said += [(self._timeline.at - 1, verdict) for verdict in closed]
            out += closed
        if type(seen) is Slap:
            if self._timeline.first_touch(seen):
                self._say(self._game.receive(seen), out)
        elif not (self._timeline.struck and self._is_left_out(seen)):
            self._say(self._game.receive(seen), out)

    def _is_left_out(self, seen: Observation) -> bool:
        """Struck out, and nothing is said about it."""
        is_struck = id(seen) in self._timeline.struck
        return is_struck and (isinstance(seen, Ruling) or self.header.game == "spit")

    def _say(self, said: list[Verdict], out: list[Verdict]) -> None:
        if said:
            place = self._timeline.at
            self._said += [(place, verdict) for verdict in said]
            out += said

    # --- the table's word -------------------------------------------------------------------------

    def _correct(self, ruling: Correcting, out: list[Verdict]) -> None:
        """Replay the game with the correction added; announce it and all that follows from it."""
        self._say(self._game.close(ruling.t_ns), out)
        ref_ns = correct(self._timeline, ruling, self._said)
        self._tell_again(ruling.t_ns, ruling.ruling, ref_ns, out)

    def _again(self, ruling: str, out: list[Verdict]) -> None:
        """The camera has corrected itself; announce all that changes by it."""
        if self._timeline.at or self._said:
            self._tell_again(self._timeline.complete_ns, ruling, FOR_EVER_NS, out)

    def _tell_again(self, now_ns: int, ruling: str, ref_ns: int, out: list[Verdict]) -> None:
        """Replay what was ruled on; say what changes, and all that is not older than `ref_ns`."""
        old = self._said
        self._replay(self._timeline.at, now_ns)
        first = again_from(old, self._said, ref_ns, self._timeline)
        out.append(Correction(now_ns, ruling))
        out += [said for _, said in self._said[first:] if not isinstance(said, CardSeen)]

    def _replay(self, until: int, now_ns: int) -> None:
        """Play the game again from the start, up to a place in the timeline."""
        timeline = self._timeline
        timeline.rewind()
        self._game, self._said = self._new_game(), []
        self._say(self._game.begin(), [])
        for place in range(until):
            timeline.at = place + 1
            entry = timeline.entries[place]
            if not is_correction(entry[5]):
                self._play(entry[0], entry[5], [])
        self._say(self._game.close(now_ns), [])

    def _arrive(self, seen: Observation, out: list[Verdict]) -> None:
        """An observation takes its place, or is noted as late."""
        if type(seen) is TableAnswer:
            self._hear_answer(seen, out)
        elif type(seen) is TakenBack and take_back(self._timeline, seen):
            self._again("void_flip", out)
        elif not self._timeline.add(seen):
            self._arrive_late(seen, out)
        self._holds.arrive(seen)

    def _arrive_late(self, seen: Observation, out: list[Verdict]) -> None:
        """Too late for the past, unless it names a card that was told as unread."""
        if read_late(self._timeline, seen):
            self._again("card_is", out)
        else:
            out.append(LateEvent(seen.t_ns, seen.kind))

    def _hear_answer(self, answer: TableAnswer, out: list[Verdict]) -> None:
        """The table says what lay there when nobody could see it."""
        blind = self._holds.blind_slaps(answer)
        if blind and answer.answer == "let":
            self._timeline.drop(blind)
            out.append(Let(answer.t_ns, tuple(dict.fromkeys(slap.player for slap in blind))))
            return
        self._timeline.add(answer)
        if blind:
            self._holds.release(blind, answer, self._game.table)

    def _new_game(self) -> Game:
        header = self.header
        return make_game(
            header.game, header.players, header.house_rules, header.start, self._timeline
        )


def referee_of(header: Header) -> Referee:
    """A referee at the start of a logged game."""
    return Referee(
        header.game,
        header.players,
        header.house_rules,
        header.start,
        lockout_ms=header.lockout_ms,
    )


def replay(header: Header, observations: Iterable[Observation]) -> list[Verdict]:
    """Play a log again: the same observations give the same verdicts."""
    referee = referee_of(header)
    verdicts = [verdict for seen in observations for verdict in referee.observe(seen)]
    return verdicts + referee.finish()
