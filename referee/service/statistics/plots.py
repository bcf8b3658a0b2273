"""The plots of the statistics, as SVG: reaction times, shares, and lines over the evenings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from referee.locale import text
from referee.service.statistics.spread import Share, spread
from referee.service.statistics.svg import (
    COLOURS,
    document,
    label,
    line,
    mark,
    nice_step,
    path,
    rect,
    stroke,
)

WIDTH, LEFT, RIGHT, TOP = 480, 20, 24, 48
"""Narrow, so that the letters can be read on a phone; a wide page stretches the picture."""
NAME, BARS, ROW, SHARE_ROW = 26, 44, 104, 60
BIN_MS = 25
LONGEST_MS = 1500
"""Slower hands stand at the right edge."""
Point = tuple[float, float]

LINES_HEIGHT = 300
AXIS, NAMES = 48, 92
"""Room for numbers at the left and for names at the right of the lines."""


def colour_of(players: Sequence[str]) -> dict[str, str]:
    """Player -> colour; the same players in the same order have the same colours."""
    return {player: COLOURS[at % len(COLOURS)] for at, player in enumerate(players)}


# --- reaction times -------------------------------------------------------------------------------


def reaction_plot(
    times_ms: Mapping[str, Sequence[float]],
    colours: Mapping[str, str],
    *,
    language: str | None = None,
    on_paper: bool = False,
) -> str:
    """How fast everybody is: a histogram a player, and below it median, quartiles and 5 to 95 %.

    Args:
        times_ms: Player -> time from the card to the slap; players without any are left out.
        colours: Player -> colour.
        language: "de" or "en"; None: that of the process.
        on_paper: With white paper behind it, for a file.
    """
    rows = [(player, times) for player, times in times_ms.items() if times]
    title = text("stats", "Reaction time", language=language)
    last_ms = _last_ms([time for _, times in rows for time in times])
    scale = (WIDTH - LEFT - RIGHT) / last_ms
    highest = max((max(_bins(times, last_ms)) / len(times) for _, times in rows), default=1.0)
    height = TOP + ROW * len(rows) + 34
    parts = [label(LEFT, 26, title, size=17, bold=True), *_grid(last_ms, scale, height)]
    for at, (player, times) in enumerate(rows):
        base = TOP + ROW * at + NAME + BARS
        parts += _histogram(times, last_ms, scale, base, highest, colours[player])
        parts += _box(times, scale, base + 12, colours[player])
        parts += _head(player, f"{_median(times):.0f} ms", f"n = {len(times)}", base - BARS - 8)
    return document(WIDTH, height, title, parts, on_paper=on_paper)


def _last_ms(times: Sequence[float]) -> int:
    slowest = min(max(times, default=0), LONGEST_MS)
    return max(500, ceil(slowest / 100) * 100)


def _bins(times: Sequence[float], last_ms: int) -> list[int]:
    counts = [0] * (last_ms // BIN_MS)
    for time in times:
        counts[min(max(int(time // BIN_MS), 0), len(counts) - 1)] += 1
    return counts


def _grid(last_ms: int, scale: float, height: float) -> list[str]:
    parts = []
    step = 100 if last_ms <= 1000 else 200
    for at_ms in range(0, last_ms + 1, step):
        x = LEFT + at_ms * scale
        parts.append(line(x, TOP - 8, x, height - 30, fade=0.14))
        unit = " ms" if at_ms == 0 else ""
        parts.append(label(x, height - 10, f"{at_ms}{unit}", anchor="middle", size=12, fade=0.75))
    return parts


def _histogram(
    times: Sequence[float], last_ms: int, scale: float, base: float, highest: float, colour: str
) -> list[str]:
    parts = [line(LEFT, base, LEFT + last_ms * scale, base, fade=0.3)]
    for at, count in enumerate(_bins(times, last_ms)):
        if count:
            tall = BARS * count / len(times) / highest
            x, wide = LEFT + at * BIN_MS * scale, BIN_MS * scale - 1.5
            parts.append(rect(x + 0.75, base - tall, wide, tall, colour, fade=0.75, round_px=1.5))
    return parts


def _box(times: Sequence[float], scale: float, y: float, colour: str) -> list[str]:
    found = spread(times)
    assert found is not None  # players without a time have no row

    def x(at_ms: float) -> float:
        return LEFT + min(max(at_ms, 0), LONGEST_MS) * scale

    return [
        stroke(x(found.low), y, x(found.high), y, colour, 2),
        stroke(x(found.quarter), y, x(found.three_quarters), y, colour, 8),
        line(x(found.median), y - 9, x(found.median), y + 9, width=2.5),
    ]


def _median(times: Sequence[float]) -> float:
    found = spread(times)
    assert found is not None  # players without a time have no row
    return found.median


def _head(player: str, figure: str, count: str, y: float) -> list[str]:
    """The line above a row: who, the figure, and of how many."""
    return [
        label(LEFT, y, player, size=15, bold=True),
        label(WIDTH - RIGHT, y, figure, anchor="end", size=18, bold=True),
        label(WIDTH - RIGHT - 82, y, count, anchor="end", size=12, fade=0.75),
    ]


# --- shares ---------------------------------------------------------------------------------------


def share_plot(
    shares: Mapping[str, Share],
    colours: Mapping[str, str],
    title: str,
    *,
    on_paper: bool = False,
) -> str:
    """A share a player with the interval in which it lies with 95 % certainty."""
    rows = [(player, share) for player, share in shares.items() if share.n]
    height = TOP + SHARE_ROW * len(rows) + 34
    highest = max((share.interval[1] for _, share in rows), default=0.1)
    step = nice_step(highest * 100, 5)
    last = ceil(highest * 100 / step) * step / 100
    scale = (WIDTH - LEFT - RIGHT) / last
    parts = [label(LEFT, 26, title, size=17, bold=True)]
    for at in range(round(last * 100 / step) + 1):
        x = LEFT + at * step / 100 * scale
        parts.append(line(x, TOP - 8, x, height - 30, fade=0.14))
        parts.append(label(x, height - 10, f"{at * step:g} %", anchor="middle", size=12, fade=0.75))
    for at, (player, share) in enumerate(rows):
        y = TOP + SHARE_ROW * at + NAME + 14
        low, high = share.interval
        value = share.k / share.n
        parts += [
            *_head(player, f"{value * 100:.0f} %", f"{share.k} / {share.n}", y - 16),
            stroke(LEFT + low * scale, y, LEFT + high * scale, y, colours[player], 4),
            mark(LEFT + value * scale, y, colours[player], 0, 7),
        ]
    return document(WIDTH, height, title, parts, on_paper=on_paper)


# --- evenings -------------------------------------------------------------------------------------


def evening_plot(
    values: Mapping[str, Sequence[float | None]],
    dates: Sequence[str],
    colours: Mapping[str, str],
    title: str,
    *,
    from_zero: bool = True,
    on_paper: bool = False,
) -> str:
    """A line a player over the evenings; an evening without a value leaves a gap.

    Args:
        values: Player -> one value an evening.
        dates: One short date an evening.
        colours: Player -> colour.
        title: What is shown, with its unit.
        from_zero: The axis begins with 0.
        on_paper: With white paper behind it, for a file.
    """
    known = [value for each in values.values() for value in each if value is not None]
    least, most = _range(known, from_zero=from_zero)
    bottom, top = LINES_HEIGHT - 44, TOP + 6
    step = nice_step(most - least, 5)
    least, most = step * (least // step), step * ceil(most / step)
    parts = [label(LEFT, 26, title, size=17, bold=True)]

    def y_px(value: float) -> float:
        return bottom - (value - least) / (most - least) * (bottom - top)

    def x_px(at: int) -> float:
        span = WIDTH - AXIS - 12 - NAMES
        return AXIS + 12 + (span * at / (len(dates) - 1) if len(dates) > 1 else span / 2)

    for at in range(round((most - least) / step) + 1):
        y = y_px(least + at * step)
        parts.append(line(AXIS, y, WIDTH - NAMES + 6, y, fade=0.14))
        value = f"{least + at * step:g}"
        parts.append(label(AXIS - 8, y + 4, value, anchor="end", size=12, fade=0.75))
    every = ceil(len(dates) / 6) if dates else 1
    parts += [
        label(x_px(at), bottom + 24, dates[at], anchor="middle", size=12, fade=0.75)
        for at in range(0, len(dates), every)
    ]
    ends = []
    for number, (player, each) in enumerate(values.items()):
        pieces = _pieces([None if v is None else (x_px(at), y_px(v)) for at, v in enumerate(each)])
        parts += [path(piece, colours[player]) for piece in pieces if len(piece) > 1]
        parts += [mark(x, y, colours[player], number) for piece in pieces for x, y in piece]
        if pieces:
            ends.append((pieces[-1][-1][1], player, number))
    parts += _names(ends, colours, top, bottom)
    return document(WIDTH, LINES_HEIGHT, title, parts, on_paper=on_paper)


def _range(known: Sequence[float], *, from_zero: bool) -> tuple[float, float]:
    least = 0.0 if from_zero or not known else min(known)
    most = max(known, default=1.0)
    return least, most if most > least else least + 1


def _pieces(points: Sequence[Point | None]) -> list[list[Point]]:
    """The line, broken where an evening has no value."""
    pieces: list[list[Point]] = [[]]
    for point in points:
        if point is None:
            pieces.append([])
        else:
            pieces[-1].append(point)
    return [piece for piece in pieces if piece]


def _names(
    ends: list[tuple[float, str, int]], colours: Mapping[str, str], top: float, bottom: float
) -> list[str]:
    """Names at the right ends of their lines, pushed apart so that each can be read."""
    parts, free = [], top
    ordered = sorted(ends)
    for left, (wanted, player, number) in zip(range(len(ordered), 0, -1), ordered, strict=True):
        y = min(max(wanted, free), bottom - 19 * (left - 1))
        x = WIDTH - NAMES + 20
        parts += [mark(x, y, colours[player], number), label(x + 13, y + 5, player, bold=True)]
        free = y + 19
    return parts
