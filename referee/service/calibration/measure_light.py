"""`referee calibrate light`: a blinking light at the heartbeat's output, seen by the camera."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

from hardware.cameras import open_camera
from hardware.clock import NS_PER_MS, NS_PER_S
from hardware.gpio import kernel_factory, mock_factory
from hardware.pins import read_pins
from hardware.probe import BlinkLine
from hardware.protocols import Camera, Frame
from referee.locale import text
from referee.service.calibration.demo import DemoLamp
from referee.service.calibration.file import LightMeasured, read_calibration, write_calibration
from referee.service.calibration.lamp import LampRun
from referee.service.calibration.light_window import (
    BadLight,
    Glimpse,
    LightFit,
    Switch,
    fit_light,
)
from referee.service.calibration.talk import Talk
from referee.service.config import Settings

SWITCHES = 500
"""At random phases, all places together: a quarter of them falls into an exposure of 4 ms."""
ROUND_S = 0.002
DEMO_STEP_NS = 2 * NS_PER_MS
PATIENCE = 6
"""A place takes at most so many times as long as it should."""
SHOULD_NS = 100 * NS_PER_MS
"""A switch, on average."""
LINE_TOLERANCE = 0.1
"""Of the sensor's table: a line time farther off belongs to another mode."""


def measure_light(
    settings: Settings,
    file: Path,
    talk: Talk,
    *,
    camera: str,
    places: int = 2,
    demo: bool = False,
    seed: int = 1,
) -> bool:
    """Blink, look, fit and write down.

    Args:
        settings: Of the box.
        file: Calibration file.
        talk: To the person who moves the light.
        camera: What to open.
        places: Where the light is laid, one after the other; each is fit with all others.
        demo: A simulated light and camera.
        seed: Of these.

    Returns:
        The clocks are proven.

    Raises:
        RefereeError: No light, no camera, no loop.
    """
    if demo:
        talk.tell(text("calibrate", "DEMO: a simulated light."))
        switches, glimpses, line_ns = _demo(talk, seed)
    else:
        switches, glimpses, line_ns = _real(talk, camera, places)
    fit = fit_light(switches, glimpses, line_ns)
    _report(talk, fit, line_ns)
    known = read_calibration(file)
    measured = LightMeasured(
        fit.line_ns, fit.offset_ns, fit.line_error_ns, fit.offset_error_ns, fit.switches,
        fit.agreement, fit.is_line_measured, fit.is_proven, demo,
    )  # fmt: skip
    write_calibration(file, replace(known, light=measured))
    talk.tell(text("calibrate", "written: {path}").format(path=file))
    return fit.is_proven


Seen = tuple[list[Switch], list[Glimpse], int]


def _demo(talk: Talk, seed: int) -> Seen:
    pins = read_pins()
    lamp = DemoLamp(np.random.default_rng(seed))
    blink = BlinkLine(pins.heartbeat_out, pins.heartbeat_in, mock_factory())
    lamp.blink = blink
    run = LampRun(blink, lamp, Random(seed))
    shown = blink.switch

    def switch(is_on: bool) -> None:
        shown(is_on)
        lamp.switch(is_on)

    blink.switch = switch  # type: ignore[method-assign]

    def wait() -> int:
        lamp.now_ns += DEMO_STEP_NS
        return lamp.now_ns

    try:
        run_until(run, SWITCHES, wait, talk)
    finally:
        blink.close()
    return run.switches, run.glimpses(), run.line_ns


def _real(talk: Talk, what: str, places: int) -> Seen:
    pins = read_pins()
    blink = BlinkLine(pins.heartbeat_out, pins.heartbeat_in, kernel_factory())
    switches: list[Switch] = []
    glimpses: list[Glimpse] = []
    line_ns = 0
    try:
        camera = open_camera(what)
        try:
            for place in range(1, places + 1):
                talk.ask(_instruction(place, places))
                run = LampRun(blink, _Fresh(camera), Random())
                run_until(run, SWITCHES // places, _wait, talk)
                switches += run.switches
                glimpses += run.glimpses()
                line_ns = run.line_ns
        finally:
            camera.close()
    finally:
        blink.close()
    return switches, glimpses, line_ns


class _Fresh:
    """A camera without the frames that waited while the light was moved."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        camera.frames()

    @property
    def is_finished(self) -> bool:
        return self._camera.is_finished

    def frames(self) -> list[Frame]:
        return self._camera.frames()

    def close(self) -> None:
        self._camera.close()


def _wait() -> int:
    time.sleep(ROUND_S)
    return time.monotonic_ns()


def run_until(run: LampRun, switches: int, wait: Callable[[], int], talk: Talk) -> None:
    """Let the light blink until so many switches came back.

    Raises:
        BadLight: They do not come back.
    """
    start_ns = now_ns = wait()
    while len(run.switches) < switches:
        if now_ns - start_ns > PATIENCE * switches * SHOULD_NS:
            raise BadLight(
                f"only {len(run.switches)} of {switches} switches came back within "
                f"{(now_ns - start_ns) / NS_PER_S:.0f} s, expected the output to be looped to the "
                "input (wiring/pins.toml, heartbeat)"
            )
        run.step(now_ns)
        now_ns = wait()
        if len(run.switches) % 10 == 0:
            talk.progress(
                text("calibrate", "{done} of {wanted} switches").format(
                    done=len(run.switches), wanted=switches
                )
            )


def _instruction(place: int, places: int) -> str:
    return text(
        "calibrate",
        "Place {place} of {places}: lay the light into the picture, first near its upper edge, "
        "last near its lower one, and keep still. Press Enter to begin.",
    ).format(place=place, places=places)


def _report(talk: Talk, fit: LightFit, told_ns: int) -> None:
    talk.tell(
        text(
            "calibrate",
            "offset {offset:+.2f} +- {error:.2f} ms from the end of the first row's exposure",
        ).format(offset=fit.offset_ns / NS_PER_MS, error=fit.offset_error_ns / NS_PER_MS)
    )
    if fit.is_line_measured:
        is_near = abs(fit.line_ns - told_ns) <= LINE_TOLERANCE * told_ns
        talk.tell(
            text(
                "calibrate", "line time {line:.2f} +- {error:.2f} us, the table says {told:.2f}"
            ).format(line=fit.line_ns / 1000, error=fit.line_error_ns / 1000, told=told_ns / 1000),
            "good" if is_near else "poor",
        )
    else:
        talk.tell(
            text("calibrate", "line time not measured: the light was at one height only"), "poor"
        )
    talk.tell(
        text("calibrate", "{share:.1%} of {switches} switches fit the light window").format(
            share=fit.agreement, switches=fit.switches
        )
        + ": "
        + (
            text("calibrate", "camera and pads have one clock")
            if fit.is_proven
            else text(
                "calibrate", "not proven, expected 99 % (is the light the only one that moves?)"
            )
        ),
        "good" if fit.is_proven else "bad",
    )
