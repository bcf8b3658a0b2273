"""Pictures in the terminal: two picture rows a line of text, drawn with the upper half block."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rich.color import Color
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.style import Style

UPPER_HALF = "▀"


@lru_cache(maxsize=8192)
def _style(above: tuple[int, int, int], below: tuple[int, int, int]) -> Style:
    return Style(color=Color.from_rgb(*above), bgcolor=Color.from_rgb(*below))


class Thumbnail:
    """A small view of a camera picture."""

    def __init__(self, image: NDArray[np.uint8], columns: int) -> None:
        """Shrink a picture.

        Args:
            image: BGR, shape (height, width, 3), uint8.
            columns: Width in characters.
        """
        height, width = image.shape[:2]
        step = max(1, width // columns)
        rows = height // (2 * step) * 2
        cut = image[: rows * step, : (width // step) * step]
        blocks = cut.reshape(rows, step, width // step, step, 3)
        small = blocks.mean(axis=(1, 3)).astype(np.uint8)
        # Fewer colours let the styles be reused; no eye sees it at this size.
        self._rgb = (small[:, :, ::-1] & 0xF8).tolist()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it line by line."""
        for above, below in zip(self._rgb[::2], self._rgb[1::2], strict=True):
            for upper, lower in zip(above, below, strict=True):
                yield Segment(UPPER_HALF, _style(tuple(upper), tuple(lower)))
            yield Segment.line()

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Its width is fixed."""
        columns = len(self._rgb[0]) if self._rgb else 0
        return Measurement(columns, columns)
