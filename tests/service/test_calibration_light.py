"""A light in view: line time and offset that went in come out; another clock is found out."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.clock import NS_PER_MS, NS_PER_S
from hardware.gpio import mock_factory
from hardware.probe import BlinkLine
from referee.service.calibration.demo import DemoLamp
from referee.service.calibration.lamp import LampRun, Patch, brightness, find_patches
from referee.service.calibration.light_window import (
    BadLight,
    Glimpse,
    Lamp,
    LightFit,
    Switch,
    fit_light,
)

START_NS = 100 * NS_PER_S
EXPOSURE_NS = 4 * NS_PER_MS
FRAME_NS = 16_666_667


def _seen(
    seed: int,
    *,
    line_ns: float = 9_209,
    offset_ns: float = 0,
    rows: tuple[int, ...] = (60, 800),
    noise: float = 0.02,
    jitter_ns: float = 0,
    n: int = 300,
) -> tuple[list[Switch], list[Glimpse]]:
    """A light switched at random, as a rolling shutter sees it."""
    rng = np.random.default_rng(seed)
    times = START_NS + np.cumsum(rng.integers(60 * NS_PER_MS, 140 * NS_PER_MS, n))
    switches = [Switch(int(t), bool(k % 2 == 0)) for k, t in enumerate(times)]
    lamp = Lamp(switches)
    glimpses = []
    for t_ns in range(START_NS, int(times[-1]), FRAME_NS):
        for row in rows:
            end_ns = t_ns + offset_ns + row * line_ns + rng.normal(0, jitter_ns + 1e-9)
            level = lamp.level(end_ns - EXPOSURE_NS, end_ns) + rng.normal(0, noise)
            glimpses.append(Glimpse(t_ns, EXPOSURE_NS, row, float(np.clip(level, 0, 1))))
    return switches, glimpses


@given(st.integers(0, 2**32), st.floats(5_000, 35_000), st.floats(-40, 40))
@settings(max_examples=8, deadline=None)
def test_true_line_time_and_offset_are_recovered(
    seed: int, line_ns: float, offset_ms: float
) -> None:
    switches, glimpses = _seen(seed, line_ns=line_ns, offset_ns=offset_ms * NS_PER_MS)
    fit = fit_light(switches, glimpses, line_ns * 1.03)
    assert fit.is_line_measured
    assert abs(fit.line_ns - line_ns) < max(100, 5 * fit.line_error_ns)
    assert abs(fit.offset_ns - offset_ms * NS_PER_MS) < max(50_000, 5 * fit.offset_error_ns)
    assert fit.is_proven


@pytest.mark.parametrize("line_ns", [0, 13_361])
def test_sensor_of_another_line_time_is_told_apart(line_ns: int) -> None:
    # A global shutter, or a table that names another mode of the sensor.
    fit = fit_light(*_seen(3, line_ns=line_ns), 9_209)
    assert abs(fit.line_ns - line_ns) < 200
    assert fit.is_proven


def test_light_at_one_height_leaves_the_line_time_as_told() -> None:
    fit = fit_light(*_seen(4, rows=(400, 450)), 9_209)
    assert not fit.is_line_measured
    assert (fit.line_ns, fit.line_error_ns) == (9_209, 0)
    assert abs(fit.offset_ns) < 100_000


def _is_proven(switches: list[Switch], glimpses: list[Glimpse]) -> bool:
    try:
        return fit_light(switches, glimpses, 9_209).is_proven
    except BadLight:
        return False


@pytest.mark.parametrize("ahead_s", [0.3, 7.0, 86_400.0])
def test_camera_with_another_clock_is_found_out(ahead_s: float) -> None:
    switches, glimpses = _seen(5, n=200)
    moved = [
        Glimpse(g.t_ns + round(ahead_s * NS_PER_S), g.exposure_ns, g.row, g.level) for g in glimpses
    ]
    assert not _is_proven(switches, moved)


def test_stamps_that_jitter_are_not_proven() -> None:
    assert not fit_light(*_seen(6, jitter_ns=3 * NS_PER_MS), 9_209).is_proven


@pytest.mark.parametrize(("agreement", "proven"), [(0.99, True), (0.9899, False)])
def test_clock_is_proven_from_99_percent_on(agreement: float, proven: bool) -> None:
    assert LightFit(9_209, 0, 1, 1, 500, agreement, True).is_proven is proven


def test_too_few_switches_are_refused() -> None:
    switches, glimpses = _seen(7, n=99)
    with pytest.raises(BadLight, match="only 99 switches"):
        fit_light(switches, glimpses, 9_209)


def test_light_out_of_view_is_refused() -> None:
    switches, glimpses = _seen(8)
    dark = [Glimpse(g.t_ns, g.exposure_ns, g.row, 0.0) for g in glimpses]
    with pytest.raises(BadLight, match="not in view"):
        fit_light(switches, dark, 9_209)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=12, unique=True), st.booleans())
@settings(max_examples=60, deadline=None)
def test_lamp_adds_up_like_a_stop_watch(times: list[int], starts_on: bool) -> None:
    switches = [Switch(t, (k % 2 == 0) is starts_on) for k, t in enumerate(sorted(times))]
    lamp = Lamp(switches)

    def is_on(t: int) -> bool:
        before = [switch for switch in switches if switch.t_ns <= t]
        return before[-1].is_on if before else not starts_on

    share = sum(is_on(t) for t in range(-50, 1100)) / 1150
    assert lamp.level(-50, 1100) == pytest.approx(share)


def _run(lamp: DemoLamp, switches: int, seed: int = 1) -> tuple[LampRun, BlinkLine]:
    blink = BlinkLine(21, 20, mock_factory())
    lamp.blink = blink
    run = LampRun(blink, lamp, Random(seed))
    shown = blink.switch

    def switch(is_on: bool) -> None:
        shown(is_on)
        lamp.switch(is_on)

    blink.switch = switch  # type: ignore[method-assign]
    while len(run.switches) < switches:
        lamp.now_ns += 2 * NS_PER_MS
        run.step(lamp.now_ns)
    return run, blink


def test_pictures_of_a_light_give_the_offset_that_went_in() -> None:
    run, blink = _run(DemoLamp(np.random.default_rng(2), offset_ns=2_500_000), 260)
    blink.close()
    fit = fit_light(run.switches, run.glimpses(), run.line_ns)
    assert len(run.patches) == 2
    assert abs(fit.offset_ns - 2_500_000) < 150_000
    assert abs(fit.line_ns - 9_209) < 250
    assert fit.is_proven


def test_nothing_that_blinks_is_refused() -> None:
    lamp = DemoLamp(np.random.default_rng(3))
    lamp.lights = ()
    with pytest.raises(BadLight, match="nothing blinks"):
        _run(lamp, 200)


def test_whole_picture_that_changes_is_no_light() -> None:
    dark, bright = (np.full((100, 100, 3), level, np.uint8) for level in (20, 200))
    assert find_patches([dark, bright]) == []


def test_large_light_is_cut_to_a_band_of_rows() -> None:
    dark = np.full((400, 400, 3), 20, np.uint8)
    bright = dark.copy()
    bright[100:140, 50:70] = 200
    (patch,) = find_patches([dark, bright])
    assert patch == Patch(50, 116, 20, 8)
    assert brightness(bright, patch) > 10 * brightness(dark, patch)
