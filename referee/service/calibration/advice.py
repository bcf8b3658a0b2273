"""What a view on the table is worth, in sentences: good, poor or bad, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.locale import text
from referee.service.calibration.scene import CameraView


class Grade(StrEnum):
    """How good something is."""

    GOOD = "good"
    POOR = "poor"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing that was looked at."""

    topic: str
    grade: Grade
    found: str
    mend: str = ""


SCALE_PX_PER_MM = (1.6, 1.25)
"""Good from, poor from. At 1.25 the index of a card is 11 px high: reading errors begin."""
BLUR_MM = (1.3, 2.0)
"""Good up to, poor up to. The strokes of an index are 1 to 1.5 mm wide."""
PAPER = (120.0, 75.0)
"""Good from, poor from: darker paper drowns in noise."""
CLIPPED_SHARE = (0.03, 0.15)
"""Good up to, poor up to: what is clipped has no print."""
EVENNESS = (0.6, 0.4)
FLICKER = (0.015, 0.04)
"""Good up to, poor up to: lamps on mains power flicker, and short exposures see it."""
TILT = (0.05, 0.1)


def grade_of(value: float, limits: tuple[float, float]) -> Grade:
    """Grade a value by two limits; they say which direction is the good one."""
    good, poor = limits
    sign = 1 if good >= poor else -1
    if sign * value >= sign * good:
        return Grade.GOOD
    return Grade.POOR if sign * value >= sign * poor else Grade.BAD


def advice_on(view: CameraView) -> list[Advice]:
    """Everything worth telling about a view."""
    return [_scale(view), _focus(view), _light(view), _glare(view), _evenness(view),
            *_flicker(view), _tilt(view), _mat(view)]  # fmt: skip


def _advice(topic: str, grade: Grade, found: str, mend: str) -> Advice:
    return Advice(topic, grade, found, "" if grade is Grade.GOOD else mend)


def _scale(view: CameraView) -> Advice:
    found = text("calibrate", "a card is {px:.0f} px high: {scale:.2f} px/mm").format(
        px=view.card.height_px, scale=1 / view.mm_per_px
    )
    return _advice(
        text("calibrate", "scale"),
        grade_of(1 / view.mm_per_px, SCALE_PX_PER_MM),
        found,
        text("calibrate", "hang the camera lower; 2 px/mm is the aim"),
    )


def _focus(view: CameraView) -> Advice:
    found = text("calibrate", "edges are {mm:.1f} mm ({px:.1f} px) wide").format(
        mm=view.blur_mm, px=view.card.edge_px
    )
    return _advice(
        text("calibrate", "focus"),
        grade_of(view.blur_mm, BLUR_MM),
        found,
        text("calibrate", "focus on the card, clean the lens, or hang the camera higher"),
    )


def _light(view: CameraView) -> Advice:
    found = text("calibrate", "paper has grey level {level:.0f} of 255").format(
        level=view.card.paper
    )
    return _advice(
        text("calibrate", "light"),
        grade_of(view.card.paper, PAPER),
        found,
        text("calibrate", "more light: two strips on direct current, beside the camera"),
    )


def _glare(view: CameraView) -> Advice:
    found = text("calibrate", "{share:.0%} of the card is pure white").format(
        share=view.card.clipped
    )
    return _advice(
        text("calibrate", "glare"),
        grade_of(view.card.clipped, CLIPPED_SHARE),
        found,
        text("calibrate", "less light, or lamps farther to the side"),
    )


def _evenness(view: CameraView) -> Advice:
    found = text("calibrate", "the darkest quarter has {share:.0%} of the brightest one").format(
        share=view.evenness
    )
    return _advice(
        text("calibrate", "evenness"),
        grade_of(view.evenness, EVENNESS),
        found,
        text("calibrate", "a lamp on each side, or one straight above"),
    )


def _flicker(view: CameraView) -> list[Advice]:
    if view.frames < 2:
        return []
    found = text("calibrate", "brightness varies by {share:.1%} from frame to frame").format(
        share=view.flicker
    )
    mend = text("calibrate", "lamps on direct current, without a dimmer")
    return [_advice(text("calibrate", "flicker"), grade_of(view.flicker, FLICKER), found, mend)]


def _tilt(view: CameraView) -> Advice:
    found = text("calibrate", "the card's proportions are off by {share:.0%}").format(
        share=view.tilt
    )
    mend = text("calibrate", "hang the camera straight above the pile, or say which cards: --card")
    return _advice(text("calibrate", "angle"), grade_of(view.tilt, TILT), found, mend)


def _mat(view: CameraView) -> Advice:
    topic = text("calibrate", "mat")
    if view.mat_mm is None:
        found = text("calibrate", "no edge in view; the zone is taken around the card")
        return Advice(topic, Grade.GOOD, found)
    width, height = view.mat_mm
    found = text("calibrate", "edges found: {width:.0f} x {height:.0f} mm").format(
        width=width, height=height
    )
    return Advice(topic, Grade.GOOD, found)
