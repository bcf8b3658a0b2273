"""Spit: what lies on the table, with cards that are known or only counted.

A scenario names every card of the stock piles. At a real table the box sees the two spit piles
only: there a player's stock piles are a number, and a card whose hand nobody saw leaves one of two.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from referee.rules.cards import Card
from referee.rules.spit_layout import lay_out
from referee.rules.spit_stacks import Stacks

UNSEEN = ""
"""The player of a card, if nobody saw from which side the hand came."""


class Phase(Enum):
    """What the table waits for."""

    PLAY = "play"
    """Both play at once."""
    SPIT = "spit"
    """A deck card is due."""
    CHOICE = "choice"
    """The round is over; somebody takes a pile."""
    LAID = "laid"
    """The next round is laid out; it begins with the first deck card."""
    OVER = "over"
    """The game has a winner."""


@dataclass(frozen=True, slots=True)
class Change:
    """A card that came onto a spit pile."""

    t_ns: int
    player: str
    before: Card | None
    """The top card that it covered."""


@dataclass(frozen=True, slots=True)
class SpitPile:
    """One of the piles in the middle."""

    size: int = 0
    """All cards in it."""
    top: Card | None = None
    changes: tuple[Change, ...] = ()
    """The last few, oldest first."""
    goes_back: bool = False
    """The last card laid on it was refused: its owner takes it away again."""

    def with_card(self, card: Card, t_ns: int, player: str) -> SpitPile:
        """One more card on top."""
        changes = (*self.changes[-_REMEMBERED:], Change(t_ns, player, self.top))
        return SpitPile(self.size + 1, card, changes)

    def with_hidden(self, n: int) -> SpitPile:
        """So many cards came in unseen, somewhere below the top."""
        return replace(self, size=self.size + n)

    def with_refused(self) -> SpitPile:
        """A card was laid here that has to go back."""
        return replace(self, goes_back=True)

    def with_top_again(self) -> SpitPile:
        """The refused card was taken away."""
        return replace(self, goes_back=False)


_REMEMBERED = 7
"""Changes of a pile that are kept besides the newest: more than anybody lays within a race."""


@dataclass(slots=True)
class SpitTable:
    """Both players' cards and the piles between them."""

    players: tuple[str, str]
    """Seat order: pile 0 belongs to the first, pile 1 to the second."""
    stacks: dict[str, Stacks | int]
    """The stock piles, or how many cards they had at most if only that is known."""
    decks: dict[str, int]
    piles: list[SpitPile]
    phase: Phase = Phase.PLAY
    due: set[str] = field(default_factory=set)
    """Who must still turn a deck card."""
    unseen: int = 0
    """Cards played by hands that nobody saw: the numbers in `stacks` are too high by so many."""
    stuck: set[str] = field(default_factory=set)
    """Who said that he is stuck, if the box cannot know."""
    chooser: str | None = None
    """Whose pile choice it is; None in CHOICE: the table decides."""
    ended_ns: int | None = None
    """When the last round ended."""
    called_ns: int | None = None
    """When both were last told to turn a deck card."""
    taken_ns: int | None = None
    """When the piles last changed hands."""
    taken_tops: dict[int, Card | None] = field(default_factory=dict)
    """Top cards of the piles that were taken, as long as a camera may still see them."""
    winner: str | None = None

    def copy(self) -> SpitTable:
        """The same table, for a trial."""
        return SpitTable(
            self.players,
            dict(self.stacks),
            dict(self.decks),
            list(self.piles),
            self.phase,
            set(self.due),
            self.unseen,
            set(self.stuck),
            self.chooser,
            self.ended_ns,
            self.called_ns,
            self.taken_ns,
            dict(self.taken_tops),
            self.winner,
        )

    # --- who and where --------------------------------------------------------------------------

    @property
    def is_single(self) -> bool:
        """Only one spit pile lies on the table."""
        return len(self.piles) == 1

    @property
    def knows_cards(self) -> bool:
        """The stock piles are known card by card: those of both players, or of neither."""
        return isinstance(self.stacks[self.players[0]], Stacks)

    def other(self, player: str) -> str:
        """The opponent."""
        first, second = self.players
        return second if player == first else first

    def own_pile(self, player: str) -> int:
        """The pile on a player's side."""
        return 0 if self.is_single else self.players.index(player)

    # --- how many -------------------------------------------------------------------------------

    def most(self, player: str) -> int:
        """Cards that a player can have in his stock piles at most."""
        stacks, others = self.stacks[player], self.stacks[self.other(player)]
        if isinstance(stacks, Stacks):
            return len(stacks)
        if not self.unseen or isinstance(others, Stacks):
            return stacks
        return stacks - max(0, self.unseen - others)

    def fewest(self, player: str) -> int:
        """Cards that a player must have in his stock piles at least."""
        stacks = self.stacks[player]
        return len(stacks) if isinstance(stacks, Stacks) else max(0, stacks - self.unseen)

    def held(self, player: str) -> int:
        """All cards of a player: stock piles (at most) and deck."""
        return self.most(player) + self.decks[player]

    def all_cards(self) -> int:
        """Every card in the game; never changes."""
        stacks = (len(s) if isinstance(s, Stacks) else s for s in self.stacks.values())
        piles = sum(pile.size for pile in self.piles)
        return sum(stacks) - self.unseen + sum(self.decks.values()) + piles

    def settle_unseen(self, empty: str) -> None:
        """A player has no cards left, so the other's number is exact, too."""
        theirs, others = self.stacks[empty], self.stacks[self.other(empty)]
        if not isinstance(theirs, Stacks) and not isinstance(others, Stacks):
            self.stacks[self.other(empty)] = theirs + others - self.unseen
            self.stacks[empty], self.unseen = 0, 0


def deal_for_round(
    players: tuple[str, str], cards: dict[str, int], *, partial_stack: bool
) -> SpitTable:
    """Both lay out their cards; the round begins when the deck cards are turned.

    A player without a deck leaves only one spit pile.

    Source: Spit, "Aufbau"; Spit, "Spielablauf" (nur noch ein Ablagestapel).
    """
    laid = {player: lay_out(cards[player], partial_stack=partial_stack) for player in players}
    decks = {player: laid[player].deck for player in players}
    return SpitTable(
        players=players,
        stacks={player: sum(laid[player].stacks) for player in players},
        decks=decks,
        piles=[SpitPile() for _ in range(1 if 0 in decks.values() else 2)],
        phase=Phase.SPIT,
        due={player for player in players if decks[player]},
    )
