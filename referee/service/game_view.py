"""The terminal while a game runs: table, matrix, counts and the last verdicts."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from hardware.picture import to_points
from referee.locale import text
from referee.rules.game import TableView
from referee.service.terminal import Thumbnail

LINES = 7
LEAST_COLUMNS, MOST_COLUMNS = 24, 62
"""Width of the table's picture, in characters."""
OTHER_ROWS = 14
"""Title, matrix, hint: what stands above and below the table's picture."""
LIT, UNLIT, BOARD = "#ff4028", "#3a1616", "on #160e0e"

QUIET = ("card_seen", "ignored_slap", "late_event", "legal_play", "legal_move", "layout")
"""Verdicts that the terminal leaves out: several a second."""
STYLES: Mapping[str, str] = {
    "valid_slap": "bold green",
    "false_slap": "red",
    "tie": "yellow",
    "doubt": "yellow",
    "game_over": "bold magenta",
    "eliminated": "bold red",
}


class GameView:
    """What the terminal shows."""

    def __init__(self, title: str, seats: Mapping[str, int], *, demo: bool, hint: str = "") -> None:
        """Set up an empty screen.

        Args:
            title: The line above.
            seats: Player -> seat number.
            demo: Write DEMO beside the title.
            hint: A line below, such as which keys do what.
        """
        self._title, self._seats, self._demo = title, seats, demo
        self.hint = hint
        self.notes: list[str] = []
        """Lines below the picture, such as the open cards of Spit."""
        self._lines: deque[tuple[str, str]] = deque(maxlen=LINES)
        self._image: NDArray[np.uint8] | None = None

    def say(self, sentence: str, *, style: str = "") -> None:
        """Add a line to the last verdicts."""
        self._lines.append((sentence, style))

    def see(self, image: NDArray[np.uint8]) -> None:
        """Keep the newest picture of the table."""
        self._image = image

    def draw(
        self, led: Image.Image, table: TableView, terminal: tuple[int, int], state: str = ""
    ) -> RenderableType:
        """Everything as one renderable.

        Args:
            led: What the matrix shows.
            table: How the books stand.
            terminal: Columns and rows.
            state: What the camera makes of the pile.
        """
        title = Text(self._title, style="bold")
        if self._demo:
            title.append("  DEMO ", style="bold white on red")
        left: RenderableType = (
            Thumbnail(self._image, _thumbnail_columns(terminal[1]))
            if self._image is not None
            else Text("")
        )
        right = Group(self._counts(table), Text(""), self._words(), Text(""), Text(state, "dim"))
        parts: list[RenderableType] = [
            title,
            Padding(_matrix(led, terminal[0]), (0, 1), style=BOARD, expand=False),
            _side_by_side(left, right),
        ]
        parts += [Text(note) for note in self.notes]
        if self.hint:
            parts.append(Text(self.hint, style="dim"))
        return Group(*parts)

    def _counts(self, view: TableView) -> Table:
        table = Table(box=None, padding=(0, 1), show_header=False)
        status = dict(view.status)
        for player, count in view.counts or view.cards:
            turn = "▶" if view.to_act == player else " "
            note = {
                "out": text("cli", "out"),
                "last_chance": text("cli", "last chance"),
            }.get(status.get(player, ""), "")
            bar = "█" * round(count / 3)
            table.add_row(turn, str(self._seats[player]), player, f"{count:>2}", bar, note)
        pile = sum(view.piles) if view.piles else view.pile
        table.add_row("", "", Text(text("cli", "pile"), "dim"), f"{pile:>2}", "", view.top or "")
        return table

    def _words(self) -> Text:
        words = Text()
        for sentence, style in self._lines:
            words.append(sentence + "\n", style=style)
        return words


def _side_by_side(left: RenderableType, right: RenderableType) -> Table:
    """The right side folds its lines, the left one keeps its width."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(left, right)
    return grid


def _thumbnail_columns(rows: int) -> int:
    """How wide the table's picture may be, four to three, so that it is not too high."""
    return max(LEAST_COLUMNS, min(MOST_COLUMNS, (rows - OTHER_ROWS) * 2 * 4 // 3))


def _matrix(picture: Image.Image, columns: int) -> Text:
    """The matrix with round lights, two characters a point so that they are square."""
    rows = Text(no_wrap=True)
    gap = " " if 2 * picture.width + 2 <= columns else ""
    for number, row in enumerate(to_points(picture)):
        for lit in row:
            rows.append("●" + gap, style=LIT if lit else UNLIT)
        if number < len(to_points(picture)) - 1:
            rows.append("\n")
    return rows


def counts_by_seat(view: TableView) -> Sequence[int | None]:
    """Cards held by seat, None for the eliminated: what the matrix shows in between."""
    status = dict(view.status)
    held = dict(view.counts or view.cards)
    return [None if status.get(player) == "out" else held.get(player, 0) for player in view.players]
