"""The box itself: its state, the pad self-test, and the guides for camera, pads and own decks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.locale import text
from referee.service.sentences import milliseconds
from referee.service.web.hub import Event, Hub, Message
from referee.service.web.pages import (
    after,
    asks_of,
    hub_of,
    language_of,
    needs_code,
    render,
    show,
)
from referee.service.web.parts import Patch, part

AREA = "page"
GUIDES = {
    "camera": (
        "Calibrate the camera",
        "Finds the pile and how large a card is. Lay one card in the middle.",
    ),
    "pads": (
        "Measure the pads",
        "Finds how late each pad reports a touch, so that close races are judged fairly.",
    ),
    "enrol": (
        "Teach your own deck",
        "Shows the box thirteen of your cards, so that it reads them better.",
    ),
}
"""Name, as the box knows it -> what it is called, and what it is for."""
RUNNING = "run"
"""Step of a guide that is at work and waits for nobody."""
ACTIONS = ("start", "next", "cancel")
STAMPS = {
    "kernel": "stamped by the kernel",
    "software": "stamped by a program",
    "demo": "simulated",
}
TOUCHES = 12


@dataclass(frozen=True, slots=True)
class TouchLine:
    """One touch of the self-test."""

    seat: int | None
    player: str
    stamp: str
    doubt: str
    held: str


@dataclass(frozen=True, slots=True)
class GuideStep:
    """Where a guide stands."""

    lines: tuple[str, ...]
    """What it says; the end of a measurement has several."""
    percent: int | None
    """None: nobody knows how long it takes."""
    waits: bool
    """It goes on when somebody presses "next"."""
    done: bool
    ok: bool | None
    jpeg: str
    """Base64; empty: no picture of its own."""


def touches_of(hub: Hub, language: str) -> list[TouchLine]:
    """The last touches, the newest first."""
    newest = list(hub.touches)[::-1][:TOUCHES]
    return [_touch(message, language) for message in newest]


def _touch(message: Message, language: str) -> TouchLine:
    half_ns = (int(message.get("early_ns", 0)) + int(message.get("late_ns", 0))) // 2
    stamp = STAMPS.get(str(message.get("stamp", "")), "")
    held = message.get("held_ms")
    return TouchLine(
        seat=message.get("seat"),
        player=str(message.get("player", "")),
        stamp=text(AREA, stamp, language=language) if stamp else str(message.get("stamp", "")),
        doubt=f"± {milliseconds(half_ns, language)} ms",
        held="" if held is None else f"{held} ms",
    )


def step_of(hub: Hub, name: str, language: str) -> GuideStep | None:
    """Where a guide stands; None: it has not begun."""
    message = hub.guides.get(name)
    if message is None:
        return None
    sentence: dict[str, str] = message.get("sentence") or {}
    progress = message.get("progress")
    return GuideStep(
        lines=tuple((sentence.get(language) or sentence.get("en", "")).split("\n")),
        percent=None if progress is None else min(max(round(float(progress) * 100), 0), 100),
        waits=message.get("step") != RUNNING,
        done=bool(message.get("done")),
        ok=message.get("ok"),
        jpeg=str(message.get("jpeg") or ""),
    )


async def overview(request: Request) -> Response:
    """What the box is and does, and what can be measured."""
    return show(request, "guides.html", guides=GUIDES)


# --- the pad self-test ----------------------------------------------------------------------------


@needs_code
async def pads(request: Request) -> Response:
    """Touch each pad, and see what the box makes of it."""
    return show(request, "guide_touches.html", **_touches(hub_of(request), language_of(request)))


def _touches(hub: Hub, language: str) -> dict[str, Any]:
    touches = touches_of(hub, language)
    return {
        "players": list(enumerate(hub.players, 1)),
        "touches": touches,
        "felt": {line.seat for line in touches},
        "last": touches[0].seat if touches else None,
    }


@needs_code
async def self_test(request: Request) -> Response:
    """Begin the self-test, or end it."""
    form = await request.form()
    on = form.get("on") == "true"
    answer = await asks_of(request).ask("self_test", on=on)
    return after(request, "/guides/touches" if on else "/guides", answer)


@part("touch")
def _touch_part(hub: Hub, event: Event, language: str) -> list[Patch]:
    html = render("_touches.html", language, hub=hub, **_touches(hub, language))
    return [{"to": "touches", "html": html}]


# --- guides ---------------------------------------------------------------------------------------


@needs_code
async def guide(request: Request) -> Response:
    """One guide, as it stands."""
    name, hub = _name(request), hub_of(request)
    title, purpose = GUIDES[name]
    step = step_of(hub, name, language_of(request))
    return show(request, "guide.html", name=name, title=title, purpose=purpose, step=step)


@needs_code
async def act(request: Request) -> Response:
    """Begin a guide, go on with it, or give it up."""
    name = _name(request)
    form = await request.form()
    action = str(form.get("action", ""))
    if action not in ACTIONS:
        raise HTTPException(400)
    answer = await asks_of(request).ask("guide", name=name, action=action)
    return after(request, f"/guides/{name}", answer)


def _name(request: Request) -> str:
    name = str(request.path_params["name"])
    if name not in GUIDES:
        raise HTTPException(404)
    return name


@part("guide")
def _guide_part(hub: Hub, event: Event, language: str) -> list[Patch]:
    name = str(event.payload["name"])
    if name not in GUIDES:
        return []
    step = step_of(hub, name, language)
    html = render("_guide_step.html", language, hub=hub, name=name, step=step)
    return [{"to": f"guide-{name}", "html": html}]


ROUTES = [
    Route("/guides", overview),
    Route("/guides/touches", pads),
    Route("/guides/touches", self_test, methods=["POST"]),
    Route("/guides/{name}", guide),
    Route("/guides/{name}", act, methods=["POST"]),
]
