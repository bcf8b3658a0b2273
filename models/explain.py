"""Draws what the reader saw on a picture: corners, pose, opinions, confidence."""

from __future__ import annotations

import math

import cv2
import numpy as np

from models.candidates import Candidate
from models.middle import MIDDLES
from models.reader import Reading
from models.recognise import Image
from referee.locale import text

GREEN, ORANGE, GREY, BLACK, WHITE = (
    (60, 200, 60),
    (0, 150, 255),
    (170, 170, 170),
    (20, 20, 20),
    (250, 250, 250),
)
FONT, SIZE, LINE_PX = cv2.FONT_HERSHEY_SIMPLEX, 0.45, 18
GAP_PX = 16
"""From a corner to its label."""
SIDE_PX = 720
"""Long side of the explanation."""


def draw_explanation(bgr: Image, reading: Reading) -> Image:
    """The picture with everything drawn on it that led to the answer."""
    factor = SIDE_PX / max(bgr.shape[:2])
    size = (round(bgr.shape[1] * factor), round(bgr.shape[0] * factor))
    drawn = cv2.resize(bgr, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    for spot in reading.spots:
        colour = ORANGE if spot.new > 0.3 else GREY
        _arrow(drawn, spot.x * factor, spot.y * factor, spot.down, 16, colour)
    chosen = reading.pair or reading.single
    if chosen:
        _draw_card(drawn, chosen.scaled(factor), GREEN if reading.card else ORANGE)
    return np.vstack([drawn, _caption(drawn.shape[1], reading, chosen)])


def _draw_card(drawn: Image, card: Candidate, colour: tuple[int, int, int]) -> None:
    if len(card.points) > 1:
        outline = np.round(card.pose.corners()).astype(np.int32)
        cv2.polylines(drawn, [outline], True, colour, 2, cv2.LINE_AA)
    if card.middle is not None:
        shown, share = MIDDLES[int(card.middle.argmax())], float(card.middle.max())
        words = {"picture": text("read", "picture"), "none": text("read", "not whole")}
        _label(
            drawn, [f"{words.get(shown, shown)} {share:.2f}"], (card.pose.x, card.pose.y), (0, 0)
        )
    for number, ((x, y, down), opinion) in enumerate(zip(card.points, card.each, strict=True)):
        _arrow(drawn, x, y, down, 30, colour)
        lines = [f"{opinion.answer}{opinion.suit} {opinion.confidence:.2f}"]
        if number < len(card.voices):
            lines += [f"{voice.answer} {voice.confidence:.2f}" for voice in card.voices[number]]
        _label(drawn, lines, (x, y), (_side(x - card.pose.x), _side(y - card.pose.y)))


def _side(away: float) -> int:
    return -1 if away < 0 else 1


def _arrow(
    drawn: Image, x: float, y: float, down: float, length: float, colour: tuple[int, int, int]
) -> None:
    tip = (round(x + length * math.cos(down)), round(y + length * math.sin(down)))
    cv2.arrowedLine(drawn, (round(x), round(y)), tip, colour, 2, cv2.LINE_AA, tipLength=0.35)


def _label(
    drawn: Image, lines: list[str], place: tuple[float, float], side: tuple[int, int]
) -> None:
    """Words in a dark box beside a place, the first line bright: what the corner says in all.

    Args:
        side: Where the box is, seen from the place: -1 left or above, 1 right or below, 0 on it.
    """
    wide = max(_width(line) for line in lines) + 10
    high = LINE_PX * len(lines) + 6
    left, top = (
        int(min(max(0, at + way * (size / 2 + GAP_PX) - size / 2), room - size))
        for at, way, size, room in zip(place, side, (wide, high), drawn.shape[1::-1], strict=True)
    )
    cv2.rectangle(drawn, (left, top), (left + wide, top + high), BLACK, cv2.FILLED)
    for number, line in enumerate(lines):
        colour = WHITE if number == 0 else GREY
        _write(drawn, line, (left + 5, top + LINE_PX * (number + 1) - 2), colour)


def _width(words: str) -> int:
    return int(cv2.getTextSize(words, FONT, SIZE, 1)[0][0])


def _write(drawn: Image, words: str, place: tuple[int, int], colour: tuple[int, int, int]) -> None:
    cv2.putText(drawn, words, place, FONT, SIZE, colour, 1, cv2.LINE_AA)


def _caption(width: int, reading: Reading, chosen: Candidate | None) -> Image:
    """What the picture shows, in words, as wide as the picture."""
    guess = str(reading.guess or "-")
    answer = (
        str(reading.card)
        if reading.card
        else text("read", "unread, perhaps {card}").format(card=guess)
    )
    lines = [
        answer + text("read", ", confidence {share}").format(share=f"{reading.confidence:.3f}")
    ]
    if chosen and len(chosen.points) > 1:
        numbers = {"free": f"{chosen.new:.2f}", "fit": f"{chosen.fit:.2f}"}
        lines.append(
            text("read", "two corners of one card: lies free {free}, misfit {fit}").format(
                **numbers
            )
        )
    elif chosen:
        lines.append(text("read", "one corner alone"))
    if chosen:
        lines.append(text("read", "beside each corner: all together, reader, witness"))
    if chosen and chosen.middle is not None:
        lines.append(text("read", "in the middle: its pips counted, or a picture"))
    lines.append(text("read", "arrows: corners found, orange if they may lie on top"))
    strip = np.full((LINE_PX * len(lines) + 12, width, 3), 245, np.uint8)
    for number, line in enumerate(lines):
        _write(strip, line, (8, LINE_PX * (number + 1) + 2), BLACK)
    return strip
