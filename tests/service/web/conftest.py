"""The page without a network: the application and a browser's polite requests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from referee.service.web.app import create_app
from referee.service.web.asks import Asks
from referee.service.web.hub import Hub

sys.path.insert(0, str(Path(__file__).parent))

from page_at_hand import BOX, Browser, Page


@pytest.fixture
def page() -> Page:
    """A page whose box is idle and answers every ask with yes."""
    asked: list[dict[str, Any]] = []

    def write(record: dict[str, Any]) -> None:
        asked.append(record)
        if "id" in record:
            asks.hear({"to": record["id"], "ok": True, "sentence": {"en": "Done.", "de": "Ja."}})

    hub, asks = Hub("run"), Asks(write)
    hub.receive(dict(BOX))
    return Page(hub, asks, Browser(create_app(hub, asks)), asked)
