"""What is fixed about the Pi's camera after calibration, and whether a frame was taken with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

EXPOSURE_TOLERANCE_US = 40
"""Sensors expose whole rows: two rows of the slowest one in the table, less a little."""
SHARE_TOLERANCE = 0.05
"""Of gain and white balance, which sensors round as well."""
LENS_TOLERANCE = 0.1
"""In dioptres."""
NOISE_REDUCTION_OFF = 0
AF_MANUAL = 0
"""Values of libcamera's enumerations, so that libcamera need not be imported."""


@dataclass(frozen=True, slots=True)
class CameraLock:
    """Settings fixed after calibration."""

    exposure_us: int = 4000
    gain: float = 4.0
    colour_gains: tuple[float, float] = (2.0, 1.6)
    """Red and blue."""
    lens_dioptres: float | None = None
    """1 / distance in m; None: a camera without a motor."""
    frames_per_second: int = 60
    """60 on a Pi 4, 120 on a Pi 5."""

    @property
    def frame_us(self) -> int:
        """Time of one frame."""
        return 1_000_000 // self.frames_per_second

    def controls(self) -> dict[str, Any]:
        """As picamera2 wants to have them."""
        fixed: dict[str, Any] = {
            "FrameDurationLimits": (self.frame_us, self.frame_us),
            "AeEnable": False,
            "ExposureTime": self.exposure_us,
            "AnalogueGain": self.gain,
            "AwbEnable": False,
            "ColourGains": self.colour_gains,
            "NoiseReductionMode": NOISE_REDUCTION_OFF,
        }
        if self.lens_dioptres is not None:
            fixed |= {"AfMode": AF_MANUAL, "LensPosition": self.lens_dioptres}
        return fixed

    def missing(self, metadata: Mapping[str, Any]) -> list[str]:
        """Which settings a frame was not taken with."""
        exposure = abs(metadata["ExposureTime"] - self.exposure_us) <= EXPOSURE_TOLERANCE_US
        gain = _is_near(metadata["AnalogueGain"], self.gain)
        colours = metadata.get("ColourGains", self.colour_gains)
        white = all(_is_near(*pair) for pair in zip(colours, self.colour_gains, strict=True))
        lens = self.lens_dioptres is None or (
            abs(metadata.get("LensPosition", np.inf) - self.lens_dioptres) <= LENS_TOLERANCE
        )
        checks = {"exposure": exposure, "gain": gain, "white balance": white, "focus": lens}
        return [name for name, in_force in checks.items() if not in_force]


def _is_near(found: float, wanted: float) -> bool:
    return abs(found - wanted) <= SHARE_TOLERANCE * wanted
