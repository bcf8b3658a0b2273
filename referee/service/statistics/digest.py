"""What the statistics keep of one game: small, so that a whole season fits into memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from referee.rules.verdicts import (
    CardSeen,
    ChallengeWon,
    IllegalPlay,
    LegalPlay,
    RoundOver,
    Split,
    Tie,
    ValidSlap,
)
from referee.service.log import Log
from referee.service.statistics.story import Story, tell
from referee.service.statistics.touches import Reaction, Slapped, Touch, touches_of


@dataclass(frozen=True, slots=True)
class Race:
    """A card that was slapped: who was first and by how much."""

    t_ns: int
    card: str
    """Its notation, `"JS"`."""
    trigger: str
    """Which rule made it valid; empty for a tie."""
    players: tuple[str, ...]
    """Everybody who slapped it, the winner first; the first `tied` of them tied."""
    tied: int
    margin_ns: int | None
    """Time from the winner to the next hand; 0 for a tie, None if nobody else slapped."""
    width_ns: int
    """Full width of the doubt."""


@dataclass(frozen=True, slots=True)
class Digest:
    """One game in figures."""

    game: str
    players: tuple[str, ...]
    winner: str | None
    """None: the game was not played to its end."""
    flips: int
    touches: tuple[Touch, ...]
    races: tuple[Race, ...]
    cards_won: tuple[tuple[str, int], ...]
    """Cards from piles won by slap, by demand or in a tie, by player."""
    demands: tuple[tuple[str, int], ...]
    """Demands won, by player. Egyptian Ratscrew."""
    plays: tuple[tuple[str, int], ...]
    """Cards played by the rules, by player. Spit."""
    wrong_plays: tuple[tuple[str, int], ...]
    rounds: tuple[tuple[str, int], ...]
    """Rounds finished first, by player. Spit."""


def digest(log: Log) -> Digest:
    """Sum one game up.

    Raises:
        BadLog: The log contradicts itself.
    """
    return digest_of(tell(log))


def digest_of(story: Story) -> Digest:
    """Sum one game up, as it stands after all corrections."""
    touches, slapped = touches_of(story)
    counts: dict[type, Counter[str]] = {
        kind: Counter(said.player for said in story.verdicts if isinstance(said, kind))
        for kind in (ChallengeWon, LegalPlay, IllegalPlay, RoundOver)
    }
    return Digest(
        game=story.header.game,
        players=story.header.players,
        winner=story.winner,
        flips=sum(isinstance(said, CardSeen) for said in story.verdicts),
        touches=touches,
        races=tuple(map(_race, slapped)),
        cards_won=_sorted(_cards_won(story)),
        demands=_sorted(counts[ChallengeWon]),
        plays=_sorted(counts[LegalPlay]),
        wrong_plays=_sorted(counts[IllegalPlay]),
        rounds=_sorted(counts[RoundOver]),
    )


def _race(slapped: Slapped) -> Race:
    verdict = slapped.verdict
    is_tie = isinstance(verdict, Tie)
    players = tuple(dict.fromkeys(touch.player for touch in slapped.touches))
    return Race(
        t_ns=verdict.t_ns,
        card=str(slapped.card.card),
        trigger=verdict.trigger if isinstance(verdict, ValidSlap) else "",
        players=players,
        tied=len(verdict.players) if isinstance(verdict, Tie) else 1,
        margin_ns=0 if is_tie else _margin(slapped),
        width_ns=verdict.width_ns,
    )


def _margin(slapped: Slapped) -> int | None:
    """From the winner's touch to the next player's, as stamped."""
    first, *others = slapped.touches
    later = [touch.t_ns for touch in others if touch.player != first.player]
    return min(later) - first.t_ns if later else None


def _cards_won(story: Story) -> Counter[str]:
    won: Counter[str] = Counter()
    for said in story.verdicts:
        if isinstance(said, ValidSlap | ChallengeWon | Split):
            for move in said.cards_moved:
                won[move.target] += move.n
    return won


def _sorted(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items()))


def reactions_of(digest: Digest, player: str) -> list[Reaction]:
    """How fast a player was on the cards that were slapped, guesses left out."""
    return [
        touch.reaction
        for touch in digest.touches
        if touch.player == player and touch.reaction is not None and not touch.reaction.is_guess
    ]
