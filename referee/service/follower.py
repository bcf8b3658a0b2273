"""Whatever says announcements besides the matrix: a voice, a buzzer, lights."""

from __future__ import annotations

from typing import Protocol

from hardware.announcement import Announcement


class Follower(Protocol):
    """Something that says announcements in its own way."""

    @property
    def language(self) -> str:
        """In which language it wants them; empty: that of the box."""

    def say(self, announcement: Announcement, now_ns: int) -> None:
        """Say it; returns at once."""

    def step(self, now_ns: int) -> None:
        """Called in every round of the loop."""

    def close(self) -> None:
        """Fall silent. Safe to call twice."""
