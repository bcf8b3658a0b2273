"""Blinks a light, watches it through the camera, and keeps what `light_window` needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.clock import NS_PER_MS
from hardware.probe import BlinkLine
from hardware.protocols import Camera, Frame, Image
from referee.service.calibration.light_window import BadLight, Glimpse, Switch

WAITS_NS = (60 * NS_PER_MS, 140 * NS_PER_MS)
"""Between two switches: random, so that every phase of the frame comes up; four frames or more."""
SEARCH_FRAMES = 40
"""Frames in which the light is looked for; it is switched several times in them."""
BLINKING = 60
"""Grey levels by which a light changes, and nothing else at a quiet table."""
LARGEST_SHARE = 0.05
"""Of the picture. What is larger is no light: somebody walked through it."""
BAND_PX = 8
"""Rows of a light that are taken together: their windows differ by less than 0.1 ms."""
MOST_PATCHES = 4
TONE = 2.2
"""Cameras brighten what is dark by about this power; light adds up only without it."""
TAILS = (3, 97)
"""Percentiles that are surely off and surely on."""
GLARING = 252


@dataclass(frozen=True, slots=True)
class Patch:
    """Where a light is in the picture."""

    left: int
    top: int
    width: int
    height: int

    @property
    def row(self) -> float:
        """Its middle."""
        return self.top + (self.height - 1) / 2


def find_patches(images: Sequence[Image]) -> list[Patch]:
    """Where something blinks, the strongest first; of each only a band of rows."""
    grays = [cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) for image in images]
    change = np.max(grays, axis=0) - np.min(grays, axis=0)
    count, _, stats, _ = cv2.connectedComponentsWithStats((change >= BLINKING).astype(np.uint8))
    found = []
    for x, y, w, h, area in stats[1:count]:
        if area < 4 or area > LARGEST_SHARE * change.size:
            continue
        band = min(int(h), BAND_PX)
        patch = Patch(int(x), int(y) + (int(h) - band) // 2, int(w), band)
        found.append((float(_part(change, patch).sum()), patch))
    return [patch for _, patch in sorted(found, key=lambda one: -one[0])][:MOST_PATCHES]


def _part(gray: NDArray[np.uint8], patch: Patch) -> NDArray[np.uint8]:
    return gray[patch.top : patch.top + patch.height, patch.left : patch.left + patch.width]


def brightness(image: Image, patch: Patch) -> float:
    """How much light came from a patch, on a scale on which light adds up."""
    part = np.asarray(cv2.cvtColor(_part3(image, patch), cv2.COLOR_BGR2GRAY), np.float64)
    return float(np.mean((part / 255) ** TONE))


def _part3(image: Image, patch: Patch) -> Image:
    return np.ascontiguousarray(
        image[patch.top : patch.top + patch.height, patch.left : patch.left + patch.width]
    )


@dataclass(frozen=True, slots=True)
class _Raw:
    t_ns: int
    exposure_ns: int
    patch: Patch
    light: float


class LampRun:
    """One place of the light. `step` is called in every round of a loop."""

    def __init__(self, blink: BlinkLine, camera: Camera, rng: Random) -> None:
        """Begin with the light off."""
        self.switches: list[Switch] = []
        self.line_ns = 0
        """What the camera says itself."""
        self.rows = 0
        self.patches: list[Patch] = []
        self._blink = blink
        self._camera = camera
        self._rng = rng
        self._is_on = False
        self._due_ns: int | None = None
        self._search: list[Frame] = []
        self._raw: list[_Raw] = []

    def step(self, now_ns: int) -> None:
        """Switch if it is time, and take what has come.

        Raises:
            BadLight: Nothing blinks in view.
        """
        if self._due_ns is None or now_ns >= self._due_ns:
            self._is_on = not self._is_on
            self._blink.switch(self._is_on)
            self._due_ns = now_ns + self._rng.randint(*WAITS_NS)
        self.switches += [Switch(t_ns, is_on) for t_ns, is_on in self._blink.take()]
        for frame in self._camera.frames():
            self._look(frame)

    def glimpses(self) -> list[Glimpse]:
        """All that was seen, from 0 (off) to 1 (on)."""
        seen = []
        for patch in self.patches:
            mine = [raw for raw in self._raw if raw.patch == patch]
            if not mine:
                continue
            off, on = np.percentile([raw.light for raw in mine], TAILS)
            if on <= off:
                continue
            for raw in mine:
                level = float(np.clip((raw.light - off) / (on - off), 0, 1))
                seen.append(Glimpse(raw.t_ns, raw.exposure_ns, patch.row, level))
        return sorted(seen, key=lambda one: one.t_ns)

    def _look(self, frame: Frame) -> None:
        self.line_ns, self.rows = frame.line_ns, frame.image.shape[0]
        if not self.patches:
            self._search.append(frame)
            if len(self._search) >= SEARCH_FRAMES:
                self._find()
            return
        for patch in self.patches:
            light = brightness(frame.image, patch)
            self._raw.append(_Raw(frame.t_ns, frame.exposure_ns, patch, light))

    def _find(self) -> None:
        images = [frame.image for frame in self._search]
        self._search = []
        self.patches = find_patches(images)
        if not self.patches:
            raise BadLight(
                "nothing blinks in view, expected the light at the heartbeat's output "
                "(is it lit, and is nothing on it?)"
            )
        brightest = max(
            float(np.median(np.max([_part3(image, patch) for image in images], axis=0)))
            for patch in self.patches
        )
        if brightest >= GLARING:
            raise BadLight(
                "the light is too bright to be measured, expected less than white "
                "(a larger resistor, or paper over it)"
            )
