"""Every verdict as one full sentence, in German and English, for the terminal, page and voice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from referee.locale import text
from referee.rules.cards import Card
from referee.rules.verdicts import CardsMoved, Verdict

AREA = "led"
NOBODY_KNOWN = "Somebody"
"""A player whose hand the camera did not see."""
NS_PER_MS = 1_000_000

SENTENCES = {
    "deal": "The cards are dealt. {to_act} begins.",
    "valid_slap": "{player} slapped first ({trigger}): +{gained}.",
    "false_slap": "False slap by {player}: -{paid}.",
    "late_slap": "{player} was too late. It costs nothing.",
    "pending_slap": "{player} slapped; the card is still unread.",
    "ignored_slap": "The slap of {player} does not count: {reason}.",
    "tie": "{players} slapped at the same time.",
    "split": "The pile is shared: {shares}.",
    "out_of_cards": "{player} has no cards left: last chance!",
    "back_in": "{player} is back in the game.",
    "eliminated": "{player} is out, place {place}.",
    "game_over": "{player} wins the game: {reason}.",
    "challenge": "{player} demands: {payer} owes {owes}.",
    "challenge_won": "{player} wins the demand: +{gained}.",
    "challenge_stopped": "A ten by {player} ends the demand.",
    "out_of_turn": "{player} flipped {card} out of turn.",
    "unreadable": "The card of {player} could not be read: name it on the page, or play on.",
    "pile_returned": "The pile goes back to {player}: +{gained}.",
    "correction": "The table corrects the box: {reason}.",
    "voided_flip": "{player} takes {card} back.",
    "judge_award": "The table gives the pile to {player}: +{gained}.",
    "judge_penalty": "The table makes {player} pay: -{paid}.",
    "count_fixed": "Counted again: {moved} of {player} lay in the pile unseen.",
    "legal_play": "{player} plays {card} on pile {pile}.",
    "illegal_play": "{player} takes {card} back: {reason}.",
    "legal_move": "{player} moves a card.",
    "illegal_move": "{player} puts the card back: {reason}.",
    "stuck": "Nobody can play: {flip}, turn a card of the deck.",
    "not_stuck": "A card still fits: {can_move}.",
    "go": "Go! Play on.",
    "illegal_spit": "{player} takes the deck card back: {reason}.",
    "round_over": "{player} has finished the round.",
    "pile_choice": "{player} takes a pile: +{gained}.",
    "ignored_choice": "It is not the turn of {player} to choose.",
    "layout": "{player} lays out piles of {stacks} and keeps {deck} in the deck.",
    "single_pile": "{player} has no deck: one pile only from now on.",
    "deadlock": "Nobody can play and nobody has a deck.",
    "tie_play": "{players} played at the same time: both take their card back.",
    "card_seen": "{player} flipped {card}.",
    "doubt": "The slap of {player} is too close to call. It costs nothing.",
    "let": "This round does not count; the pile stays.",
    "hold": "The slap of {player} waits for the {waits_for}.",
    "ask_table": "Nobody could see the card when {player} slapped: the table decides.",
    "late_event": "Something was reported too late and left out: {what}.",
    "recount": "The cards do not add up: please count them.",
    "cycling": "The game goes round in circles.",
    "locked_out": "{player} may not slap for a while.",
}
"""Kind of verdict -> English sentence; the German one is in the catalogue."""

TO_NEXT = " {margin} ms before the next one"
TO_VALID = " {margin} ms from the nearest valid moment"
WIDTH = " (± {width} ms)"
DOUBTFUL = " Uncertainty ± {width} ms."
BENEFIT = " In doubt for the slapper."

RANKS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
CARD = "the {rank} of {suit}"
OTHER_CARDS = ("the {rank}", "a joker", "an unread card")
AMOUNTS = ("1 card", "{n} cards")
JOINING = "{some} and {last}"
WORDS = {
    "jack": "jack",
    "king": "king",
    "ace": "ace",
    "queen": "queen",
    "pair": "pair",
    "sandwich": "sandwich",
    "top_bottom": "top and bottom",
    "marriage": "marriage",
    "marriage_either": "marriage",
    "tens": "makes ten",
    "divorce": "divorce",
    "run3": "run of three",
    "run4": "run of four",
    "playoff": "play-off",
    "all_cards": "all cards",
    "all_cards_gone": "all cards are gone",
    "last_player": "the last player",
    "voided": "struck out by the table",
    "game_over": "the game is over",
    "eliminated": "out of the game",
    "out_of_turn_card": "the card was flipped out of turn",
    "empty_pile": "there is no pile",
    "playoff_pending": "the play-off has not begun",
    "not_eligible": "only the tied players may",
    "repeat": "already paid for on this card",
    "anticipated": "guessed, not seen",
    "silent": "nobody called",
    "spit_pending": "the deck cards are still to come",
    "round_over": "the round is over",
    "not_available": "that card was not there",
    "too_late": "another card was faster",
    "rank": "the rank does not fit",
    "empty_source": "that pile is empty",
    "not_stuck": "a card still fits",
    "no_deck": "there is no deck left",
    "already_flipped": "already turned",
    "camera": "camera",
    "pads": "pads",
    "void_slap": "a slap does not count",
    "card_is": "a card was named",
    "void_flip": "a flip does not count",
    "award": "the pile was given",
    "penalty": "somebody pays",
    "hidden_card": "cards were hidden",
    "undo": "the last verdict is taken back",
    "answer": "the question is answered",
}
"""Words of the rules -> English; a word that is missing here is shown as it is."""


def sentence(verdict: Verdict, language: str | None = None) -> str:
    """Say a verdict in one sentence, with margin and doubt when they are known."""
    template = SENTENCES.get(verdict.kind)
    if template is None:
        return verdict.kind.replace("_", " ")
    return text(AREA, template, language=language).format_map(_Facts(verdict, language)) + (
        _times(verdict, language)
    )


def milliseconds(t_ns: int, language: str | None = None) -> str:
    """A span in ms with one digit, as the language writes it."""
    number = f"{t_ns / NS_PER_MS:.1f}"
    return number.replace(".", text(AREA, ".", context="decimal point", language=language))


def card_name(card: Card, language: str | None = None) -> str:
    """A card in words."""
    if not card.is_read:
        return text(AREA, OTHER_CARDS[2], language=language)
    if card.rank == "X":
        return text(AREA, OTHER_CARDS[1], language=language)
    rank = text(AREA, RANKS.get(card.rank, card.rank), language=language)
    if card.suit not in SUITS:
        return text(AREA, OTHER_CARDS[0], language=language).format(rank=rank)
    suit = text(AREA, SUITS[card.suit], language=language)
    return text(AREA, CARD, language=language).format(rank=rank, suit=suit)


def amount(n: int, language: str | None = None) -> str:
    """ "1 card" or "14 cards"."""
    return text(AREA, AMOUNTS[n != 1], language=language).format(n=n)


def gained(verdict: Any) -> int:
    """Cards that went to the verdict's player."""
    return sum(move.n for move in _moves(verdict) if move.target == verdict.player)


def paid(verdict: Any) -> int:
    """Cards that the verdict's player gave."""
    return sum(move.n for move in _moves(verdict) if move.source == verdict.player)


def shares(verdict: Any) -> dict[str, int]:
    """Player -> cards from a shared pile."""
    shared: dict[str, int] = {}
    for move in _moves(verdict):
        shared[move.target] = shared.get(move.target, 0) + move.n
    return shared


def _moves(verdict: Any) -> tuple[CardsMoved, ...]:
    moves: tuple[CardsMoved, ...] = getattr(verdict, "cards_moved", ())
    return moves


def _times(verdict: Any, language: str | None) -> str:
    """Margin and doubt, as far as the verdict has them."""
    margin_ns = getattr(verdict, "margin_ns", None)
    width = milliseconds(getattr(verdict, "width_ns", 0) // 2, language)
    doubtful = getattr(verdict, "width_ns", 0) > 0
    said = ""
    if margin_ns is not None:
        template = TO_NEXT if verdict.kind == "valid_slap" else TO_VALID
        margin = milliseconds(margin_ns, language)
        said = text(AREA, template, language=language).format(margin=margin)
        said += text(AREA, WIDTH, language=language).format(width=width) if doubtful else ""
        said += "."
    elif doubtful:
        said = text(AREA, DOUBTFUL, language=language).format(width=width)
    if getattr(verdict, "benefit", False):
        said += text(AREA, BENEFIT, language=language)
    return said


class _Facts(dict[str, str]):
    """The fields of a verdict as words, worked out when a template asks for them."""

    def __init__(self, verdict: Verdict, language: str | None) -> None:
        super().__init__()
        self._verdict: Any = verdict
        self._language = language
        self._own: dict[str, Callable[[], str]] = {
            "gained": lambda: amount(gained(verdict), language),
            "paid": lambda: amount(paid(verdict), language),
            "moved": lambda: amount(sum(move.n for move in _moves(verdict)), language),
            "owes": lambda: amount(self._verdict.owes, language),
            "deck": lambda: amount(self._verdict.deck, language),
            "shares": lambda: self._join(
                [f"{player} {amount(n, language)}" for player, n in shares(verdict).items()]
            ),
            "reason": self._reason,
        }

    def __missing__(self, name: str) -> str:
        own = self._own.get(name)
        return own() if own else self._word(getattr(self._verdict, name), name)

    def _reason(self) -> str:
        named = {field.name for field in fields(self._verdict)}
        return self._known(self._verdict.ruling if "ruling" in named else self._verdict.reason)

    def _word(self, value: Any, name: str) -> str:
        if isinstance(value, Card):
            return card_name(value, self._language)
        if isinstance(value, tuple):
            return self._join([str(part) for part in value])
        if name in ("trigger", "waits_for"):
            return self._known(str(value))
        if name == "player" and not value:
            return text(AREA, NOBODY_KNOWN, language=self._language)
        if name == "pile":
            return str(value + 1)
        return str(value)

    def _known(self, word: str) -> str:
        known = WORDS.get(word)
        return text(AREA, known, language=self._language) if known else word.replace("_", " ")

    def _join(self, parts: Sequence[str]) -> str:
        if len(parts) < 2:
            return "".join(parts)
        joining = text(AREA, JOINING, language=self._language)
        return joining.format(some=", ".join(parts[:-1]), last=parts[-1])
