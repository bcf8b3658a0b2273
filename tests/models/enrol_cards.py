"""Drawn cards on a plain table for teaching decks: nothing here needs art of others."""

from __future__ import annotations

import math
from functools import cache

import cv2
import numpy as np

from hardware.simulated.deck import STYLES, Language, draw_deck
from models.locate import Pose
from models.reader import Reader
from referee.rules.cards import Card

HEIGHT_PX = 170.0
SIZE = (420, 340)
TABLE = np.array([70, 95, 60])


@cache
def reader(language: str = "en") -> Reader:
    """The nets, loaded once."""
    return Reader(language)


@cache
def faces(style: str = "classic", language: Language = "en") -> dict[Card, np.ndarray]:
    """The 52 faces of a drawn deck."""
    return {card: art.bgr for card, art in draw_deck(STYLES[style], language, 3).items()}


def bare(seed: int = 0) -> np.ndarray:
    """A table without cards, as a camera sees it."""
    return _shot(np.full((SIZE[1], SIZE[0], 3), TABLE, np.uint8), seed, 0.7)


def picture(
    *cards: tuple[str, float, float, float],
    style: str = "classic",
    language: Language = "en",
    seed: int = 0,
    blur: float = 0.7,
    height_px: float = HEIGHT_PX,
) -> np.ndarray:
    """Cards on the table, each as (such as "7S", x, y, turn)."""
    table = np.full((SIZE[1], SIZE[0], 3), TABLE, np.uint8)
    for name, x, y, turn in cards:
        face = faces(style, language)[Card(name[:-1], name[-1])]
        lay(table, face, x, y, turn, height_px)
    return _shot(table, seed, blur)


def lay(
    table: np.ndarray, face: np.ndarray, x: float, y: float, turn: float, height_px: float
) -> None:
    """Put a face on a table."""
    h, w = face.shape[:2]
    pose = Pose(x, y, turn + math.pi / 2, height_px, height_px * w / h)
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, pose.corners())
    size = (table.shape[1], table.shape[0])
    drawn = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((h, w), 255, np.uint8), matrix, size)
    table[mask > 127] = drawn[mask > 127]


def _shot(table: np.ndarray, seed: int, blur: float) -> np.ndarray:
    soft = cv2.GaussianBlur(table, (0, 0), blur).astype(np.float32)
    noise = np.random.default_rng(seed).normal(0, 2.0, soft.shape)
    return np.clip(soft + noise, 0, 255).astype(np.uint8)
