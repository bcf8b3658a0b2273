"""What a ruling would change is foretold exactly as the referee then rules it."""

from __future__ import annotations

from typing import Any

import pytest
from fake_box import FakeBox

from referee.rules.errors import BadLog
from referee.rules.events import Watermark
from referee.rules.record import header_to_record, observation_from_record, to_record
from referee.service.broadcast import view_to_record
from referee.service.web.judge_preview import preview


@pytest.fixture
def box() -> FakeBox:
    """A game with some slaps in it, at rest: nothing is held."""
    box = FakeBox(lambda message: None, seed=1)
    while sum(verdict.kind == "valid_slap" for verdict in box.referee.verdicts) < 2:
        box.step()
    for _ in range(40):
        box.step()
    return box


def _seen(box: FakeBox) -> list[dict[str, Any]]:
    return [to_record(one) for one in box.referee.log if not isinstance(one, Watermark)]


def _ask(box: FakeBox, ruling: dict[str, Any]) -> Any:
    header = header_to_record(box.referee.header)
    return preview(header, _seen(box), ruling, view_to_record(box.referee.table))


def _last(box: FakeBox, kind: str) -> Any:
    return [verdict for verdict in box.referee.verdicts if verdict.kind == kind][-1]


def _rulings(box: FakeBox) -> list[dict[str, Any]]:
    won, card = _last(box, "valid_slap"), _last(box, "card_seen")
    judge = {"kind": "judge"}
    return [
        {**judge, "ruling": "undo"},
        {**judge, "ruling": "void_slap", "player": won.player, "ref_t_ns": won.t_ns},
        {**judge, "ruling": "void_flip", "ref_t_ns": card.t_ns},
        {**judge, "ruling": "card_is", "card": "3C", "ref_t_ns": card.t_ns},
        {**judge, "ruling": "award", "player": won.player},
        {**judge, "ruling": "penalty", "player": won.player, "to": "pile", "n": 2},
        {**judge, "ruling": "hidden_card", "player": won.player, "n": 1},
    ]


@pytest.mark.parametrize("number", range(7))
def test_preview_is_what_the_referee_then_says(box: FakeBox, number: int) -> None:
    ruling = _rulings(box)[number]
    before = dict(box.referee.table.counts) | {"": box.referee.table.pile}
    foretold = _ask(box, ruling)
    assert foretold is not None
    now_ns = max(record["t_ns"] for record in _seen(box)) + 1
    box.referee.observe(observation_from_record(ruling | {"t_ns": now_ns}))
    box.referee.finish()
    after = dict(box.referee.table.counts) | {"": box.referee.table.pile}
    changed = {name: (before[name], after[name]) for name in after if before[name] != after[name]}
    assert {one.player: (one.before, one.after) for one in foretold.changes} == changed


def test_struck_slap_falls_and_the_next_hand_wins(box: FakeBox) -> None:
    won = _last(box, "valid_slap")
    ruling = {"kind": "judge", "ruling": "void_slap", "player": won.player, "ref_t_ns": won.t_ns}
    foretold = _ask(box, ruling)
    assert won in foretold.falls
    assert any(verdict.kind in ("valid_slap", "ignored_slap") for verdict in foretold.comes)


def test_nothing_is_foretold_if_the_box_stands_elsewhere(box: FakeBox) -> None:
    view = view_to_record(box.referee.table)
    view["counts"] = {name: n + 1 for name, n in view["counts"].items()}
    header = header_to_record(box.referee.header)
    assert preview(header, _seen(box), {"kind": "judge", "ruling": "undo"}, view) is None


def test_ruling_about_a_stranger_is_refused(box: FakeBox) -> None:
    with pytest.raises(BadLog, match="Zoe"):
        _ask(box, {"kind": "judge", "ruling": "award", "player": "Zoe"})
