"""The drawn table, with somebody at it who lays the cards that are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from hardware.clock import NS_PER_MS
from hardware.protocols import Frame
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.deck import DeckStyle, Language
from hardware.simulated.motion import Pose
from hardware.simulated.snapshot import Record
from hardware.simulated.world import World
from models.enrol.steps import Ask, Step
from referee.rules.cards import SUITS, Card
from referee.rules.events import Observation
from referee.rules.game import TableView
from referee.rules.verdicts import Verdict

LAY_MS = 320
REACT_MS = 250
"""From a new request to the hand."""
PATIENT_MS = 2500
"""After this time without an answer the card is laid once more."""
FRAMES_PER_SECOND = 15.0
SIZE = (640, 480)


class Teacher:
    """Sits at the table and does what is asked; mistakes can be asked for, too."""

    winner: str | None = None

    def __init__(self, world: World, mistakes: Mapping[str, str] | None = None) -> None:
        """Sit down.

        Args:
            world: The table.
            mistakes: Rank that is asked for -> the one that is laid the first time.
        """
        self._world = world
        self._rng = Random(f"teacher {world.seed}")
        self._mistakes = dict(mistakes or {})
        self._lying: tuple[Card, Pose] | None = None
        self._ask: Ask | None = None
        self._ready_ns = world.now_ns

    @property
    def stocks(self) -> dict[str, tuple[Card, ...]]:
        """Nobody plays."""
        return {}

    def pile(self, number: int = 0) -> tuple[Card, ...]:
        """What lies under the camera."""
        return (self._lying[0],) if self._lying and number == 0 else ()

    def pressed(self) -> list[Observation]:
        """No buttons."""
        return []

    def hear(self, verdicts: Sequence[Verdict], to_act: str | None) -> None:
        """Nobody plays."""

    def snapshot(self) -> Record:
        """Nothing is kept."""
        return {}

    def restore(self, record: Record, books: TableView) -> None:
        """Nothing was kept."""

    def obey(self, ask: Ask) -> None:
        """Do what is asked, once the hands are free."""
        now_ns = self._world.now_ns
        if ask == self._ask and now_ns < self._ready_ns + PATIENT_MS * NS_PER_MS:
            return
        if now_ns < self._ready_ns:
            return
        again, self._ask = ask == self._ask, ask
        start_ns = now_ns + REACT_MS * NS_PER_MS
        if ask.step is Step.MOVE and self._lying is not None:
            card, _ = self._lying
            self._put(card, self._take_away(start_ns))
        elif ask.step in (Step.LAY, Step.MOVE, Step.CHECK):
            self._lay(ask.rank, self._take_away(start_ns), again=again)
        elif ask.step is Step.BARE:
            self._ready_ns = self._take_away(start_ns)

    def _player(self) -> str:
        return self._rng.choice(self._world.players)

    def _take_away(self, start_ns: int) -> int:
        """Lift the card that lies there; returns when the table is bare."""
        if self._lying is None:
            return start_ns
        card, place = self._lying
        self._lying = None
        return self._world.gestures.take_top(self._player(), card, 0, place, start_ns)

    def _lay(self, rank: str, start_ns: int, *, again: bool) -> None:
        rank = rank if again else self._mistakes.pop(rank, rank)
        self._put(Card(rank, self._rng.choice(SUITS)), start_ns)

    def _put(self, card: Card, start_ns: int) -> None:
        rest_ns = start_ns + LAY_MS * NS_PER_MS
        place, self._ready_ns = self._world.gestures.flip(
            self._player(), card, 0, start_ns, rest_ns, is_open=True
        )
        self._lying = card, place


class DrawnTeaching:
    """The drawn table as a camera: time goes on with every look at it."""

    def __init__(
        self,
        *,
        seed: int = 1,
        style: DeckStyle | str = "classic",
        language: Language = "en",
        mistakes: Mapping[str, str] | None = None,
    ) -> None:
        """Lay the table."""
        teachers: list[Teacher] = []

        def seat(world: World) -> Teacher:
            teachers.append(Teacher(world, mistakes))
            return teachers[0]

        self._world = World(seed=seed, players=("Ann", "Bo"), surface="mat", people=seat)
        self.teacher = teachers[0]
        self._camera = SimulatedCamera(
            self._world, style=style, language=language, size=SIZE, fps=FRAMES_PER_SECOND
        )

    @property
    def is_finished(self) -> bool:
        """Never."""
        return False

    def frames(self) -> list[Frame]:
        """The next frame."""
        self._world.advance(self._world.now_ns + self._camera.frame_ns)
        return self._camera.frames()

    def close(self) -> None:
        """Nothing to release."""
