"""A photo finish as SVG: when the card came to lie, who touched when, and how sure that is.

One lane a player, time runs to the right from the card. A bar is the interval in which the touch
happened; the grey band is the interval in which the card came to rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from referee.locale import text
from referee.rules.events import Flip, Slap

WIDTH_PX, LANE_PX, LEFT_PX, TOP_PX, RIGHT_PX = 760, 40, 110, 82, 24
MIN_BAR_PX = 3.0
COLOURS = {"won": "#1b7f4d", "late": "#7a8797", "false": "#c0392b", "tie": "#c77d0a"}


@dataclass(frozen=True, slots=True)
class Lane:
    """One touch in the picture."""

    slap: Slap
    outcome: str
    """`"won"`, `"late"`, `"false"` or `"tie"`."""


def photo_finish(card: Flip, lanes: Sequence[Lane], *, title: str, verdict: str = "") -> str:
    """Draw one race.

    Args:
        card: The flip that everybody waited for.
        lanes: The touches, any order.
        title: A line above, such as the card.
        verdict: A smaller line below it.

    Returns:
        An SVG document.
    """
    ordered = sorted(lanes, key=lambda lane: lane.slap.t_ns)
    first_ns = min([card.t_ns - card.early_ns, *(lane.slap.t_ns for lane in ordered)])
    last_ns = max([card.t_ns + card.late_ns, *(lane.slap.t_ns for lane in ordered)])
    pad_ns = max(20_000_000, (last_ns - first_ns) // 12)
    start_ns, end_ns = first_ns - pad_ns, last_ns + pad_ns
    height = TOP_PX + LANE_PX * max(1, len(ordered)) + 44
    scale = (WIDTH_PX - LEFT_PX - RIGHT_PX) / (end_ns - start_ns)

    def x_px(t_ns: int) -> float:
        return LEFT_PX + (t_ns - start_ns) * scale

    band_from, band_to = x_px(card.t_ns - card.early_ns), x_px(card.t_ns + card.late_ns)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH_PX}" height="{height}" '
        f'viewBox="0 0 {WIDTH_PX} {height}" font-family="sans-serif" font-size="14">',
        f'<rect width="{WIDTH_PX}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT_PX}" y="24" font-size="17" font-weight="bold">{escape(title)}</text>',
        f'<text x="{LEFT_PX}" y="43" font-size="13" fill="#4a5563">{escape(verdict)}</text>',
        f'<rect x="{band_from:.1f}" y="{TOP_PX - 14}" '
        f'width="{max(MIN_BAR_PX, band_to - band_from):.1f}" '
        f'height="{height - TOP_PX - 16}" fill="#d5dbe3"/>',
        f'<text x="{band_to + 4:.1f}" y="{TOP_PX - 4}" font-size="12" fill="#4a5563">'
        f"{escape(text('cli', 'card lies'))}</text>",
    ]
    for number, lane in enumerate(ordered):
        parts += _lane(lane, card, TOP_PX + LANE_PX * number, x_px)
    parts += _axis(card, start_ns, end_ns, height, x_px)
    return "\n".join([*parts, "</svg>", ""])


def _lane(lane: Lane, card: Flip, top: float, x_px: Callable[[int], float]) -> list[str]:
    slap, middle = lane.slap, top + LANE_PX / 2
    begin, end = x_px(slap.t_ns - slap.early_ns), x_px(slap.t_ns + slap.late_ns)
    begin, end = min(begin, end - MIN_BAR_PX), max(end, begin + MIN_BAR_PX)
    colour = COLOURS[lane.outcome]
    after_ms = (slap.t_ns - card.t_ns) / 1e6
    width_ms = (slap.early_ns + slap.late_ns) / 2e6
    label = f"{after_ms:+.1f} ms" + (f" ±{width_ms:.1f}" if width_ms else "")
    label_x, anchor = (end + 8, "start") if end < WIDTH_PX - 150 else (begin - 8, "end")
    return [
        f'<line x1="{LEFT_PX}" x2="{WIDTH_PX - RIGHT_PX}" y1="{middle}" y2="{middle}" '
        'stroke="#e6e9ee"/>',
        f'<text x="{LEFT_PX - 12}" y="{middle + 5}" text-anchor="end">{escape(slap.player)}</text>',
        f'<rect x="{begin:.1f}" y="{middle - 11}" width="{end - begin:.1f}" height="22" rx="3" '
        f'fill="{colour}"/>',
        f'<text x="{label_x:.1f}" y="{middle + 5}" text-anchor="{anchor}" fill="{colour}">'
        f"{label}</text>",
    ]


def _axis(
    card: Flip, start_ns: int, end_ns: int, height: int, x_px: Callable[[int], float]
) -> list[str]:
    span_ms = (end_ns - start_ns) / 1e6
    step_ms = next((step for step in (10, 20, 50, 100, 200, 500) if span_ms / step <= 10), 1000)
    base = height - 26
    parts = [
        f'<line x1="{LEFT_PX}" x2="{WIDTH_PX - RIGHT_PX}" y1="{base}" y2="{base}" '
        'stroke="#4a5563"/>'
    ]
    tick_ms = -int((card.t_ns - start_ns) / 1e6 // step_ms) * step_ms
    while card.t_ns + tick_ms * 1_000_000 <= end_ns:
        at = x_px(card.t_ns + tick_ms * 1_000_000)
        parts.append(
            f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{base}" y2="{base + 5}" stroke="#4a5563"/>'
            f'<text x="{at:.1f}" y="{base + 19}" text-anchor="middle" font-size="12">'
            f"{tick_ms} ms</text>"
        )
        tick_ms += step_ms
    return parts
