"""Games written by hand, and a season of simulated people at rules level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from referee.rules.cards import deck_of_52, parse_card
from referee.rules.events import Flip, Observation, Slap, Watermark
from referee.rules.house_rules import HouseRules, house_rules
from referee.rules.position import Deal, Start
from referee.rules.referee import Referee
from referee.service.log import Log

MS = 1_000_000
CAMERA_NS = 16 * MS
PAD_NS = 4 * MS


def flip(t_ms: int, card: str, early_ms: int = 16) -> Flip:
    """A card that came to lie between `early_ms` before this time and this time."""
    return Flip(t_ms * MS, parse_card(card), early_ns=early_ms * MS)


def slap(t_ms: int, player: str, early_ms: int = 4) -> Slap:
    """A touch between `early_ms` before this time and this time."""
    return Slap(t_ms * MS, player, early_ns=early_ms * MS)


def log_of(
    observations: Iterable[Observation],
    *,
    game: str = "slapjack",
    players: Sequence[str] = ("Ann", "Bo", "Cleo"),
    rules: HouseRules | None = None,
    start: Start | None = None,
) -> Log:
    """Play a game and keep its log; both sources promise everything before each observation."""
    referee = Referee(game, players, rules or house_rules(game), start or Deal())
    seen: list[Observation] = []
    said = []
    for one in observations:
        for each in (*_promises(one.t_ns - 300 * MS), one):
            seen.append(each)
            said += referee.observe(each)
    return Log(referee.header, tuple(seen), tuple(said))


def _promises(t_ns: int) -> tuple[Watermark, Watermark]:
    return Watermark(t_ns, "pads"), Watermark(t_ns, "camera")


QUICKNESS = {"Ann": (330, 60), "Bo": (390, 90), "Cleo": (450, 70), "Dan": (360, 130)}
"""Player -> mean reaction and its deviation in ms."""
SLIPS = {"Ann": 0.01, "Bo": 0.03, "Cleo": 0.006, "Dan": 0.06}
"""Player -> how often he slaps a card that is nothing."""


def simulated(seed: int, players: Sequence[str], game: str = "slapjack") -> Log:
    """A whole game of people with different hands; no pixels, the rules are the real ones."""
    random = Random(seed)
    referee = Referee(game, players, house_rules(game), Deal())
    seen: list[Observation] = []
    said = []
    stocks: dict[str, list[str]] = {player: [] for player in players}
    cards = [str(card) for card in deck_of_52()]
    random.shuffle(cards)
    for number, card in enumerate(cards):
        stocks[players[number % len(players)]].append(card)
    pile: list[str] = []
    t_ms = 1000
    for _ in range(1500):
        if referee.table.winner is not None:
            break
        turn = referee.table.to_act
        if turn is None or not stocks[turn]:
            break
        card = stocks[turn].pop(0)
        pile.append(card)
        round_of: list[Observation] = [flip(t_ms, card)]
        round_of += _hands(random, t_ms, _is_slappable(game, pile), players)
        end_ns = (t_ms + 2600) * MS
        for one in [*sorted(round_of, key=lambda each: each.t_ns), *_promises(end_ns)]:
            seen.append(one)
            new = referee.observe(one)
            said += new
            for verdict in new:
                for move in getattr(verdict, "cards_moved", ()):
                    _move(stocks, pile, move.source, move.target, move.n)
        t_ms += random.randrange(2700, 3300)
    return Log(referee.header, tuple(seen), tuple(said))


def _hands(
    random: Random, t_ms: int, is_slappable: bool, players: Sequence[str]
) -> list[Observation]:
    hands: list[Observation] = []
    for player in players:
        mean, deviation = QUICKNESS[player]
        if is_slappable or random.random() < SLIPS[player]:
            after = max(140, random.gauss(mean, deviation) + random.expovariate(1 / 60))
            if random.random() < SLIPS[player]:
                after = -random.randrange(40, 160)
            if random.random() < 0.9:
                at_ns = t_ms * MS + int(after * MS)
                hands.append(Slap(at_ns, player, early_ns=PAD_NS))
    return hands


def _is_slappable(game: str, pile: Sequence[str]) -> bool:
    ranks = [card[:-1] for card in pile]
    if game == "slapjack":
        return ranks[-1] == "J"
    return len(ranks) > 1 and ranks[-1] in (ranks[-2], ranks[0], *ranks[-3:-2])


def _move(stocks: dict[str, list[str]], pile: list[str], source: str, target: str, n: int) -> None:
    cards = pile[:n] if source == "pile" else stocks[source][:n]
    del (pile if source == "pile" else stocks[source])[:n]
    if target == "pile_bottom":
        pile[:0] = cards
    elif target == "pile":
        pile.extend(cards)
    else:
        stocks[target].extend(cards)
