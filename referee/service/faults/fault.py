"""One fault at one place: it comes, stands, and goes. Pure: the caller says what time it is.

A symptom has to last before it becomes a fault, and has to be gone for a while before the fault
is over, so that a loose contact does not make the display flicker.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardware.clock import NS_PER_MS, NS_PER_S
from referee.service.doctor.codes import Code

Place = tuple[Code, int | None]
"""A code and the seat that it is about; None: the whole box."""

Symptoms = dict[Place, str]
"""What is wrong at this moment, each with its reason for the log (English, may be empty)."""


@dataclass(frozen=True, slots=True)
class FaultChange:
    """A fault has come or gone."""

    code: Code
    seat: int | None
    on: bool
    reason: str = ""
    """For the log; of a fault that has gone, why it came."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a symptom lasts before it counts, and how long it has to be gone."""

    comes_ns: int = 0
    goes_ns: int = 0


PATIENCE: dict[Code, Patience] = {
    Code.CAMERA_CLOCK: Patience(goes_ns=1 * NS_PER_S),
    Code.FRAMES_MISSING: Patience(goes_ns=3 * NS_PER_S),
    Code.EDGES_LOST: Patience(goes_ns=5 * NS_PER_S),
    Code.PAD_CLOCK: Patience(goes_ns=1 * NS_PER_S),
    Code.PADS_FAULT: Patience(goes_ns=10 * NS_PER_S),
    Code.NO_DISPLAY: Patience(goes_ns=500 * NS_PER_MS),
    # A card that has just landed is unread for a few frames; after this people see it, too.
    Code.CARD_UNREADABLE: Patience(comes_ns=1500 * NS_PER_MS, goes_ns=500 * NS_PER_MS),
    Code.POWER_CUT: Patience(goes_ns=10 * NS_PER_S),
}
"""Codes that need patience. The others have it where they are measured (hardware)."""


class Fault:
    """Follows one code at one seat."""

    def __init__(self, code: Code, seat: int | None = None) -> None:
        self.code, self.seat = code, seat
        self.since_ns: int | None = None
        """When it came; None: it does not stand."""
        self._patience = PATIENCE.get(code, Patience())
        self._wrong_since_ns: int | None = None
        self._right_since_ns: int | None = None
        self._reason = ""

    @property
    def is_idle(self) -> bool:
        """It does not stand, and nothing points at it."""
        return self.since_ns is None and self._wrong_since_ns is None

    def step(self, now_ns: int, reason: str | None) -> FaultChange | None:
        """Look once.

        Args:
            now_ns: Monotonic clock; never goes back.
            reason: Why it is wrong now; None: it is right.

        Returns:
            Whether it came or went with this look.
        """
        return self._is_right(now_ns) if reason is None else self._is_wrong(now_ns, reason)

    def _is_wrong(self, now_ns: int, reason: str) -> FaultChange | None:
        self._right_since_ns = None
        if self._wrong_since_ns is None:
            self._wrong_since_ns = now_ns
        lasted_ns = now_ns - self._wrong_since_ns
        if self.since_ns is not None or lasted_ns < self._patience.comes_ns:
            return None
        self.since_ns, self._reason = now_ns, reason
        return FaultChange(self.code, self.seat, True, reason)

    def _is_right(self, now_ns: int) -> FaultChange | None:
        if self.since_ns is None:
            self._wrong_since_ns = None
            return None
        if self._right_since_ns is None:
            self._right_since_ns = now_ns
        if now_ns - self._right_since_ns < self._patience.goes_ns:
            return None
        self.since_ns = self._wrong_since_ns = self._right_since_ns = None
        return FaultChange(self.code, self.seat, False, self._reason)
