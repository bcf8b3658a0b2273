"""Pictures for the middles of courts that have no frame, and lines around pips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Colour = tuple[int, ...]

INK = (25, 25, 25)
CLASSICAL = ((40, 30, 200), (150, 60, 30), (60, 200, 235), INK, (240, 240, 240), (70, 130, 60))
"""Red, blue, yellow, black, white, green."""


def draw_figure(card: Image, colour: Sequence[int], rng: Random) -> None:
    """A figure on bare paper: whole or as a bust, mirrored across the middle or not."""
    h, w = card.shape[:2]
    palette: list[Colour] = [tuple(rng.randint(0, 255) for _ in range(3)) for _ in range(4)]
    palette += [tuple(colour), (60, 190, 230), INK]
    double = rng.random() < 0.65
    wide = w * rng.uniform(0.38, 0.72)
    high = h * (rng.uniform(0.36, 0.46) if double else rng.uniform(0.25, 0.8))
    layer = card.copy()
    below = h / 2 if double else h / 2 + high / 2
    _body(layer, (w / 2 + rng.uniform(-0.05, 0.05) * w, below), (wide, high), palette, rng)
    if double:
        half = h // 2
        layer[h - half :] = layer[:half][::-1, ::-1]
    card[:] = layer


def draw_patterned_figure(card: Image, colour: Sequence[int], rng: Random) -> None:
    """A double-headed figure in patterned robes that nearly fills the card, divided aslant."""
    h, w = card.shape[:2]
    palette: list[Colour] = [*CLASSICAL, tuple(colour), tuple(rng.randint(0, 255) for _ in "bgr")]
    layer = card.copy()
    wide, high = w * rng.uniform(0.5, 0.85), h * rng.uniform(0.42, 0.49)
    left = rng.uniform(-0.05, 0.05) * w
    for _ in range(rng.randint(1, 3)):
        size = (wide * rng.uniform(0.6, 1.1), high * rng.uniform(0.7, 1.02))
        _body(layer, (w / 2 + left, h * rng.uniform(0.5, 0.56)), size, palette, rng)
    _stripes(layer, (w / 2 + left, h / 2), (wide, high * 0.7), palette, rng)
    if rng.random() < 0.8:
        tip = (round(w * rng.uniform(0.15, 0.85)), round(h * rng.uniform(0.05, 0.2)))
        cv2.line(layer, (w // 2, h // 2), tip, palette[rng.randrange(len(palette))], 3)
    slope = rng.uniform(-0.9, 0.9)
    rows, columns = np.mgrid[0:h, 0:w]
    lower = rows - h / 2 > slope * (columns - w / 2)
    layer[lower] = layer[::-1, ::-1][lower]
    if rng.random() < 0.6:
        ends = [(x, round(h / 2 + slope * (x - w / 2))) for x in (round(w * 0.2), round(w * 0.8))]
        cv2.line(layer, ends[0], ends[1], palette[rng.randrange(len(palette))], rng.randint(1, 5))
    if rng.random() < 0.4:
        inset = round(rng.uniform(0.03, 0.1) * h)
        cv2.rectangle(layer, (inset, inset), (w - inset, h - inset), INK, 1, cv2.LINE_AA)
    card[:] = layer


def _stripes(
    card: Image,
    middle: tuple[float, float],
    size: tuple[float, float],
    palette: Sequence[Colour],
    rng: Random,
) -> None:
    """Bands of a robe, side by side, from the shoulders to the middle of the card."""
    (x, y), (wide, high) = middle, size
    for _ in range(rng.randint(2, 9)):
        u, lean = rng.uniform(-0.45, 0.45), rng.uniform(-0.5, 0.5)
        top = (round(x + u * wide), round(y - high * rng.uniform(0.4, 1)))
        foot = (round(x + (u + lean) * wide), round(y))
        colour, thick = palette[rng.randrange(len(palette))], rng.randint(2, 12)
        cv2.line(card, top, foot, colour, thick, cv2.LINE_AA)
        if rng.random() < 0.5:
            cv2.line(card, top, foot, INK, 1, cv2.LINE_AA)


def _body(
    card: Image,
    foot: tuple[float, float],
    size: tuple[float, float],
    palette: Sequence[Colour],
    rng: Random,
) -> None:
    """Robe, patches on it, head, something on the head."""
    (x, y), (wide, high) = foot, size
    skin = (rng.randint(150, 235), rng.randint(180, 240), rng.randint(210, 250))
    robe = _points(
        [(-0.5, 0), (0.5, 0), (rng.uniform(0.25, 0.5), -0.55), (0.12, -0.68)], x, y, wide, high
    )
    cv2.fillPoly(card, [robe], palette[rng.randrange(len(palette))], cv2.LINE_AA)
    mask = np.zeros(card.shape[:2], np.uint8)
    cv2.fillPoly(mask, [robe], 255)
    patches = card.copy()
    for _ in range(rng.randint(3, 22)):
        u, v = rng.uniform(-0.5, 0.5), rng.uniform(-0.7, 0)
        centre = (round(x + u * wide), round(y + v * high))
        axes = (max(1, round(wide * rng.uniform(0.02, 0.22))), max(1, round(high * 0.08)))
        chosen, turn = palette[rng.randrange(len(palette))], rng.randrange(180)
        filled = rng.choice((-1, -1, 1, 2))
        cv2.ellipse(patches, centre, axes, turn, 0, 360, chosen, filled, cv2.LINE_AA)
    card[mask > 0] = patches[mask > 0]
    if rng.random() < 0.7:
        cv2.polylines(card, [robe], True, INK, rng.choice((1, 1, 2)), cv2.LINE_AA)
    head = (round(x + rng.uniform(-0.08, 0.08) * wide), round(y - 0.78 * high))
    radius = max(3, round(min(wide * 0.2, high * 0.14)))
    cv2.circle(card, head, round(radius * 1.35), palette[rng.randrange(len(palette))], -1)
    cv2.circle(card, head, radius, skin, -1, cv2.LINE_AA)
    cv2.circle(card, head, radius, INK, 1, cv2.LINE_AA)
    hat = [(-1.2, -0.6), (1.2, -0.6), (rng.uniform(0, 1.3), -1.7), (rng.uniform(-1.3, 0), -1.5)]
    crown = _points(hat, head[0], head[1], radius, radius)
    cv2.fillPoly(card, [crown], palette[rng.randrange(len(palette))], cv2.LINE_AA)
    if rng.random() < 0.5:
        tip = (round(x + rng.choice((-0.55, 0.55)) * wide), round(y - rng.uniform(0.3, 1) * high))
        cv2.line(card, (round(x), round(y)), tip, palette[rng.randrange(len(palette))], 3)


def _points(
    shape: Sequence[tuple[float, float]], x: float, y: float, wide: float, high: float
) -> NDArray[np.int32]:
    """Left and right half of an outline, given one half from the foot to the top."""
    points = [(x + u * wide, y + v * high) for u, v in shape]
    if shape[0][1] == 0 and shape[-1][1] < -0.5 and shape[0][0] < 0:
        points += [(x - u * wide, y + v * high) for u, v in reversed(shape[1:])]
    return np.array(points).round().astype(np.int32)


def redraw(card: Image, paper: Sequence[int], rng: Random) -> Image:
    """The same picture by another hand: bent, stretched into a frame, in other colours."""
    h, w = card.shape[:2]
    coarse = np.array([rng.gauss(0, 0.022) * h for _ in range(5 * 4 * 2)], np.float32)
    shift = cv2.resize(coarse.reshape(5, 4, 2), (w, h), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.8:
        shift = (shift - shift[::-1, ::-1]) / 2
    rows, columns = np.mgrid[0:h, 0:w].astype(np.float32)
    wider, taller = rng.uniform(0.95, 1.5), rng.uniform(0.95, 1.2)
    x = (columns - w / 2) / wider + w / 2 + shift[..., 0]
    y = (rows - h / 2) / taller + h / 2 + shift[..., 1]
    bent = cv2.remap(card, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    hsv = cv2.cvtColor(bent, cv2.COLOR_BGR2HSV).astype(np.float32)
    hsv[..., 0] = (hsv[..., 0] + rng.uniform(0, 180)) % 180
    hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.4, 1.3), 0, 255)
    if rng.random() < 0.7:
        bent = cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR).astype(np.uint8)
    left, top = round(rng.uniform(0.05, 0.2) * w), round(rng.uniform(0.03, 0.1) * h)
    framed = np.full_like(card, paper)
    framed[top : h - top, left : w - left] = bent[top : h - top, left : w - left]
    for step in range(rng.choice((0, 1, 1, 2))):
        gap = step * rng.randint(2, 5)
        corners = (left - gap, top - gap), (w - left + gap, h - top + gap)
        cv2.rectangle(framed, *corners, (rng.randint(0, 90),) * 3, rng.choice((1, 1, 2)))
    return framed


def draw_ornament(card: Image, rng: Random) -> None:
    """Thin lines around the middle, with or without curls at their ends."""
    h, w = card.shape[:2]
    shade = rng.randint(60, 200)
    colour = rng.choice(((shade, shade, shade), (60, 60, rng.randint(120, 220)), (150, 90, 60)))
    left, top = round(rng.uniform(0.12, 0.24) * w), round(rng.uniform(0.06, 0.16) * h)
    right, bottom = w - left, h - top
    thick, gap = rng.choice((1, 1, 2)), rng.choice((0.0, 0.0, 0.25, 0.4))
    for x in (left, right):
        cv2.line(
            card, (x, round(top + gap * h / 2)), (x, round(bottom - gap * h / 2)), colour, thick
        )
    for y in (top, bottom):
        cv2.line(card, (round(left + gap * w), y), (round(right - gap * w), y), colour, thick)
    for x, y in ((left, bottom), (right, top)) if rng.random() < 0.6 else ():
        radius = round(rng.uniform(0.02, 0.05) * h)
        cv2.ellipse(card, (x, y), (radius, radius), rng.randrange(360), 0, 240, colour, thick)


def draw_flourish(card: Image, colour: Sequence[int], rng: Random) -> None:
    """What some decks print around the pip of an ace."""
    h, w = card.shape[:2]
    centre = (w // 2, h // 2)
    for _ in range(rng.randint(1, 8)):
        axes = (round(w * rng.uniform(0.1, 0.3)), round(h * rng.uniform(0.08, 0.3)))
        cv2.ellipse(
            card, centre, axes, 0, 0, 360, tuple(colour), rng.choice((1, 1, 2)), cv2.LINE_AA
        )
    for number in range(rng.choice((0, 0, 8, 16, 24))):
        turn = number * math.pi / 8
        inner, outer = 0.12 * h, rng.uniform(0.15, 0.22) * h
        ends = [
            (round(centre[0] + r * math.cos(turn)), round(centre[1] + r * math.sin(turn)))
            for r in (inner, outer)
        ]
        cv2.line(card, ends[0], ends[1], tuple(colour), 1, cv2.LINE_AA)
