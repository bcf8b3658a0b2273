"""The live table: pile, players, verdicts as they fall, the LED matrix as it is."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.service.web.cards import lit_path, unlit_path
from referee.service.web.countdowns import countdown_of
from referee.service.web.finish import newest_finish
from referee.service.web.hub import Event, Hub
from referee.service.web.pages import hub_of, language_of, render, show
from referee.service.web.parts import Patch, part
from referee.service.web.table_view import (
    SHOWN,
    faults_of,
    headline_of,
    last_said,
    piles_of,
    players_of,
    said_of,
)

ASKS = ("ask_table", "pending_slap")
"""Verdicts that wait for the table's word."""


async def table(request: Request) -> Response:
    """The page."""
    hub, language = hub_of(request), language_of(request)
    return show(
        request,
        "live.html",
        **table_context(hub, language),
        **_led(hub),
        said=last_said(hub, language),
        headline=headline_of(hub, language),
        finish=newest_finish(hub, language),
    )


def table_context(hub: Hub, language: str) -> dict[str, object]:
    """What `_table.html` needs."""
    return {
        "players": players_of(hub),
        "piles": piles_of(hub, language),
        "countdown": countdown_of(hub, language),
        "question": bool(hub.verdicts.records) and hub.verdicts.records[-1]["verdict"] in ASKS,
        "table": {"hold": False, "pile_state": ""} | (hub.table or {}),
        "view": hub.view,
    }


def _led(hub: Hub) -> dict[str, object]:
    width = int((hub.led or hub.box or {}).get("width", 32))
    rows = (hub.led or {}).get("rows", [])
    return {"led_width": width, "led_lit": lit_path(rows, width), "led_all": unlit_path(width)}


@part("box")
@part("fault")
def _box_part(hub: Hub, event: Event, language: str) -> list[Patch]:
    html = render("_state.html", language, hub=hub, faults=faults_of(hub, language))
    return [{"to": "state", "html": html}]


@part("game")
def _game_part(hub: Hub, event: Event, language: str) -> list[Patch]:
    return [{"reload": True}]


@part("table")
def _table_part(hub: Hub, event: Event, language: str) -> list[Patch]:
    return [
        {
            "to": "table",
            "html": render("_table.html", language, hub=hub, **table_context(hub, language)),
        }
    ]


@part("led")
def _led_part(hub: Hub, event: Event, language: str) -> list[Patch]:
    return [{"to": "led-lit", "attr": "d", "value": _led(hub)["led_lit"]}]


@part("said")
def _said_part(hub: Hub, event: Event, language: str) -> list[Patch]:
    patches: list[Patch] = [
        {"to": f"said-{n}", "mark": "struck"} for n in event.payload.get("struck", [])
    ]
    n = int(event.payload["n"])
    line = said_of(hub, n, language) if n < len(hub.verdicts.records) else None
    if line is not None:
        html = render("_said.html", language, line=line)
        patches.append({"to": "said", "add": html, "keep": SHOWN})
    large = render("_headline.html", language, headline=headline_of(hub, language))
    return [*patches, {"to": "headline", "html": large}]


ROUTES = [Route("/", table)]
