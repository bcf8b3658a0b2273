"""The pads: heartbeat, stuck and fluttering pads, lost edges, clocks, touch chips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from hardware.pad_health import PadState
from hardware.pads import PadsState, PadWarning
from referee.service.doctor.codes import Code
from referee.service.faults.fault import Symptoms

OF_STATE = {PadState.STUCK: Code.PAD_STUCK, PadState.CHATTER: Code.PAD_CHATTERS}
"""What a pad is -> its code. A good pad has none."""

OF_COUNT = {"lost": Code.EDGES_LOST, "clock": Code.PAD_CLOCK, "fault": Code.PADS_FAULT}
"""What is counted for all pads together -> its code, which goes when the counting stops."""

OF_CHIP = {"silent": "the chip does not answer", "baseline": "the chip cannot measure its pad"}
"""What a touch chip says until it says "well"."""

TOLD_ELSEWHERE = frozenset(("stuck", "chatter", "good"))
"""Warnings that repeat the state of a pad."""


class WatchedPads(Protocol):
    """Pads that know how they are: hardware.pads.GpioPads."""

    def state(self, now_ns: int) -> PadsState:
        """May slaps be ruled on?"""

    def pad_states(self) -> dict[str, PadState]:
        """Player -> what his pad is."""

    def warnings(self) -> list[PadWarning]:
        """What went wrong, or right again, since the last call."""


class PadsLook:
    """Looks at one set of pads. Nobody else may take their warnings."""

    def __init__(self, pads: WatchedPads, seats: Mapping[str, int]) -> None:
        """Begin.

        Args:
            pads: What to look at.
            seats: Player -> seat number, from 1.
        """
        self._pads = pads
        self._seats = dict(seats)
        self._chips: dict[str, str] = {}

    def symptoms(self, now_ns: int) -> Symptoms:
        """What is wrong with the pads now."""
        found: Symptoms = {}
        if self._pads.state(now_ns) is PadsState.SUSPENDED:
            found[Code.HEARTBEAT_LOST, None] = "no heartbeat for 300 ms"
        for player, state in self._pads.pad_states().items():
            if state in OF_STATE:
                found[OF_STATE[state], self._seats.get(player)] = player
        for warning in self._pads.warnings():
            if warning.what in OF_COUNT:
                found[OF_COUNT[warning.what], None] = f"{warning.n} edges"
            elif warning.what not in TOLD_ELSEWHERE and warning.player is not None:
                self._chips[warning.player] = warning.what
        for player, what in self._chips.items():
            if what in OF_CHIP:
                found[Code.TOUCH_CHIP_SILENT, self._seats.get(player)] = OF_CHIP[what]
        return found
