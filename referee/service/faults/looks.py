"""The small looks: an unread card, the journal, the settings, a power cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from hardware.protocols import Display
from referee.service.doctor.codes import Code
from referee.service.faults.fault import Symptoms
from referee.service.faults.steady_display import lost_display

UNREAD = "unread"
"""What a watcher says while a card lies there that it cannot read."""


class WatchedPile(Protocol):
    """What reads one pile: models.watch.PileWatcher."""

    @property
    def state(self) -> str:
        """What the pile looks like now, such as "still" or "unread"."""


class PileLook:
    """A card that nobody can read; it goes when the card is straightened, entered or covered."""

    def __init__(self, watchers: Sequence[WatchedPile]) -> None:
        self._watchers = watchers

    def symptoms(self, now_ns: int) -> Symptoms:
        """A card that lies there unread."""
        piles = [pile for pile, one in enumerate(self._watchers) if one.state == UNREAD]
        return {(Code.CARD_UNREADABLE, None): f"pile {piles[0]}"} if piles else {}


class DisplayLook:
    """A display that somebody else opened."""

    def __init__(self, display: Display) -> None:
        self._display = display

    def symptoms(self, now_ns: int) -> Symptoms:
        """Its last writing failed."""
        return lost_display(self._display)


class AskLook:
    """A part that names its own fault, if it has one: the journal, the settings."""

    def __init__(self, ask: Callable[[], tuple[str, str] | None]) -> None:
        """Begin.

        Args:
            ask: Returns the code and the reason, such as ("E41", "no space left on device"), or
                None while all is well. Must not wait; trying again is the part's own business.
        """
        self._ask = ask

    def symptoms(self, now_ns: int) -> Symptoms:
        """What the part says."""
        said = self._ask()
        return {} if said is None else {(Code(said[0]), None): said[1]}


class PowerCutLook:
    """The game was taken up where a power cut had left it: said once, for a while."""

    def __init__(self, reason: str) -> None:
        """Begin.

        Args:
            reason: For the log, such as "game 12 goes on after 84 observations".
        """
        self._reason: str | None = reason

    def symptoms(self, now_ns: int) -> Symptoms:
        """Wrong at the first look only; the fault's patience keeps it on the display."""
        reason, self._reason = self._reason, None
        return {} if reason is None else {(Code.POWER_CUT, None): reason}
