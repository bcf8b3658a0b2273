"""The judge's panel: every correction of the rules in plain words, and what each would change.

Looking at a correction (GET) changes nothing; only the POST at the end does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from referee.rules.cards import JOKER_RANK, RANKS, SUITS
from referee.rules.errors import BadLog, RefereeError
from referee.rules.events import Ruling
from referee.rules.record import observation_from_record
from referee.service.sentences import sentence
from referee.service.web.asks import Answer
from referee.service.web.hub import Event, Hub
from referee.service.web.judge_preview import Preview, preview
from referee.service.web.judge_view import (
    ANSWERS,
    card_words,
    cards_of,
    is_asked,
    last_payment,
    slaps_of,
    words_of_ruling,
)
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

FIELDS = ("ruling", "player", "ref_t_ns", "card", "to", "n", "answer", "pile", "cards")
NUMBERS = ("ref_t_ns", "n", "pile")
KINDS = ("call", "stuck", "choose", "burn")
"""What is told like a ruling, but is an observation of its own kind."""
MOST_CARDS = 52
MOST_DIGITS = 18
ALL_RANKS = (*RANKS, JOKER_RANK)


def ruling_of(given: FormData | QueryParams) -> dict[str, Any]:
    """What a form says, as an observation record without its time.

    Raises:
        BadLog: It says nothing that a table can rule.
    """
    fields: dict[str, Any] = {
        name: str(given[name])[:200] for name in FIELDS if given.get(name) not in (None, "")
    }
    for name in NUMBERS:
        if name in fields:
            fields[name] = _number(name, fields[name])
    if not 0 <= fields.get("n", 1) <= MOST_CARDS:
        raise BadLog(f"bad number of cards: {fields['n']}, expected 0 to {MOST_CARDS}")
    if "cards" in fields:
        fields["cards"] = fields["cards"].upper().replace(",", " ").split()
    ruling = fields.pop("ruling", "")
    named = {"kind": ruling} if ruling in KINDS else {"kind": Ruling.kind, "ruling": ruling}
    record = {**named, **fields}
    observation_from_record({**record, "t_ns": 0})
    return record


def _number(name: str, written: str) -> int:
    if not written.isdecimal() or len(written) > MOST_DIGITS:
        raise BadLog(f"bad {name}: {written!r}, expected a whole number")
    return int(written)


@needs_code
async def panel(request: Request) -> Response:
    """Everything that can be corrected."""
    hub, language = hub_of(request), language_of(request)
    return show(request, "judge.html", **_lists(hub, language), **_table(hub))


def _lists(hub: Hub, language: str) -> dict[str, Any]:
    return {
        "slaps": slaps_of(hub, language),
        "cards": cards_of(hub, language),
        "undo": last_payment(hub, language),
        "asked": is_asked(hub),
        "answers": ANSWERS,
    }


def _table(hub: Hub) -> dict[str, Any]:
    header: Mapping[str, Any] = (hub.game or {}).get("header", {})
    rules = header.get("house_rules", {})
    return {
        "playing": bool(hub.game) and hub.box.get("state") == "playing",
        "players": hub.players,
        "is_spit": header.get("game") == "spit",
        "has_calls": rules.get("call_out") == "required",
        "has_burns": bool(rules.get("burn_counts_for_bottom")),
    }


@needs_code
async def card(request: Request) -> Response:
    """One flipped card: which one it was, or that it does not count."""
    hub, language = hub_of(request), language_of(request)
    asked = request.query_params.get("ref_t_ns", "")
    found = [one for one in cards_of(hub, language) if str(one.t_ns) == asked]
    if not found:
        return RedirectResponse("/judge", 303)
    return show(
        request,
        "judge_card.html",
        line=found[0],
        ranks=[(rank, card_words(f"{rank}?", language)) for rank in ALL_RANKS],
        suits=SUITS,
    )


@needs_code
async def check(request: Request) -> Response:
    """What a correction would change."""
    hub, language = hub_of(request), language_of(request)
    given = request.query_params
    if given.get("rank"):
        given = QueryParams({**given, "card": given["rank"] + given.get("suit", "?")})
    try:
        record = ruling_of(given)
        shown = await run_in_threadpool(_preview, hub, record)
    except (RefereeError, ValueError) as error:
        return after(request, "/judge", Answer(False, {"en": str(error), "de": str(error)}))
    return show(
        request,
        "judge_check.html",
        words=words_of_ruling(record, hub, language),
        fields=[(name, given[name]) for name in FIELDS if given.get(name)],
        preview=shown,
        falls=[sentence(one, language) for one in shown.falls] if shown else [],
        comes=[sentence(one, language) for one in shown.comes] if shown else [],
    )


def _preview(hub: Hub, record: dict[str, Any]) -> Preview | None:
    if hub.game is None or hub.table is None:
        return None
    return preview(hub.game["header"], hub.seen, record, hub.table["view"])


@needs_code
async def rule(request: Request) -> Response:
    """Tell the box."""
    try:
        record = ruling_of(await request.form())
    except (RefereeError, ValueError) as error:
        return after(request, "/judge", Answer(False, {"en": str(error), "de": str(error)}))
    return after(request, "/judge", await asks_of(request).ask("rule", record=record))


@needs_code
async def end(request: Request) -> Response:
    """End the game without a winner."""
    return after(request, "/judge", await asks_of(request).ask("end_game"))


def _patches(hub: Hub, event: Event, language: str) -> list[Patch]:
    html = render("_judge_lists.html", language, hub=hub, **_lists(hub, language), **_table(hub))
    return [{"to": "judge-lists", "html": html}]


part("judge_seen", of="seen")(_patches)
part("judge_said", of="said")(_patches)


ROUTES = [
    Route("/judge", panel),
    Route("/judge/card", card),
    Route("/judge/check", check),
    Route("/judge/rule", rule, methods=["POST"]),
    Route("/judge/end", end, methods=["POST"]),
]
