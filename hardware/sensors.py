"""Sensor modes of the Pi's cameras, and how long each needs for a row."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.webcam import BadCamera


@dataclass(frozen=True, slots=True)
class SensorMode:
    """One way of reading a sensor out."""

    size: tuple[int, int]
    """Width and height in px."""
    bit_depth: int
    line_ns: int
    """Readout time of a row. It does not change with the frame rate; 0: all rows at once."""
    fastest: int
    """Most frames a second."""


MODES = {
    "imx708": SensorMode((1536, 864), 10, 9_209, 120),
    "imx219": SensorMode((1640, 1232), 10, 18_900, 41),
    "ov5647": SensorMode((640, 480), 10, 33_670, 58),
    "imx296": SensorMode((1456, 1088), 10, 0, 60),
    "imx477": SensorMode((1332, 990), 10, 7_900, 120),
}
"""Model -> the fastest mode that shows the whole table.

Source: line lengths and pixel clocks of the kernel's drivers; imx477 from its data sheet, to be
measured with `referee calibrate light`.
"""


def mode_of(model: str) -> SensorMode:
    """The mode for a camera, named as libcamera names it ("imx708_wide" is an imx708).

    Raises:
        BadCamera: Nobody measured this camera.
    """
    mode = MODES.get(model.split("_")[0].lower())
    if mode is None:
        raise BadCamera(
            f"camera {model!r} has no known line time, expected one of {', '.join(MODES)} "
            "(it can be used as a webcam: --camera 0)"
        )
    return mode
