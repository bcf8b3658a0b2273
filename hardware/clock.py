"""Every conversion to event time, and the check of each clock. Pure: the caller reads the clocks.

Event time is integer nanoseconds of CLOCK_MONOTONIC. The kernel stamps GPIO edges with it. The
Pi's camera drivers do, too, although libcamera's text says CLOCK_BOOTTIME; a sleeping computer sets
the two apart for good. So the camera's clock is found out at start, and nonsense is refused.

Source: kernel gpiolib-cdev.c `line_event_timestamp`; unicam and rp1-cfe stamp frames with
`ktime_get_ns`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from referee.rules.errors import RefereeError

NS_PER_S = 1_000_000_000
NS_PER_MS = 1_000_000
NS_PER_US = 1_000

EXACT_BELOW_NS = 2**52
"""Up to here (52 days of uptime) nanoseconds survive the way through float seconds unharmed."""

OLDEST_FRAME_NS = 200 * NS_PER_MS
"""Readout, image processor and queue take 15 to 35 ms at 60 frames/s; more than this is no age."""
SAME_CLOCK_NS = 1 * NS_PER_MS
"""Clocks closer than this need no telling apart: the error is below every budget."""
PROBE_FRAMES = 10
"""Fewest frames that a probe needs."""


class BadStamp(RefereeError, ValueError):
    """A time stamp that no clock can have given."""


class UnknownClock(RefereeError, RuntimeError):
    """Time stamps that fit none of the clocks we know."""


class Clock(Enum):
    """The clock that a source's stamps come from."""

    MONOTONIC = "monotonic"
    BOOTTIME = "boottime"


@dataclass(frozen=True, slots=True)
class SourceClock:
    """How a source's stamps become event time."""

    clock: Clock
    ahead_ns: int
    """How far the source's clock is ahead of the monotonic clock."""

    def event_ns(self, stamp_ns: int) -> int:
        """Turn a stamp of this source into event time."""
        return stamp_ns - self.ahead_ns


def seconds_to_ns(seconds: float) -> int:
    """Turn float seconds, as gpiozero hands over the kernel's stamp, into the nearest nanosecond.

    Exact for every stamp below `EXACT_BELOW_NS`, later off by at most 1 ns.

    Raises:
        BadStamp: It is no time.
    """
    if not math.isfinite(seconds) or seconds < 0:
        raise BadStamp(f"not a time in seconds: {seconds!r}, expected 0 or more")
    numerator, denominator = seconds.as_integer_ratio()
    return (2 * numerator * NS_PER_S + denominator) // (2 * denominator)


def ms_to_ns(milliseconds: float) -> int:
    """Turn a setting in milliseconds into nanoseconds."""
    return seconds_to_ns(milliseconds / 1000)


def us_to_ns(microseconds: int) -> int:
    """Turn the camera's microseconds into nanoseconds."""
    return int(microseconds) * NS_PER_US


def find_clock(samples: Sequence[tuple[int, int]], boottime_ahead_ns: int) -> SourceClock:
    """Find out which clock stamped a camera's frames.

    Args:
        samples: (stamp, monotonic clock when the frame was handed over), a frame each.
        boottime_ahead_ns: CLOCK_BOOTTIME minus CLOCK_MONOTONIC: the time this computer slept.

    Raises:
        UnknownClock: Too few frames, no clock fits, or both do.
    """
    if len(samples) < PROBE_FRAMES:
        raise UnknownClock(f"only {len(samples)} frames to check the camera's clock, expected 10")
    ages = [arrived_ns - stamp_ns for stamp_ns, arrived_ns in samples]
    as_monotonic = _fit(ages)
    as_boottime = _fit([age + boottime_ahead_ns for age in ages])
    if as_monotonic and (not as_boottime or abs(boottime_ahead_ns) < SAME_CLOCK_NS):
        return SourceClock(Clock.MONOTONIC, 0)
    if as_boottime and not as_monotonic:
        return SourceClock(Clock.BOOTTIME, boottime_ahead_ns)
    raise UnknownClock(_why_unknown(ages, boottime_ahead_ns, both=as_monotonic))


def _fit(ages_ns: Sequence[int]) -> bool:
    """No frame is of the future, and most are of the near past.

    A busy computer hands some frames over late; nothing hands one over before it was taken.
    """
    ordered = sorted(ages_ns)
    return is_plausible_age(ordered[0]) and is_plausible_age(ordered[len(ordered) // 2])


def _why_unknown(ages_ns: Sequence[int], boottime_ahead_ns: int, *, both: bool) -> str:
    asleep_ms = boottime_ahead_ns / NS_PER_MS
    if both:
        return (
            f"the camera's clock cannot be told: the computer slept {asleep_ms:.0f} ms and both "
            "clocks fit, expected none or far more (restart the computer)"
        )
    low_ms, high_ms = min(ages_ns) / NS_PER_MS, max(ages_ns) / NS_PER_MS
    return (
        f"the camera's time stamps fit no clock: frames seem {low_ms:.0f} to {high_ms:.0f} ms old, "
        "expected 0 to 200 ms (update libcamera, or use the camera as a webcam)"
    )


def is_plausible_age(age_ns: int, oldest_ns: int = OLDEST_FRAME_NS) -> bool:
    """A stamp is of the past, and of the near one."""
    return 0 < age_ns < oldest_ns


def is_between(stamp_ns: int, before_ns: int, after_ns: int, slack_ns: int) -> bool:
    """A stamp lies between two looks at the monotonic clock, so it is that clock's."""
    return before_ns - slack_ns <= stamp_ns <= after_ns + slack_ns
