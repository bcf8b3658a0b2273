"""Films, webcams and folders of pictures: what they show, when, and what they refuse."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from hardware.cameras import open_camera
from hardware.clock import NS_PER_MS, NS_PER_S
from hardware.folder import PictureFolder, picture_paths, read_picture
from hardware.protocols import Frame
from hardware.webcam import DUE_AT_ONCE, QUEUE_FRAMES, BadCamera, Film, Webcam
from referee.rules.events import SOFTWARE

T_NS = 7_000_000_000
RATE = 25
FRAME_NS = NS_PER_S // RATE


class Clock:
    """A clock that we set."""

    def __init__(self, t_ns: int = T_NS) -> None:
        self.t_ns = t_ns

    def __call__(self) -> int:
        return self.t_ns


@pytest.fixture(scope="module")
def film_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve frames, each brighter than the one before."""
    path = tmp_path_factory.mktemp("film") / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), RATE, (64, 48))
    for n in range(12):
        writer.write(np.full((48, 64, 3), 20 * n, np.uint8))
    writer.release()
    return path


def _brightness(frames: list[Frame]) -> list[int]:
    return [round(float(frame.image.mean()) / 20) for frame in frames]


# --- films ---------------------------------------------------------------------------------------


def test_film_is_handed_over_at_its_own_speed(film_path: Path) -> None:
    clock = Clock()
    film = Film(film_path, now=clock)
    assert _brightness(film.frames()) == [0]
    clock.t_ns += 2 * FRAME_NS - 1
    assert _brightness(film.frames()) == [1]
    clock.t_ns += 1
    assert _brightness(film.frames()) == [2]
    assert film.frames() == []
    film.close()


def test_film_that_fell_behind_catches_up_without_a_gap(film_path: Path) -> None:
    clock = Clock()
    film = Film(film_path, now=clock)
    clock.t_ns += NS_PER_S
    first, rest = film.frames(), film.frames()
    assert len(first) == DUE_AT_ONCE
    assert _brightness([*first, *rest]) == list(range(12))
    assert film.is_finished
    film.close()


def test_frames_of_a_film_have_the_film_s_times_and_one_frame_of_doubt(film_path: Path) -> None:
    film = Film(film_path, now=Clock(), paced=False)
    frames = []
    while not film.is_finished:
        frames += film.frames()
    assert [frame.t_ns for frame in frames] == [T_NS + n * FRAME_NS for n in range(12)]
    assert [frame.number for frame in frames] == list(range(12))
    assert {(frame.exposure_ns, frame.stamp) for frame in frames} == {(FRAME_NS, SOFTWARE)}
    film.close()
    film.close()


def test_missing_film_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadCamera, match=r"no film at .*none.mp4, expected a video file"):
        Film(tmp_path / "none.mp4")


@pytest.mark.parametrize("content", [b"", b"hello", b"\x00" * 5000])
def test_file_that_is_no_film_is_one_sentence(
    tmp_path: Path, content: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "not.mp4"
    path.write_bytes(content)
    with pytest.raises(BadCamera, match="not a film: "):
        Film(path)
    assert "Traceback" not in capfd.readouterr().err


# --- webcams -------------------------------------------------------------------------------------


class Video:
    """Behaves like cv2.VideoCapture."""

    def __init__(self, told_ms: Callable[[], float], pictures: int = 100, rate: float = 30) -> None:
        self.told_ms = told_ms
        self.left = pictures
        self.rate = rate
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def read(self) -> tuple[bool, Any]:
        self.left -= 1
        return self.left >= 0, np.zeros((48, 64, 3), np.uint8) if self.left >= 0 else None

    def get(self, name: int) -> float:
        return self.rate if name == cv2.CAP_PROP_FPS else self.told_ms()

    def release(self) -> None:
        self.released = True


def _webcam(told_ms: Callable[[], float], clock: Clock, **options: Any) -> Webcam:
    return Webcam(0, now=clock, reads=False, video=Video(told_ms, **options))


WEBCAM_FRAME_NS = round(NS_PER_S / 30)


def test_webcam_with_a_stamp_of_our_clock_sees_around_it() -> None:
    clock = Clock()
    camera = _webcam(lambda: (T_NS - 100 * NS_PER_MS) / NS_PER_MS, clock)
    camera.read_frame()
    (frame,) = camera.frames()
    doubt_ns = WEBCAM_FRAME_NS + 10 * NS_PER_MS
    assert frame.t_ns == T_NS - 100 * NS_PER_MS + doubt_ns
    assert frame.exposure_ns == 2 * doubt_ns
    assert frame.stamp == SOFTWARE


@pytest.mark.parametrize("told_ms", [0.0, -5.0, float("nan"), 1.0, 7001.0])
def test_webcam_without_a_stamp_saw_light_before_the_arrival(told_ms: float) -> None:
    # OpenCV gives 0 when the driver's buffer was handed back already; other clocks give nonsense.
    clock = Clock()
    camera = _webcam(lambda: told_ms, clock)
    camera.read_frame()
    (frame,) = camera.frames()
    assert frame.t_ns == T_NS
    assert frame.exposure_ns == 2 * WEBCAM_FRAME_NS + 10 * NS_PER_MS


def test_stamps_of_a_webcam_never_go_back() -> None:
    clock = Clock()
    camera = _webcam(lambda: 0.0, clock)
    for t_ns in (T_NS, T_NS, T_NS + 5):
        clock.t_ns = t_ns
        camera.read_frame()
    stamps = [frame.t_ns for frame in camera.frames()]
    assert stamps == sorted(set(stamps))


def test_slow_reader_loses_the_oldest_frames_and_the_numbers_show_it() -> None:
    camera = _webcam(lambda: 0.0, Clock())
    for _ in range(QUEUE_FRAMES + 3):
        camera.read_frame()
    assert [frame.number for frame in camera.frames()] == list(range(3, QUEUE_FRAMES + 3))


def test_webcam_that_is_unplugged_is_finished() -> None:
    camera = Webcam(0, now=Clock(), video=Video(lambda: 0.0, pictures=3))
    frames: list[Frame] = []
    while not camera.is_finished:
        frames += camera.frames()
    assert len(frames) == 2
    camera.close()
    camera.close()


@pytest.mark.parametrize("rate", [0.0, -1.0, 1e9])
def test_nonsense_about_the_rate_means_the_usual_one(rate: float) -> None:
    camera = _webcam(lambda: 0.0, Clock(), rate=rate)
    camera.read_frame()
    assert camera.frames()[0].exposure_ns == 2 * WEBCAM_FRAME_NS + 10 * NS_PER_MS


def test_webcam_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(BadCamera, match="no picture from camera 97"):
        open_camera("97")


# --- folders -------------------------------------------------------------------------------------


def _folder(path: Path, names: list[str]) -> Path:
    for n, name in enumerate(names):
        Image.new("RGB", (8, 6), (20 * n, 20 * n, 20 * n)).save(path / name)
    return path


def test_pictures_come_by_name_and_numbers_by_value(tmp_path: Path) -> None:
    folder = _folder(tmp_path, ["10.png", "2.png", "1.PNG", "a1.bmp"])
    (folder / "readme.txt").write_text("no picture")
    assert [path.name for path in picture_paths(folder)] == ["1.PNG", "2.png", "10.png", "a1.bmp"]


def test_each_picture_is_several_frames_within_its_time(tmp_path: Path) -> None:
    clock = Clock()
    folder = PictureFolder(
        _folder(tmp_path, ["1.png", "2.png"]), interval_ms=100, frames_per_picture=2, now=clock
    )
    assert [frame.t_ns for frame in folder.frames()] == [T_NS]
    clock.t_ns += 200 * NS_PER_MS
    frames = folder.frames()
    assert [frame.t_ns - T_NS for frame in frames] == [50_000_000, 100_000_000, 150_000_000]
    assert _brightness(frames) == [0, 1, 1]
    assert folder.is_finished


def test_folder_without_pacing_gives_one_frame_a_call(tmp_path: Path) -> None:
    folder = PictureFolder(_folder(tmp_path, ["1.png"]), now=Clock(), paced=False)
    assert [len(folder.frames()) for _ in range(6)] == [1, 1, 1, 1, 1, 0]
    folder.close()


def test_picture_is_turned_as_the_camera_was_held_and_blue_comes_first(tmp_path: Path) -> None:
    picture = Image.new("RGB", (8, 6))
    picture.putpixel((0, 0), (255, 0, 0))
    exif = Image.Exif()
    exif[0x0112] = 6  # turn right
    picture.save(tmp_path / "turned.png", exif=exif)
    image = read_picture(tmp_path / "turned.png")
    assert image.shape == (8, 6, 3)
    assert image[0, 5].tolist() == [0, 0, 255]


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "1", "CMYK"])
def test_every_kind_of_picture_becomes_bgr(tmp_path: Path, mode: str) -> None:
    suffix = "jpg" if mode == "CMYK" else "png"
    Image.new("RGB", (8, 6), (200, 200, 200)).convert(mode).save(tmp_path / f"x.{suffix}")
    image = read_picture(tmp_path / f"x.{suffix}")
    assert (image.shape, image.dtype) == ((6, 8, 3), np.uint8)


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (lambda path: None, "no pictures in"),
        (lambda path: (path / "x.txt").write_text("x"), "no pictures in"),
    ],
)
def test_folder_without_pictures_is_one_sentence(
    tmp_path: Path, prepare: Callable[[Path], object], said: str
) -> None:
    prepare(tmp_path)
    with pytest.raises(BadCamera, match=said):
        open_camera(str(tmp_path))


def test_missing_folder_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadCamera, match="no folder at"):
        PictureFolder(tmp_path / "none")


@pytest.mark.parametrize("content", [b"", b"hello", b"\x89PNG\r\n\x1a\nbroken"])
def test_broken_picture_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "1.png").write_bytes(content)
    folder = PictureFolder(tmp_path)
    with pytest.raises(BadCamera, match=r"not a picture: .*1.png, expected JPEG"):
        folder.frames()


# --- which one -----------------------------------------------------------------------------------


def test_kind_of_camera_follows_from_what_is_named(tmp_path: Path, film_path: Path) -> None:
    folder = open_camera(str(_folder(tmp_path, ["1.png"])))
    film = open_camera(str(film_path))
    assert isinstance(folder, PictureFolder)
    assert isinstance(film, Film)
    folder.close()
    film.close()


def test_path_that_is_nothing_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadCamera, match=r"no film at .*nothing"):
        open_camera(str(tmp_path / "nothing"))
