"""Verdict -> what the display says: icon, seat, fact, one word, motion and a full sentence.

The same table feeds the matrix, the page and the voice, so that all say the same. A verdict is
either here or in `SILENT`, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hardware.announcement import Announcement, Motion, Priority
from referee.locale import text
from referee.rules.verdicts import Verdict
from referee.service.doctor.codes import Code
from referee.service.sentences import AREA, gained, paid, sentence, shares

__all__ = [
    "SAID",
    "SILENT",
    "STATES",
    "announce",
    "announce_fault",
    "announce_state",
]

Fact = Callable[[Any], str]


def _plus(verdict: Any) -> str:
    return f"+{gained(verdict)}"


def _minus(verdict: Any) -> str:
    return f"-{paid(verdict)}"


def _moved(verdict: Any) -> str:
    return f"×{sum(move.n for move in verdict.cards_moved)}"


def _owes(verdict: Any) -> str:
    return f"×{verdict.owes}"


def _locked_for(verdict: Any) -> str:
    return "" if verdict.cards is None else f"×{verdict.cards}"


def _shares(verdict: Any) -> str:
    return ":".join(str(n) for n in shares(verdict).values())


def _nothing(verdict: Any) -> str:
    return ""


def _question(verdict: Any) -> str:
    return "?"


def _alarm(verdict: Any) -> str:
    return "!"


@dataclass(frozen=True, slots=True)
class _Saying:
    """How one kind of verdict is said."""

    icon: str
    word: str
    """English, at most what 32 points hold."""
    long_word: str = ""
    """English, for 64 points; empty: the same."""
    fact: Fact = _nothing
    who: str = "player"
    """The field that holds the seats."""
    motion: Motion = Motion.STEADY
    priority: Priority = Priority.VERDICT


SAID = {
    "deal": _Saying("cards", "GO!", who="to_act", priority=Priority.NEWS),
    "valid_slap": _Saying("hand", "SLAP!", fact=_plus, motion=Motion.FILL),
    "false_slap": _Saying("cross", "FALSE", fact=_minus, motion=Motion.BLINK),
    "pending_slap": _Saying("hourglass", "HOLD", priority=Priority.NEWS),
    "tie": _Saying("equal", "TIE", who="players", motion=Motion.SWING),
    "split": _Saying("split", "SPLIT", fact=_shares, who="shares", motion=Motion.SWING),
    "out_of_cards": _Saying(
        "heart", "LAST!", fact=_alarm, motion=Motion.PULSE, priority=Priority.END
    ),
    "back_in": _Saying("heart", "BACK", "IS BACK", motion=Motion.PULSE),
    "eliminated": _Saying("skull", "OUT", "IS OUT", motion=Motion.FALL, priority=Priority.END),
    "game_over": _Saying("cup", "WINS", motion=Motion.CHASE, priority=Priority.END),
    "challenge": _Saying("crown", "PAY", "PAYS", _owes, "payer", priority=Priority.NEWS),
    "challenge_won": _Saying("crown", "PILE", fact=_plus, motion=Motion.FILL),
    "challenge_stopped": _Saying("stop", "STOP", priority=Priority.NEWS),
    "out_of_turn": _Saying("stop", "WAIT", motion=Motion.BLINK),
    "unreadable": _Saying("card", "CARD?", fact=_question, motion=Motion.PULSE),
    "pile_returned": _Saying("back", "BACK", fact=_plus),
    "correction": _Saying("undo", "FIXED", who="", priority=Priority.NEWS),
    "voided_flip": _Saying("undo", "BACK"),
    "judge_award": _Saying("gavel", "TABLE", fact=_plus, motion=Motion.FILL),
    "judge_penalty": _Saying("gavel", "TABLE", fact=_minus),
    "count_fixed": _Saying("cards", "COUNT", fact=_moved),
    "illegal_play": _Saying("cross", "NO!", motion=Motion.BLINK),
    "illegal_move": _Saying("cross", "NO!", motion=Motion.BLINK),
    "illegal_spit": _Saying("cross", "NO!", motion=Motion.BLINK),
    "stuck": _Saying("cards", "SPIT!", who="flip"),
    "not_stuck": _Saying("eye", "PLAY!", "PLAY ON", who="can_move"),
    "go": _Saying("play", "GO!", who=""),
    "round_over": _Saying("flag", "ROUND", motion=Motion.FILL, priority=Priority.END),
    "pile_choice": _Saying("cards", "TAKES", fact=_plus),
    "single_pile": _Saying("card", "ONLY 1", who=""),
    "deadlock": _Saying("stop", "STUCK", priority=Priority.END),
    "tie_play": _Saying("equal", "TIE", who="players", motion=Motion.SWING),
    "doubt": _Saying("doubt", "DOUBT", fact=_question, motion=Motion.PULSE),
    "let": _Saying("loop", "LET", who="players"),
    "hold": _Saying("hourglass", "HOLD", priority=Priority.NEWS),
    "ask_table": _Saying("bubble", "TABLE?", fact=_question, motion=Motion.PULSE),
    "recount": _Saying("cards", "COUNT", fact=_question, who="", priority=Priority.END),
    "cycling": _Saying("loop", "LOOP", who="", priority=Priority.END),
    "locked_out": _Saying("lock", "LOCKED", fact=_locked_for),
}
"""Kind of verdict -> how it is said."""

BENEFIT_WORD = "CLOSE!"
"""Instead of "SLAP!", when the slap was in doubt and counts for the slapper."""

SILENT = {
    "late_slap": "every valid slap has late hands; they would cover the winner's picture",
    "ignored_slap": "a display that answers would reward the slap",
    "legal_play": "several a second; the cards show it",
    "legal_move": "the cards show it",
    "ignored_choice": "the table shows it",
    "layout": "one a player after each round; the cards show it",
    "card_seen": "several a second; the counts show whose turn it is",
    "late_event": "for the log: nobody at the table can mend it",
}
"""Kind of verdict -> why the matrix says nothing. The log and the page still say it."""

STATES = {
    "hands_off": _Saying("stop", "HANDS", "HANDS OFF"),
    "ready": _Saying("ready", "READY"),
    "paused": _Saying("pause", "PAUSE", "PAUSED"),
    "suspended": _Saying("pause", "WAIT", priority=Priority.FAULT),
    "demo": _Saying("play", "DEMO"),
}
"""What the box says about itself."""

STATE_SENTENCES = {
    "hands_off": "Hands off the pads, please: they are being set up.",
    "ready": "The box is ready.",
    "paused": "Paused.",
    "suspended": "The pads are silent: nothing is ruled until they answer.",
    "demo": "This is a demo: table, cards and hands are simulated.",
}


def announce(
    verdict: Verdict, seats: Mapping[str, int], language: str | None = None
) -> Announcement | None:
    """Say a verdict.

    Args:
        verdict: Any verdict of the rules.
        seats: Player -> seat number, from 1.
        language: "de" or "en"; None: the language of the process.

    Returns:
        What to show and say; None: the matrix stays silent about it.
    """
    saying = SAID.get(verdict.kind)
    if saying is None:
        return None
    if getattr(verdict, "benefit", False):
        saying = replace(saying, word=BENEFIT_WORD)
    who = _who(verdict, saying.who)
    numbers = tuple(seats[player] for player in who if player in seats)
    said = _said(verdict.kind, saying, sentence(verdict, language), language)
    return replace(said, seats=numbers, fact=saying.fact(verdict))


def announce_state(state: str, language: str | None = None) -> Announcement:
    """Say what the box is doing: one of `STATES`."""
    spoken = text(AREA, STATE_SENTENCES[state], language=language)
    return _said(state, STATES[state], spoken, language)


def announce_fault(code: str, seat: int | None = None, language: str | None = None) -> Announcement:
    """Say what the box needs: any `Code`, with the seat if it is about one pad."""
    fault = Code(code)
    return Announcement(
        kind="fault",
        icon="warning",
        seats=() if seat is None else (seat,),
        fact=fault.value,
        sentence=f"{fault.value}: {fault.sentence(language)} {fault.mend(language)}",
        motion=Motion.PULSE,
        priority=Priority.FAULT,
    )


def _said(kind: str, saying: _Saying, spoken: str, language: str | None) -> Announcement:
    return Announcement(
        kind=kind,
        icon=saying.icon,
        word32=text(AREA, saying.word, context="led32", language=language),
        word64=text(AREA, saying.long_word or saying.word, context="led64", language=language),
        sentence=spoken,
        motion=saying.motion,
        priority=saying.priority,
    )


def _who(verdict: Any, field: str) -> tuple[str, ...]:
    """The players a verdict is about."""
    if not field:
        return ()
    named = tuple(shares(verdict)) if field == "shares" else getattr(verdict, field)
    if named is None:
        return ()
    players = named if isinstance(named, tuple) else (named,)
    return tuple(player for player in players if player)
