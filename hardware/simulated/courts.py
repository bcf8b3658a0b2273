"""Jack, queen and king: our own figures, drawn to the waist and turned for the lower half.

Coordinates: the figure's axis is x = 0, the frame reaches from x = -1 to 1, y grows downwards
from 0 at the frame's top. Everything below the waist is cut off by the caller.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hardware.simulated.ink import Canvas, Colour, Points, arc, box, mix, points, smooth, spots
from hardware.simulated.pips import draw_pip

BELOW = 3.2
"""A y below every waist."""


@dataclass(frozen=True, slots=True)
class Look:
    """Colours of one figure."""

    main: Colour
    second: Colour
    accent: Colour
    hair: Colour
    skin: Colour
    edge: Colour
    width: float
    suit: str
    pattern: int
    """Which cloth: 0 stripes, 1 lozenges, 2 dots, 3 small suit signs."""


def draw_jack(canvas: Canvas, look: Look) -> None:
    """A young man with a cap and a halberd."""
    _halberd(canvas, look, 0.7)
    _tunic(canvas, look)
    _sash(canvas, look)
    _page_hair(canvas, look)
    _face(canvas, look, chin=1.03)
    _cap(canvas, look)
    _hand(canvas, look, 0.7, 1.5)


def draw_queen(canvas: Canvas, look: Look) -> None:
    """A lady with a crown, long hair and a flower."""
    _long_hair(canvas, look)
    _dress(canvas, look)
    _face(canvas, look, chin=1.04, lips=True)
    _fringe(canvas, look)
    _queens_crown(canvas, look)
    _flower(canvas, look, -0.62, 1.0)
    _hand(canvas, look, -0.6, 1.5)


def draw_king(canvas: Canvas, look: Look) -> None:
    """An old man with a crown, a beard and a sword."""
    _robe(canvas, look)
    _king_hair(canvas, look)
    _face(canvas, look, chin=1.0)
    _beard(canvas, look)
    _kings_crown(canvas, look)
    _sword(canvas, look, 0.68)
    _hand(canvas, look, 0.68, 1.36)


FIGURES = {"J": draw_jack, "Q": draw_queen, "K": draw_king}


# --- cloth ---------------------------------------------------------------------------------------


def _cloth(canvas: Canvas, look: Look, shape: Points, base: Colour, mark: Colour) -> None:
    def weave(inner: Canvas) -> None:
        inner.fill(box(-1.2, 0, 1.2, BELOW), base)
        if look.pattern == 0:
            for x in np.arange(-1.2, 1.2, 0.2):
                inner.stroke(points((x, 0.9), (x * 1.3, BELOW)), mark, 0.07)
            return
        for x, y in spots(np.arange(-1.2, 1.3, 0.26), np.arange(1.05, BELOW, 0.17)):
            _mark(inner, look, x, y, mark)

    canvas.inside(shape, weave)
    canvas.stroke(shape, look.edge, look.width, closed=True)


def _mark(canvas: Canvas, look: Look, x: float, y: float, colour: Colour) -> None:
    if look.pattern == 1:
        canvas.fill(points((x, y - 0.09), (x + 0.075, y), (x, y + 0.09), (x - 0.075, y)), colour)
    elif look.pattern == 2:
        canvas.fill(arc(x, y, 0.05, 0.05), colour)
    else:
        draw_pip(canvas, look.suit, x, y, 0.15, colour)


def _shoulders(neck: float, wide: float, y: float) -> Points:
    half = smooth(
        [(neck, y), (wide * 0.62, y + 0.13), (wide * 0.93, y + 0.36), (wide, y + 0.8)],
        closed=False,
    )
    down = points((wide * 1.02, BELOW))
    right = np.vstack([half, down])
    return np.vstack([right, right[::-1] * [-1, 1]])


def _tunic(canvas: Canvas, look: Look) -> None:
    _cloth(canvas, look, _shoulders(0.2, 0.92, 1.12), look.main, look.accent)
    front = np.vstack([points((-0.26, 1.14), (0.26, 1.14)), points((0.4, BELOW), (-0.4, BELOW))])
    canvas.shape(front, look.second, look.edge, look.width)
    for y in np.arange(1.4, BELOW, 0.19):
        canvas.shape(arc(0, y, 0.05, 0.05), look.accent, look.edge, look.width * 0.6)
    collar = smooth([(-0.34, 1.1), (0, 1.34), (0.34, 1.1), (0.2, 1.0), (-0.2, 1.0)])
    canvas.shape(collar, (245, 248, 250), look.edge, look.width)


def _sash(canvas: Canvas, look: Look) -> None:
    band = points((-0.95, 1.42), (-0.72, 1.28), (0.98, 2.5), (0.8, 2.75))
    canvas.shape(band, look.accent, look.edge, look.width)
    for share in np.arange(0.06, 1.0, 0.11):
        x, y = -0.84 + 1.75 * share, 1.35 + 1.27 * share
        canvas.fill(arc(x, y, 0.045, 0.045), look.main)


def _dress(canvas: Canvas, look: Look) -> None:
    _cloth(canvas, look, _shoulders(0.17, 0.88, 1.16), look.main, look.accent)
    neckline = smooth([(-0.4, 1.17), (0, 1.62), (0.4, 1.17), (0.16, 0.98), (-0.16, 0.98)])
    canvas.shape(neckline, look.skin, look.edge, look.width)
    trim = smooth([(-0.46, 1.2), (-0.2, 1.5), (0, 1.66), (0.2, 1.5), (0.46, 1.2)], closed=False)
    canvas.stroke(trim, look.edge, 0.14)
    canvas.stroke(trim, look.second, 0.1)
    for angle in np.linspace(25, 155, 7):
        x, y = 0.25 * np.cos(np.radians(angle)), 1.1 + 0.2 * np.sin(np.radians(angle))
        canvas.shape(arc(x, y, 0.035, 0.035), (250, 250, 250), look.edge, look.width * 0.5)
    bodice = points((-0.2, 1.72), (0.2, 1.72), (0.42, BELOW), (-0.42, BELOW))
    canvas.shape(bodice, look.second, look.edge, look.width)
    for y in np.arange(1.8, BELOW, 0.2):
        canvas.stroke(points((-0.18, y), (0.18, y + 0.12)), look.accent, 0.045)
        canvas.stroke(points((0.18, y), (-0.18, y + 0.12)), look.accent, 0.045)


def _robe(canvas: Canvas, look: Look) -> None:
    _cloth(canvas, look, _shoulders(0.22, 0.97, 1.02), look.main, look.accent)
    ermine = smooth(
        [(-0.86, 1.5), (-0.5, 1.06), (0.5, 1.06), (0.86, 1.5), (0.5, 1.68), (0, 1.82), (-0.5, 1.68)]
    )
    canvas.shape(ermine, (246, 249, 251), look.edge, look.width)
    for x, y in [
        (-0.62, 1.46),
        (-0.36, 1.62),
        (0.36, 1.62),
        (0.62, 1.46),
        (-0.5, 1.27),
        (0.5, 1.27),
    ]:
        canvas.fill(points((x, y - 0.08), (x + 0.04, y + 0.05), (x - 0.04, y + 0.05)), look.edge)
    for x in (-0.3, 0.14):
        canvas.shape(box(x, 1.78, x + 0.16, BELOW), look.second, look.edge, look.width)
    for y in np.arange(1.98, BELOW, 0.24):
        jewel = points((0, y - 0.09), (0.09, y), (0, y + 0.09), (-0.09, y))
        canvas.shape(jewel, look.second, look.edge, look.width * 0.7)


# --- heads ---------------------------------------------------------------------------------------


def _face(canvas: Canvas, look: Look, *, chin: float, lips: bool = False) -> None:
    canvas.shape(box(-0.13, 0.85, 0.13, 1.16), look.skin, look.edge, look.width)
    face = smooth(
        [
            (0, 0.42),
            (0.22, 0.48),
            (0.3, 0.68),
            (0.25, 0.87),
            (0.1, chin),
            (-0.1, chin),
            (-0.25, 0.87),
            (-0.3, 0.68),
            (-0.22, 0.48),
        ]
    )
    canvas.shape(face, look.skin, look.edge, look.width)
    for x in (-0.13, 0.13):
        brow = smooth([(x - 0.08, 0.63), (x, 0.6), (x + 0.08, 0.63)], closed=False)
        canvas.stroke(brow, mix(look.hair, look.edge, 0.5), look.width * 1.1)
        canvas.shape(arc(x, 0.7, 0.075, 0.042), (255, 255, 255), look.edge, look.width * 0.7)
        canvas.fill(arc(x + 0.012, 0.7, 0.034, 0.04), look.edge)
        canvas.fill(arc(x * 1.35, 0.83, 0.05, 0.035), mix(look.skin, (120, 120, 235), 0.35))
    nose = smooth([(-0.02, 0.7), (-0.045, 0.82), (0.03, 0.84)], closed=False)
    canvas.stroke(nose, look.edge, look.width * 0.8)
    if lips:
        mouth = smooth([(-0.075, 0.92), (0, 0.9), (0.075, 0.92), (0, 0.965)])
        canvas.fill(mouth, (60, 50, 200))
    else:
        smile = smooth([(-0.08, 0.91), (0, 0.935), (0.08, 0.91)], closed=False)
        canvas.stroke(smile, (60, 50, 170), look.width * 1.1)


def _page_hair(canvas: Canvas, look: Look) -> None:
    bob = smooth(
        [
            (0, 0.3),
            (0.32, 0.42),
            (0.44, 0.75),
            (0.52, 1.04),
            (0.3, 1.1),
            (0, 1.0),
            (-0.3, 1.1),
            (-0.52, 1.04),
            (-0.44, 0.75),
            (-0.32, 0.42),
        ]
    )
    canvas.shape(bob, look.hair, look.edge, look.width)
    for side in (-1, 1):
        for k in (0.36, 0.43):
            lock = smooth([(side * k, 0.7), (side * (k + 0.03), 0.95)], closed=False)
            canvas.stroke(lock, mix(look.hair, look.edge, 0.45), look.width * 0.7)


def _cap(canvas: Canvas, look: Look) -> None:
    feather = smooth(
        [(-0.3, 0.34), (-0.62, 0.06), (-0.86, 0.1), (-0.93, 0.28), (-0.8, 0.26), (-0.62, 0.3)]
    )
    canvas.shape(feather, look.accent, look.edge, look.width)
    canvas.stroke(
        smooth([(-0.35, 0.32), (-0.65, 0.16), (-0.86, 0.2)], closed=False), look.edge, 0.02
    )
    top = smooth(
        [
            (-0.4, 0.44),
            (-0.5, 0.26),
            (-0.2, 0.12),
            (0.2, 0.12),
            (0.5, 0.24),
            (0.44, 0.42),
            (0, 0.37),
        ]
    )
    canvas.shape(top, look.second, look.edge, look.width)
    brim = smooth([(-0.45, 0.5), (-0.46, 0.41), (0, 0.33), (0.46, 0.38), (0.46, 0.47), (0, 0.44)])
    canvas.shape(brim, look.main, look.edge, look.width)
    canvas.shape(arc(-0.3, 0.4, 0.06, 0.06), look.accent, look.edge, look.width * 0.7)


def _long_hair(canvas: Canvas, look: Look) -> None:
    left = [(-0.3, 0.4), (-0.46, 0.7), (-0.5, 1.05), (-0.62, 1.4), (-0.5, 1.85), (-0.26, 1.6)]
    right = [(-x, y) for x, y in reversed(left)]
    canvas.shape(
        smooth([(0, 0.3), *right, (0, 1.2), *left[::-1]][:8] + left[::-1]),
        look.hair,
        look.edge,
        look.width,
    )
    for side in (-1, 1):
        for k in (0.0, 0.09):
            wave = smooth(
                [(side * (0.36 + k), 0.66), (side * (0.4 + k), 1.0), (side * (0.46 + k), 1.3)],
                closed=False,
            )
            canvas.stroke(wave, mix(look.hair, look.edge, 0.45), look.width * 0.7)


def _fringe(canvas: Canvas, look: Look) -> None:
    for side in (-1, 1):
        lock = [(0, 0.4), (0.2, 0.42), (0.33, 0.6), (0.4, 1.0), (0.5, 1.35), (0.36, 1.3)]
        lock += [(0.29, 0.95), (0.24, 0.62), (0.1, 0.5)]
        canvas.shape(smooth([(side * x, y) for x, y in lock]), look.hair, look.edge, look.width)


def _queens_crown(canvas: Canvas, look: Look) -> None:
    spikes = points(
        (-0.34, 0.44), (-0.46, 0.12), (-0.23, 0.26), (-0.13, 0.04), (0, 0.22), (0.13, 0.04),
        (0.23, 0.26), (0.46, 0.12), (0.34, 0.44),
    )  # fmt: skip
    canvas.shape(spikes, look.accent, look.edge, look.width)
    for x, y in [(-0.46, 0.12), (-0.13, 0.04), (0.13, 0.04), (0.46, 0.12)]:
        canvas.shape(arc(x, y, 0.048, 0.048), (250, 250, 250), look.edge, look.width * 0.6)
    band = smooth([(-0.35, 0.46), (-0.36, 0.37), (0, 0.32), (0.36, 0.37), (0.35, 0.46), (0, 0.42)])
    canvas.shape(band, look.second, look.edge, look.width)


def _king_hair(canvas: Canvas, look: Look) -> None:
    for side in (-1, 1):
        curl = [(0.18, 0.4), (0.42, 0.6), (0.46, 0.9), (0.6, 1.12), (0.4, 1.2), (0.2, 1.0)]
        canvas.shape(smooth([(side * x, y) for x, y in curl]), look.hair, look.edge, look.width)


def _beard(canvas: Canvas, look: Look) -> None:
    beard = smooth(
        [
            (-0.3, 0.74),
            (-0.2, 0.88),
            (0, 0.86),
            (0.2, 0.88),
            (0.3, 0.74),
            (0.36, 1.0),
            (0.24, 1.3),
            (0, 1.48),
            (-0.24, 1.3),
            (-0.36, 1.0),
        ]
    )
    canvas.shape(beard, look.hair, look.edge, look.width)
    for x in (-0.2, -0.1, 0, 0.1, 0.2):
        strand = smooth([(x, 1.0), (x * 1.1, 1.16), (x * 0.7, 1.34)], closed=False)
        canvas.stroke(strand, mix(look.hair, look.edge, 0.45), look.width * 0.7)
    for side in (-1, 1):
        half = [(0, 0.86), (0.14, 0.84), (0.27, 0.95), (0.16, 0.93), (0, 0.92)]
        canvas.shape(
            smooth([(side * x, y) for x, y in half]),
            mix(look.hair, (255, 255, 255), 0.3),
            look.edge,
            look.width * 0.7,
        )
    canvas.fill(smooth([(-0.07, 0.945), (0, 0.935), (0.07, 0.945), (0, 0.985)]), (60, 50, 180))


def _kings_crown(canvas: Canvas, look: Look) -> None:
    arches = smooth(
        [
            (-0.38, 0.44),
            (-0.46, 0.22),
            (-0.24, 0.1),
            (0, 0.16),
            (0.24, 0.1),
            (0.46, 0.22),
            (0.38, 0.44),
            (0, 0.38),
        ]
    )
    canvas.shape(arches, look.main, look.edge, look.width)
    for side in (-1, 0, 1):
        rib = smooth([(side * 0.36, 0.4), (side * 0.4, 0.22), (0, 0.12)], closed=False)
        canvas.stroke(rib, look.edge, 0.12)
        canvas.stroke(rib, look.accent, 0.08)
    canvas.stroke(points((0, 0.14), (0, -0.06)), look.edge, 0.1)
    canvas.stroke(points((-0.08, 0.02), (0.08, 0.02)), look.edge, 0.1)
    canvas.stroke(points((0, 0.14), (0, -0.04)), look.accent, 0.055)
    canvas.stroke(points((-0.07, 0.02), (0.07, 0.02)), look.accent, 0.055)
    band = smooth([(-0.4, 0.52), (-0.42, 0.38), (0, 0.32), (0.42, 0.38), (0.4, 0.52), (0, 0.47)])
    canvas.shape(band, look.accent, look.edge, look.width)
    for x, y in [(-0.26, 0.435), (0, 0.4), (0.26, 0.435)]:
        canvas.shape(arc(x, y, 0.05, 0.045), look.second, look.edge, look.width * 0.6)


# --- what they hold ------------------------------------------------------------------------------


def _halberd(canvas: Canvas, look: Look, x: float) -> None:
    steel = (205, 200, 190)
    canvas.shape(box(x - 0.035, 0.3, x + 0.035, BELOW), (60, 105, 150), look.edge, look.width)
    tip = points((x, 0.0), (x + 0.08, 0.3), (x - 0.08, 0.3))
    canvas.shape(tip, steel, look.edge, look.width)
    blade = smooth(
        [(x - 0.03, 0.36), (x - 0.24, 0.28), (x - 0.28, 0.5), (x - 0.24, 0.7), (x - 0.03, 0.58)]
    )
    canvas.shape(blade, steel, look.edge, look.width)
    hook = points((x + 0.03, 0.4), (x + 0.24, 0.5), (x + 0.03, 0.54))
    canvas.shape(hook, steel, look.edge, look.width)


def _sword(canvas: Canvas, look: Look, x: float) -> None:
    blade = points(
        (x, 0.02), (x + 0.07, 0.16), (x + 0.07, 1.12), (x - 0.07, 1.12), (x - 0.07, 0.16)
    )
    canvas.shape(blade, (222, 216, 205), look.edge, look.width)
    canvas.stroke(points((x, 0.2), (x, 1.1)), (150, 145, 135), look.width)
    canvas.shape(box(x - 0.25, 1.12, x + 0.25, 1.22), look.accent, look.edge, look.width)
    canvas.shape(box(x - 0.05, 1.22, x + 0.05, 1.56), look.second, look.edge, look.width)
    canvas.shape(arc(x, 1.62, 0.09, 0.09), look.accent, look.edge, look.width)


def _flower(canvas: Canvas, look: Look, x: float, y: float) -> None:
    green = (70, 130, 50)
    stalk = smooth([(x, y), (x - 0.03, y + 0.3), (x + 0.06, y + 0.75)], closed=False)
    canvas.stroke(stalk, look.edge, 0.08)
    canvas.stroke(stalk, green, 0.05)
    leaf = smooth([(x, y + 0.35), (x - 0.2, y + 0.2), (x - 0.24, y + 0.3), (x - 0.1, y + 0.4)])
    canvas.shape(leaf, green, look.edge, look.width * 0.7)
    for angle in np.radians(np.arange(0, 360, 60)):
        px, py = x + 0.11 * np.cos(angle), y + 0.11 * np.sin(angle)
        canvas.shape(arc(px, py, 0.085, 0.085), look.second, look.edge, look.width * 0.7)
    canvas.shape(arc(x, y, 0.07, 0.07), look.accent, look.edge, look.width * 0.7)


def _hand(canvas: Canvas, look: Look, x: float, y: float) -> None:
    side = 1 if x > 0 else -1
    sleeve = smooth(
        [
            (x - side * 0.12, y + 0.02),
            (x + side * 0.16, y + 0.04),
            (x + side * 0.26, y + 0.5),
            (x - side * 0.36, y + 0.55),
        ]
    )
    canvas.shape(sleeve, look.second, look.edge, look.width)
    cuff = box(x - 0.17, y + 0.04, x + 0.17, y + 0.15)
    canvas.shape(cuff, (246, 249, 251), look.edge, look.width)
    palm = smooth([(x - 0.14, y + 0.06), (x - 0.15, y - 0.1), (x, y - 0.14), (x + 0.15, y - 0.1),
                   (x + 0.14, y + 0.06)])  # fmt: skip
    canvas.shape(palm, look.skin, look.edge, look.width)
    for k in (-0.06, 0.0, 0.055):
        canvas.stroke(
            points((x - 0.1, y + k - 0.01), (x + 0.1, y + k - 0.01)), look.edge, look.width * 0.6
        )
