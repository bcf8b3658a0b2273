"""Announcements and counts as pictures for an LED matrix, 8 points high. Pure: never waits.

Grammar: icon, seat, fact. The first picture of an announcement is complete and says everything
without words; the word is a bonus, beside it or, where there is no room, on a picture of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PIL import Image, ImageChops

from hardware.announcement import Announcement, Motion
from hardware.lettering import Face, face, icons, stamp

HEIGHT_PX = 8
SIZES = ((32, HEIGHT_PX), (64, HEIGHT_PX))
ICON_PX = 8
SEAT_GAP_PX = 2
"""Between two seats."""
PART_GAP_PX = 2
"""Between seat, word and fact, where every column counts."""
WIDE_PX = 64
"""From this width on, there is room for a column more everywhere."""

BLINK_MS = 200
"""Dark, then lit: 2.5 times a second. Source: WCAG 2.3.1 allows 3."""
BLINKS = 2
WAVE_MS = 600
WAVE_PX = 3
"""Narrow, so that no quarter of the panel changes at once. Source: WCAG 2.3.1."""
SWING_MS = 400
PULSE_MS = 600
FALL_MS = 70
CHASE_MS = 60
CHASE_PX = 4
"""Every fourth point of the edge is lit."""
SHOWN_MS = 900
"""A picture that nobody could read in less."""
HOLD_MS = 1500
CHASE_FOR_MS = 5000

Size = tuple[int, int]
Step = tuple[Image.Image, int]
"""A picture and how long to show it, in ms."""


def blank(size: Size) -> Image.Image:
    """A dark picture."""
    return Image.new("1", size)


def mark_demo(picture: Image.Image) -> Image.Image:
    """Light the point at the bottom right: this is a demo, and it says so all the time."""
    width, height = picture.size
    picture.putpixel((width - 1, height - 1), 1)
    return picture


def draw(announcement: Announcement, size: Size, *, demo: bool = False) -> Image.Image:
    """The first picture of an announcement, mode "1"."""
    picture = _facts_and_word(announcement, size) or _facts(announcement, size)
    return mark_demo(picture) if demo else picture


def steps(announcement: Announcement, size: Size, *, demo: bool = False) -> Iterator[Step]:
    """An announcement as pictures with their durations in ms; the first one says it all."""
    first = draw(announcement, size)
    moved = _MOTIONS[announcement.motion](announcement, first)
    for picture, duration_ms in [*moved, *_word_alone(announcement, size)]:
        yield (mark_demo(picture.copy()) if demo else picture), duration_ms


# --- what is where -------------------------------------------------------------------------------


def _facts(announcement: Announcement, size: Size) -> Image.Image:
    """Icon, seats and the fact at the right."""
    picture = blank(size)
    x = _icon_and_seats(picture, announcement)
    fact = announcement.fact or _short_word(announcement, size[0] - x)
    _write_right(picture, x, fact)
    return picture


def _facts_and_word(announcement: Announcement, size: Size) -> Image.Image | None:
    """Icon, seats, word and fact in one picture, if there is room."""
    picture = blank(size)
    word = announcement.word(size[0])
    x = _icon_and_seats(picture, announcement)
    tall = face("tall")
    fact = "" if announcement.fact and word.endswith(announcement.fact) else announcement.fact
    fact_px = tall.width_px(fact) + 2 * PART_GAP_PX if fact else 0
    if not word or x + tall.width_px(word) + fact_px > size[0]:
        return None
    tall.write(picture, x, 0, word)
    if fact:
        _write_right(picture, x, fact)
    return picture


def _word_alone(announcement: Announcement, size: Size) -> list[Step]:
    """The word on a picture of its own, with the seat if there is room; then the facts again."""
    word = announcement.word(size[0])
    if not word or _facts_and_word(announcement, size):
        return []
    picture = blank(size)
    lettering = word_face(word, size[0])
    width_px = lettering.width_px(word)
    x = 0
    if len(announcement.seats) == 1 and width_px + _seat_px(announcement) <= size[0]:
        x = _write_seats(picture, announcement.seats, 0) + PART_GAP_PX
    x += (size[0] - x - width_px) // 2
    lettering.write(picture, x, (7 - lettering.height_px) // 2, word)
    return [(picture, HOLD_MS), (draw(announcement, size), SHOWN_MS)]


def word_face(word: str, width_px: int) -> Face:
    """The largest face in which a word fits a display of this width."""
    tall, small = face("tall"), face("small")
    return tall if tall.width_px(word) <= width_px else small


def _seat_px(announcement: Announcement) -> int:
    return face("seat").width_px(str(announcement.seats[0])) + PART_GAP_PX


def _facts_px(announcement: Announcement, size: Size) -> int:
    return _icon_and_seats(blank(size), announcement)


def _icon_and_seats(picture: Image.Image, announcement: Announcement) -> int:
    """Draw both and return the column where the rest may begin."""
    stamp(picture, 0, 0, icons()[announcement.icon])
    x = _seats_left(picture.width)
    if announcement.seats:
        x = _write_seats(picture, announcement.seats, x)
    return x + _part_gap(picture.width)


def _seats_left(width_px: int) -> int:
    """The column of the first seat."""
    return ICON_PX + _part_gap(width_px) - 1


def _part_gap(width_px: int) -> int:
    return PART_GAP_PX + (width_px >= WIDE_PX)


def _write_seats(
    picture: Image.Image, seats: Sequence[int], x: int, *, only: int | None = None
) -> int:
    """Write seat numbers, in the largest face that fits; `only` one of them, at its place."""
    lettering, gap_px = _seat_face(seats, picture.width - x)
    for at, seat in enumerate(seats):
        text = str(seat)
        if only is None or at == only:
            lettering.write(picture, x, (7 - lettering.height_px) // 2, text)
        x += lettering.width_px(text) + (gap_px if at < len(seats) - 1 else 0)
    return x


def _seat_face(seats: Sequence[int], room_px: int) -> tuple[Face, int]:
    for name, gap_px in (("seat", SEAT_GAP_PX), ("tall", SEAT_GAP_PX), ("tall", 1)):
        width = sum(face(name).width_px(str(seat)) for seat in seats) + gap_px * (len(seats) - 1)
        if width <= room_px:
            return face(name), gap_px
    return face("small"), 1


def _short_word(announcement: Announcement, room_px: int) -> str:
    """The word, if it fits beside the seats."""
    word = announcement.word(32)
    return word if face("small").width_px(word) <= room_px else ""


def _write_right(picture: Image.Image, x: int, text: str) -> None:
    """Write a fact at the right end, in the largest face that fits."""
    room_px = picture.width - x
    tall = face("tall")
    lettering = tall if tall.width_px(text) <= room_px else face("small")
    y = (7 - lettering.height_px + 1) // 2
    lettering.write(picture, picture.width - lettering.width_px(text), y, text)


# --- how it moves --------------------------------------------------------------------------------


def _steady(announcement: Announcement, first: Image.Image) -> list[Step]:
    return [(first, HOLD_MS)]


def _fill(announcement: Announcement, first: Image.Image) -> list[Step]:
    """A bright wave runs over the picture."""
    width, height = first.size
    moments = list(range(0, width, WAVE_PX))
    waved: list[Step] = [(first, BLINK_MS)]
    for x in moments:
        band = blank(first.size)
        band.paste(1, (x, 0, x + WAVE_PX, height))
        waved.append((ImageChops.logical_xor(first, band), WAVE_MS // len(moments)))
    return [*waved, (first, HOLD_MS)]


def _blink(announcement: Announcement, first: Image.Image) -> list[Step]:
    dark = blank(first.size)
    pair: list[Step] = [(first, BLINK_MS), (dark, BLINK_MS)]
    return [*(pair * BLINKS), (first, HOLD_MS)]


def _swing(announcement: Announcement, first: Image.Image) -> list[Step]:
    """Each seat alone, in turn, then all again."""
    swung: list[Step] = [(first, SHOWN_MS)]
    for only in range(len(announcement.seats)) if len(announcement.seats) > 1 else ():
        picture = blank(first.size)
        stamp(picture, 0, 0, icons()[announcement.icon])
        _write_seats(picture, announcement.seats, _seats_left(first.width), only=only)
        swung.append((picture, SWING_MS))
    return [*swung, (first, HOLD_MS)]


def _pulse(announcement: Announcement, first: Image.Image) -> list[Step]:
    """The icon comes and goes; a heart becomes small and large."""
    without = first.copy()
    without.paste(0, (0, 0, ICON_PX, HEIGHT_PX))
    if announcement.icon == "heart":
        stamp(without, 0, 0, icons()["small_heart"])
    return [(first, PULSE_MS), (without, PULSE_MS)] * 2 + [(first, HOLD_MS)]


def _fall(announcement: Announcement, first: Image.Image) -> list[Step]:
    """The picture stands, then its seat number falls off the bottom."""
    fallen: list[Step] = [(first, HOLD_MS)]
    if not announcement.seats:
        return fallen
    left = _seats_left(first.width)
    right = _facts_px(announcement, first.size) - _part_gap(first.width)
    seat = first.crop((left, 0, right, HEIGHT_PX))
    for y in range(1, HEIGHT_PX + 1):
        picture = first.copy()
        picture.paste(0, (left, 0, left + seat.width, HEIGHT_PX))
        picture.paste(seat.crop((0, 0, seat.width, HEIGHT_PX - y)), (left, y))
        fallen.append((picture, FALL_MS))
    return [*fallen, (first, SHOWN_MS)]


def _chase(announcement: Announcement, first: Image.Image) -> list[Step]:
    """Lights run around the edge for 5 s; the middle stays readable."""
    edge = _edge(first.size)
    chased: list[Step] = [(first, BLINK_MS)]
    for shift in range(CHASE_FOR_MS // CHASE_MS):
        ring = blank(first.size)
        for at, point in enumerate(edge):
            if (at - shift) % CHASE_PX == 0:
                ring.putpixel(point, 1)
        chased.append((ImageChops.logical_or(first, ring), CHASE_MS))
    return [*chased, (first, HOLD_MS)]


def _edge(size: Size) -> list[tuple[int, int]]:
    """The points of the edge, clockwise from the top left."""
    right, bottom = size[0] - 1, size[1] - 1
    top = [(x, 0) for x in range(right)]
    down = [(right, y) for y in range(bottom)]
    back = [(x, bottom) for x in range(right, 0, -1)]
    return [*top, *down, *back, *((0, y) for y in range(bottom, 0, -1))]


_MOTIONS = {
    Motion.STEADY: _steady,
    Motion.FILL: _fill,
    Motion.BLINK: _blink,
    Motion.SWING: _swing,
    Motion.PULSE: _pulse,
    Motion.FALL: _fall,
    Motion.CHASE: _chase,
}
