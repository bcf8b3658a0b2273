"""What a game under troubles must not show: lost cards, wrong verdicts, faults that stay.

The table's truth knows which card lay there, who was first and what everybody holds. A slap whose
edge never reached the box, because its pad was declared at fault, is counted apart: nobody can
rule on what the pads did not tell, and the box had said so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from hardware.simulated.truth import TrueSlap
from referee.rules.books import ELSEWHERE
from referee.rules.events import Flip
from referee.rules.verdicts import GameOver, LateSlap, Recount, ValidSlap
from referee.service.doctor.codes import Code
from referee.service.score import JudgedSlap, score
from referee.service.soak.game import SoakGame

MS = 1_000_000
CARDS = 52
LAST_FLIPS = 3
"""More cards cannot be in the air or unread when a game ends."""
PAD_CODES = (Code.PAD_STUCK, Code.PAD_CHATTERS)
"""A pad is left out while one of these stands at its seat."""
FOUND_OUT_NS = 250 * MS
"""So long before a fault stands the first edges may already have been left out: the box's loop
takes up to 133 ms, a heartbeat 20 ms. And after it."""


TOLD_LATE_NS = 1500 * MS
"""Wrong stamps are told when the edges arrive, and edges may be a second late."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game, judged."""

    seed: int
    game: str
    winner: str | None
    simulated_s: float
    frames: int
    flips: int
    slaps: int
    unread: int
    wrong: tuple[JudgedSlap, ...]
    """Outside declared doubt, and no fault of a pad was declared."""
    under_fault: int
    """Contradict the truth, but a pad in that race was declared at fault."""
    doubts: int
    books_differ: dict[str, tuple[int, int]]
    """Player or "pile" -> cards by the books, cards in truth; only where they differ."""
    recounts: int
    """How often the box said that somebody else's card was flipped, and asked to count. The
    simulated people never do."""
    lost_cards: int
    """52 less what the books hold together."""
    spoken_while_suspended: int
    faults: dict[str, int]
    """Code -> how often it came."""
    troubles: dict[str, int]
    """Kind -> how often it came."""
    recorded: bool | None
    """The journal replays to what was said; None: there was none, or its disk was full."""

    @property
    def is_off(self) -> bool:
        """A card was lost, or is booked for somebody else, and the box did not notice."""
        return bool(self.lost_cards or (self.books_differ and not self.recounts))

    @property
    def is_good(self) -> bool:
        """Nothing that must not be."""
        return (
            self.winner is not None
            and not self.wrong
            and not self.is_off
            and not self.spoken_while_suspended
            and self.recorded is not False
        )


def judge(game: SoakGame, *, recorded: bool | None = None) -> GameResult:
    """Compare a finished game with the truth.

    Args:
        game: After `play`.
        recorded: What its journal was worth.
    """
    world, referee = game.world, game.referee
    judged = score(world.truth.slaps, game.verdicts)
    wrong = [one for one in judged.slaps if one.is_wrong]
    wrong = [one for one in wrong if not _follows_doubt(game, one)]
    excused = [one for one in wrong if _is_excused(game, one.slap)]
    books = dict(referee.table.counts) | {"pile": referee.table.pile}
    truth = _held(game)
    return GameResult(
        seed=game.plan.seed,
        game=game.plan.game,
        winner=referee.table.winner,
        simulated_s=(world.now_ns - world.start_ns) / 1e9,
        frames=game.box.frames,
        flips=sum(not flip.again for flip in world.truth.flips),
        slaps=len(judged.slaps),
        unread=sum(isinstance(one, Flip) and not one.card.is_read for one in referee.log),
        wrong=tuple(one for one in wrong if one not in excused),
        under_fault=len(excused),
        doubts=judged.doubts,
        books_differ={
            who: (books[who], truth[who]) for who in books if books[who] != truth.get(who)
        },
        recounts=sum(isinstance(one, Recount) and one.reason == ELSEWHERE for one in game.verdicts),
        lost_cards=CARDS - sum(books.values()),
        spoken_while_suspended=len(game.spoken_while_suspended),
        faults=dict(Counter(change.code.value for _, change in game.changes if change.on)),
        troubles=dict(Counter(one.kind for one in game.troubles.past)),
        recorded=recorded,
    )


def _held(game: SoakGame) -> dict[str, int]:
    """Who really holds how many cards. What was flipped when the game was over by event time is
    its flipper's: nobody books it any more."""
    world = game.world
    held = {player: len(stock) for player, stock in world.stocks.items()}
    held["pile"] = len(world.pile())
    over_ns = next((one.t_ns for one in game.verdicts if isinstance(one, GameOver)), None)
    if over_ns is None:
        return held
    flips = [one for one in game.referee.log if isinstance(one, Flip)]
    seen_later = {one.card for one in flips if one.t_ns > over_ns}
    for flip in world.truth.flips[-LAST_FLIPS:]:
        is_later = flip.rest_ns > over_ns or flip.card in seen_later
        if is_later and flip.card in world.pile() and not flip.again:
            held[flip.player] += 1
            held["pile"] -= 1
    return held


def _follows_doubt(game: SoakGame, judged: JudgedSlap) -> bool:
    """Called late, because the pile had gone to a hand in declared doubt."""
    if not isinstance(judged.verdict, LateSlap):
        return False
    won = [one for one in game.verdicts if isinstance(one, ValidSlap)]
    before = [one for one in won if one.t_ns <= judged.verdict.t_ns]
    return bool(before) and before[-1].benefit


def _is_excused(game: SoakGame, slap: object) -> bool:
    """A pad in the race of this slap was declared at fault: its owner's, or the first hand's."""
    assert isinstance(slap, TrueSlap)
    race = [slap, *(one for one in game.world.truth.slaps if one.first and one.flip == slap.flip)]
    return any(_was_at_fault(game, one) for one in race)


def _was_at_fault(game: SoakGame, slap: TrueSlap) -> bool:
    """His pad was left out, or all stamps were wrong just then, and the box said so."""
    at_ns = slap.touch_ns if slap.edge_ns is None else slap.edge_ns
    seat = game.seats[slap.player]
    left_out = any(
        begin_ns - FOUND_OUT_NS <= at_ns <= end_ns + FOUND_OUT_NS
        for code in PAD_CODES
        for begin_ns, end_ns in _stood(game, (code, seat))
    )
    jumped = any(
        one.kind == "pad_stamps_jump"
        and one.begin_ns - FOUND_OUT_NS <= at_ns <= one.end_ns + FOUND_OUT_NS
        for one in game.troubles.past
    )
    told = any(
        begin_ns - TOLD_LATE_NS <= at_ns <= end_ns
        for begin_ns, end_ns in _stood(game, (Code.PAD_CLOCK, None))
    )
    return left_out or (jumped and told)


def _stood(game: SoakGame, place: tuple[Code, int | None]) -> Iterable[tuple[int, int]]:
    """When a fault stood."""
    begin_ns: int | None = None
    for at_ns, change in game.changes:
        if (change.code, change.seat) != place:
            continue
        if change.on:
            begin_ns = at_ns
        elif begin_ns is not None:
            yield begin_ns, at_ns
            begin_ns = None
    if begin_ns is not None:
        yield begin_ns, game.world.now_ns
