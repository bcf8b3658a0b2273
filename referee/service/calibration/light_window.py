"""When a row of a frame saw light, measured: a light in view against its own line. Pure.

The light is switched at random times, and each switch is stamped by the kernel. Row r of a frame
with stamp T and exposure E should have seen light during [T + o + r L - E, T + o + r L], so its
brightness says what share of that time the light was on. A switch inside the window gives one
equation for the offset o and the line time L; a straight line through all of them gives both. If
the camera's clock were another one, no offset would fit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.clock import NS_PER_MS
from referee.rules.errors import RefereeError

Floats = NDArray[np.float64]

FARTHEST_NS = 80 * NS_PER_MS
"""Ends of a row's window, from the frame's stamp, that are searched."""
STEP_NS = NS_PER_MS // 2
SEARCHED = 200
"""Glimpses of a row that are enough for the search."""
PARTLY = (0.08, 0.92)
"""Brightness that was switched in between; nearer to the ends noise decides."""
FEWEST_SWITCHES = 100
FEWEST_EQUATIONS = 20
FEWEST_ROWS = 100
"""Rows between the highest and the lowest light: nearer, the line time cannot be told."""
ROUNDS = 3
OUTLIER = 4.0
"""Equations farther off than so many usual errors (1.48 x median) are left out."""
LEVEL_TOLERANCE = 0.12
"""Brightness that counts as predicted: noise and an unknown tone curve."""
PROVEN_SHARE = 0.99


class BadLight(RefereeError, ValueError):
    """A light from which nothing can be learnt."""


@dataclass(frozen=True, slots=True)
class Switch:
    """The light was switched."""

    t_ns: int
    is_on: bool


@dataclass(frozen=True, slots=True)
class Glimpse:
    """How bright the light was in one row of one frame."""

    t_ns: int
    """Stamp of the frame."""
    exposure_ns: int
    row: float
    level: float
    """0: off all the time, 1: on all the time."""


@dataclass(frozen=True, slots=True)
class LightFit:
    """What fits."""

    line_ns: float
    offset_ns: float
    """Of the stamp, later than the end of row 0's exposure is positive."""
    line_error_ns: float
    offset_error_ns: float
    """Standard errors."""
    switches: int
    """Seen by the camera."""
    agreement: float
    """Share of the switches around which every glimpse is as predicted."""
    is_line_measured: bool
    """False: the light was in too few rows, and the line time is the one that was told."""

    @property
    def is_proven(self) -> bool:
        """Camera and pads have one clock, and the formula holds."""
        return self.agreement >= PROVEN_SHARE


class Lamp:
    """The history of the light."""

    def __init__(self, switches: Sequence[Switch]) -> None:
        """Remember all switches; two alike in a row are one."""
        self.switches: list[Switch] = []
        for switch in sorted(switches, key=lambda one: one.t_ns):
            if not self.switches or self.switches[-1].is_on != switch.is_on:
                self.switches.append(switch)
        self.times = [switch.t_ns for switch in self.switches]
        # Time that the light was on, up to each switch: makes every window two look-ups.
        self._on_ns = [0]
        for before, after in zip(self.switches, self.switches[1:], strict=False):
            self._on_ns.append(self._on_ns[-1] + (after.t_ns - before.t_ns) * before.is_on)

    def on_until(self, t_ns: float) -> float:
        """How long it was on from its first switch to this time."""
        at = bisect_right(self.times, t_ns) - 1
        if at < 0:
            # Before the first switch it was the other way round, for ever.
            return 0.0 if self.switches[0].is_on else t_ns - self.times[0]
        last = self.switches[at]
        return self._on_ns[at] + (t_ns - last.t_ns) * last.is_on

    def level(self, from_ns: float, until_ns: float) -> float:
        """Share of this time in which it was on."""
        return (self.on_until(until_ns) - self.on_until(from_ns)) / (until_ns - from_ns)

    def only_switch(self, from_ns: float, until_ns: float) -> Switch | None:
        """The switch in this time, if there is exactly one."""
        first, after = bisect_right(self.times, from_ns), bisect_right(self.times, until_ns)
        return self.switches[first] if after - first == 1 else None


def fit_light(switches: Sequence[Switch], glimpses: Sequence[Glimpse], line_ns: float) -> LightFit:
    """Find line time and offset, and how many switches they explain.

    Args:
        switches: Every switch with the kernel's stamp.
        glimpses: The light in the frames.
        line_ns: Line time that the sensor's table tells; taken if it cannot be measured.

    Raises:
        BadLight: Too few switches, or the light was never seen to change.
    """
    lamp = Lamp(switches)
    if len(lamp.switches) < FEWEST_SWITCHES:
        raise BadLight(
            f"only {len(lamp.switches)} switches of the light came back, expected at least "
            f"{FEWEST_SWITCHES} (is the light's line looped back to its input?)"
        )
    fit = _coarse_fit(lamp, glimpses, line_ns)
    errors, measured = np.zeros(2), False
    for _ in range(ROUNDS):
        rows, ends = _equations(lamp, glimpses, fit)
        if len(rows) < FEWEST_EQUATIONS:
            break
        measured = bool(np.ptp(rows) >= FEWEST_ROWS)
        fit, errors = _straight_line(rows, ends, line_ns, measured)
    if not errors.any():
        raise BadLight(
            "no frame shows the light half switched, expected one in four or so: the camera's "
            "clock is another one, or the light is not in view (referee doctor)"
        )
    seen, agreement = _agreement(lamp, glimpses, fit)
    return LightFit(
        float(fit[1]), float(fit[0]), float(errors[1]), float(errors[0]), seen, agreement, measured
    )


def _window(glimpse: Glimpse, fit: Floats) -> tuple[float, float]:
    end_ns = glimpse.t_ns + float(fit[0]) + glimpse.row * float(fit[1])
    return end_ns - glimpse.exposure_ns, end_ns


def _coarse_fit(lamp: Lamp, glimpses: Sequence[Glimpse], line_ns: float) -> Floats:
    """Offset and line time to begin with, from the best offset of each row by itself."""
    rows = sorted({glimpse.row for glimpse in glimpses})
    ends = [_coarse_end(lamp, [one for one in glimpses if one.row == row]) for row in rows]
    if len(rows) > 1 and rows[-1] - rows[0] >= FEWEST_ROWS:
        slope, offset = np.polyfit(rows, ends, 1)
        return np.array([offset, slope])
    offsets = [end - row * line_ns for row, end in zip(rows, ends, strict=True)]
    return np.array([np.median(offsets) if offsets else 0.0, line_ns])


def _coarse_end(lamp: Lamp, glimpses: Sequence[Glimpse]) -> float:
    """The end of a row's window after the frame's stamp at which predictions are least wrong."""

    def wrong(end_ns: float) -> float:
        at = ((one.t_ns + end_ns, one) for one in some)
        return sum(abs(lamp.level(end - one.exposure_ns, end) - one.level) for end, one in at)

    some = glimpses[:: max(1, len(glimpses) // SEARCHED)]
    coarse = np.arange(-FARTHEST_NS, FARTHEST_NS + 1, 4 * STEP_NS)
    best = min(map(float, coarse), key=wrong)
    fine = np.arange(best - 4 * STEP_NS, best + 4 * STEP_NS + 1, STEP_NS)
    return min(map(float, fine), key=wrong)


def _equations(lamp: Lamp, glimpses: Sequence[Glimpse], fit: Floats) -> tuple[Floats, Floats]:
    """Row, and end of its window after the frame's stamp, for each glimpse of a switch."""
    rows, ends = [], []
    for glimpse in glimpses:
        if not PARTLY[0] < glimpse.level < PARTLY[1]:
            continue
        from_ns, until_ns = _window(glimpse, fit)
        reach_ns = glimpse.exposure_ns / 4  # the fit may still be off a little
        switch = lamp.only_switch(from_ns - reach_ns, until_ns + reach_ns)
        if switch is None:
            continue
        after = glimpse.level if switch.is_on else 1 - glimpse.level
        rows.append(glimpse.row)
        ends.append(switch.t_ns - glimpse.t_ns + after * glimpse.exposure_ns)
    return np.array(rows, np.float64), np.array(ends, np.float64)


def _straight_line(
    rows: Floats, ends: Floats, line_ns: float, measured: bool
) -> tuple[Floats, Floats]:
    """Least squares without outliers: (offset, line time) and their standard errors."""
    keep = np.ones(len(rows), bool)
    for _ in range(ROUNDS):
        columns = [np.ones(keep.sum())] + ([rows[keep]] if measured else [])
        wanted = ends[keep] - (0 if measured else rows[keep] * line_ns)
        matrix = np.column_stack(columns)
        found, *_ = np.linalg.lstsq(matrix, wanted, rcond=None)
        fit = np.array([found[0], found[1] if measured else line_ns])
        wrong = ends - fit[0] - rows * fit[1]
        usual = 1.48 * float(np.median(np.abs(wrong[keep]))) + 1.0
        keep = np.abs(wrong) <= OUTLIER * usual
    spread = float(np.std(wrong[keep])) + 1e-9
    errors = np.sqrt(np.diag(np.linalg.inv(matrix.T @ matrix))) * spread
    return fit, np.array([errors[0], errors[1] if measured else 0.0])


def _agreement(lamp: Lamp, glimpses: Sequence[Glimpse], fit: Floats) -> tuple[int, float]:
    """Switches that the camera saw, and the share of them that it saw as predicted.

    A glimpse speaks for the switch in its window, else for the one before it.
    """
    is_right: dict[int, bool] = {}
    for glimpse in glimpses:
        from_ns, until_ns = _window(glimpse, fit)
        switch = bisect_right(lamp.times, until_ns) - 1
        if switch < 0:
            continue
        right = abs(lamp.level(from_ns, until_ns) - glimpse.level) <= LEVEL_TOLERANCE
        is_right[switch] = is_right.get(switch, True) and right
    return len(is_right), sum(is_right.values()) / max(1, len(is_right))
