"""What is measured without a box: a hand that taps, a light that blinks. Seeded; asks no clock."""

from __future__ import annotations

import math
from random import Random

import numpy as np

from hardware.clock import NS_PER_MS, NS_PER_S
from hardware.probe import BlinkLine, PadProbe
from hardware.protocols import Frame, Image
from referee.rules.events import DEMO
from referee.service.calibration.light_window import Lamp, Switch

START_NS = 1_000 * NS_PER_S
IDLE_S = (0.3, 8.0)
"""Pauses between taps: short ones, and some in which a chip may fall asleep."""
LATENCY_MS = {"at42qt1010": (9.0, 12.0), "mpr121": (0.5, 4.0), "ttp223": (5.0, 60.0)}
TTP223_ASLEEP_S = 4.0
TTP223_ASLEEP_MS = 120.0
NOISE_PICTURES = 8


class DemoHand:
    """Taps a pad's foil with a probe that bounces."""

    def __init__(self, probe: PadProbe, kind: str, rng: Random, *, active_high: bool) -> None:
        """Take the probe."""
        self._probe = probe
        self._kind = kind
        self._rng = rng
        self._level = int(active_high)
        self._t_ns = START_NS

    def tap(self) -> None:
        """One tap, some time after the last one."""
        idle_s = math.exp(self._rng.uniform(*map(math.log, IDLE_S)))
        self._t_ns += round(idle_s * NS_PER_S)
        for bounce in range(self._rng.randint(1, 3)):
            contact_ns = self._t_ns + bounce * 700_000
            self._probe.foil_pin.when_changed(contact_ns / NS_PER_S, 0)
        late_ms = self._rng.uniform(*LATENCY_MS[self._kind])
        if self._kind == "ttp223" and idle_s > TTP223_ASLEEP_S:
            late_ms += TTP223_ASLEEP_MS
        edge_ns = self._t_ns + round(late_ms * NS_PER_MS)
        self._probe.pad_pin.when_changed(edge_ns / NS_PER_S, self._level)


class DemoLamp:
    """A light in front of a rolling shutter, in its own time."""

    exposure_ns = 4 * NS_PER_MS
    frame_ns = 16_666_667
    line_ns = 9_209
    size = (64, 864)
    lights = ((20, 90), (20, 760))
    """Left and top of the lights in the picture."""

    def __init__(self, rng: np.random.Generator, offset_ns: int = 0) -> None:
        """Begin in the dark.

        Args:
            rng: Noise and delays.
            offset_ns: By how much the camera's stamps are wrong.
        """
        self.now_ns = START_NS
        self.blink: BlinkLine | None = None
        self._rng = rng
        self._offset_ns = offset_ns
        self._next_ns = START_NS + 100 * NS_PER_MS
        self._number = 0
        self._switches = [Switch(START_NS, False)]
        w, h = self.size
        self._noise = rng.normal(24, 2, (NOISE_PICTURES, h, w, 3)).astype(np.float32)

    def switch(self, is_on: bool) -> None:
        """The light changes and its edge comes back."""
        t_ns = self.now_ns + int(self._rng.integers(5_000, 400_000))
        self._switches.append(Switch(t_ns, is_on))
        if self.blink is not None:
            self.blink.loop_pin.when_changed(t_ns / NS_PER_S, int(is_on))

    def frames(self) -> list[Frame]:
        """Frames that have been read out by now."""
        seen: list[Frame] = []
        while self._next_ns + self.size[1] * self.line_ns < self.now_ns:
            image = self._picture(self._next_ns)
            stamp_ns = self._next_ns - self._offset_ns
            seen.append(Frame(self._number, stamp_ns, self.exposure_ns, self.line_ns, image, DEMO))
            self._number += 1
            self._next_ns += self.frame_ns
        return seen

    @property
    def is_finished(self) -> bool:
        """Never."""
        return False

    def close(self) -> None:
        """Nothing to release."""

    def _picture(self, t_ns: int) -> Image:
        image = self._noise[self._rng.integers(NOISE_PICTURES)].copy()
        lamp = Lamp(self._switches)
        for left, top in self.lights:
            for row in range(top, top + 8):
                end_ns = t_ns + row * self.line_ns
                level = lamp.level(end_ns - self.exposure_ns, end_ns)
                image[row, left : left + 12] += 200 * level ** (1 / 2.2)
        return np.asarray(np.clip(image, 0, 255), np.uint8)
