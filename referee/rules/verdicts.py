"""What the referee declares. Fields are those of the scenarios (tests/scenarios/README.md).

Section 6 of that page is the definition; the verdicts below its table are the box's own and may be
dropped by a program that compares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from referee.rules.cards import Card


@dataclass(frozen=True, slots=True)
class CardsMoved:
    """`n` cards went from one place to another."""

    source: str
    """A player, `"pile"`, `"pile_bottom"`, `"pile0"` or `"pile1"`."""
    target: str
    n: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """One declaration."""

    kind: ClassVar[str] = ""

    t_ns: int
    """Event time of what it judges, in nanoseconds of the monotonic clock."""


# --- the deal and the slaps ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dealt(Verdict):
    """The cards are dealt."""

    kind: ClassVar[str] = "deal"

    counts: tuple[tuple[str, int], ...]
    """Cards held, by player, in seat order."""
    to_act: str


@dataclass(frozen=True, slots=True)
class ValidSlap(Verdict):
    """The first valid slap: the pile is his."""

    kind: ClassVar[str] = "valid_slap"

    player: str
    trigger: str
    """Which rule made it valid, or `"playoff"`."""
    cards_moved: tuple[CardsMoved, ...]
    shuffle: bool = False
    """The winner shuffles the pile into his stock (house rule)."""
    margin_ns: int | None = None
    """Time to the next valid slap; None if nobody else slapped."""
    width_ns: int = 0
    """Full width of the doubt about the slap and the card."""
    benefit: bool = False
    """It was in doubt and counted for the slapper (house rule)."""
    stamp: str = "kernel"
    anticipated: bool = False
    """Faster than anybody can react: a guess that came true. For statistics only."""


@dataclass(frozen=True, slots=True)
class FalseSlap(Verdict):
    """A slap without a trigger."""

    kind: ClassVar[str] = "false_slap"

    player: str
    cards_moved: tuple[CardsMoved, ...]
    margin_ns: int | None = None
    """How far the slap is from the nearest moment at which it would have been valid."""
    width_ns: int = 0
    stamp: str = "kernel"


@dataclass(frozen=True, slots=True)
class LateSlap(Verdict):
    """A hand after the winner, or just after a trigger was covered: no price."""

    kind: ClassVar[str] = "late_slap"

    player: str
    stamp: str = "kernel"
    """Who took the time of the slap: kernel, software or demo."""


@dataclass(frozen=True, slots=True)
class PendingSlap(Verdict):
    """A slap on a card that nobody has read yet."""

    kind: ClassVar[str] = "pending_slap"

    player: str
    stamp: str = "kernel"
    """Who took the time of the slap: kernel, software or demo."""


@dataclass(frozen=True, slots=True)
class IgnoredSlap(Verdict):
    """A slap without any effect."""

    kind: ClassVar[str] = "ignored_slap"

    player: str
    reason: str
    stamp: str = "kernel"
    """Who took the time of the slap: kernel, software or demo."""


@dataclass(frozen=True, slots=True)
class Tie(Verdict):
    """Slaps too close to tell apart."""

    kind: ClassVar[str] = "tie"

    players: tuple[str, ...]
    """In seat order."""
    width_ns: int = 0
    stamp: str = "kernel"
    """Of the slaps, the one that is trusted least."""


@dataclass(frozen=True, slots=True)
class Split(Verdict):
    """The tied players share the pile."""

    kind: ClassVar[str] = "split"

    cards_moved: tuple[CardsMoved, ...]


# --- players come and go -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OutOfCards(Verdict):
    """A stock is empty: the last chance begins."""

    kind: ClassVar[str] = "out_of_cards"

    player: str


@dataclass(frozen=True, slots=True)
class BackIn(Verdict):
    """A player without cards holds some again."""

    kind: ClassVar[str] = "back_in"

    player: str


@dataclass(frozen=True, slots=True)
class Eliminated(Verdict):
    """Out for good."""

    kind: ClassVar[str] = "eliminated"

    player: str
    place: int


@dataclass(frozen=True, slots=True)
class GameOver(Verdict):
    """The winner."""

    kind: ClassVar[str] = "game_over"

    player: str
    reason: str


# --- Egyptian Ratscrew ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Challenge(Verdict):
    """A court card or ace demands cards."""

    kind: ClassVar[str] = "challenge"

    player: str
    payer: str
    owes: int


@dataclass(frozen=True, slots=True)
class ChallengeWon(Verdict):
    """The demand was paid to the end: the pile goes to the challenger."""

    kind: ClassVar[str] = "challenge_won"

    player: str
    cards_moved: tuple[CardsMoved, ...]


@dataclass(frozen=True, slots=True)
class ChallengeStopped(Verdict):
    """A ten ended the demand (house rule)."""

    kind: ClassVar[str] = "challenge_stopped"

    player: str


# --- flips ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OutOfTurn(Verdict):
    """It was not his turn."""

    kind: ClassVar[str] = "out_of_turn"

    player: str
    card: Card
    cards_moved: tuple[CardsMoved, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable(Verdict):
    """A card was seen, but not read."""

    kind: ClassVar[str] = "unreadable"

    player: str


@dataclass(frozen=True, slots=True)
class PileReturned(Verdict):
    """Nobody holds cards and nobody can win the pile: back to the last flipper."""

    kind: ClassVar[str] = "pile_returned"

    player: str
    cards_moved: tuple[CardsMoved, ...]


# --- the table overrules -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Correction(Verdict):
    """The history was corrected; what changes follows."""

    kind: ClassVar[str] = "correction"

    ruling: str


@dataclass(frozen=True, slots=True)
class VoidedFlip(Verdict):
    """A flip was struck out."""

    kind: ClassVar[str] = "voided_flip"

    player: str
    card: Card


@dataclass(frozen=True, slots=True)
class JudgeAward(Verdict):
    """The table gave the pile to a player."""

    kind: ClassVar[str] = "judge_award"

    player: str
    cards_moved: tuple[CardsMoved, ...]


@dataclass(frozen=True, slots=True)
class JudgePenalty(Verdict):
    """The table made a player pay."""

    kind: ClassVar[str] = "judge_penalty"

    player: str
    cards_moved: tuple[CardsMoved, ...]


@dataclass(frozen=True, slots=True)
class CountFixed(Verdict):
    """Hidden cards were counted in."""

    kind: ClassVar[str] = "count_fixed"

    player: str
    cards_moved: tuple[CardsMoved, ...]


# --- Spit ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LegalPlay(Verdict):
    """The card may lie there."""

    kind: ClassVar[str] = "legal_play"

    player: str
    card: Card
    pile: int


@dataclass(frozen=True, slots=True)
class IllegalPlay(Verdict):
    """The card goes back."""

    kind: ClassVar[str] = "illegal_play"

    player: str
    card: Card
    pile: int
    reason: str


@dataclass(frozen=True, slots=True)
class LegalMove(Verdict):
    """A card moved between the player's own stock piles."""

    kind: ClassVar[str] = "legal_move"

    player: str


@dataclass(frozen=True, slots=True)
class IllegalMove(Verdict):
    """The move goes back."""

    kind: ClassVar[str] = "illegal_move"

    player: str
    reason: str


@dataclass(frozen=True, slots=True)
class BothStuck(Verdict):
    """Nobody can move: these players turn a card of their deck."""

    kind: ClassVar[str] = "stuck"

    flip: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotStuck(Verdict):
    """Somebody can still move."""

    kind: ClassVar[str] = "not_stuck"

    can_move: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Go(Verdict):
    """All due cards lie there: play on."""

    kind: ClassVar[str] = "go"


@dataclass(frozen=True, slots=True)
class IllegalSpit(Verdict):
    """A deck card was turned against the rules."""

    kind: ClassVar[str] = "illegal_spit"

    player: str
    reason: str


@dataclass(frozen=True, slots=True)
class RoundOver(Verdict):
    """A player's stock piles are empty."""

    kind: ClassVar[str] = "round_over"

    player: str


@dataclass(frozen=True, slots=True)
class PileChoice(Verdict):
    """Who takes which spit pile."""

    kind: ClassVar[str] = "pile_choice"

    player: str
    pile: int | None
    cards_moved: tuple[CardsMoved, ...]
    """The chooser's first."""


@dataclass(frozen=True, slots=True)
class IgnoredChoice(Verdict):
    """It was not his to choose."""

    kind: ClassVar[str] = "ignored_choice"

    player: str


@dataclass(frozen=True, slots=True)
class Layout(Verdict):
    """A player's five stock piles for the next round."""

    kind: ClassVar[str] = "layout"

    player: str
    stacks: tuple[int, ...]
    deck: int


@dataclass(frozen=True, slots=True)
class SinglePile(Verdict):
    """A player has no deck: only one spit pile from now on."""

    kind: ClassVar[str] = "single_pile"

    player: str


@dataclass(frozen=True, slots=True)
class Deadlock(Verdict):
    """Nobody can move and nobody has a deck."""

    kind: ClassVar[str] = "deadlock"

    player: str | None
    """Who chooses a pile; None: the table decides."""


@dataclass(frozen=True, slots=True)
class TiePlay(Verdict):
    """Two cards on one pile at the same time: both go back."""

    kind: ClassVar[str] = "tie_play"

    players: tuple[str, ...]
    pile: int


# --- the box's own, beyond the scenarios' table --------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardSeen(Verdict):
    """A card lies on the pile, and whose turn is next."""

    kind: ClassVar[str] = "card_seen"

    player: str
    card: Card
    to_act: str | None


@dataclass(frozen=True, slots=True)
class Doubt(Verdict):
    """The box does not know whether the slap was valid; nobody pays."""

    kind: ClassVar[str] = "doubt"

    player: str
    width_ns: int
    """Full width of the doubt."""
    stamp: str = "kernel"
    """Who took the time of the slap: kernel, software or demo."""


@dataclass(frozen=True, slots=True)
class Let(Verdict):
    """The round does not count; the pile stays."""

    kind: ClassVar[str] = "let"

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hold(Verdict):
    """A slap waits for the camera or the pads. Revised as soon as they speak."""

    kind: ClassVar[str] = "hold"

    player: str
    waits_for: str
    """`"camera"` or `"pads"`."""


@dataclass(frozen=True, slots=True)
class AskTable(Verdict):
    """Nobody could see the card: the table answers."""

    kind: ClassVar[str] = "ask_table"

    player: str


@dataclass(frozen=True, slots=True)
class LateEvent(Verdict):
    """An observation came after its source had promised that none would."""

    kind: ClassVar[str] = "late_event"

    what: str


@dataclass(frozen=True, slots=True)
class Recount(Verdict):
    """The cards contradict the books: count them."""

    kind: ClassVar[str] = "recount"

    reason: str
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Cycling(Verdict):
    """The game repeats itself and would never end."""

    kind: ClassVar[str] = "cycling"


@dataclass(frozen=True, slots=True)
class LockedOut(Verdict):
    """A false slap cost the right to slap for a while (house rule)."""

    kind: ClassVar[str] = "locked_out"

    player: str
    cards: int | None
    """For so many cards; None: until the pile is won."""
