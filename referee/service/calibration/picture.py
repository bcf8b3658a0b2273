"""The picture of what `referee calibrate camera` saw."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image as Pil
from PIL import ImageDraw, ImageFont

from hardware.protocols import Image
from referee.locale import text
from referee.service.calibration.advice import Advice, Grade
from referee.service.calibration.scene import CameraView

COLOURS = {Grade.GOOD: "#7fe08a", Grade.POOR: "#ffd24a", Grade.BAD: "#ff6b5e"}
SIGNS = {Grade.GOOD: "+", Grade.POOR: "!", Grade.BAD: "X"}
"""Never colour alone."""
CARD, MAT, ZONE = "#00e5ff", "#ff9df5", "#ffe14d"
LEAST_WIDTH = 960
MARGIN = 10
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def draw_view(image: Image, view: CameraView, advice: Sequence[Advice], *, demo: bool) -> Pil.Image:
    """Outline card, mat and zone; under the picture, what was found in words."""
    factor = max(1, -(-LEAST_WIDTH // image.shape[1]))
    seen = Pil.fromarray(np.ascontiguousarray(image[:, :, ::-1]))
    seen = seen.resize((seen.width * factor, seen.height * factor), Pil.Resampling.BICUBIC)
    font = ImageFont.load_default(size=20)
    lines = 1 + sum(2 if one.mend else 1 for one in advice)
    whole = Pil.new("RGB", (seen.width, seen.height + lines * 28 + 2 * MARGIN), "#101418")
    whole.paste(seen)
    draw = ImageDraw.Draw(whole)
    _outlines(draw, view, factor, font)
    if demo:
        big = ImageFont.load_default(size=44)
        draw.text((seen.width - 160, MARGIN), "DEMO", fill="white", font=big, stroke_width=3,
                  stroke_fill="black")  # fmt: skip
    _words(draw, advice, seen.height + MARGIN, font)
    return whole


def _outlines(
    draw: ImageDraw.ImageDraw,
    view: CameraView,
    factor: int,
    font: Font,
) -> None:
    left, top, width, height = (float(length * factor) for length in view.zone)
    draw.rectangle((left, top, left + width - 1, top + height - 1), outline=ZONE, width=3)
    labels = [(text("calibrate", "zone"), (left, top), ZONE)]
    if view.mat is not None:
        mat = _scaled(view.mat, factor)
        draw.line([*mat, mat[0]], fill=MAT, width=3)
        labels.append((text("calibrate", "mat"), mat[3], MAT))
    card = _scaled(view.card.corners, factor)
    draw.line([*card, card[0]], fill=CARD, width=3)
    for x, y in card:
        draw.ellipse((x - 5, y - 5, x + 5, y + 5), outline=CARD, width=2)
    labels.append((text("calibrate", "card"), min(card, key=lambda corner: corner[1]), CARD))
    for label, (x, y), colour in labels:
        place = (x + 8, max(0, y - 26))
        draw.text(place, label, fill=colour, font=font, stroke_width=2, stroke_fill="black")


def _scaled(corners: Sequence[tuple[float, float]], factor: int) -> list[tuple[float, float]]:
    return [((x + 0.5) * factor, (y + 0.5) * factor) for x, y in corners]


def _words(
    draw: ImageDraw.ImageDraw,
    advice: Sequence[Advice],
    y: float,
    font: Font,
) -> None:
    for one in advice:
        colour = COLOURS[one.grade]
        draw.text(
            (MARGIN, y), f"{SIGNS[one.grade]} {one.topic}: {one.found}", fill=colour, font=font
        )
        y += 28
        if one.mend:
            draw.text((3 * MARGIN, y), f"-> {one.mend}", fill="white", font=font)
            y += 28
