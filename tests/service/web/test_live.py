"""The live table says what the box knows, in both languages."""

from __future__ import annotations

import re

import pytest
from fake_box import FakeBox
from page_at_hand import Browser, Page

from referee.service.web.app import create_app
from referee.service.web.cards import face, lit_path, unlit_path
from referee.service.web.countdowns import banned, countdown_of
from referee.service.web.hub import Hub
from referee.service.web.pages import NAVIGATION
from referee.service.web.table_view import (
    headline_of,
    last_said,
    place,
    players_of,
)


def _played(page: Page, game: str, steps: int) -> FakeBox:
    box = FakeBox(page.hub.receive, game=game, seed=3)
    for _ in range(steps):
        box.step()
    return box


@pytest.mark.parametrize("game", ["slapjack", "ratscrew", "spit"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_every_moment_of_a_game_can_be_drawn(page: Page, game: str, language: str) -> None:
    box = FakeBox(page.hub.receive, game=game, seed=2)
    for number in range(4000):
        if box.is_over:
            break
        box.step()
        if number % 400 == 0:
            answer = page.client.get("/", headers={"accept-language": language})
            assert answer.status_code == 200
            assert f'<html lang="{language}">' in answer.text
    assert page.client.get("/").status_code == 200


@pytest.mark.parametrize("path", ["/", "/code", "/play", "/finish"])
def test_page_can_be_drawn_before_the_box_has_spoken(page: Page, path: str) -> None:
    app = create_app(Hub("run"), page.asks)
    assert Browser(app).get(path).status_code == 200


def test_reason_of_the_safe_state_is_told_in_the_viewers_language(page: Page) -> None:
    reason = {"en": "Two players share a name.", "de": "Zwei heißen gleich."}
    page.hub.receive(page.hub.box | {"state": "safe", "reason": reason})
    assert reason["de"] in page.client.get("/", headers={"accept-language": "de"}).text


def test_demo_that_plays_itself_asks_for_no_code(page: Page) -> None:
    page.hub.receive(page.hub.box | {"code": ""})
    assert "nobody can change anything" in page.client.get("/code").text
    assert 'href="/code"' not in page.client.get("/").text


@pytest.mark.parametrize("steps", [0, 40, 4000])
def test_demo_that_plays_itself_offers_nothing_that_it_refuses(page: Page, steps: int) -> None:
    # It offered "Play", "Judge" and "New game", and then said that nobody could change anything.
    box = FakeBox(page.hub.receive, game="slapjack", seed=3)
    for _ in range(steps):
        if box.is_over:
            break
        box.step()
    page.hub.receive(page.hub.box | {"demo": True, "code": ""})
    page.hub.verdicts.records.append({"verdict": "ask_table", "player": "Ann", "t_ns": 1})
    seen, open_pages = set(), ["/"]
    while open_pages:
        path = open_pages.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = page.client.get(path)
        assert answer.status_code == 200
        assert "nobody can change anything" not in answer.text
        found = re.findall(r'<(?:a|form)[^>]* (?:href|action)="(/[^"?#]*)', answer.text)
        open_pages += [each for each in found if each != "/language"]
    assert {"/", "/finish"} <= seen
    assert not seen & {"/play", "/judge", "/setup", "/guides", "/code"}


def test_drawn_table_for_people_offers_everything(page: Page) -> None:
    page.hub.receive(page.hub.box | {"demo": True, "code": "123456"})
    for address, _ in NAVIGATION:
        assert f'href="{address}"' in page.client.get("/").text


def test_game_that_has_just_begun_can_be_drawn(page: Page) -> None:
    FakeBox(page.hub.receive, interactive=True)
    assert page.hub.table is None
    for path in ("/", "/play", "/play?seat=1", "/finish"):
        assert page.client.get(path).status_code == 200


def test_counts_on_the_page_are_those_of_the_books(page: Page) -> None:
    box = _played(page, "slapjack", 1200)
    counts = dict(box.referee.table.counts)
    assert {player.name: player.count for player in players_of(page.hub)} == counts
    assert f'<span class="count">{box.referee.table.pile}</span>' in page.client.get("/").text


def test_debts_stand_beside_the_payer(page: Page) -> None:
    box = FakeBox(page.hub.receive, game="ratscrew", seed=3)
    while box.referee.table.challenge is None:
        box.step()
    _, payer, owed = box.referee.table.challenge
    assert {player.name: player.owes for player in players_of(page.hub)}[payer] == owed
    assert f"owes {owed}" in page.client.get("/").text


def test_winner_is_shown_at_the_end(page: Page) -> None:
    box = FakeBox(page.hub.receive, players=2, seed=4)
    while not box.is_over:
        box.step()
    text = page.client.get("/", headers={"accept-language": "de"}).text
    assert "hat gewonnen" in text
    assert "gewinnt das Spiel" in text


def test_fault_is_told_with_the_way_to_mend_it(page: Page) -> None:
    page.hub.receive({"type": "fault", "code": "E22", "seat": 2, "on": True})
    text = page.client.get("/", headers={"accept-language": "de"}).text
    assert "E22" in text
    assert "Platz 2" in text
    assert "trock" in text.lower()


def test_unknown_fault_of_a_newer_box_does_not_break_the_page(page: Page) -> None:
    page.hub.receive({"type": "fault", "code": "E99", "seat": None, "on": True})
    assert "E99" in page.client.get("/").text


def test_safe_state_says_why(page: Page) -> None:
    page.hub.receive(page.hub.box | {"state": "safe", "reason": "players: two share a name"})
    text = page.client.get("/").text
    assert "Nothing is ruled now." in text
    assert "players: two share a name" in text


def test_demo_is_marked_on_every_page(page: Page) -> None:
    for path in ("/", "/code", "/play", "/finish"):
        assert '<strong class="demo">DEMO</strong>' in page.client.get(path).text
    page.hub.receive(page.hub.box | {"demo": False})
    assert '<strong class="demo">DEMO</strong>' not in page.client.get("/").text


def test_names_are_never_taken_for_markup(page: Page) -> None:
    box = FakeBox(page.hub.receive, seed=1)
    assert page.hub.game is not None
    names = ["<script>alert(1)</script>", "Bo", "Cleo", "Dan"]
    page.hub.game["header"]["players"] = names
    box.step()
    text = page.client.get("/").text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_late_hands_never_cover_the_winner(page: Page) -> None:
    box = FakeBox(page.hub.receive, seed=3)
    while not any(one["verdict"] == "late_slap" for one in page.hub.verdicts.records):
        box.step()
    assert "too late" in last_said(page.hub, "en")[0].words
    headline = headline_of(page.hub, "en")
    assert headline is not None
    assert "slapped first" in headline.words


def test_after_two_cards_the_headline_says_whose_turn_it_is(page: Page) -> None:
    box = FakeBox(page.hub.receive, seed=3)
    hub, seen = page.hub, []
    while len(seen) < 4:
        box.step()
        cards = sum(one["verdict"] == "card_seen" for one in hub.verdicts.records)
        headline = headline_of(hub, "de")
        assert headline is not None
        if len(seen) <= cards:
            seen.append(headline.words)
    assert seen[0] == seen[1]
    assert seen[2] == f"{hub.players[2]} deckt auf"


@pytest.mark.parametrize("players", range(2, 11))
def test_everybody_has_a_place_of_his_own(players: int) -> None:
    places = [place(seat, players) for seat in range(1, players + 1)]
    assert len(set(places)) == players


def test_seats_go_round_clockwise() -> None:
    sides = [place(seat, 4).split()[0] for seat in range(1, 5)]
    assert sides == ["side-bottom", "side-left", "side-top", "side-right"]
    assert [place(seat, 6) for seat in (1, 2)] == [
        "side-bottom of-2 nth-2",
        "side-bottom of-2 nth-1",
    ]


def test_ban_counts_down_with_the_cards(page: Page) -> None:
    hub = page.hub
    hub.receive({"type": "game", "id": 1, "header": {"game": "slapjack", "players": ["Ann"]}})
    record = {"verdict": "locked_out", "t_ns": 5, "player": "Ann", "cards": 2}
    hub.receive({"type": "said", "n": 0, "verdict": record})
    lefts = []
    for t_ns in (6, 7):
        lefts.append(banned(hub, "Ann"))
        hub.receive({"type": "seen", "record": {"kind": "flip", "t_ns": t_ns, "card": "7H"}})
    assert [*lefts, banned(hub, "Ann")] == [2, 1, None]


def test_claim_counts_down_while_the_last_card_may_be_slapped(page: Page) -> None:
    hub, second = page.hub, 1_000_000_000
    rules = {"claim_window_ms": 2000}
    header = {"game": "ratscrew", "players": ["Ann", "Bo"], "house_rules": rules}
    hub.receive({"type": "game", "id": 1, "header": header})
    hub.receive({"type": "seen", "record": {"kind": "flip", "t_ns": second, "card": "7H"}})
    view = {"to_act": None, "winner": None, "trigger": "pair", "challenge": None}
    for now_ns, left_ms in ((second, 2000), (2 * second, 1000), (3 * second, None)):
        hub.receive({"type": "table", "view": view, "t_ns": now_ns})
        countdown = countdown_of(hub, "en")
        assert (countdown and countdown.left_ms) == left_ms


@pytest.mark.parametrize(
    ("card", "deck", "rank", "is_red"),
    [
        ("JS", "de", "B", False),
        ("QH", "de", "D", True),
        ("JS", "en", "J", False),
        ("AD", "fr", "1", True),
        ("10C", "nl", "10", False),
        ("XR", "de", "★", True),
        ("??", "de", "?", False),
        ("nonsense", "de", "?", False),
    ],
)
def test_card_is_drawn_as_its_deck_writes_it(card: str, deck: str, rank: str, is_red: bool) -> None:
    drawn = face(card, deck)
    assert (drawn.rank, drawn.is_red) == (rank, is_red)


def test_matrix_is_drawn_point_by_point() -> None:
    assert lit_path(["80000001", "00000000"], 32) == "M0.5 0.5h0M31.5 0.5h0"
    assert unlit_path(2, 2).count("M") == 4
