"""Which card lies where, as far as it was ever seen: a second opinion on what the camera reads.

A won pile goes face down under the stock in the order in which it was played, so the box knows in
which order those cards come back. A card that contradicts this was misread, or a card slipped in
unseen. The books never change a verdict: they ask for a recount, and forget what was wrong.

A stock is a row of cards from the top down; a number stands for so many unknown ones.
"""

from __future__ import annotations

from collections import deque

from referee.rules.cards import JOKER_RANK, Card

NOWHERE = -1
UNKNOWN = 1
"""One card that nobody has seen."""

Stock = deque[Card | int]

SEEN_TWICE = "the card lies on the pile already"
ELSEWHERE = "the card should be in another stock"
WRONG_ORDER = "the card should not be on top of this stock"


class Books:
    """The known cards of every stock and of the pile."""

    def __init__(self, counts: list[int], pile: list[Card], unseen: int, decks: int) -> None:
        self._stocks: list[Stock] = [deque([n] if n else []) for n in counts]
        self._pile: list[Card | int] = [*([unseen] if unseen else []), *pile]
        self._on_pile = {card for card in pile if _is_certain(card)}
        self._holder: dict[Card, int] = {}
        """Known card -> the seat whose stock it is in."""
        self._checks = decks == 1
        """In two decks every card is there twice."""
        self._paid: list[list[Card | int]] = [[] for _ in counts]
        """By seat: the cards that were paid since its last flip, in order."""
        self._rounds: set[int] = set()
        self._repeats = False

    # --- cards move -------------------------------------------------------------------------------

    def flip(self, seat: int, card: Card) -> str:
        """The top card of a stock came onto the pile; return what is wrong, or nothing."""
        expected = self._pop(seat)
        if self._was_in_the_air(seat, card, expected):
            expected = UNKNOWN
        self._pile.append(card if card.rank != "?" else 1)
        if not self._checks or card.suit == "?" or card.rank == JOKER_RANK:
            return ""
        holder = self._holder.pop(card, NOWHERE) if self._holder else NOWHERE
        problem = ""
        if card in self._on_pile:
            problem = SEEN_TWICE
        elif holder not in (NOWHERE, seat):
            problem = ELSEWHERE
        elif holder == seat or (isinstance(expected, Card) and not _may_be(expected, card)):
            problem = WRONG_ORDER
        self._on_pile.add(card)
        if problem:
            self._rounds.clear()
            self._forget(seat)
            if holder not in (NOWHERE, seat):
                self._forget(holder)
        return problem

    def pay(self, seat: int, receiver: int, n: int) -> None:
        """Cards from the top of one stock go under another one."""
        for _ in range(n):
            popped = self._pop(seat)
            self._put_under(receiver, popped)
            self._paid[seat].append(popped or UNKNOWN)
        self._rounds.clear()

    def bury(self, seat: int, n: int, card: Card | None = None) -> None:
        """Cards go under the pile, the last one lies lowest."""
        for _ in range(n):
            popped = self._pop(seat)
            self._pile.insert(0, card or popped or 1)
            self._paid[seat].append(popped or UNKNOWN)
        self._rounds.clear()

    def _was_in_the_air(self, seat: int, card: Card, expected: Card | int | None) -> bool:
        """Who slaps wrongly with his own card in the air pays with those below it.

        The books took the cards of the price from the top of the stock. The flip shows that its
        card was none of them: each paid card was the next one, the last of them the expected one.

        Returns:
            Whether this explains a card that was not expected.
        """
        paid, self._paid[seat] = self._paid[seat], []
        if not paid or not self._checks or not isinstance(expected, Card | int):
            return False
        if isinstance(expected, Card) and _may_be(expected, card):
            return False
        if card in paid:
            first, moved_up = paid.index(card), [*paid[1:], expected]
        elif UNKNOWN in paid or not card.is_read:
            first, moved_up = 0, [UNKNOWN] * len(paid)
        else:
            return False
        for place in range(len(paid) - 1, first - 1, -1):
            self._rename(paid[place], moved_up[place])
        return True

    def _rename(self, old: Card | int, new: Card | int) -> None:
        """Where the books have one card there lies another one."""
        if not isinstance(old, Card) or not _is_certain(old):
            return
        holder = self._holder.pop(old, NOWHERE)
        row = self._pile if holder == NOWHERE else self._stocks[holder]
        if old in row:
            row[row.index(old)] = new
            if holder != NOWHERE and isinstance(new, Card) and _is_certain(new):
                self._holder[new] = holder

    def slip_in(self, seat: int, n: int) -> None:
        """Cards slipped into the pile unseen, somewhere below the top card."""
        for _ in range(n):
            self._pop(seat)
        top = self._pile[-1:]
        self._pile = [*self._pile[:-1], n, *top]
        self._rounds.clear()

    def take(self, seat: int, *, in_order: bool) -> None:
        """The whole pile goes under a stock; out of order nobody knows the stock any more."""
        for card in self._pile:
            self._put_under(seat, card)
        self._clear_pile()
        if not in_order:
            self._forget(seat)

    def share(self, shares: list[tuple[int, int]]) -> None:
        """The pile is dealt out; nobody knows who got which card."""
        for seat, n in shares:
            self._put_under(seat, n)
        self._clear_pile()

    # --- a game without end -----------------------------------------------------------------------

    def is_repeating(self, to_act: int) -> bool:
        """All cards are known, the pile is bare, and it was all the same before: said once.

        Without slaps and prices in between the same cards give the same game.
        """
        if self._repeats or self._pile or any(type(s[0]) is int for s in self._stocks if s):
            return False
        if any(type(card) is int for stock in self._stocks for card in stock):
            return False
        state = hash((to_act, *(tuple(stock) for stock in self._stocks)))
        self._repeats = state in self._rounds
        self._rounds.add(state)
        return self._repeats

    def was_slapped(self) -> None:
        """People changed the course of the game: what comes now need not be the same."""
        self._rounds.clear()
        self._repeats = False

    # --- one stock --------------------------------------------------------------------------------

    def _pop(self, seat: int) -> Card | int | None:
        """Take the top card; 1 if it is unknown, None if the books have none."""
        stock = self._stocks[seat]
        if not stock:
            return None
        top = stock[0]
        if type(top) is not int:
            stock.popleft()
            self._holder.pop(top, None)  # type: ignore[arg-type]
            return top
        if top > 1:
            stock[0] = top - 1
        else:
            stock.popleft()
        return 1

    def _put_under(self, seat: int, card: Card | int | None) -> None:
        stock = self._stocks[seat]
        if isinstance(card, Card):
            stock.append(card)
            if _is_certain(card):
                self._holder[card] = seat
            return
        n = card or 1
        if stock and type(stock[-1]) is int:
            stock[-1] += n
        else:
            stock.append(n)

    def _forget(self, seat: int) -> None:
        """The cards of a stock are no longer known, only how many."""
        stock = self._stocks[seat]
        n = sum(card if isinstance(card, int) else 1 for card in stock)
        for card in stock:
            if isinstance(card, Card):
                self._holder.pop(card, None)
        self._stocks[seat] = deque([n] if n else [])

    def _clear_pile(self) -> None:
        self._pile = []
        self._on_pile.clear()


def _may_be(expected: Card, card: Card) -> bool:
    return expected.rank == card.rank and expected.suit in (card.suit, "?")


def _is_certain(card: Card) -> bool:
    return card.rank != "?" and card.suit != "?" and card.rank != JOKER_RANK
