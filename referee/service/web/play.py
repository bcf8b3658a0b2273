"""Playing at the page: pads and a flip button for a drawn table. DEMO, with software stamps.

A class plays on tablets: each chooses a seat, no code is needed, for it is a game. A touch is
stamped when it arrives here; what the network took is not known, and the box widens its doubt.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.service.web.guard import address_of
from referee.service.web.hub import Event, Hub
from referee.service.web.pages import asks_of, hub_of, keeper_of, language_of, render, show
from referee.service.web.parts import Patch, part
from referee.service.web.table_view import Pile, pile_of, piles_of, players_of

STOCK_PILES = 5


async def play(request: Request) -> Response:
    """Choose seats, or play at those that were chosen: `seat` may be given several times."""
    hub, language = hub_of(request), language_of(request)
    seats = _seats(hub, request.query_params.getlist("seat"))
    for seat in seats:
        if keeper_of(request).touches.take(
            f"{address_of(request.scope)} sits", arrived_ns(request)
        ):
            asks_of(request).tell("seat", seat=seat)
    players = players_of(hub)
    return show(
        request,
        "play.html",
        players=players,
        seats=seats,
        chosen=[player for player in players if player.seat in seats],
        piles=piles_of(hub, language),
        spit=(hub.game or {}).get("header", {}).get("game") == "spit",
        stocks=stocks_of(hub, language),
    )


def _seats(hub: Hub, asked: list[str]) -> list[int]:
    numbers = {int(seat) for seat in asked if seat.isdecimal() and len(seat) < 3}
    return sorted(numbers & set(range(1, len(hub.players) + 1)))


def arrived_ns(request: Request) -> int:
    """When the request was here, before anything was done about it."""
    at_ns: int = request.state.arrived_ns
    return at_ns


def stocks_of(hub: Hub, language: str) -> dict[str, list[Pile]]:
    """Spit on a drawn table: player -> his stock piles, from lines such as "Ann 7H KS·· -- +11"."""
    stocks = {}
    for line in (hub.table or {}).get("lines", []):
        words = str(line).split()
        if len(words) >= STOCK_PILES + 2:
            name = " ".join(words[: -STOCK_PILES - 1])
            stocks[name] = [_stock(hub, word, language) for word in words[-STOCK_PILES - 1 : -1]]
    return stocks


def _stock(hub: Hub, written: str, language: str) -> Pile:
    """A stock pile written as its open card and a dot for each hidden one."""
    card = written.rstrip("·")
    hidden = len(written) - len(card)
    return pile_of(hub, None if card == "--" else card, hidden + (card != "--"), language)


async def touch(request: Request) -> Response:
    """A hand on a pad. The box decides whether it may be: nobody waits for its answer."""
    form = await request.form()
    hub, seat = hub_of(request), _seats(hub_of(request), [str(form.get("seat", ""))])
    if not hub.is_interactive or not seat:
        return Response(status_code=409)
    who = f"{address_of(request.scope)} {seat[0]}"
    if not keeper_of(request).touches.take(who, arrived_ns(request)):
        return Response(status_code=429)
    asks_of(request).tell("touch", seat=seat[0], t_ns=arrived_ns(request))
    return Response(status_code=204)


async def flip(request: Request) -> Response:
    """Turn the next card of the drawn table."""
    if not hub_of(request).is_interactive:
        return Response(status_code=409)
    if not keeper_of(request).touches.take(address_of(request.scope), arrived_ns(request)):
        return Response(status_code=429)
    asks_of(request).tell("flip")
    return Response(status_code=204)


async def use(request: Request) -> Response:
    """Spit: play or move the open card of a stock pile."""
    form = await request.form()
    seat = _seats(hub_of(request), [str(form.get("seat", ""))])
    number = str(form.get("place", ""))
    fine = number.isdecimal() and len(number) == 1 and int(number) < STOCK_PILES
    if not hub_of(request).is_interactive or not seat or not fine:
        return Response(status_code=409)
    if not keeper_of(request).touches.take(address_of(request.scope), arrived_ns(request)):
        return Response(status_code=429)
    asks_of(request).tell("use", seat=seat[0], place=int(number))
    return Response(status_code=204)


def play_parts(hub: Hub, language: str) -> list[Patch]:
    """What changes on an open page of pads when the table changes."""
    players, stocks = players_of(hub), stocks_of(hub, language)
    patches: list[Patch] = [
        {
            "to": f"pad-note-{player.seat}",
            "html": render("_pad_note.html", language, player=player),
        }
        for player in players
    ]
    html = render("_pad_pile.html", language, hub=hub, piles=piles_of(hub, language))
    patches.append({"to": "pad-pile", "html": html})
    for player in players:
        for place, pile in enumerate(stocks.get(player.name, [])):
            html = render("_stock.html", language, pile=pile)
            patches.append({"to": f"stock-{player.seat}-{place}", "html": html})
    return patches


@part("pads", of="table")
def _pads_part(hub: Hub, event: Event, language: str) -> list[Patch]:
    return play_parts(hub, language)


ROUTES = [
    Route("/play", play),
    Route("/touch", touch, methods=["POST"]),
    Route("/flip", flip, methods=["POST"]),
    Route("/use", use, methods=["POST"]),
]
