"""The shipped nets on drawn cards: every language, every corner, the whole way to a flip."""

from __future__ import annotations

import math
from functools import cache

import cv2
import numpy as np
import pytest

from hardware.simulated.deck import STYLES, Language, draw_deck
from models.locate import Pose
from models.net import BadWeights, Net
from models.reader import WEIGHTS, Reader
from models.watch import PileWatcher
from referee.rules.cards import SUITS, Card
from referee.rules.events import Cleared, Flip

HEIGHT_PX = 170


@cache
def _reader(deck: str) -> Reader:
    return Reader(deck)


@cache
def _faces(language: Language, style: str = "classic") -> dict[Card, np.ndarray]:
    return {card: art.bgr for card, art in draw_deck(STYLES[style], language, 3).items()}


def _table() -> np.ndarray:
    cloth = np.random.default_rng(1).normal(0, 3, (400, 480, 1))
    return np.clip(np.array([70, 95, 60]) + cloth, 0, 255).astype(np.uint8)


def _lay(table: np.ndarray, face: np.ndarray, x: float, y: float, turn: float) -> None:
    h, w = face.shape[:2]
    pose = Pose(x, y, turn + math.pi / 2, HEIGHT_PX, HEIGHT_PX * w / h)
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, pose.corners())
    size = (table.shape[1], table.shape[0])
    drawn = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((h, w), 255, np.uint8), matrix, size)
    table[mask > 127] = drawn[mask > 127]


def _shot(table: np.ndarray, dice: np.random.Generator) -> np.ndarray:
    soft = cv2.GaussianBlur(table, (0, 0), 0.7).astype(np.float32)
    return np.clip(soft + dice.normal(0, 2.5, soft.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_court_cards_of_every_language_are_read_or_left_unread(language: Language) -> None:
    dice = np.random.default_rng(8)
    right, wrong = 0, []
    for number, rank in enumerate(("A", "7", "10", "J", "Q", "K") * 2):
        card = Card(rank, SUITS[number % 4])
        table = _table()
        _lay(table, _faces(language)[card], 240, 200, 0.5 * number)
        reading = _reader(language).read_picture(_shot(table, dice))
        right += reading.card == card
        if reading.card and reading.card.rank != rank:
            wrong.append((rank, reading.card.rank))
    assert wrong == []
    assert right >= 8


def test_watcher_reads_a_growing_pile_in_order_and_sees_it_go() -> None:
    dice = np.random.default_rng(4)
    watcher = PileWatcher(_reader("de"), card_height_px=HEIGHT_PX)
    played = [Card("7", "H"), Card("J", "S"), Card("2", "C"), Card("K", "D"), Card("10", "S")]
    table, bare = _table(), _table()
    seen, number = [], 0

    def show(frames: int) -> None:
        nonlocal number
        for _ in range(frames):
            seen.extend(watcher.see(_shot(table, dice), t_ns=number * 16_666_667))
            number += 1

    show(4)
    for place, card in enumerate(played):
        x, y = 235 + 9 * (place % 3), 195 + 8 * (place % 2)
        _lay(table, _faces("de")[card], x, y, 1.1 * place)
        show(8)
    table[:] = bare
    show(4)
    assert isinstance(seen[-1], Cleared)
    flips = [observation.card for observation in seen if isinstance(observation, Flip)]
    assert len(flips) == len(played)
    pairs = [(said.rank, true.rank) for said, true in zip(flips, played, strict=True)]
    assert all(said in (true, "?") for said, true in pairs), pairs
    assert sum(said == true for said, true in pairs) >= 4


def test_empty_table_is_no_card() -> None:
    reading = _reader("en").read_picture(_shot(_table(), np.random.default_rng(2)))
    assert reading.card is None


def test_opencv_and_onnxruntime_give_the_same_numbers() -> None:
    pytest.importorskip("onnxruntime")
    dice = np.random.default_rng(0)
    shapes = {"detector": (1, 2, 64, 96), "reader": (3, 3, 64, 48), "witness": (3, 3, 64, 48)}
    shapes["middle"] = (3, 3, 96, 64)
    for name, shape in shapes.items():
        x = dice.normal(0, 1, shape).astype(np.float32)
        one, other = (
            Net(WEIGHTS / f"{name}.onnx", runner)(x) for runner in ("onnxruntime", "opencv")
        )
        assert np.abs(one - other).max() < 1e-3


def test_nets_are_small_enough_for_the_repository() -> None:
    assert sum(path.stat().st_size for path in WEIGHTS.glob("*.onnx")) < 4 * 2**20


def test_missing_or_damaged_net_is_named_in_a_sentence(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadWeights, match="no net at"):
        Reader("en", tmp_path)
    for name in ("detector", "reader", "witness", "middle"):
        (tmp_path / f"{name}.onnx").write_bytes(b"not a net")
    with pytest.raises(BadWeights, match="cannot load"):
        Reader("en", tmp_path)
