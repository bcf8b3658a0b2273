"""Connections to the page: not too many of one address, and none that says nothing.

A device that opens hundreds of connections and keeps silent would shut out everybody else.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

from referee.service.web.guard import address_of
from referee.service.web.limits import Seats

EACH, IN_ALL = 64, 400
"""A browser opens six; a class behind one router has thirty."""
HEAD_S = 15
"""Whoever has not asked for anything by then is cut off."""


class CountedProtocol(H11Protocol):
    """HTTP/1.1 for one connection, with a seat while it lasts."""

    seats = Seats(EACH, IN_ALL)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a seat; without one the connection is closed at once."""
        super().connection_made(transport)
        self._address = address_of({"client": self.client})
        self._seated = self.seats.enter(self._address)
        self._silence = self.loop.call_later(HEAD_S, self._end_silence)
        if not self._seated:
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the seat back."""
        self._silence.cancel()
        if self._seated:
            self.seats.leave(self._address)
        super().connection_lost(exc)

    def _end_silence(self) -> None:
        if self.cycle is None:
            self.transport.close()
