"""What the simulated camera sees, and when."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np
import pytest

from hardware.protocols import Camera, Frame
from hardware.simulated.camera import BadStyle, SimulatedCamera
from hardware.simulated.gestures import Gestures
from hardware.simulated.motion import Pose, path, throw
from hardware.simulated.people import MS
from hardware.simulated.table import Hand, MovingCard, PileTaken, Table
from hardware.simulated.world import World
from referee.rules.cards import Card, parse_card

START_NS = 1_000_000_000
ROWS = 480
ROUNDING = 3
"""Grey levels by which a card that has just landed may differ from one that lies there."""
QH, JS, KD = parse_card("QH"), parse_card("JS"), parse_card("KD")


@dataclass
class Still:
    """A table at which only happens what the test asks for."""

    seed: int = 0
    now_ns: int = START_NS
    table: Table = field(init=False)

    def __post_init__(self) -> None:
        self.table = Table(("Ann", "Bo"), self.seed)


def look(world: Still, **options: object) -> SimulatedCamera:
    return SimulatedCamera(world, **{"noise": 0.0, **options})  # type: ignore[arg-type]


def frames_until(world: Still, camera: SimulatedCamera, ms: float) -> list[Frame]:
    world.now_ns = START_NS + round(ms * MS)
    return camera.frames()


def fly(table: Table, card: Card, start_ms: float, rest_ms: float, place: Pose) -> None:
    start = Pose(place.x, place.y - 200, place.angle)
    motion = throw(
        (START_NS + round(start_ms * MS), start), (START_NS + round(rest_ms * MS), place)
    )
    table.lay(MovingCard(card, motion, 0))


def test_camera_before_a_slow_computer_loses_old_frames_and_says_so() -> None:
    world = Still()
    camera = look(world, most_waiting=8)
    first = frames_until(world, camera, 100)
    late = frames_until(world, camera, 60_000)
    assert len(late) <= 9
    assert late[0].number > first[-1].number + 3_000
    assert late[-1].t_ns > world.now_ns - 40 * MS
    assert [frame.number for frame in late] == list(range(late[0].number, late[-1].number + 1))


def test_frames_come_at_their_rate_with_stamps_and_numbers() -> None:
    world = Still()
    camera = look(world, fps=50.0, exposure_ns=3 * MS, line_ns=10_000)
    frames = frames_until(world, camera, 100)
    # Frame n is read out at 3 ms + 20 ms * n + 4.8 ms.
    assert [f.number for f in frames] == [0, 1, 2, 3, 4]
    assert [f.t_ns for f in frames] == [START_NS + (3 + 20 * n) * MS for n in range(5)]
    assert {(f.exposure_ns, f.line_ns, f.stamp) for f in frames} == {(3 * MS, 10_000, "demo")}
    assert frames[0].image.shape == (ROWS, 640, 3)
    assert frames[0].image.dtype == np.uint8
    assert camera.frames() == []


def test_a_frame_does_not_come_before_its_last_row_was_read() -> None:
    world = Still()
    camera = look(world, exposure_ns=4 * MS, line_ns=17_000)
    ready_ms = 4 + ROWS * 0.017
    assert frames_until(world, camera, ready_ms - 0.001) == []
    assert len(frames_until(world, camera, ready_ms)) == 1


def test_the_camera_obeys_the_protocol() -> None:
    camera: Camera = look(Still())
    assert not camera.is_finished
    camera.close()
    camera.close()


def test_a_landed_card_is_visible_and_stays() -> None:
    world = Still()
    camera = look(world)
    before = frames_until(world, camera, 40)[-1].image.astype(int)
    fly(world.table, QH, 50, 200, Pose(0, 0))
    after = frames_until(world, camera, 300)
    first, last = after[-2].image.astype(int), after[-1].image.astype(int)
    changed = np.abs(last - before).max(2) > 25
    rows, columns = np.nonzero(changed)
    assert 0.06 < changed.mean() < 0.09
    assert rows.max() - rows.min() == pytest.approx(176, abs=12)
    assert columns.max() - columns.min() == pytest.approx(123, abs=12)
    assert np.array_equal(first, last)


def test_rows_see_a_card_only_after_their_own_time() -> None:
    line_ns, exposure_ns = 30_000, 2 * MS
    world = Still()
    camera = look(world, line_ns=line_ns, exposure_ns=exposure_ns, fps=50.0)
    before = frames_until(world, camera, 19)[-1].image
    # Frame 5 starts to be read at 102 ms. The card appears at rest after 107 ms, from nowhere.
    world.table.lay(
        MovingCard(
            JS,
            throw((START_NS + 105 * MS, Pose(0, -300)), (START_NS + 107 * MS, Pose(0, 0))),
            0,
        )
    )
    frames = frames_until(world, camera, 200)
    frame, final = frames[4], frames[-1].image
    assert frame.t_ns == START_NS + 102 * MS
    start, rest = START_NS + 105 * MS, START_NS + 107 * MS
    rows = np.arange(ROWS)
    end_of_light = frame.t_ns + rows * line_ns
    blind = end_of_light <= start - 12 * line_ns
    settled = end_of_light - exposure_ns >= rest + 12 * line_ns
    assert blind.sum() > 60
    assert settled.sum() > 150
    assert np.array_equal(frame.image[blind], before[blind])
    difference = np.abs(frame.image[settled].astype(int) - final[settled])
    assert difference.max() <= ROUNDING
    between = ~blind & ~settled
    assert not np.array_equal(frame.image[between], final[between])


def test_a_moving_card_is_smeared_along_its_way() -> None:
    sharpness = []
    for rest_ms in (60.0, 400.0):
        world = Still()
        camera = look(world, exposure_ns=8 * MS)
        place = Pose(0, 30)
        fly(world.table, KD, 0, rest_ms, place)
        # In the middle of a fast and of a slow flight.
        frames = frames_until(world, camera, rest_ms * 0.9)
        image = frames[-1].image.astype(float)
        sharpness.append(np.abs(np.diff(image, axis=0)).max(1).mean())
    assert sharpness[0] < sharpness[1]


def test_rolling_shutter_leans_a_card_that_moves_sideways() -> None:
    edges = {}
    for line_ns in (0, 30_000):
        world = Still()
        world.table.surface = "felt"
        world.table.lay(
            MovingCard(
                QH,
                throw((START_NS, Pose(-300, 0)), (START_NS + 120 * MS, Pose(150, 0))),
                0,
            )
        )
        camera = look(world, line_ns=line_ns, exposure_ns=MS)
        image = frames_until(world, camera, 95)[-1].image
        paper = image.min(2) > 150
        columns = [np.nonzero(paper[row])[0] for row in (200, 290)]
        edges[line_ns] = float(columns[1].max() - columns[0].max())
    assert abs(edges[30_000]) > abs(edges[0]) + 8


def test_a_hand_hides_the_pile_and_goes_away() -> None:
    world = Still()
    camera = look(world)
    fly(world.table, QH, 0, 20, Pose(0, 0))
    clean = frames_until(world, camera, 120)[-1].image
    away, over = world.table.seats["Ann"].outside(90), Pose(0, -10)
    motion = path(
        (START_NS + 150 * MS, away), (START_NS + 250 * MS, over), (START_NS + 350 * MS, away)
    )
    world.table.show_hand(Hand("Ann", "flat", motion, START_NS + 350 * MS))
    frames = frames_until(world, camera, 500)
    hidden = [np.abs(f.image.astype(int) - clean).max(2)[150:330, 240:400] > 30 for f in frames]
    shares = [float(h.mean()) for h in hidden]
    assert max(shares) > 0.35
    assert np.array_equal(frames[-1].image, clean)


def test_a_taken_pile_leaves_the_bare_table() -> None:
    world = Still()
    camera = look(world)
    bare = frames_until(world, camera, 20)[-1].image
    for i, card in enumerate((QH, JS, KD)):
        fly(world.table, card, 30 + 60 * i, 70 + 60 * i, Pose(4 * i, -3 * i, 0.2 * i))
    frames_until(world, camera, 300)
    gone = Pose(0, 300)
    motion = path((START_NS + 320 * MS, Pose(0, 0)), (START_NS + 500 * MS, gone))
    world.table.take_pile(PileTaken(0, motion))
    assert np.array_equal(frames_until(world, camera, 620)[-1].image, bare)


def test_a_card_laid_after_the_win_stays_when_the_pile_goes() -> None:
    pictures = []
    for cards in ((QH, JS), (JS,)):
        world = Still()
        camera = look(world)
        for i, card in enumerate(cards):
            place = Pose(0, 0) if card is JS else Pose(30, 20, 0.4)
            fly(world.table, card, 30 + 60 * i, 70 + 60 * i, place)
        if len(cards) > 1:
            motion = path((START_NS + 320 * MS, Pose(0, 0)), (START_NS + 500 * MS, Pose(0, 300)))
            world.table.take_pile(PileTaken(0, motion, keep=1))
        pictures.append(frames_until(world, camera, 620)[-1].image)
    assert np.array_equal(pictures[0], pictures[1])


def test_a_card_pushed_under_the_pile_does_not_hide_its_top() -> None:
    world = Still()
    camera = look(world)
    fly(world.table, QH, 0, 20, Pose(0, 0))
    clean = frames_until(world, camera, 120)[-1].image.astype(int)
    place = Pose(40, 10, 0.3, roll=math.pi)
    motion = path((START_NS + 150 * MS, place.moved(200, 0)), (START_NS + 300 * MS, place))
    world.table.lay(MovingCard(KD, motion, 0, under=True))
    for frame in frames_until(world, camera, 420):
        changed = np.abs(frame.image.astype(int) - clean).max(2)
        assert changed[170:310, 270:370].max() <= 4
    assert (changed > 25).mean() > 0.02


def test_a_card_given_back_uncovers_the_one_below() -> None:
    world = Still()
    camera = look(world)
    fly(world.table, QH, 0, 20, Pose(0, 0))
    below = frames_until(world, camera, 100)[-1].image
    place = Pose(5, 5, 0.3)
    fly(world.table, JS, 120, 160, place)
    frames_until(world, camera, 250)
    gestures = Gestures(world.table, Random(1))
    gone_ns = gestures.take_top("Ann", JS, 0, place, START_NS + 300 * MS)
    last = frames_until(world, camera, (gone_ns - START_NS) / MS + 100)[-1].image
    assert np.array_equal(last, below)


def test_noise_differs_from_frame_to_frame_and_keeps_the_mean() -> None:
    quiet_world, world = Still(), Still()
    clean = frames_until(quiet_world, look(quiet_world), 20)[0].image.astype(float)
    a, b = frames_until(world, look(world, noise=3.0), 40)[:2]
    assert not np.array_equal(a.image, b.image)
    assert float((a.image - clean).std()) == pytest.approx(3.0, rel=0.35)
    assert abs(float((a.image - clean).mean())) < 0.3


def test_the_same_seed_gives_the_same_pictures() -> None:
    pictures = []
    for seed in (2, 2, 3):
        world = Still(seed)
        pictures.append(frames_until(world, look(world, noise=2.6), 40)[-1].image)
    assert np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])


def test_larger_pictures_show_the_same_view() -> None:
    world = Still()
    camera = look(world, size=(800, 600))
    fly(world.table, QH, 0, 20, Pose(0, 0))
    image = frames_until(world, camera, 100)[-1].image
    assert image.shape == (600, 800, 3)
    assert image[300, 400].min() > 0


def test_an_unknown_deck_is_refused() -> None:
    with pytest.raises(BadStyle, match="no such deck: 'tarot', expected one of classic"):
        look(Still(), style="tarot")


def test_a_pose_moves_the_way_it_points() -> None:
    right = Pose(0, 0, math.pi / 2)
    assert right.ahead(10).x == pytest.approx(10)
    assert replace(right, angle=0.0).ahead(10).y == pytest.approx(-10)


# --- speed: pytest --benchmark-only ---------------------------------------------------------------


def test_still_frames_per_second(benchmark) -> None:  # type: ignore[no-untyped-def]
    world = Still()
    camera = look(world, noise=2.6)
    fly(world.table, QH, 0, 20, Pose(0, 0))
    frames_until(world, camera, 200)
    at = iter(range(300, 10**9, 100))
    benchmark.pedantic(lambda: frames_until(world, camera, next(at)), rounds=20)
    benchmark.extra_info["frames per call"] = 6


def test_frames_per_second_of_a_game(benchmark) -> None:  # type: ignore[no-untyped-def]
    world = World(1)
    camera = SimulatedCamera(world)

    def half_a_second() -> int:
        world.advance(world.now_ns + 500 * MS)
        world.hear([], world.players[0])
        return len(camera.frames())

    benchmark.pedantic(half_a_second, rounds=20)
    benchmark.extra_info["frames per call"] = 30
