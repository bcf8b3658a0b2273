"""The watcher's rules, on rectangles instead of cards."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.watch import PileWatcher
from referee.rules.cards import UNREAD, Card
from referee.rules.events import Cleared, Flip, Observation

_spec = importlib.util.spec_from_file_location("models_table", Path(__file__).with_name("table.py"))
assert _spec is not None
assert _spec.loader is not None
tables = importlib.util.module_from_spec(_spec)
sys.modules["models_table"] = tables
_spec.loader.exec_module(tables)

GreyReader, card, table = tables.GreyReader, tables.card, tables.table
FRAME_NS, EXPOSURE_NS, LINE_NS = tables.FRAME_NS, tables.EXPOSURE_NS, tables.LINE_NS


def _cards(observations: list[Observation]) -> list[Card]:
    return [o.card for o in observations if isinstance(o, Flip)]


def test_card_that_lands_and_rests_is_flipped_once() -> None:
    made = table()
    made.flight("7S")
    made.lay("7S")
    assert _cards(made.show(6)) == [card("7S")]
    assert made.watcher.state == "still"


def test_moving_frames_are_never_read() -> None:
    reader = GreyReader()
    made = table(reader)
    made.flight("7S")
    assert reader.calls == 0
    assert made.watcher.state == "motion"


def test_agreeing_witnesses_answer_in_the_second_still_frame() -> None:
    made = table()
    made.flight("7S")
    made.lay("7S")
    assert made.show(1) == []
    assert _cards(made.show(1)) == [card("7S")]


def test_one_witness_needs_two_still_frames() -> None:
    made = table(GreyReader(blind_change=True))
    made.flight("7S")
    made.lay("7S")
    assert made.show(2) == []
    assert _cards(made.show(1)) == [card("7S")]


@pytest.mark.parametrize(("share", "answered"), [(0.95, False), (0.99, True)])
def test_changed_area_alone_answers_only_beyond_doubt(share: float, answered: bool) -> None:
    made = table(GreyReader(blind_pairs=True, share=share))
    made.flight("7S")
    made.lay("7S")
    assert made.show(2) == []
    assert _cards(made.show(8)) == ([card("7S")] if answered else [])


def test_readings_that_contradict_each_other_stay_unread() -> None:
    names = ["7S", "JH"] * 20
    made = table(GreyReader(blind_change=True, misread=dict(enumerate(names, 1))))
    made.flight("7S")
    made.lay("7S")
    assert made.show(8) == []
    assert made.watcher.state == "unread"


def test_interval_spans_last_frame_without_and_first_frame_with_the_card() -> None:
    made = table()
    last_without = made.t_ns - FRAME_NS
    made.flight("7S")
    made.lay("7S")
    first_with = made.t_ns
    flip = made.show(3)[0]
    assert isinstance(flip, Flip)
    bottom_row, top_row = 120 + 60, 120 - 60
    assert abs(flip.t_ns - (first_with + bottom_row * LINE_NS)) <= 8 * LINE_NS
    began = flip.t_ns - flip.early_ns
    assert abs(began - (last_without + top_row * LINE_NS - EXPOSURE_NS)) <= FRAME_NS


def test_late_recognition_does_not_move_the_time_of_the_flip() -> None:
    prompt, late = table(), table(GreyReader(misread=dict.fromkeys(range(1, 5), "unreadable")))
    times = []
    for made in (prompt, late):
        made.flight("7S")
        made.lay("7S")
        flip = made.show(30)[0]
        assert isinstance(flip, Flip)
        times.append((flip.t_ns, flip.early_ns))
    assert times[0] == times[1]


def test_watermark_stands_still_during_motion_and_while_unread() -> None:
    made = table(GreyReader(blind_pairs=True, share=0.9))
    before = made.watcher.watermark_ns
    made.flight("7S")
    made.lay("7S")
    made.show(8)
    assert made.watcher.watermark_ns == before


def test_watermark_follows_still_frames() -> None:
    made = table()
    made.show(3)
    assert made.watcher.watermark_ns == made.t_ns - FRAME_NS - EXPOSURE_NS


def test_flip_is_later_than_every_watermark_before_it() -> None:
    made = table()
    for name, x in (("7S", 150), ("JH", 165), ("KD", 155)):
        watermark = made.watcher.watermark_ns
        made.flight(name, x=x)
        made.lay(name, x)
        for flip in made.show(5):
            assert isinstance(flip, Flip)
            assert flip.t_ns - flip.early_ns >= watermark
    assert _cards(made.seen) == [card("7S"), card("JH"), card("KD")]


def test_resting_hand_is_no_card_and_goes_without_a_trace() -> None:
    made = table()
    made.lay("7S")
    made.show(4)
    made.show(6, made.hand())
    assert made.watcher.state in ("hand", "unread")
    assert made.show(3) == []
    assert made.watcher.state == "still"


def test_unread_card_is_reported_when_the_next_one_covers_it() -> None:
    made = table(GreyReader(misread={}))
    made.lay("unreadable")
    assert made.show(8) == []
    made.flight("KD", x=190)
    made.lay("KD", 190)
    assert _cards(made.show(6)) == [UNREAD, card("KD")]


def test_unread_card_that_is_read_later_is_not_reported_unread() -> None:
    made = table(GreyReader(misread=dict.fromkeys(range(1, 6), "unreadable")))
    made.lay("7S")
    made.show(5)
    assert _cards(made.show(40)) == [card("7S")]


def test_unread_card_is_reported_when_the_film_ends() -> None:
    made = table()
    made.lay("unreadable")
    made.show(8)
    assert _cards(made.watcher.finish()) == [UNREAD]
    assert made.watcher.finish() == []


def test_taken_pile_clears_the_table() -> None:
    made = table()
    made.lay("7S")
    made.show(4)
    made.show(2, made.hand())
    made.clear()
    said = made.show(3)
    assert [type(o) for o in said] == [Cleared]
    assert made.watcher.state == "empty"


def test_unread_card_is_reported_before_the_pile_is_cleared() -> None:
    made = table()
    made.lay("unreadable")
    made.show(8)
    made.clear()
    said = made.show(3)
    assert [type(o) for o in said] == [Flip, Cleared]
    assert said[0].t_ns <= said[1].t_ns


def test_hand_that_rests_like_a_card_and_takes_the_pile_is_no_unread_card() -> None:
    # A palm on a jack was told as one more card that nobody could read.
    made = table()
    made.lay("7S")
    made.show(4)
    made.lay("unreadable", 160, 185)  # reaches the lower border, as an arm does
    assert made.show(8) == []
    made.clear()
    assert [type(o) for o in made.show(3)] == [Cleared]


def test_hand_that_rests_on_an_unread_card_is_no_second_one() -> None:
    made = table()
    made.lay("unreadable", 160, 100)
    made.show(8)
    made.lay("unreadable", 160, 185)
    assert made.show(8) == []
    made.clear()
    assert [type(o) for o in made.show(3)] == [Flip, Cleared]


def test_card_taken_back_is_no_flip() -> None:
    made = table()
    made.lay("7S")
    made.show(4)
    under = made.image.copy()
    made.lay("JH", 190)
    made.show(4)
    made.image[:] = under
    assert made.show(3) == []
    assert made.watcher.state == "still"
    made.lay("KD", 130)
    assert _cards(made.show(4)) == [card("KD")]


@pytest.mark.parametrize("read", [True, False], ids=["read", "unread"])
def test_pushed_card_under_one_taken_back_is_no_flip(read: bool) -> None:
    # An unread king was taken away; the jack below, pushed a little, was announced once more.
    reader = GreyReader()
    made = table(reader)
    made.lay("JH")
    made.show(4)
    made.lay("KD" if read else "unreadable", 196, 124)
    made.show(8)
    made.clear()
    made.lay("JH", 165, 124)
    reader.always_seen = ["JH"]
    kinds = []
    for _ in range(4):
        assert _cards(made.show(1)) == []
        kinds.append(made.watcher.answer.kind)
    assert "removed" in kinds
    assert made.watcher.watermark_ns > made.t_ns - 3 * FRAME_NS
    reader.always_seen = []
    made.lay("2C", 130)
    assert _cards(made.show(4)) == [card("2C")]


def test_card_face_down_is_seen_but_no_flip() -> None:
    made = table()
    made.lay("back")
    assert made.show(4) == []
    assert made.watcher.watermark_ns > 0


def test_same_card_twice_on_a_pile_needs_both_witnesses_twice() -> None:
    made = table()
    made.lay("7S")
    made.show(4)
    made.lay("7S", 200, 130)
    assert made.show(2) == []
    assert _cards(made.show(1)) == [card("7S")]


@pytest.mark.parametrize("gain", [0.75, 1.25])
def test_slow_change_of_light_is_no_card(gain: float) -> None:
    made = table()
    made.lay("7S")
    made.show(4)
    said = []
    for step in range(60):
        share = 1 + (gain - 1) * step / 60
        said += made.show(1, np.clip(made.image * share, 0, 255).astype(np.uint8))
    assert said == []


def test_zone_gives_the_same_answer_with_its_own_row_times() -> None:
    watcher = PileWatcher(GreyReader(), zone=(40, 100, 320, 240), card_height_px=120)
    made = tables.Table(watcher)
    frame = np.full((400, 400, 3), 60, np.uint8)
    made.show(4, frame)
    with_card = frame.copy()
    tables.draw(with_card, "7S", 40 + 160, 100 + 120, 0)
    first_with = made.t_ns
    flip = made.show(4, with_card)[0]
    assert isinstance(flip, Flip)
    assert abs(flip.t_ns - (first_with + (100 + 180) * LINE_NS)) <= 8 * LINE_NS
    assert watcher.answer.kind == "still"


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(["7S", "JH", "KD", "clear", "hand", "wait"]), max_size=8))
def test_any_story_keeps_order_and_watermark(story: list[str]) -> None:
    made = table()
    lying: list[str] = []
    expected: list[str] = []
    watermark = 0
    for number, step in enumerate(story):
        if step == "clear":
            made.clear()
            lying = []
        elif step == "hand":
            made.show(2, made.hand())
        elif step != "wait" and step not in lying:
            made.lay(step, 130 + 12 * (number % 6), 105 + 7 * (number % 5), 17 * number)
            lying.append(step)
            expected.append(step)
        made.show(6)
        assert made.watcher.watermark_ns >= watermark
        watermark = made.watcher.watermark_ns
    times = [observation.t_ns for observation in made.seen]
    assert times == sorted(times)
    assert [str(c) for c in _cards(made.seen)] == expected
