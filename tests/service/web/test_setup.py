"""The set-up: every option in plain words, mistakes beside their field, only changes are asked."""

from __future__ import annotations

from typing import Any

import pytest
from fake_box import messages
from page_at_hand import Page

from referee.rules.handbook_articles import articles
from referee.rules.presets import PRESETS, preset_rules
from referee.service.setup import read_setup
from referee.service.web.setup_fields import groups_of
from referee.service.web.setup_form import Form, fresh, from_game, read
from referee.service.web.setup_words import TITLES

GAMES = ("slapjack", "ratscrew", "spit")


class Fields(dict[str, Any]):
    """A form that was filled in."""

    def getlist(self, key: str, /) -> list[Any]:
        value = self.get(key, [])
        return value if isinstance(value, list) else [value]


def filled(game: str = "slapjack", preset: str = "family", **changes: Any) -> Fields:
    """The form as a browser sends it when nothing was changed."""
    fields = Fields(game=game, preset=preset, deck="de", player1="Ann", player2="Bo", do="start")
    for option, value in fresh(game, preset).items():
        if option == "challenge":
            fields |= {f"challenge_{rank}": str(n) for rank, n in value.items()}
        elif isinstance(value, bool):
            fields[option] = "true" if value else "false"
        else:
            fields[option] = value if isinstance(value, list) else str(value)
    return Fields(fields | changes)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("game", GAMES)
def test_untouched_preset_asks_for_nothing_else(game: str, preset: str) -> None:
    form = read(filled(game, preset), "en")
    assert form.mistakes == {}
    asked = form.ask()
    assert asked["rules"] == {}
    assert read_setup(asked, "en").house_rules == preset_rules(game, preset)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_of_the_game_is_a_field_with_a_sentence_a_value(game: str) -> None:
    form = Form(game=game, values=fresh(game))
    fields = [field for group in groups_of(form, "de") for field in group.fields]
    assert [field.name for field in fields] != []
    assert {field.name for field in fields} == {each.option for each in articles(game)}
    for field in fields:
        assert field.title
        assert all(choice.words for choice in field.choices)


def test_every_option_has_a_title() -> None:
    assert set(TITLES) == {each.option for game in GAMES for each in articles(game)}


@pytest.mark.parametrize(
    ("game", "change", "rules"),
    [
        ("slapjack", {"tie_ms": "5"}, {"tie_ms": 5}),
        ("slapjack", {"triggers": ["jack", "pair"]}, {"triggers": ["jack", "pair"]}),
        ("slapjack", {"covered_ends_chance": "true"}, {"covered_ends_chance": True}),
        ("slapjack", {"penalty": "all"}, {"penalty": "all"}),
        ("ratscrew", {"challenge_J": "0"}, {"challenge": {"Q": 2, "K": 3, "A": 4}}),
        ("ratscrew", {"triggers": []}, {"triggers": []}),
        ("spit", {"equal_rank": "true"}, {"equal_rank": True}),
    ],
)
def test_only_what_differs_from_the_preset_is_asked(
    game: str, change: dict[str, Any], rules: dict[str, Any]
) -> None:
    form = read(filled(game, **change), "en")
    assert form.mistakes == {}
    assert form.ask()["rules"] == rules
    read_setup(form.ask(), "en")


@pytest.mark.parametrize(
    ("change", "field", "german"),
    [
        ({"tie_ms": "60001"}, "tie_ms", "Bitte eine ganze Zahl von 0 bis 60000."),
        ({"tie_ms": "-1"}, "tie_ms", "Bitte eine ganze Zahl"),
        ({"tie_ms": "bald"}, "tie_ms", "Bitte eine ganze Zahl"),
        ({"tie_ms": ""}, "tie_ms", "Bitte eine ganze Zahl"),
        ({"decks": "3"}, "decks", "von 1 bis 2"),
        ({"triggers": []}, "triggers", "mindestens eins"),
        ({"triggers": ["jack", "joker"]}, "jokers", "Joker"),
        ({"pile_on_false_slap": "true", "slap_ban": "pile"}, "slap_ban", "Verbot"),
        ({"player2": ""}, "players", "mindestens zwei"),
        ({"player2": " ANN "}, "player2", "heißt schon jemand"),
        ({"player2": "B" * 25}, "player2", "höchstens 24"),
        ({"player2": "B\x07"}, "player2", "höchstens 24"),
        ({"player2": "pile"}, "player2", "Platz auf dem Tisch"),
        ({"seed": "sieben"}, "seed", "ganze Zahl"),
    ],
    ids=str,
)
def test_mistake_is_said_beside_its_field_in_german(
    change: dict[str, Any], field: str, german: str
) -> None:
    form = read(filled(**change), "de")
    assert german in form.mistakes[field]
    assert list(form.mistakes) == [field]


def test_owed_cards_are_checked() -> None:
    assert "challenge" in read(filled("ratscrew", challenge_K="12"), "en").mistakes
    assert "challenge" in read(filled("ratscrew", challenge_K="x"), "en").mistakes


def test_spit_takes_two_players() -> None:
    fields = filled("spit", player2="")
    assert "players" in read(fields, "en").mistakes


@pytest.mark.parametrize("limit", [("tie_ms", "60000"), ("tie_ms", "0"), ("decks", "2")])
def test_limits_themselves_are_fine(limit: tuple[str, str]) -> None:
    assert read(filled(**dict([limit])), "en").mistakes == {}


def test_form_begins_as_the_last_game_was_played() -> None:
    header = {
        "game": "ratscrew",
        "players": ["Oma", "Opa"],
        "house_rules": {"burn": 1, "tie_ms": 7},
    }
    form = from_game(header, "fr")
    assert (form.game, form.players, form.deck) == ("ratscrew", ["Oma", "Opa"], "fr")
    assert (form.values["burn"], form.values["tie_ms"]) == (1, 7)
    assert from_game(None, "xx").deck == "en"


def test_preset_of_the_last_game_is_recognised() -> None:
    for preset in PRESETS:
        rules = fresh("slapjack", preset)
        form = from_game({"game": "slapjack", "players": [], "house_rules": rules}, "de")
        assert fresh("slapjack", form.preset) == rules


# --- the page -------------------------------------------------------------------------------------


def test_set_up_needs_the_code(page: Page) -> None:
    assert page.client.get("/setup", follow_redirects=False).status_code == 303
    page.client.post("/setup", data=filled(), follow_redirects=False)
    assert page.asked == []


def test_game_begins_as_it_was_set_up(page: Page) -> None:
    page.unlock()
    page.client.post("/setup", data=filled(tie_ms="5", seed="7"))
    (asked,) = page.asked
    assert asked["ask"] == "start"
    assert asked["players"] == ["Ann", "Bo"]
    assert asked["rules"] == {"tie_ms": 5}
    assert asked["seed"] == 7


def test_mistake_keeps_what_was_typed_and_asks_nothing(page: Page) -> None:
    page.unlock()
    answer = page.client.post("/setup", data=filled(player1="Zoë", tie_ms="soon"))
    assert answer.status_code == 422
    assert 'value="Zoë"' in answer.text
    assert 'value="soon"' in answer.text
    assert "A whole number from 0 to 60000" in answer.text
    assert page.asked == []


def test_preset_button_fills_the_options_and_keeps_the_players(page: Page) -> None:
    page.unlock()
    answer = page.client.post("/setup", data=filled(player1="Zoë", do="preset:kids"))
    assert 'value="Zoë"' in answer.text
    assert 'name="preset" value="kids"' in answer.text
    assert page.asked == []


def test_game_button_shows_the_other_games_options(page: Page) -> None:
    page.unlock()
    answer = page.client.post("/setup", data=filled(do="game:spit"))
    assert 'id="option-equal_rank"' in answer.text
    assert 'id="option-penalty"' not in answer.text
    assert 'id="player3"' not in answer.text


def test_running_game_is_warned_about(page: Page) -> None:
    for message in messages(steps=200):
        page.hub.receive(message)
    page.unlock()
    assert "A new one ends it" in page.client.get("/setup").text


def test_names_are_only_text(page: Page) -> None:
    page.unlock()
    answer = page.client.post("/setup", data=filled(player1='"><script>', tie_ms="x"))
    assert '"><script>' not in answer.text
