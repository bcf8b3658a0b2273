"""The viewers that `referee bench page` sends note which verdict came when."""

from __future__ import annotations

import json

from referee.service.measure_viewers import Viewer
from referee.service.web.stream import as_lines


def test_viewer_notes_the_first_arrival_of_each_verdict() -> None:
    viewer = Viewer(3, 1)
    patches = [{"to": "said", "add": f'<li id="said-{n}" class="good">'} for n in (7, 8)]
    line = as_lines("run-5", "patch", patches)
    assert json.dumps(patches, separators=(",", ":")).encode() in line
    viewer.take(line, 100)
    viewer.take(line, 200)
    assert viewer.arrived_ns == {7: 100, 8: 100}
    assert viewer.received == 2 * len(line)
