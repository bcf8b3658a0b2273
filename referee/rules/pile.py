"""The state of a game with one pile, and the smallest changes of it.

Players are seats 0, 1, ... clockwise; nobody is NOBODY. The classes of slap games build on each
other, one idea a file: pile, chances, flips, slaps, races, then the games themselves.
"""

from __future__ import annotations

from typing import Any

from referee.rules.books import Books
from referee.rules.cards import Card, deck_of_52
from referee.rules.errors import BadRules
from referee.rules.events import Slap
from referee.rules.game import Upcoming
from referee.rules.house_rules import HouseRules
from referee.rules.position import Deal, Position, Start
from referee.rules.triggers import agreed_triggers
from referee.rules.verdicts import BackIn, CardsMoved, OutOfCards, Verdict

NOBODY = -1
ACTIVE, LAST_CHANCE, OUT = 0, 1, 2
STATUS_NAMES = ("active", "last_chance", "out")
NS_PER_MS = 1_000_000
LONG_AGO_NS = -(10**18)
"""Before everything that happens at a table."""
PILE, PILE_BOTTOM = "pile", "pile_bottom"
REACH = 4
"""Patterns look at so many cards from the top, and at the lowest one."""
ANY_CARD = deck_of_52()


class PileState:
    """Who holds how many cards, what lies on the pile, whose turn it is."""

    def __init__(
        self, players: tuple[str, ...], rules: HouseRules, start: Start, upcoming: Upcoming
    ) -> None:
        self.players = players
        self.seats = {player: seat for seat, player in enumerate(players)}
        self.rules = rules
        self.start = start
        self.upcoming = upcoming
        self.triggers = agreed_triggers(rules)

        n = len(players)
        self.counts = [0] * n
        self.status = [ACTIVE] * n
        self.ran_out: list[int] = []
        """Seats without cards, in the order in which they ran out."""
        self.ran_out_at = [0] * n
        """Number of the flip after which a seat ran out."""
        self.ran_out_himself = [False] * n
        """He flipped his last card, he did not pay it."""
        self.fallen: list[int] = []
        """Seats that are out, in order."""
        self.pile: list[Card] = []
        """The seen cards, top last."""
        self.unseen = 0
        """Burned and hidden cards in the pile."""
        self.burned: list[list[Any]] = []
        """Burned packets [seat, cards or None], the lowest last."""
        self.flips = 0
        self.top_ns = LONG_AGO_NS
        """When the top card surely lay there."""
        self.top_early_ns = LONG_AGO_NS
        """When it can have lain there at the earliest."""
        self.trigger: str | None = None
        """What the top card may be slapped for."""
        self.is_dead = False
        """The top card was slapped in a tie or a let: nobody may slap until the next flip."""
        self.covered_ns = LONG_AGO_NS
        """When a trigger of this pile was last covered."""
        self.last_flipper = NOBODY
        self.turn_from = 0
        """The turn is with the first seat from here that holds cards."""
        self.to_act = NOBODY
        self.was_false: list[int] = []
        """Who was already false on this top card."""
        self.wrong_card_lies = False
        """A card flipped out of turn lies on the pile."""
        self.flip_struck = False
        """The last flip was struck out by the table."""
        self.won_ns = LONG_AGO_NS
        """When the last pile was won."""
        self.won_by = NOBODY
        self.had_turn = (NOBODY, LONG_AGO_NS)
        """Whose turn it was when the last pile was slapped away; until when his card may land."""
        self.lies_on_won = False
        """The top card was in the air when the pile below it was won, and lies on those cards."""
        self.playoff: tuple[int, ...] = ()
        """Seats that play a tie off."""
        self.playoff_open = False
        """A play-off card lies there."""
        self.tied_trigger: tuple[str, int] = ("", 0)
        """What was slapped in the tie: its name and the number of its flip."""
        self.pending: list[Slap] = []
        """Slaps on the unread top card."""
        self.is_taken = False
        """The pile was taken while they waited."""
        self.unsure_until_ns = LONG_AGO_NS
        """Until then something lay on the pile that nobody could read and that is gone again."""
        self.deferred: list[tuple[Slap, int, bool, int]] = []
        """Slaps judged after a later flip: slap, number of flips to wait, in doubt, width."""
        self.spent: list[Slap] = []
        """Slaps that a tie has used."""
        self.due: list[tuple[Slap, bool, int]] = []
        """Slaps that waited for the last flip and are being judged."""
        self.banned_until = [NOBODY] * n
        """Number of the flip up to which a seat must not slap."""
        self.banned_pile: list[int] = []
        """Seats that must not slap until the pile is won."""
        self.winner = NOBODY
        self.placing: tuple[int, ...] = ()
        self._begin_at(start)
        self.books: Books | None = Books(self.counts, self.pile, self.unseen, rules.decks)
        """None while something is tried out."""
        self.total = sum(self.counts) + len(self.pile) + self.unseen

    # --- the start --------------------------------------------------------------------------------

    def _begin_at(self, start: Start) -> None:
        if isinstance(start, Deal):
            self._deal(start)
        elif isinstance(start, Position):
            self._take_position(start)
        else:
            raise BadRules("a Spit position cannot start a slap game, expected Deal or Position")

    def _deal(self, deal: Deal) -> None:
        """Deal all cards one by one from the dealer's left, who begins.

        Source: Slapjack, "Vorbereitung und Austeilen" 2; Egyptian Ratscrew, "Das Blatt".
        """
        n = len(self.players)
        dealer = n - 1 if deal.dealer is None else self.seat_of(deal.dealer)
        each, rest = divmod(self.rules.cards_in_deck, n)
        for place in range(n):
            self.counts[(dealer + 1 + place) % n] = each + (place < rest)
        self.turn_from = (dealer + 1) % n
        self.to_act = self.next_with_cards(self.turn_from)

    def _take_position(self, start: Position) -> None:
        for player, count in start.counts:
            self.counts[self.seat_of(player)] = count
        for player, status in start.status:
            self.status[self.seat_of(player)] = STATUS_NAMES.index(status)
        self.ran_out = [self.seat_of(player) for player in start.ran_out]
        self.fallen = [self.seat_of(player) for player in start.eliminated]
        self.pile, self.unseen = list(start.pile), start.pile_burn
        if start.pile_burn:
            self.burned = [[NOBODY, None]]
        if start.last_flipper:
            self.last_flipper = self.seat_of(start.last_flipper)
        self.turn_from = (self.last_flipper + 1) % len(self.players)
        if start.to_act and self.next_with_cards(self.turn_from) != self.seat_of(start.to_act):
            self.turn_from = self.seat_of(start.to_act)
        self.to_act = self.next_with_cards(self.turn_from)
        self._mark_waiting()
        self.trigger = self.find_trigger()

    def _mark_waiting(self) -> None:
        """Who holds no cards and is not out waits for his last chance."""
        for seat, count in enumerate(self.counts):
            if count == 0 and self.status[seat] != OUT:
                self.status[seat] = LAST_CHANCE
                if seat not in self.ran_out:
                    self.ran_out.append(seat)
            elif self.status[seat] == OUT and seat not in self.fallen:
                self.fallen.append(seat)

    def seat_of(self, player: str) -> int:
        """The seat of a player.

        Raises:
            BadRules: Nobody of that name plays.
        """
        try:
            return self.seats[player]
        except KeyError:
            names = " ".join(self.players)
            raise BadRules(f"no such player: {player!r}, expected one of {names}") from None

    # --- trial and error --------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """Everything that changes, for `restore`."""
        return {
            name: value.copy() if isinstance(value, list) else value
            for name, value in self.__dict__.items()
        }

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Go back to a snapshot. It is used up."""
        self.__dict__.update(snapshot)

    # --- seats and cards --------------------------------------------------------------------------

    def next_with_cards(self, seat: int) -> int:
        """The first seat from here, clockwise, that holds cards."""
        counts, n = self.counts, len(self.counts)
        for _ in range(n):
            if counts[seat]:
                return seat
            seat = seat + 1 if seat + 1 < n else 0
        return NOBODY

    def clockwise_from(self, seat: int) -> list[int]:
        """All seats, beginning here."""
        n = len(self.players)
        return [(seat + place) % n for place in range(n)]

    @property
    def pile_size(self) -> int:
        """All cards in the pile."""
        return len(self.pile) + self.unseen

    def settle_turn(self) -> None:
        """The turn is with the next player who holds cards."""
        self.to_act = NOBODY if self.winner != NOBODY else self.next_with_cards(self.turn_from)

    def find_trigger(self) -> str | None:
        """What the top card may be slapped for."""
        pile = self.pile
        if not pile or pile[-1].rank == "?":
            return None
        bottom = self.bottom_card() if self.rules.burn_counts_for_bottom else pile[0]
        for name, is_there in self.triggers:
            if is_there(pile, bottom):
                return name
        return None

    def may_hide_trigger(self) -> bool:
        """A card below the top that nobody has read could make it a trigger.

        Source: the box's own: what was not seen costs nobody a card.
        """
        unread = [place for place, card in enumerate(self.pile[:-1]) if not card.is_read]
        near = [place for place in unread if place >= len(self.pile) - REACH or place == 0]
        if len(near) > 1:
            return True
        seen = self.pile
        for place in near:
            for card in ANY_CARD:
                self.pile = [*seen[:place], card, *seen[place + 1 :]]
                if self.find_trigger() is not None:
                    self.pile = seen
                    return True
        self.pile = seen
        return False

    def bottom_card(self) -> Card | None:
        """The card that counts as the lowest; None if nobody has seen it.

        Source: the box's own (burned cards shown and counted).
        """
        if not self.burned:
            return self.pile[0] if self.pile else None
        cards = self.burned[-1][1]
        return cards[-1] if cards else None

    def empty_pile(self) -> int:
        """Take all cards off the table; return how many there were."""
        size = len(self.pile) + self.unseen
        self.pile = []
        self.unseen = 0
        self.burned = []
        self.trigger = None
        self.is_dead = False
        self.covered_ns = LONG_AGO_NS
        self.pending = []
        self.playoff = ()
        self.playoff_open = False
        self.banned_pile = []
        self.is_taken = False
        return size

    def take_all(self, seat: int, *, in_order: bool = True) -> int:
        """The whole pile goes to one stock; return how many cards."""
        n = self.empty_pile()
        self.counts[seat] += n
        if self.books is not None:
            self.books.take(seat, in_order=in_order and self.rules.won_pile == "bottom")
        return n

    def put_under(self, seat: int, n: int, cards: list[Card] | None = None) -> None:
        """Burn cards: they go face down under the pile."""
        if n:
            self.unseen += n
            self.burned.append([seat, cards])

    def move(self, source: int, target: int | str, n: int) -> CardsMoved:
        """Cards go from a stock to another one, into the pile or under it."""
        self.counts[source] -= n
        self._note_move(source, target, n)
        if isinstance(target, int):
            self.counts[target] += n
            return CardsMoved(self.players[source], self.players[target], n)
        if target == PILE_BOTTOM:
            self.put_under(source, n)
        else:
            self.unseen += n
        return CardsMoved(self.players[source], target, n)

    def _note_move(self, source: int, target: int | str, n: int) -> None:
        if self.books is None:
            return
        if isinstance(target, int):
            self.books.pay(source, target, n)
        elif target == PILE_BOTTOM:
            self.books.bury(source, n)
        else:
            self.books.slip_in(source, n)

    def come_back(self, seat: int, t_ns: int, out: list[Verdict]) -> None:
        """A player who waited holds cards again.

        Source: Slapjack, "Spielablauf" 5; Egyptian Ratscrew, "Wenn die Karten ausgehen".
        """
        if self.status[seat] == LAST_CHANCE and self.counts[seat]:
            self.status[seat] = ACTIVE
            self.ran_out.remove(seat)
            out.append(BackIn(t_ns, self.players[seat]))

    def run_out(self, seat: int, himself: bool, t_ns: int, out: list[Verdict]) -> None:
        """A stock is empty: its owner waits for his last chance.

        Source: Slapjack, "Spielablauf" 5; Egyptian Ratscrew, "Wenn die Karten ausgehen".
        """
        self.status[seat] = LAST_CHANCE
        self.ran_out.append(seat)
        self.ran_out_at[seat] = self.flips
        self.ran_out_himself[seat] = himself
        out.append(OutOfCards(t_ns, self.players[seat]))
