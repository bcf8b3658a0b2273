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
from referee.rules.events import Flip
from referee.service.doctor.codes import Code
from referee.service.score import JudgedSlap, score
from referee.service.soak.game import SoakGame

MS = 1_000_000
CARDS = 52
PAD_CODES = (Code.PAD_STUCK, Code.PAD_CHATTERS)
"""A pad is left out while one of these stands at its seat."""
FOUND_OUT_NS = 250 * MS
"""So long before a fault stands the first edges may already have been left out: the box's loop
takes up to 133 ms, a heartbeat 20 ms. And after it."""


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
    def is_good(self) -> bool:
        """Nothing that must not be."""
        return (
            self.winner is not None
            and not self.wrong
            and not self.books_differ
            and not self.lost_cards
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
    excused = [one for one in wrong if _is_excused(game, one.slap)]
    books = dict(referee.table.counts) | {"pile": referee.table.pile}
    truth = {player: len(stock) for player, stock in world.stocks.items()}
    truth["pile"] = len(world.pile())
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
        lost_cards=CARDS - sum(books.values()),
        spoken_while_suspended=len(game.spoken_while_suspended),
        faults=dict(Counter(change.code.value for _, change in game.changes if change.on)),
        troubles=dict(Counter(one.kind for one in game.troubles.past)),
        recorded=recorded,
    )


def _is_excused(game: SoakGame, slap: object) -> bool:
    """A pad in the race of this slap was declared at fault: its owner's, or the first hand's."""
    assert isinstance(slap, TrueSlap)
    race = [slap, *(one for one in game.world.truth.slaps if one.first and one.flip == slap.flip)]
    return any(_was_at_fault(game, one) for one in race)


def _was_at_fault(game: SoakGame, slap: TrueSlap) -> bool:
    at_ns = slap.touch_ns if slap.edge_ns is None else slap.edge_ns
    seat = game.seats[slap.player]
    pads = [(code, seat) for code in PAD_CODES] + [(Code.PAD_CLOCK, None)]
    return any(
        begin_ns - FOUND_OUT_NS <= at_ns <= end_ns + FOUND_OUT_NS
        for place in pads
        for begin_ns, end_ns in _stood(game, place)
    )


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
