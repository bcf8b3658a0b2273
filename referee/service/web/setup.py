"""The set-up of a game: who plays what, by which house rules, with which cards."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.rules.presets import PRESET_MEANINGS, PRESETS
from referee.service.setup import GAMES
from referee.service.web.hub import Hub
from referee.service.web.pages import after, asks_of, hub_of, language_of, needs_code, show
from referee.service.web.setup_fields import groups_of
from referee.service.web.setup_form import (
    DEMANDING,
    MOST_PLAYERS,
    Form,
    fresh,
    from_game,
    read,
)
from referee.service.web.setup_words import DECK_WORDS, PRESET_NAMES
from referee.service.web.statistics import GAMES as GAME_NAMES
from referee.service.web.words import Words


@needs_code
async def page(request: Request) -> Response:
    """The form, as the last game was played."""
    hub = hub_of(request)
    game = hub.game or {}
    deck = str(game.get("deck", language_of(request)))
    form = from_game(game.get("header"), deck, _taught(hub))
    return _show(request, form)


def _show(request: Request, form: Form, status: int = 200) -> Response:
    hub, language = hub_of(request), language_of(request)
    names = [*form.players, *[""] * (MOST_PLAYERS[form.game] - len(form.players))]
    return show(
        request,
        "setup.html",
        status,
        form=form,
        names=names[: MOST_PLAYERS[form.game]],
        games=GAME_NAMES,
        presets=_presets(language),
        groups=groups_of(form, language),
        decks=DECK_WORDS | dict.fromkeys(_taught(hub), ""),
        demanding=DEMANDING,
        is_playing=_is_playing(hub),
    )


def _taught(hub: Hub) -> tuple[str, ...]:
    """Own decks that the box was taught."""
    return tuple(map(str, hub.box.get("decks") or ()))


def _is_playing(hub: Hub) -> bool:
    return bool(hub.box.get("state") == "playing")


def _presets(language: str) -> dict[str, tuple[str, str]]:
    """Preset -> its name and what it means."""
    words, handbook = Words(language), Words(language, "handbook")
    return {name: (words(PRESET_NAMES[name]), handbook(PRESET_MEANINGS[name])) for name in PRESETS}


@needs_code
async def change(request: Request) -> Response:
    """Begin the game, or show the form with another game's or preset's options."""
    given = await request.form()
    form = read(given, language_of(request), _taught(hub_of(request)))
    wish, _, name = str(given.get("do", "start")).partition(":")
    if wish == "game" and name in GAMES:
        return _show(request, _other_game(given, form, name))
    if wish == "preset" and name in PRESETS:
        form.preset, form.values, form.mistakes = name, fresh(form.game, name), {}
        return _show(request, form)
    if form.mistakes:
        return _show(request, form, 422)
    answer = await asks_of(request).ask("start", **form.ask())
    if answer.ok:
        return after(request, "/", answer)
    form.mistakes[""] = answer.say(language_of(request))
    return _show(request, form, 409)


def _other_game(given: FormData, form: Form, name: str) -> Form:
    """The same people at another game."""
    kept: dict[str, Any] = {"players": [each for each in form.players if each], "deck": form.deck}
    kept["players"] = kept["players"][: MOST_PLAYERS[name]]
    return Form(game=name, values=fresh(name), **kept)


ROUTES = [
    Route("/setup", page),
    Route("/setup", change, methods=["POST"]),
]
