"""Who may change something: the box's code is exchanged for a signed cookie.

The key lives as long as the process, and the code is part of it: a new code ends every session.
"""

from __future__ import annotations

import secrets

from itsdangerous import BadData, URLSafeTimedSerializer

from referee.service.web.limits import NS_PER_S, Bucket

COOKIE = "session"
LASTS_S = 12 * 3600
"""A long evening."""

TRIES_EACH, TRIES_ALL = 5, 20
REFILL_EACH_NS, REFILL_ALL_NS = 120 * NS_PER_S, 60 * NS_PER_S
"""Wrong codes: five at once an address, twenty in all, then one in two minutes and one a minute.
A million codes at one a minute take two years."""


class Sessions:
    """Signs and checks."""

    def __init__(self, key: str | None = None) -> None:
        """Begin.

        Args:
            key: Signs the cookies; None: a new one, so that older cookies are worth nothing.
        """
        self._key = key or secrets.token_hex(32)
        self._each = Bucket(TRIES_EACH, REFILL_EACH_NS)
        self._all = Bucket(TRIES_ALL, REFILL_ALL_NS)

    def enter(self, given: str, code: str, address: str, now_ns: int) -> str | None:
        """Exchange the code for a session.

        Args:
            given: What was typed; spaces do not matter.
            code: The box's code; empty: nobody can enter.
            address: Who tries.
            now_ns: Monotonic time.

        Returns:
            The cookie's value; None: a wrong code.

        Raises:
            TooManyTries: Wrong codes came too often; even the right one is not looked at.
        """
        if not self._each.take(address, now_ns):
            raise TooManyTries
        if not self._all.take("", now_ns):
            raise TooManyTries
        right = secrets.compare_digest("".join(given.split()).encode(), code.encode())
        if not code or not right:
            return None
        self._each.give_back(address)
        self._all.give_back("")
        return str(self._serializer(code).dumps(secrets.token_hex(4)))

    def name(self, cookie: str, code: str) -> str | None:
        """The session's name; None: forged, too old, or of another code."""
        if not cookie or not code:
            return None
        try:
            return str(self._serializer(code).loads(cookie, max_age=LASTS_S))
        except BadData:
            return None

    def _serializer(self, code: str) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self._key + code, salt="referee page session")


class TooManyTries(Exception):
    """Wrong codes came too often."""
