"""Long logs and many races for measuring: how fast the rules are, how often they are wrong.

Players hold more cards than a game can use up, so that one log can be as long as wanted. Nothing
here takes the time; whoever measures does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from referee.rules.cards import deck_of_52, parse_card
from referee.rules.events import DEMO, Flip, Observation, Slap, Watermark
from referee.rules.house_rules import house_rules
from referee.rules.pile import NS_PER_MS
from referee.rules.position import Position
from referee.rules.record import Header
from referee.rules.referee import Referee
from referee.rules.verdicts import Doubt, FalseSlap, Let, Tie, ValidSlap, Verdict

SEVEN, JACK = parse_card("7S"), parse_card("JS")

PLAYERS = ("Ann", "Bo", "Cleo", "Dan")
ENDLESS = 10**7
"""Cards of each player."""

FLIP_NS = 1_000 * NS_PER_MS
"""From one card to the next."""

CAMERA_NS = 17 * NS_PER_MS
"""Time between two frames, 60 in a second."""

FASTEST_PAD_NS, SLOWEST_PAD_NS = 2 * NS_PER_MS, 7 * NS_PER_MS
"""Delay of a pad, from the touch to its edge."""


def endless_header(game: str) -> Header:
    """A game that cannot run out of cards."""
    return Header(
        game=game,
        players=PLAYERS,
        house_rules=house_rules(game),
        start=Position(counts=tuple((player, ENDLESS) for player in PLAYERS)),
    )


def synthetic_log(game: str, n: int, seed: int) -> tuple[Header, list[Observation]]:
    """A log of `n` observations: flips, slaps with intervals, and both watermarks.

    Args:
        game: `slapjack` or `ratscrew`.
        n: How many observations.
        seed: Of the random numbers.
    """
    random, cards = Random(seed), deck_of_52()
    seen: list[Observation] = []
    t_ns = FLIP_NS
    while len(seen) < n:
        card = random.choice(cards)
        seen.append(Flip(t_ns, card, early_ns=CAMERA_NS))
        wish = 0.9 if card.rank == "J" else 0.04
        for player in PLAYERS:
            if random.random() < wish:
                touch_ns = t_ns + random.randrange(250, 600) * NS_PER_MS
                seen.append(Slap(touch_ns, player, early_ns=5 * NS_PER_MS, stamp=DEMO))
        for share in (2, 4, 6, 8):
            mark_ns = t_ns + share * FLIP_NS // 10
            seen += [Watermark(mark_ns, "pads"), Watermark(mark_ns, "camera")]
        t_ns += FLIP_NS
    return endless_header(game), seen[:n]


@dataclass(frozen=True, slots=True)
class Score:
    """The referee against the truth."""

    slaps: int = 0
    wins: int = 0
    """Piles given to one hand."""
    wrong_wins: int = 0
    """To a hand that was not the first valid one, and no doubt was declared."""
    wrong_falses: int = 0
    """A hand that was on the trigger had to pay."""
    wrong_doubts: int = 0
    """The same, but the doubt was declared: benefit of the doubt."""
    ties: int = 0
    doubts: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, f) + getattr(other, f) for f in self.__dataclass_fields__))


def race_scores(slaps: int, seed: int, *, doubt: str = "benefit") -> Iterator[Score]:
    """Play races with random gaps until so many slaps are judged; a score every 1000 races.

    Every touch, landing and delay is random: pads delay by 2 to 7 ms, frames come every 17 ms,
    hands come from 60 ms before the card lies to 60 ms after, or all within 12 ms of each other.
    """
    random, judged = Random(seed), 0
    while judged < slaps:
        score = Score()
        referee = _new_referee(doubt)
        for race in range(1000):
            score += _one_race(referee, race, random)
            if judged + score.slaps >= slaps:
                break
        judged += score.slaps
        yield score


def _new_referee(doubt: str) -> Referee:
    header = endless_header("slapjack")
    rules = replace(header.house_rules, doubt=doubt, tie_rule="next_trigger")
    return Referee(header.game, header.players, rules, header.start, lockout_ms=0)


def _one_race(referee: Referee, race: int, random: Random) -> Score:
    """A number card, a jack, and the hands that go for it."""
    base_ns = (race + 1) * 10 * FLIP_NS
    landed_ns = base_ns + FLIP_NS + random.randrange(CAMERA_NS)
    frame_ns = base_ns + FLIP_NS + CAMERA_NS
    touches = _touches(landed_ns, random)
    seen: list[Observation] = [
        Flip(base_ns, SEVEN),
        Flip(frame_ns, JACK, early_ns=CAMERA_NS),
        *(_stamped(touched_ns, player, random) for player, touched_ns in touches.items()),
    ]
    random.shuffle(seen)
    said: list[Verdict] = []
    for each in seen:
        said += referee.observe(each)
    end_ns = base_ns + 3 * FLIP_NS
    said += referee.observe(Watermark(end_ns, "pads"))
    said += referee.observe(Watermark(end_ns, "camera"))
    return _score(said, {p: t for p, t in touches.items() if t > landed_ns}, len(touches))


def _touches(landed_ns: int, random: Random) -> dict[str, int]:
    """True times: around the landing, or close together long after it."""
    players = random.sample(PLAYERS, random.randint(1, len(PLAYERS)))
    if random.random() < 0.5:
        return {p: landed_ns + random.randrange(-60_000_000, 60_000_000) for p in players}
    first_ns = landed_ns + random.randrange(200, 500) * NS_PER_MS
    return {player: first_ns + random.randrange(12_000_000) for player in players}


def _stamped(touched_ns: int, player: str, random: Random) -> Slap:
    """What the pad reports: the edge, less its shortest delay, and how much earlier it may be."""
    edge_ns = touched_ns + random.randrange(FASTEST_PAD_NS, SLOWEST_PAD_NS + 1)
    width_ns = SLOWEST_PAD_NS - FASTEST_PAD_NS
    return Slap(edge_ns - FASTEST_PAD_NS, player, early_ns=width_ns, stamp=DEMO)


def _score(said: list[Verdict], valid: dict[str, int], slaps: int) -> Score:
    first = min(valid, key=lambda player: valid[player]) if valid else None
    wins = [v for v in said if isinstance(v, ValidSlap)]
    falses = [v for v in said if isinstance(v, FalseSlap)]
    wrong = [v for v in wins if v.player != first]
    return Score(
        slaps=slaps,
        wins=len(wins),
        wrong_wins=sum(not v.benefit for v in wrong),
        wrong_falses=sum(v.player in valid for v in falses),
        wrong_doubts=sum(v.benefit for v in wrong),
        ties=sum(isinstance(v, Tie) for v in said),
        doubts=sum(isinstance(v, Doubt | Let) for v in said) + sum(v.benefit for v in wins),
    )
