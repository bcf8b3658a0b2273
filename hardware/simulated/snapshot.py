"""The cards of a table at rest as plain values, and how they are made to agree with the books.

A snapshot is taken whenever the box has said something. Between it and a power cut a card may have
been laid that the box never saw, or a pile won that nobody has taken yet. The books are right: they
say what everybody was shown, so the cards go where the books have them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hardware.simulated.motion import Pose
from referee.rules.cards import Card, parse_card

Record = dict[str, Any]
"""Plain values, as JSON has them."""


@dataclass(slots=True)
class Lying:
    """A card on the pile at rest."""

    card: Card
    player: str
    """Who flipped it."""
    place: Pose | None = None
    """None: anywhere on the pile."""


@dataclass(slots=True)
class Cards:
    """All cards of a slap game at rest."""

    stocks: dict[str, deque[Card]]
    """The left card is on top."""
    buried: list[Card] = field(default_factory=list)
    """Under the pile, the lowest first."""
    laid: list[Lying] = field(default_factory=list)
    """On the pile, the lowest first."""

    @property
    def pile(self) -> int:
        """How many cards the pile has."""
        return len(self.buried) + len(self.laid)

    def to_record(self) -> Record:
        """Write them as plain values."""
        return {
            "stocks": {name: list(map(str, stock)) for name, stock in self.stocks.items()},
            "buried": list(map(str, self.buried)),
            "laid": [[str(one.card), one.player, *place_values(one.place)] for one in self.laid],
        }

    @classmethod
    def from_record(cls, record: Record) -> Cards:
        """Read what `to_record` wrote."""
        return cls(
            {name: deque(map(parse_card, stock)) for name, stock in record["stocks"].items()},
            [parse_card(card) for card in record["buried"]],
            [
                Lying(parse_card(card), player, place_from(place))
                for card, player, *place in record["laid"]
            ],
        )

    def agree(self, counts: Mapping[str, int], pile: int, top: str | None) -> None:
        """Move cards until everybody holds what the books say.

        Args:
            counts: Cards held, by player.
            pile: Cards in the pile.
            top: The top card in the books; None: the pile is bare.
        """
        lacks = {name: counts.get(name, 0) - len(stock) for name, stock in self.stocks.items()}
        self._take_back_unseen(lacks, pile)
        for name in [name for name, lack in lacks.items() if lack > 0]:
            while lacks[name] > 0 and self.pile > pile:
                lower = self.buried or self.laid
                card = lower.pop(0)
                self.stocks[name].append(card.card if isinstance(card, Lying) else card)
                lacks[name] -= 1
        for name in [name for name, lack in lacks.items() if lack < 0]:
            while lacks[name] < 0:
                self._give(name, lacks, pile, top)
                lacks[name] += 1

    def _take_back_unseen(self, lacks: dict[str, int], pile: int) -> None:
        """A card that the box never saw goes back onto its stock; a won pile is taken after."""
        if not self.laid or self.pile <= pile:
            return
        flipper = self.laid[-1].player
        others = sum(lack for name, lack in lacks.items() if lack > 0 and name != flipper)
        if lacks.get(flipper, 0) == 1 and others == self.pile - pile - 1:
            self.stocks[flipper].appendleft(self.laid.pop().card)
            lacks[flipper] = 0

    def _give(self, name: str, lacks: dict[str, int], pile: int, top: str | None) -> None:
        """A player's top card goes to the pile or to a player, whoever lacks one."""
        card = self.stocks[name].popleft()
        receiver = next((other for other, lack in lacks.items() if lack > 0), None)
        if self.pile < pile:
            is_flipped = top is not None and (str(card) == top or not self.laid)
            if is_flipped:
                self.laid.append(Lying(card, name))
            else:
                self.buried.insert(0, card)
        elif receiver is not None:
            self.stocks[receiver].append(card)
            lacks[receiver] -= 1
        else:
            self.stocks[name].append(card)


def place_values(place: Pose | None) -> list[float]:
    """A place as numbers: x and y in mm, angle in radians; empty for anywhere."""
    return [] if place is None else [round(place.x, 1), round(place.y, 1), round(place.angle, 3)]


def place_from(values: list[float]) -> Pose | None:
    """Read what `place_values` wrote."""
    return Pose(*values) if values else None
