"""Tells systemd that the box is ready and alive: the notify protocol, without a library.

systemd gives a service a datagram socket in $NOTIFY_SOCKET and, with WatchdogSec=, the longest
silence in $WATCHDOG_USEC. Without them (a laptop, a test) every call does nothing.

Source: sd_notify(3), sd_watchdog_enabled(3).
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field

log = logging.getLogger(__name__)

NS_PER_US = 1_000
BEATS_PER_SILENCE = 4
"""sd_watchdog_enabled(3) advises half of the silence allowed; a quarter leaves room for a stall."""


@dataclass(slots=True)
class Health:
    """The service's voice to systemd."""

    address: str = ""
    """The socket; empty: nobody listens."""
    silence_ns: int = 0
    """Without a beat for so long the service is restarted; 0: never."""
    _last_ns: int | None = field(default=None, repr=False)
    _told: str = field(default="", repr=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Health:
        """What systemd asked of this process."""
        silence_us = environment.get("WATCHDOG_USEC", "")
        meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        silence_ns = int(silence_us) * NS_PER_US if silence_us.isdigit() and meant else 0
        return cls(environment.get("NOTIFY_SOCKET", ""), silence_ns)

    def ready(self, status: str) -> None:
        """Start-up is complete: pads, camera and display have been opened or given up on."""
        self._send(f"READY=1\nSTATUS={_line(status)}")

    def status(self, status: str) -> None:
        """One line for `systemctl status`, sent when it changes."""
        if status != self._told:
            self._told = status
            self._send(f"STATUS={_line(status)}")

    def beat(self, now_ns: int) -> None:
        """The loop went round. Call it every time; it sends only as often as needed."""
        if not self.silence_ns:
            return
        if self._last_ns is None or now_ns - self._last_ns >= self.silence_ns // BEATS_PER_SILENCE:
            self._last_ns = now_ns
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The service is on its way out, by itself or because it was asked to."""
        self._send("STOPPING=1")

    def _send(self, words: str) -> None:
        """Never raises and never waits: a deaf systemd must not stop a game."""
        if not self.address:
            return
        address = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as way:
                way.setblocking(False)
                way.sendto(words.encode(), address)
        except OSError as error:
            log.warning("systemd was not told %r: %s", words, error)


def _line(words: str) -> str:
    return " ".join(words.split())
