"""Everybody can use the page: axe-core finds nothing serious on any page, light and dark."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from referee.service.web.pages import NAVIGATION

pytestmark = pytest.mark.e2e

AXE = Path(os.environ.get("REFEREE_AXE", "node_modules")) / "node_modules/axe-core/axe.min.js"
SERIOUS = ("serious", "critical")
PATHS = [*(address for address, _ in NAVIGATION), "/code", "/play?seat=1", "/nothing"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_serious(lay: Any, look: Any, path: str, scheme: str) -> None:
    if not AXE.exists():
        pytest.skip("no axe-core: npm install --prefix DIR axe-core, then REFEREE_AXE=DIR")
    table = lay(seed=3, interactive=True)
    table.step(900)
    table.box.fault("E22", on=True, seat=2)
    page = look(f"{table.address}/code", color_scheme=scheme)
    page.get_by_label("Code").fill("483920")
    page.get_by_role("button", name="Unlock").click()
    page.get_by_role("link", name="Unlocked").wait_for()
    page.goto(table.address + path)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    serious = [
        (one["id"], one["help"], [node["html"] for node in one["nodes"]][:3])
        for one in found["violations"]
        if one["impact"] in SERIOUS
    ]
    assert not serious
