"""How a measurement talks to the person who makes it; the command decides what that looks like."""

from __future__ import annotations

from typing import Protocol


class Talk(Protocol):
    """One conversation."""

    def tell(self, line: str, grade: str = "") -> None:
        """Say something; the grade ("good", "poor", "bad") chooses colour and sign."""

    def ask(self, line: str) -> None:
        """Say what is to be done and wait for the Enter key."""

    def progress(self, line: str) -> None:
        """Replace the line that says how far it is."""
