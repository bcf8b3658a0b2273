"""What an evening needs of a game that is being played, and what a game is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hardware.protocols import Frame
from referee.rules.events import Observation, Slap
from referee.rules.record import Header
from referee.rules.referee import Referee
from referee.rules.verdicts import Verdict
from referee.service.box import Recorder
from referee.service.faults.watchman import Look
from referee.service.pile_pictures import Zone
from referee.service.setup import Setup


@dataclass(frozen=True, slots=True)
class NewGame:
    """What a game is made of."""

    setup: Setup
    record: Callable[[Header, dict[str, Any]], Recorder | None]
    """Opens the game's part of the journal; told header and {"demo", "stamp"}."""
    on_frame: Callable[[Frame], None]
    """Sees every frame."""
    referee: Referee | None = None
    """Of a game that goes on; None: a new game."""
    offset_ns: int = 0
    """Added to every time: the computer's clock began anew after a power cut."""
    table: dict[str, Any] | None = None
    """A drawn table as it was when the power was cut."""


class LiveGame(Protocol):
    """A game that is being played: real, drawn, or going on."""

    referee: Referee
    zone: Zone | None
    """The pile's part of the picture; None: unknown."""

    @property
    def is_demo(self) -> bool:
        """Cards or pads are not real."""

    @property
    def is_interactive(self) -> bool:
        """The page may touch pads and flip cards."""

    @property
    def stamp(self) -> str:
        """Who takes the slaps' times: "kernel", "software" or "demo"."""

    @property
    def is_over(self) -> bool:
        """Somebody has won, or nothing will come any more."""

    @property
    def state(self) -> str:
        """What the camera makes of the pile."""

    @property
    def lines(self) -> list[str]:
        """What else people should see, such as the open cards of Spit."""

    def looks(self) -> Sequence[Look]:
        """The parts that can fail."""

    def step(self) -> list[Verdict]:
        """Take what has come since the last step."""

    def hear(self, told: Iterable[Observation]) -> list[Verdict]:
        """What comes from elsewhere than pads and camera, such as a ruling of the table."""

    def snapshot(self) -> dict[str, Any] | None:
        """A drawn table at rest, as plain values; None: the table is real and keeps itself."""

    def touches(self) -> list[Slap]:
        """Touches since the last call that nobody rules on: the game is over."""

    def finish(self) -> list[Verdict]:
        """Nothing more will come: decide what is held."""

    def flip(self) -> None:
        """Turn the next card of a drawn table."""

    def use(self, player: str, place: int) -> None:
        """Use a stock pile of a drawn Spit table."""

    def touch(self, player: str, t_ns: int) -> bool:
        """A touch from the page; False if it cannot be taken."""

    def commands(self) -> list[str]:
        """Keys since the last call that are nobody's pad."""

    def wake(self) -> None:
        """Somebody sat down at a tablet."""

    def close(self) -> None:
        """Release everything."""
