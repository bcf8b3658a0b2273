"""The few shapes that the plots are drawn with, as SVG.

Text and lines take the colour of their surroundings, so that a plot fits a light and a dark page;
a plot in a file of its own gets dark ink on white paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#b98900",
    "#56b4e9",
    "#8a63d2",
    "#8c6d46",
)
"""One a player, told apart by people who see colours differently, too. Source: Okabe and Ito."""

INK, PAPER = "#17202b", "#ffffff"
MARKS = 4
"""Shapes of points: circle, square, triangle, diamond."""


def document(
    width: float, height: float, title: str, parts: Sequence[str], *, on_paper: bool = False
) -> str:
    """A whole picture.

    Args:
        width: In px.
        height: In px.
        title: What it shows, for screen readers.
        parts: The shapes, later ones on top.
        on_paper: With white paper behind it, for a file.
    """
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" color="{INK}" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        'font-family="system-ui, sans-serif" font-size="14">'
    )
    paper = [rect(0, 0, width, height, PAPER)] if on_paper else []
    return "\n".join([head, f"<title>{escape(title)}</title>", *paper, *parts, "</svg>", ""])


def line(x1: float, y1: float, x2: float, y2: float, *, width: float = 1, fade: float = 1) -> str:
    """A straight line in the ink of the page."""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="currentColor" '
        f'stroke-width="{width:g}" stroke-opacity="{fade:g}"/>'
    )


def stroke(x1: float, y1: float, x2: float, y2: float, colour: str, width: float) -> str:
    """A straight line in a colour."""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        f'stroke-width="{width:g}" stroke-linecap="round"/>'
    )


def rect(
    x: float,
    y: float,
    width: float,
    height: float,
    colour: str,
    *,
    fade: float = 1,
    round_px: float = 0,
) -> str:
    """A filled rectangle."""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'rx="{round_px:g}" fill="{colour}" fill-opacity="{fade:g}"/>'
    )


def label(
    x: float,
    y: float,
    words: str,
    *,
    anchor: str = "start",
    size: float = 14,
    bold: bool = False,
    fade: float = 1,
) -> str:
    """A line of text; `y` is its base."""
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}"{weight} '
        f'fill="currentColor" fill-opacity="{fade:g}">{escape(words)}</text>'
    )


def mark(x: float, y: float, colour: str, shape: int, size: float = 5) -> str:
    """A point; neighbours in number have different shapes."""
    if shape % MARKS == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:g}" fill="{colour}"/>'
    if shape % MARKS == 1:
        return rect(x - size, y - size, 2 * size, 2 * size, colour)
    corners = {
        2: [(x, y - size), (x + size, y + size), (x - size, y + size)],
        3: [(x, y - 1.3 * size), (x + 1.3 * size, y), (x, y + 1.3 * size), (x - 1.3 * size, y)],
    }[shape % MARKS]
    points = " ".join(f"{px:.1f},{py:.1f}" for px, py in corners)
    return f'<polygon points="{points}" fill="{colour}"/>'


def path(points: Sequence[tuple[float, float]], colour: str, width: float = 2.5) -> str:
    """A line through points."""
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (
        f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
        'stroke-linejoin="round"/>'
    )


def nice_step(span: float, most: int) -> float:
    """A round distance (1, 2 or 5 times a power of ten) that divides a span into few parts."""
    step = 10.0**-3
    while True:
        for factor in (1, 2, 5):
            if span / (step * factor) <= most:
                return step * factor
        step *= 10
