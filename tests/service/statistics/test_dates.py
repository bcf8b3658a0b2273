"""Dates in both languages."""

from datetime import UTC

import pytest

from referee.service.statistics.dates import date_and_time, day, moment

CHRISTMAS_EVE_MS = 1_798_143_300_000


@pytest.mark.parametrize(
    ("language", "short", "long"),
    [("de", "24.12.", "24.12.2026, 20:15"), ("en", "24 Dec", "24 Dec 2026, 20:15")],
)
def test_date_is_written_as_in_the_language(language: str, short: str, long: str) -> None:
    when = moment(CHRISTMAS_EVE_MS, UTC)
    assert day(when, language) == short
    assert date_and_time(when, language) == long
