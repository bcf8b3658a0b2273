"""Races in a log: the card that could be slapped, and every hand that wanted it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from referee.rules.events import Flip, Slap
from referee.rules.verdicts import FalseSlap, Tie, ValidSlap, Verdict
from referee.service.photo_finish import Lane, photo_finish
from referee.service.sentences import card_name, sentence

AFTER_NS = 1_500_000_000
"""Hands that come so long after the winner still belong to the race."""
BEFORE_NS = 400_000_000
"""And hands that came too early."""


@dataclass(frozen=True, slots=True)
class Race:
    """One won pile."""

    card: Flip
    won: ValidSlap | Tie
    lanes: tuple[Lane, ...]


def races(observations: Sequence[object], verdicts: Sequence[Verdict]) -> list[Race]:
    """Every race that ended with a winner or a tie, in order."""
    flips = sorted((one for one in observations if isinstance(one, Flip)), key=lambda f: f.t_ns)
    slaps = sorted((one for one in observations if isinstance(one, Slap)), key=lambda s: s.t_ns)
    wrong = {(one.player, one.t_ns) for one in verdicts if isinstance(one, FalseSlap)}
    found = []
    for verdict in verdicts:
        if not isinstance(verdict, ValidSlap | Tie):
            continue
        at = bisect_right(flips, verdict.t_ns, key=lambda flip: flip.t_ns - flip.early_ns)
        if at:
            card = flips[at - 1]
            begin_ns = card.t_ns - BEFORE_NS
            near = [slap for slap in slaps if begin_ns <= slap.t_ns <= verdict.t_ns + AFTER_NS]
            lanes = tuple(Lane(slap, _outcome(slap, verdict, wrong)) for slap in near)
            found.append(Race(card, verdict, lanes))
    return found


def _outcome(slap: Slap, verdict: ValidSlap | Tie, wrong: set[tuple[str, int]]) -> str:
    if (slap.player, slap.t_ns) in wrong:
        return "false"
    if isinstance(verdict, Tie):
        return "tie" if slap.player in verdict.players else "late"
    return "won" if (slap.player, slap.t_ns) == (verdict.player, verdict.t_ns) else "late"


def draw_race(race: Race) -> str:
    """A race as an SVG photo finish."""
    title = card_name(race.card.card)
    return photo_finish(
        race.card, race.lanes, title=title[:1].upper() + title[1:], verdict=sentence(race.won)
    )
