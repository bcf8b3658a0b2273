"""The LED matrix on luma's dummy, and what is shown when."""

import threading
from pathlib import Path
from typing import Any

import pytest
from luma.core.device import dummy
from luma.led_matrix.device import max7219
from PIL import Image

from hardware.announcement import Announcement, Priority
from hardware.clock import NS_PER_MS, NS_PER_S
from hardware.display import RENEW_NS, BadDisplay, MatrixDisplay, NoDisplay, open_matrix
from hardware.drawing import blank, draw, steps
from hardware.gpio import mock_factory
from hardware.lights import BEEP_NS, SHINE_NS, Lights
from hardware.screen import SEEN_NS, WAITING, Screen

SIZE = (32, 8)

pytestmark = pytest.mark.filterwarnings(
    # luma's max7219 still uses it; Pillow keeps it until version 14.
    "ignore:Image.Image.getdata is deprecated:DeprecationWarning"
)


def _said(kind: str, priority: Priority = Priority.VERDICT) -> Announcement:
    return Announcement(kind, "hand", (3,), "+14", "SLAP!", "SLAP!", priority=priority)


class Wire:
    """Stands for the SPI bus: keeps what was sent."""

    def __init__(self) -> None:
        self.sent: list[list[int]] = []
        self.is_broken = False
        self.written = threading.Event()

    def data(self, values: list[int]) -> None:
        if self.is_broken:
            raise OSError("the wire came off")
        self.sent.append(list(values))
        self.written.set()

    def command(self, *values: int) -> None:
        self.data(list(values))

    def cleanup(self) -> None:
        pass


def _matrix(wire: Wire) -> Any:
    return max7219(wire, width=32, height=8, block_orientation=-90)


def test_matrix_that_is_left_goes_on_showing_its_picture() -> None:
    wire = Wire()
    device = _matrix(wire)
    display = MatrixDisplay(device)
    display.show(draw(_said("verdict"), SIZE))
    display.leave()
    display.close()
    device.cleanup()
    rows = [sent for sent in wire.sent if sent[0] <= 8]
    shown = [sent for sent in wire.sent if sent[0] == 0x0C]
    assert any(value for sent in rows[-8:] for value in sent[1::2])
    assert shown[-1][1] == 1, "not switched off"


def test_picture_arrives_point_by_point() -> None:
    device = dummy(width=32, height=8, mode="1")
    # luma's dummy has no registers to set
    device.data = lambda values: None
    display = MatrixDisplay(device, writes=False)
    picture = draw(_said("x"), SIZE)
    display.show(picture)
    display.write()
    assert device.image.tobytes() == picture.tobytes()
    assert display.size == SIZE


def test_wire_carries_eight_rows_of_four_blocks() -> None:
    wire = Wire()
    display = MatrixDisplay(_matrix(wire), writes=False)
    display.write()
    wire.sent.clear()
    picture = blank(SIZE)
    picture.putpixel((0, 0), 1)
    display.show(picture)
    display.write()
    assert [len(values) for values in wire.sent] == [8] * 8
    rows = [value for values in wire.sent for value in values[1::2]]
    assert sum(bin(value).count("1") for value in rows) == 1


def _on_the_blocks(wire: Wire, width: int, orientation: int) -> Image.Image:
    """What boards show whose blocks are turned.

    Register = column, bit = row; the first word goes to the farthest block.
    """
    whole = Image.new("1", (width, 8))
    for column, values in enumerate(wire.sent[-8:]):
        assert values[::2] == [column + 1] * (width // 8)
        for block, bits in enumerate(reversed(values[1::2])):
            for row in range(8):
                whole.putpixel((8 * block + column, row), 255 * (bits >> row & 1))
    for left in range(0, width, 8):
        box = (left, 0, left + 8, 8)
        whole.paste(whole.crop(box).rotate(-orientation), box)
    return whole


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("orientation", [0, 90, -90, 180])
def test_blocks_may_be_turned_and_be_four_or_eight(width: int, orientation: int) -> None:
    wire = Wire()
    device = max7219(wire, width=width, height=8, block_orientation=orientation)
    display = MatrixDisplay(device, writes=False)
    picture = draw(_said("verdict"), (width, 8))
    display.show(picture)
    display.write()
    shown = _on_the_blocks(wire, width, orientation)
    assert shown.tobytes() == picture.tobytes()


def test_settings_are_sent_again_now_and_then_without_clearing() -> None:
    wire, now = Wire(), [0]
    display = MatrixDisplay(_matrix(wire), brightness=2, now=lambda: now[0], writes=False)
    display.write()
    wire.sent.clear()
    now[0] = RENEW_NS - 1
    display.write()
    assert wire.sent == []
    now[0] = RENEW_NS
    display.write()
    settings = {values[0]: values[1] for values in wire.sent}
    assert settings == {11: 7, 9: 0, 15: 0, 10: 2, 12: 1}


def test_lost_matrix_stops_nobody_and_comes_back(caplog: pytest.LogCaptureFixture) -> None:
    wire = Wire()
    display = MatrixDisplay(_matrix(wire), writes=False)
    wire.is_broken = True
    for _ in range(3):
        display.show(blank(SIZE))
        display.write()
    assert (display.failures, display.is_lost) == (3, True)
    assert len(caplog.records) == 1
    wire.is_broken = False
    wire.sent.clear()
    display.write()
    assert not display.is_lost
    assert wire.sent[0][0] == 11  # the settings come first


def test_thread_writes_and_closing_goes_dark() -> None:
    wire = Wire()
    display = MatrixDisplay(_matrix(wire))
    wire.written.clear()
    picture = blank(SIZE)
    picture.paste(1, (0, 0, 32, 8))
    display.show(picture)
    assert wire.written.wait(10)
    display.close()
    display.close()
    rows = [value for values in wire.sent[-8:] for value in values[1::2]]
    assert set(rows) == {0}


@pytest.mark.parametrize("picture", [Image.new("1", (64, 8)), Image.new("RGB", SIZE)])
def test_picture_of_another_size_or_kind_is_refused(picture: Image.Image) -> None:
    display = MatrixDisplay(_matrix(Wire()), writes=False)
    with pytest.raises(BadDisplay, match="on a matrix of"):
        display.show(picture)


@pytest.mark.parametrize("brightness", [-1, 16])
def test_brightness_beyond_the_chip_is_refused(brightness: int) -> None:
    with pytest.raises(BadDisplay, match=r"no such brightness: .*expected 0 to 15"):
        MatrixDisplay(_matrix(Wire()), brightness=brightness, writes=False)


@pytest.mark.skipif(Path("/dev/spidev0.0").exists(), reason="SPI is on here")
def test_without_spi_the_refusal_is_one_sentence() -> None:
    with pytest.raises(BadDisplay, match=r"no LED matrix: .*expected SPI to be on"):
        open_matrix()


def test_box_without_a_matrix_shows_nothing() -> None:
    display = NoDisplay(64)
    display.show(blank((64, 8)))
    display.close()
    assert display.size == (64, 8)


# --- what is shown when --------------------------------------------------------------------------


def test_announcement_appears_at_once_and_the_counts_come_back() -> None:
    screen = Screen(SIZE)
    counts = blank(SIZE)
    counts.putpixel((5, 5), 1)
    screen.rest(counts)
    assert screen.picture(0) is counts
    screen.say(_said("x"), 1)
    assert screen.picture(1).tobytes() == draw(_said("x"), SIZE).tobytes()
    assert screen.picture(60 * NS_PER_S) is counts


def test_every_step_has_its_time() -> None:
    screen = Screen(SIZE)
    said = _said("x")
    screen.say(said, 0)
    t_ns = 0
    for picture, duration_ms in steps(said, SIZE):
        assert screen.picture(t_ns).tobytes() == picture.tobytes()
        t_ns += duration_ms * NS_PER_MS
        assert screen.picture(t_ns - 1).tobytes() == picture.tobytes()


def test_second_verdict_waits_until_the_first_was_seen() -> None:
    screen = Screen(SIZE)
    screen.say(_said("won"), 0)
    screen.say(Announcement("out", "skull", (2,), priority=Priority.END), 1)
    assert (
        screen.picture(SEEN_NS - 1).tobytes()
        != draw(Announcement("out", "skull", (2,)), SIZE).tobytes()
    )
    assert (
        screen.picture(SEEN_NS).tobytes()
        == draw(Announcement("out", "skull", (2,)), SIZE).tobytes()
    )


@pytest.mark.parametrize(
    ("running", "new", "at_once"),
    [
        (Priority.NEWS, Priority.VERDICT, True),
        (Priority.NEWS, Priority.NEWS, False),
        (Priority.VERDICT, Priority.END, False),
        (Priority.VERDICT, Priority.FAULT, True),
        (Priority.END, Priority.FAULT, True),
        (Priority.FAULT, Priority.VERDICT, False),
    ],
)
def test_what_may_take_the_screen_at_once(running: Priority, new: Priority, at_once: bool) -> None:
    screen = Screen(SIZE)
    later = Announcement("later", "skull", (2,), priority=new)
    screen.say(_said("first", running), 0)
    screen.say(later, 1)
    assert (screen.picture(1).tobytes() == draw(later, SIZE).tobytes()) is at_once


def test_too_many_wait_and_the_least_important_goes() -> None:
    screen = Screen(SIZE)
    screen.say(_said("first"), 0)
    icons = ("cup", "skull", "heart", "card")
    news = Announcement("news", "eye", (1,), priority=Priority.NEWS)
    screen.say(news, 0)
    for icon in icons:
        screen.say(Announcement(icon, icon, (1,), priority=Priority.VERDICT), 0)
    shown = {screen.picture(n * SEEN_NS).tobytes() for n in range(WAITING + 2)}
    assert draw(news, SIZE).tobytes() not in shown
    assert all(draw(Announcement(icon, icon, (1,)), SIZE).tobytes() in shown for icon in icons)


def test_demo_is_marked_in_every_announcement() -> None:
    screen = Screen(SIZE, demo=True)
    screen.say(_said("x"), 0)
    assert all(screen.picture(t_ns * NS_PER_MS * 50).getpixel((31, 7)) for t_ns in range(10))


# --- lights --------------------------------------------------------------------------------------


def test_winner_s_light_shines_for_a_while() -> None:
    factory = mock_factory()
    lights = Lights({1: 4, 3: 17}, factory, buzzer=15)
    one, three, buzzer = (factory.pin(name) for name in ("GPIO4", "GPIO17", "GPIO15"))
    lights.shine([3], 0, beeps=True)
    assert (one.state, three.state, buzzer.state) == (False, True, True)
    lights.pass_time(BEEP_NS)
    assert (three.state, buzzer.state) == (True, False)
    lights.pass_time(SHINE_NS)
    assert three.state is False
    lights.close()
    lights.close()


def test_seat_without_a_light_and_box_without_lights_do_no_harm() -> None:
    factory = mock_factory()
    lights = Lights({1: 4}, factory)
    lights.shine([2], 0, beeps=True)
    assert factory.pin("GPIO4").state is False
    lights.close()
    none = Lights({}, factory)
    none.shine([1], 0)
    none.pass_time(SHINE_NS)
    none.close()
