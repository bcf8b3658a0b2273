"""Several sources of slaps as one: its promise is the least of theirs."""

from __future__ import annotations

from collections.abc import Iterable

from hardware.protocols import Pads
from referee.rules.events import Observation, Watermark


class JoinedPads:
    """Pads, keys and tablets at one table."""

    def __init__(self, sources: Iterable[Pads]) -> None:
        """Join them; `close` closes all.

        Args:
            sources: Each with slaps and a watermark of its own.
        """
        self.sources = list(sources)
        self._promised: dict[int, int] = {}
        self._told_ns = -1

    def observations(self) -> list[Observation]:
        """Slaps of all since the last call, then one watermark: up to here all have spoken."""
        seen: list[Observation] = []
        for number, source in enumerate(self.sources):
            for observation in source.observations():
                if isinstance(observation, Watermark):
                    earlier_ns = self._promised.get(number, -1)
                    self._promised[number] = max(earlier_ns, observation.t_ns)
                else:
                    seen.append(observation)
        if len(self._promised) < len(self.sources) or not self.sources:
            return seen
        promised_ns = min(self._promised.values())
        if promised_ns <= self._told_ns:
            return seen
        self._told_ns = promised_ns
        return [*seen, Watermark(promised_ns, "pads")]

    def close(self) -> None:
        """Close every source. Safe to call twice."""
        for source in self.sources:
            source.close()
