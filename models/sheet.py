"""A contact sheet: what was read rightly, wrongly and not at all, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.recognise import Image
from referee.locale import text

TILE_PX = 150
COLUMNS = 8
MOST = 24
"""Tiles of a kind."""
KINDS = ("right", "wrong", "unread")
COLOURS = {"right": (70, 150, 50), "wrong": (50, 50, 210), "unread": (40, 140, 220)}
PAPER, INK = (246, 246, 246), (30, 30, 30)


@dataclass(frozen=True, slots=True)
class Case:
    """One picture, what lay there and what was said."""

    picture: Image
    truth: str
    said: str | None
    confidence: float

    @property
    def kind(self) -> str:
        """One of KINDS."""
        if self.said is None:
            return "unread"
        return "right" if self.said == self.truth else "wrong"


def draw_sheet(cases: Sequence[Case]) -> Image:
    """Wrong and unread cases as many as fit, then right ones; BGR."""
    rows: list[Image] = []
    for kind in ("wrong", "unread", "right"):
        chosen = [case for case in cases if case.kind == kind]
        rows.append(_heading(kind, len(chosen), len(cases)))
        tiles = [_tile(case) for case in chosen[:MOST]]
        for first in range(0, len(tiles), COLUMNS):
            row = tiles[first : first + COLUMNS]
            row += [np.full_like(row[0], 246)] * (COLUMNS - len(row))
            rows.append(np.hstack(row))
    return np.vstack(rows)


def _heading(kind: str, count: int, total: int) -> Image:
    strip = np.full((34, COLUMNS * TILE_PX, 3), PAPER, np.uint8)
    names = {
        "right": text("read", "read rightly"),
        "wrong": text("read", "read wrongly"),
        "unread": text("read", "left unread"),
    }
    words = text("read", "{count} of {total} {name}").format(
        count=count, total=total, name=names[kind]
    )
    _write(strip, words, (8, 23), COLOURS[kind], 0.6, 2)
    return strip


def _tile(case: Case) -> Image:
    side = TILE_PX - 6
    picture = cv2.resize(case.picture, (side, side), interpolation=cv2.INTER_AREA)
    tile = np.full((TILE_PX + 22, TILE_PX, 3), PAPER, np.uint8)
    tile[3 : 3 + side, 3 : 3 + side] = picture
    cv2.rectangle(tile, (1, 1), (TILE_PX - 3, TILE_PX - 3), COLOURS[case.kind], 2)
    words = f"{case.truth}"
    if case.said is not None:
        words += f"  > {case.said} {case.confidence:.3f}"
    _write(tile, words, (6, TILE_PX + 14), INK, 0.42, 1)
    return tile


def _write(
    picture: Image,
    words: str,
    place: tuple[int, int],
    colour: tuple[int, int, int],
    size: float,
    thick: int,
) -> None:
    cv2.putText(picture, words, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)
