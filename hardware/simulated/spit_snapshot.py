"""A Spit table at rest as plain values, and how it is laid again as the books have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hardware.simulated.snapshot import Record, place_from, place_values
from hardware.simulated.spit_cards import OnPile, SpitHolder, SpitPiles
from hardware.simulated.truth import TrueFlip
from referee.rules.cards import Card, parse_card
from referee.rules.game import TableView

if TYPE_CHECKING:
    from hardware.simulated.world import World


def take(holders: Mapping[str, SpitHolder], piles: SpitPiles, carried: Sequence[OnPile]) -> Record:
    """The cards; those in the air are back where they came from."""
    kept = {name: SpitHolder(name) for name in holders}
    for name, holder in holders.items():
        kept[name].restore(holder.to_record())
    for one in carried:
        kept[one.flip.player].take_back(one.card, one.from_place)
    return {
        "holders": {name: holder.to_record() for name, holder in kept.items()},
        "piles": [
            [
                [str(one.card), one.flip.player, one.from_place, *place_values(one.place)]
                for one in pile
            ]
            for pile in piles.cards
        ],
    }


def lay(
    record: Record,
    books: TableView,
    world: World,
    holders: Mapping[str, SpitHolder],
    piles: SpitPiles,
) -> None:
    """Lay what `take` gave; where the books differ, they are right.

    Args:
        record: The cards.
        books: How many cards lie where.
        world: Whose table it is.
        holders: Get their cards.
        piles: Get theirs.
    """
    lying = [
        [_on_pile(world, number, *values) for values in pile]
        for number, pile in enumerate(record["piles"])
    ]
    for name, holder in holders.items():
        holder.restore(record["holders"][name])
    _agree(books, world, holders, lying)
    for number, pile in enumerate(lying):
        for one in pile:
            piles.lay_as(number, one)


def _agree(
    books: TableView, world: World, holders: Mapping[str, SpitHolder], lying: list[list[OnPile]]
) -> None:
    held = dict(books.cards)
    for number, pile in enumerate(lying):
        wanted = books.piles[number] if number < len(books.piles) else 0
        while len(pile) > wanted:
            _give_back(pile, wanted, held, holders)
        while len(pile) < wanted:
            owners = [name for name in holders if _lack(name, held, holders) < 0]
            if not owners:
                break
            card, place = holders[owners[0]].give_up(pile[-1].card if pile else None)
            pile.append(_on_pile(world, number, card, owners[0], place))


def _give_back(
    pile: list[OnPile], wanted: int, held: Mapping[str, int], holders: Mapping[str, SpitHolder]
) -> None:
    """One card that the box never saw goes back; more of them were taken by a player."""
    top = pile[-1]
    if len(pile) == wanted + 1 and _lack(top.flip.player, held, holders) == 1:
        holders[top.flip.player].take_back(top.card, top.from_place)
        pile.pop()
        return
    lacking = [name for name in holders if _lack(name, held, holders) > 0]
    receiver = holders[lacking[0] if lacking else top.flip.player]
    receiver.deck.append(pile.pop(0).card)


def _lack(name: str, held: Mapping[str, int], holders: Mapping[str, SpitHolder]) -> int:
    return held.get(name, 0) - len(holders[name].all_cards())


def _on_pile(
    world: World, pile: int, card: Card | str, player: str, from_place: int | None, *place: float
) -> OnPile:
    known = card if isinstance(card, Card) else parse_card(card)
    now = world.now_ns
    pose = place_from(list(place)) or world.table.messy_place(player, pile)
    return OnPile(known, pose, TrueFlip(0, known, player, pile, now, now, now), from_place)
