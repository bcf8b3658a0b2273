"""Draws what the reader saw on a picture: corners, pose, opinions, confidence."""

from __future__ import annotations

import math

import cv2
import numpy as np

from models.candidates import Candidate
from models.reader import Reading
from models.recognise import Image

GREEN, ORANGE, GREY, BLACK, WHITE = (
    (60, 200, 60),
    (0, 150, 255),
    (170, 170, 170),
    (20, 20, 20),
    (250, 250, 250),
)
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
    for number, ((x, y, down), opinion) in enumerate(zip(card.points, card.each, strict=True)):
        _arrow(drawn, x, y, down, 30, colour)
        word = f"{opinion.answer}{opinion.suit} {opinion.confidence:.2f}"
        if number < len(card.voices):
            apart = [f"{voice.answer} {voice.confidence:.2f}" for voice in card.voices[number]]
            word += f" ({', '.join(apart)})"
        left = min(round(x) + 10, drawn.shape[1] - 9 * len(word) - 4)
        _write(drawn, word, (max(2, left), round(y) - 8))


def _arrow(
    drawn: Image, x: float, y: float, down: float, length: float, colour: tuple[int, int, int]
) -> None:
    tip = (round(x + length * math.cos(down)), round(y + length * math.sin(down)))
    cv2.arrowedLine(drawn, (round(x), round(y)), tip, colour, 2, cv2.LINE_AA, tipLength=0.35)


def _write(drawn: Image, words: str, place: tuple[int, int]) -> None:
    for colour, thick in ((BLACK, 4), (WHITE, 1)):
        cv2.putText(drawn, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, thick, cv2.LINE_AA)


def _caption(width: int, reading: Reading, chosen: Candidate | None) -> Image:
    strip = np.full((54, width, 3), 245, np.uint8)
    answer = str(reading.card) if reading.card else f"unread (guess {reading.guess or '-'})"
    lines = [f"{answer}   confidence {reading.confidence:.3f}"]
    if chosen:
        kind = "two corners" if len(chosen.points) > 1 else "one corner"
        lines.append(f"{kind}, lies free {chosen.new:.2f}, fit {chosen.fit:.2f}")
    for number, line in enumerate(lines):
        place = (8, 20 + 22 * number)
        cv2.putText(strip, line, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, BLACK, 1, cv2.LINE_AA)
    return strip
