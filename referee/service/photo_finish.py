"""A photo finish as SVG: when the card came to lie, who touched when, and how sure that is.

One lane a hand, time runs to the right from the card. A bar is the interval in which the touch
happened, the grey band the interval in which the card came to rest. Every shape has a class, so
that a page can give it other colours (dark ones, say); the colours here are those of a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from referee.locale import text
from referee.rules.events import Flip, Slap
from referee.service.sentences import milliseconds

WIDE_PX, NARROW_PX = 760, 360
NARROW_BELOW_PX = 500
MIN_BAR_PX = 3.0
NAME_LETTERS = 12
COLOURS = {
    "won": "#1b7f4d",
    "late": "#5f6b7a",
    "false": "#c0392b",
    "tie": "#a3620a",
    "doubt": "#a3620a",
}
OUTCOMES = {
    "won": "first",
    "late": "late",
    "false": "false",
    "tie": "tie",
    "doubt": "doubt",
}
"""Outcome of a lane -> the English word beside it."""
INK, SOFT, BAND, LINE = "#1c2430", "#4a5563", "#d5dbe3", "#e6e9ee"
HALO = 'stroke="#ffffff" stroke-width="5" paint-order="stroke"'
"""Words stay readable over lines and the grey band."""
BAR_PX = 18
STEPS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
TICK_PX = 60
"""Least distance of two ticks of the axis."""
LEAST_PAD_NS = 20_000_000
LATE_NS = 300_000_000
"""Hands that come so long after the last one that mattered are shown at the edge, with an arrow."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One touch in the picture."""

    slap: Slap
    outcome: str
    """One of `COLOURS`."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """Where things stand."""

    width: int
    left: int
    right: int
    top: int
    lane: int
    lanes: int
    start_ns: int
    end_ns: int
    zero_ns: int
    """From here the axis counts: the card, else the first touch."""

    @property
    def is_narrow(self) -> bool:
        return self.width < NARROW_BELOW_PX

    def middle(self, number: int) -> int:
        return self.top + self.lane * number + (34 if self.is_narrow else self.lane // 2)

    @property
    def height(self) -> int:
        return self.top + self.lane * max(1, self.lanes) + 44

    def x_px(self, t_ns: int) -> float:
        share = (t_ns - self.start_ns) / (self.end_ns - self.start_ns)
        return self.left + min(share, 1.0) * (self.width - self.left - self.right)


def photo_finish(
    card: Flip | None,
    lanes: Sequence[Lane],
    *,
    title: str,
    verdict: str = "",
    width_px: int = WIDE_PX,
    language: str | None = None,
) -> str:
    """Draw one race.

    Args:
        card: The flip that everybody waited for; None: a hand came before the first card.
        lanes: The touches, any order.
        title: A line above, such as the card; empty: no line.
        verdict: A smaller line below it; a page says it beside the picture.
        width_px: Of the picture. Below `NARROW_BELOW_PX` names stand above their bars: a phone.
        language: "de" or "en"; None: the language of the process.

    Returns:
        An SVG document that scales with its place.
    """
    ordered = sorted(lanes, key=lambda lane: lane.slap.t_ns)
    sheet = _sheet(card, ordered, width_px, bool(title or verdict))
    hands = "; ".join(
        f"{lane.slap.player} {_label(lane, sheet.zero_ns, language)}" for lane in ordered
    )
    said = escape(". ".join(filter(None, (title, verdict.rstrip("."), hands))), {'"': "&quot;"})
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="finish" role="img" aria-label="{said}" '
        f'width="{sheet.width}" height="{sheet.height}" '
        f'viewBox="0 0 {sheet.width} {sheet.height}" font-family="sans-serif" font-size="14" '
        f'fill="{INK}">',
        f'<rect class="paper" width="{sheet.width}" height="{sheet.height}" fill="#ffffff"/>',
        f'<text class="title" x="{sheet.left}" y="24" font-size="17" font-weight="bold">'
        f"{escape(title)}</text>"
        if title
        else "",
        f'<text class="soft" x="{sheet.left}" y="43" font-size="13" fill="{SOFT}">'
        f"{escape(verdict)}</text>"
        if verdict
        else "",
    ]
    if card is not None:
        parts += _band(card, sheet, language)
    for number, lane in enumerate(ordered):
        parts += _lane(lane, sheet, number, language)
    parts += _axis(sheet)
    return "\n".join([*filter(None, parts), "</svg>", ""])


def _sheet(card: Flip | None, lanes: Sequence[Lane], width_px: int, headed: bool) -> _Sheet:
    begins = [lane.slap.t_ns - lane.slap.early_ns for lane in lanes]
    ends = [lane.slap.t_ns + lane.slap.late_ns for lane in lanes if lane.outcome != "late"]
    late = [lane.slap.t_ns + lane.slap.late_ns for lane in lanes if lane.outcome == "late"]
    if card is not None:
        begins.append(card.t_ns - card.early_ns)
        ends.append(card.t_ns + card.late_ns)
    until_ns = max(ends, default=min(late, default=0)) + LATE_NS
    ends += [end_ns for end_ns in late if end_ns <= until_ns]
    first_ns, last_ns = min(begins, default=0), max(ends, default=0)
    pad_ns = max(LEAST_PAD_NS, (last_ns - first_ns) // 12)
    narrow = width_px < NARROW_BELOW_PX
    return _Sheet(
        width=width_px,
        left=12 if narrow else 110,
        right=12 if narrow else 24,
        top=82 if headed else 36,
        lane=48 if narrow else 40,
        lanes=len(lanes),
        start_ns=first_ns - pad_ns,
        end_ns=last_ns + pad_ns,
        zero_ns=card.t_ns if card is not None else first_ns,
    )


def _band(card: Flip, sheet: _Sheet, language: str | None) -> list[str]:
    """The interval in which the card came to rest: down to the axis, or beside each bar."""
    begin, end = sheet.x_px(card.t_ns - card.early_ns), sheet.x_px(card.t_ns + card.late_ns)
    words = text("cli", "card lies", language=language)
    pieces = [(sheet.top - 14, sheet.height - sheet.top - 16)]
    if sheet.is_narrow:  # names stand above the bars: the band leaves them their room
        pieces = [(sheet.middle(number) - 12, 24) for number in range(sheet.lanes)]
    return [
        *(
            f'<rect class="band" x="{begin:.1f}" y="{y}" '
            f'width="{max(MIN_BAR_PX, end - begin):.1f}" height="{height}" fill="{BAND}"/>'
            for y, height in pieces
        ),
        f'<text class="soft" x="{begin:.1f}" y="{sheet.top - 20}" font-size="12" fill="{SOFT}">'
        f"{escape(words)}</text>",
    ]


def _lane(lane: Lane, sheet: _Sheet, number: int, language: str | None) -> list[str]:
    slap, top = lane.slap, sheet.top + sheet.lane * number
    middle = sheet.middle(number)
    begin, end = sheet.x_px(slap.t_ns - slap.early_ns), sheet.x_px(slap.t_ns + slap.late_ns)
    begin, end = min(begin, end - MIN_BAR_PX), max(end, begin + MIN_BAR_PX)
    if slap.t_ns > sheet.end_ns:
        begin = sheet.width - sheet.right - 16.0
    colour = COLOURS[lane.outcome]
    name = slap.player
    name = name if len(name) <= NAME_LETTERS else name[: NAME_LETTERS - 1] + "…"
    label = _label(lane, sheet.zero_ns, language)
    name_x, name_y, name_anchor = sheet.left - 12, middle + 5, "end"
    label_x, label_y, anchor = end + 8, middle + 5, "start"
    if sheet.is_narrow:
        name_x, name_y, name_anchor = sheet.left, top + 16, "start"
        label_x, label_y, anchor = sheet.width - sheet.right, top + 16, "end"
    elif end > sheet.width - 210:
        label_x, anchor = begin - 8, "end"
    return [
        f'<line class="rail" x1="{sheet.left}" x2="{sheet.width - sheet.right}" '
        f'y1="{middle}" y2="{middle}" stroke="{LINE}"/>',
        f'<text class="name" x="{name_x}" y="{name_y}" text-anchor="{name_anchor}" {HALO}>'
        f"{escape(name)}</text>",
        _mark(lane, sheet, begin, end, middle),
        f'<text class="label {lane.outcome}" x="{label_x:.1f}" y="{label_y}" '
        f'text-anchor="{anchor}" fill="{colour}" {HALO}>{escape(label)}</text>',
    ]


def _mark(lane: Lane, sheet: _Sheet, begin: float, end: float, middle: int) -> str:
    """The bar of a touch, or an arrow at the edge: it came long after."""
    shape = f'class="bar {lane.outcome}" fill="{COLOURS[lane.outcome]}"'
    if lane.slap.t_ns > sheet.end_ns:
        tip = sheet.width - sheet.right
        return f'<path {shape} d="M{tip} {middle}l-14 -8v16Z"/>'
    return (
        f'<rect {shape} x="{begin:.1f}" y="{middle - BAR_PX // 2}" width="{end - begin:.1f}" '
        f'height="{BAR_PX}" rx="2"/>'
    )


def _label(lane: Lane, zero_ns: int, language: str | None) -> str:
    """When the touch was, how sure that is, and what it was worth: "+231.4 ms ±1.5 · first"."""
    slap = lane.slap
    after_ns = slap.t_ns - zero_ns
    sign = "-" if after_ns < 0 else "+"
    half_ns = (slap.early_ns + slap.late_ns) // 2
    doubt = f" ±{milliseconds(half_ns, language)}" if half_ns else ""
    word = text("page", OUTCOMES[lane.outcome], language=language)
    return f"{sign}{milliseconds(abs(after_ns), language)} ms{doubt} · {word}"


def _axis(sheet: _Sheet) -> list[str]:
    base = sheet.height - 26
    span_ms = (sheet.end_ns - sheet.start_ns) / 1e6
    most = max(2, (sheet.width - sheet.left - sheet.right) // TICK_PX)
    step_ms = next((step for step in STEPS_MS if span_ms / step <= most), STEPS_MS[-1])
    while span_ms / step_ms > most:
        step_ms *= 2
    parts = [
        f'<line class="axis" x1="{sheet.left}" x2="{sheet.width - sheet.right}" '
        f'y1="{base}" y2="{base}" stroke="{SOFT}"/>'
    ]
    tick_ms = -int((sheet.zero_ns - sheet.start_ns) / 1e6 // step_ms) * step_ms
    while sheet.zero_ns + tick_ms * 1_000_000 <= sheet.end_ns:
        at = sheet.x_px(sheet.zero_ns + tick_ms * 1_000_000)
        parts.append(
            f'<line class="axis" x1="{at:.1f}" x2="{at:.1f}" y1="{base}" y2="{base + 5}" '
            f'stroke="{SOFT}"/>'
        )
        if 16 < at < sheet.width - 20:
            parts.append(
                f'<text class="soft" x="{at:.1f}" y="{base + 19}" text-anchor="middle" '
                f'font-size="12" fill="{SOFT}">{tick_ms} ms</text>'
            )
        tick_ms += step_ms
    return parts
