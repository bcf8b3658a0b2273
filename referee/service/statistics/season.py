"""Figures of many games: players, evenings, the closest races and who beats whom.

- Reaction: every slap on a card that was slapped in time, first or late, but for guesses.
- False slaps: of all slaps that the referee ruled on, the ignored ones left out.
- Anticipation: touches surely before the card they were meant for, and touches on it faster than
  anybody can react.
- An evening: games with less than `EVENING_MS` between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from referee.service.statistics.digest import Digest, Race, reactions_of
from referee.service.statistics.spread import Share, Spread, spread
from referee.service.statistics.touches import FALSE, IGNORED, TIED, WON, Reaction, Touch

EVENING_MS = 5 * 3_600_000
"""So long without a game begins another evening."""

CLOSEST = 10
"""How many close races are kept."""

NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Played:
    """A game of the season."""

    number: int
    """In its journal."""
    begun_ms: int
    """Unix time."""
    digest: Digest


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """One player over some games. Times in ms."""

    player: str
    games: int
    """Games played to their end."""
    games_won: int
    win_streak: int
    """Most games won in a row, of those played."""
    slaps: int
    piles_won: int
    """By slap."""
    pile_streak: int
    """Most slapped cards won in a row, of all that anybody slapped in his games."""
    cards_won: int
    ties: int
    false_slaps: Share
    anticipated: Share
    reaction: Spread | None
    """Of the middles of the intervals."""
    reaction_doubt_ms: float | None
    """Median of the half widths: one time may be so much more or less."""
    demands_won: int
    plays: int
    wrong_plays: int
    rounds_won: int


@dataclass(frozen=True, slots=True)
class Evening:
    """Games of one evening."""

    begun_ms: int
    games: int
    players: tuple[PlayerFigures, ...]


@dataclass(frozen=True, slots=True)
class CloseRace:
    """A race that a blink decided, and where to find it."""

    number: int
    begun_ms: int
    race: Race


@dataclass(frozen=True, slots=True)
class Season:
    """Everything that the statistics show."""

    games: int
    finished: int
    flips: int
    slaps: int
    races: int
    players: tuple[PlayerFigures, ...]
    """Most games won first, then by name."""
    evenings: tuple[Evening, ...]
    closest: tuple[CloseRace, ...]
    duels: tuple[tuple[str, str, int], ...]
    """Winner, loser, how often he was first when both slapped the same card."""


def season(games: Sequence[Played]) -> Season:
    """Sum a season up.

    Args:
        games: In any order.
    """
    ordered = sorted(games, key=lambda game: (game.begun_ms, game.number))
    digests = [game.digest for game in ordered]
    return Season(
        games=len(ordered),
        finished=sum(one.winner is not None for one in digests),
        flips=sum(one.flips for one in digests),
        slaps=sum(len(_ruled_on(one, None)) for one in digests),
        races=sum(len(one.races) for one in digests),
        players=figures(digests),
        evenings=tuple(_evenings(ordered)),
        closest=_closest(ordered),
        duels=_duels(digests),
    )


def figures(digests: Sequence[Digest]) -> tuple[PlayerFigures, ...]:
    """Every player's figures over these games, in order of time."""
    names = dict.fromkeys(player for one in digests for player in one.players)
    found = [_player(name, [one for one in digests if name in one.players]) for name in names]
    return tuple(sorted(found, key=lambda one: (-one.games_won, one.player.casefold())))


def reactions_ms(digests: Sequence[Digest], player: str) -> list[float]:
    """Middles of all reaction times of a player."""
    return [one.middle_ns / NS_PER_MS for each in digests for one in reactions_of(each, player)]


def _player(name: str, digests: Sequence[Digest]) -> PlayerFigures:
    touches = [touch for one in digests for touch in _ruled_on(one, name)]
    every = [touch for one in digests for touch in one.touches if touch.player == name]
    finished = [one for one in digests if one.winner is not None]
    reactions = [each for one in digests for each in reactions_of(one, name)]
    races = [race for one in digests for race in one.races]
    guesses = sum(map(_is_anticipated, every))
    return PlayerFigures(
        player=name,
        games=len(finished),
        games_won=sum(one.winner == name for one in finished),
        win_streak=longest([one.winner == name for one in finished]),
        slaps=len(touches),
        piles_won=sum(touch.outcome == WON for touch in touches),
        pile_streak=longest([race.tied == 1 and race.players[:1] == (name,) for race in races]),
        cards_won=_counted(name, [one.cards_won for one in digests]),
        ties=sum(touch.outcome == TIED for touch in touches),
        false_slaps=Share(sum(touch.outcome == FALSE for touch in touches), len(touches)),
        anticipated=Share(guesses, len(every)),
        reaction=spread([one.middle_ns / NS_PER_MS for one in reactions]),
        reaction_doubt_ms=_typical_doubt(reactions),
        demands_won=_counted(name, [one.demands for one in digests]),
        plays=_counted(name, [one.plays for one in digests]),
        wrong_plays=_counted(name, [one.wrong_plays for one in digests]),
        rounds_won=_counted(name, [one.rounds for one in digests]),
    )


def _ruled_on(digest: Digest, player: str | None) -> list[Touch]:
    """Slaps that had a chance to be right or wrong."""
    return [
        touch
        for touch in digest.touches
        if touch.outcome != IGNORED and player in (None, touch.player)
    ]


def _is_anticipated(touch: Touch) -> bool:
    return touch.was_early or (touch.reaction is not None and touch.reaction.is_guess)


def _typical_doubt(reactions: Sequence[Reaction]) -> float | None:
    half = spread([one.half_ns / NS_PER_MS for one in reactions])
    return None if half is None else half.median


def _counted(name: str, counts: Sequence[tuple[tuple[str, int], ...]]) -> int:
    return sum(n for each in counts for player, n in each if player == name)


def longest(won: Sequence[bool]) -> int:
    """Most wins in a row."""
    best = row = 0
    for each in won:
        row = row + 1 if each else 0
        best = max(best, row)
    return best


def _evenings(games: Sequence[Played]) -> list[Evening]:
    groups: list[list[Played]] = [[games[0]]] if games else []
    for before, game in pairwise(games):
        if game.begun_ms - before.begun_ms >= EVENING_MS:
            groups.append([])
        groups[-1].append(game)
    return [
        Evening(group[0].begun_ms, len(group), figures([game.digest for game in group]))
        for group in groups
    ]


def _closest(games: Sequence[Played]) -> tuple[CloseRace, ...]:
    races = [
        CloseRace(game.number, game.begun_ms, race)
        for game in games
        for race in game.digest.races
        if race.margin_ns is not None
    ]
    races.sort(key=lambda close: close.race.margin_ns or 0)
    return tuple(races[:CLOSEST])


def _duels(digests: Sequence[Digest]) -> tuple[tuple[str, str, int], ...]:
    beaten: Counter[tuple[str, str]] = Counter()
    for one in digests:
        for race in one.races:
            if race.tied == 1:
                first, *others = race.players
                beaten.update((first, other) for other in others)
    return tuple((first, other, n) for (first, other), n in sorted(beaten.items()))
