"""The suit signs, and where they lie on the cards from ace to ten."""

from __future__ import annotations

import numpy as np

from hardware.simulated.ink import Canvas, Colour, Points, arc, points


def _curve(start: tuple[float, float], *parts: tuple[float, ...]) -> Points:
    """Bezier curves one after the other; each part: two handles and an end."""
    t = np.linspace(0, 1, 14)[:, None]
    at = np.array(start)
    out = []
    for part in parts:
        h1, h2, end = (np.array(part[i : i + 2]) for i in (0, 2, 4))
        out.append(
            (1 - t) ** 3 * at + 3 * (1 - t) ** 2 * t * h1 + 3 * (1 - t) * t**2 * h2 + t**3 * end
        )
        at = end
    return np.vstack(out)


def _both_sides(left: Points) -> Points:
    """A symmetric outline from its left half."""
    return np.vstack([left, left[::-1] * [-1, 1]])


_HEART = _both_sides(
    _curve(
        (0, 0.5),
        (-0.1, 0.3, -0.48, 0.1, -0.48, -0.2),
        (-0.48, -0.4, -0.34, -0.5, -0.24, -0.5),
        (-0.12, -0.5, -0.02, -0.41, 0, -0.27),
    )
)
_SPADE_LEAF = _both_sides(
    _curve(
        (0, -0.5),
        (-0.09, -0.3, -0.45, -0.1, -0.45, 0.14),
        (-0.45, 0.3, -0.34, 0.36, -0.24, 0.36),
        (-0.13, 0.36, -0.05, 0.3, 0, 0.2),
    )
)
_STEM = _both_sides(
    _curve((0, 0.1), (-0.03, 0.3, -0.06, 0.44, -0.2, 0.5), (-0.1, 0.5, -0.05, 0.5, 0, 0.5))
)
_DIAMOND = _both_sides(
    _curve((0, -0.5), (-0.1, -0.3, -0.24, -0.1, -0.37, 0), (-0.24, 0.1, -0.1, 0.3, 0, 0.5))
)
_CLUB = (
    arc(0, -0.265, 0.225, 0.225),
    arc(-0.26, 0.075, 0.225, 0.225),
    arc(0.26, 0.075, 0.225, 0.225),
    points((-0.13, -0.13), (0.13, -0.13), (0.16, 0.1), (-0.16, 0.1)),
    _STEM,
)
PIPS: dict[str, tuple[Points, ...]] = {
    "S": (_SPADE_LEAF, _STEM),
    "H": (_HEART,),
    "D": (_DIAMOND,),
    "C": _CLUB,
}
"""Outlines in a box of height 1 around the origin."""

_SIDES = (-1.0, 1.0)
_FOUR = (-1.0, -1 / 3, 1 / 3, 1.0)
_ROWS: dict[str, list[tuple[float, float]]] = {
    "A": [(0, 0)],
    "2": [(0, -1), (0, 1)],
    "3": [(0, -1), (0, 0), (0, 1)],
    "4": [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    "5": [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    "6": [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    "7": [(-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    "8": [(-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)],
    "9": [(x, y) for y in _FOUR for x in _SIDES] + [(0, 0)],
    "10": [(x, y) for y in _FOUR for x in _SIDES] + [(0, -2 / 3), (0, 2 / 3)],
}
"""Places of the signs: columns -1, 0, 1 and rows from -1 (top) to 1 (bottom)."""


def draw_pip(
    canvas: Canvas,
    suit: str,
    x: float,
    y: float,
    height: float,
    colour: Colour,
    *,
    upside_down: bool = False,
) -> None:
    """Draw one suit sign around (x, y)."""
    there = canvas.at(x, y, height, turn=np.pi if upside_down else 0.0)
    for outline in PIPS[suit]:
        there.fill(outline, colour)


def pip_places(rank: str) -> list[tuple[float, float]]:
    """Where the signs of a card from ace to ten lie, in columns and rows from -1 to 1."""
    return _ROWS[rank]
