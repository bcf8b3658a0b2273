"""The judge's panel: needs the code, says what it does, and sends exactly one ruling."""

from __future__ import annotations

from typing import Any

import pytest
from fake_box import messages
from page_at_hand import Page

GAME = messages(steps=2600)


@pytest.fixture
def judge(page: Page) -> Page:
    """A judge before a running game."""
    for message in GAME:
        page.hub.receive(message)
    page.unlock()
    page.asked.clear()
    return page


def _slap(page: Page) -> dict[str, Any]:
    return [record for record in page.hub.seen if record["kind"] == "slap"][-1]


def _flip(page: Page) -> dict[str, Any]:
    return [record for record in page.hub.seen if record["kind"] == "flip"][-1]


@pytest.mark.parametrize("path", ["/judge", "/judge/card", "/judge/check?ruling=undo"])
def test_looking_at_corrections_needs_the_code(page: Page, path: str) -> None:
    answer = page.client.get(path, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/code")


@pytest.mark.parametrize("path", ["/judge/rule", "/judge/end"])
def test_ruling_needs_the_code(page: Page, path: str) -> None:
    page.client.post(path, data={"ruling": "undo"}, follow_redirects=False)
    assert page.asked == []


def test_panel_lists_the_last_slaps_and_cards(judge: Page) -> None:
    content = judge.client.get("/judge").text
    slap, flip = _slap(judge), _flip(judge)
    assert f"ruling=void_slap&amp;player={slap['player']}&amp;ref_t_ns={slap['t_ns']}" in content
    assert f"/judge/card?ref_t_ns={flip['t_ns']}" in content


def test_looking_at_a_correction_sends_nothing(judge: Page) -> None:
    slap = _slap(judge)
    path = f"/judge/check?ruling=void_slap&player={slap['player']}&ref_t_ns={slap['t_ns']}"
    content = judge.client.get(path).text
    assert f"The slap of {slap['player']}" in content
    assert judge.asked == []


RULINGS = [
    ({"ruling": "undo"}, {"kind": "judge", "ruling": "undo"}),
    (
        {"ruling": "void_slap", "player": "Bo", "ref_t_ns": "77"},
        {"kind": "judge", "ruling": "void_slap", "player": "Bo", "ref_t_ns": 77},
    ),
    (
        {"ruling": "card_is", "card": "QS", "ref_t_ns": "77"},
        {"kind": "judge", "ruling": "card_is", "card": "QS", "ref_t_ns": 77},
    ),
    (
        {"ruling": "void_flip", "ref_t_ns": "77"},
        {"kind": "judge", "ruling": "void_flip", "ref_t_ns": 77},
    ),
    ({"ruling": "award", "player": "Bo"}, {"kind": "judge", "ruling": "award", "player": "Bo"}),
    (
        {"ruling": "penalty", "player": "Bo", "to": "pile_bottom", "n": "2"},
        {"kind": "judge", "ruling": "penalty", "player": "Bo", "to": "pile_bottom", "n": 2},
    ),
    (
        {"ruling": "hidden_card", "player": "Bo", "n": "1"},
        {"kind": "judge", "ruling": "hidden_card", "player": "Bo", "n": 1},
    ),
    (
        {"ruling": "answer", "answer": "no_slap"},
        {"kind": "judge", "ruling": "answer", "answer": "no_slap"},
    ),
    ({"ruling": "call", "player": "Bo"}, {"kind": "call", "player": "Bo"}),
    ({"ruling": "stuck", "player": "Bo"}, {"kind": "stuck", "player": "Bo"}),
    (
        {"ruling": "choose", "player": "Bo", "pile": "1"},
        {"kind": "choose", "player": "Bo", "pile": 1},
    ),
    (
        {"ruling": "burn", "player": "Bo", "cards": "7h, ks"},
        {"kind": "burn", "player": "Bo", "cards": ["7H", "KS"]},
    ),
]


@pytest.mark.parametrize(("form", "record"), RULINGS, ids=lambda each: each.get("ruling", ""))
def test_ruling_is_sent_as_an_observation_without_a_time(
    judge: Page, form: dict[str, str], record: dict[str, Any]
) -> None:
    judge.client.post("/judge/rule", data=form)
    (asked,) = judge.asked
    assert (asked["ask"], asked["record"]) == ("rule", record)


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"ruling": "sneeze"},
        {"ruling": "slap", "player": "Bo"},
        {"ruling": "flip", "card": "JS"},
        {"ruling": "void_slap", "player": "Bo"},
        {"ruling": "void_slap", "player": "Bo", "ref_t_ns": "-5"},
        {"ruling": "void_slap", "player": "Bo", "ref_t_ns": "9" * 40},
        {"ruling": "card_is", "card": "11Z", "ref_t_ns": "5"},
        {"ruling": "penalty", "player": "Bo", "to": "pile", "n": "9999"},
        {"ruling": "burn", "player": "Bo", "cards": "<script>"},
    ],
    ids=str,
)
def test_bad_form_is_refused_with_a_sentence(judge: Page, form: dict[str, str]) -> None:
    answer = judge.client.post("/judge/rule", data=form)
    assert judge.asked == []
    assert "notice bad" in answer.text
    assert "<script>" not in answer.text.replace("<script src", "")
    assert judge.client.get("/judge/check", params=form).status_code == 200


def test_card_is_chosen_by_rank_and_suit(judge: Page) -> None:
    t_ns = _flip(judge)["t_ns"]
    assert 'value="10"' in judge.client.get(f"/judge/card?ref_t_ns={t_ns}").text
    path = f"/judge/check?ruling=card_is&ref_t_ns={t_ns}&rank=Q&suit=S"
    assert 'name="card" value="QS"' in judge.client.get(path).text


def test_unknown_card_leads_back(judge: Page) -> None:
    answer = judge.client.get("/judge/card?ref_t_ns=1", follow_redirects=False)
    assert answer.headers["location"] == "/judge"


def test_question_to_the_table_has_three_answers(judge: Page) -> None:
    assert "The table is asked" not in judge.client.get("/judge").text
    n = len(judge.hub.verdicts.records)
    asks = {"verdict": "ask_table", "t_ns": 10**15, "player": "Bo"}
    judge.hub.receive({"type": "said", "n": n, "verdict": asks})
    content = judge.client.get("/judge").text
    assert all(f'value="{answer}"' in content for answer in ("slap", "no_slap", "let"))
    let = {"verdict": "let", "t_ns": 10**15, "players": ["Bo"]}
    judge.hub.receive({"type": "said", "n": n + 1, "verdict": let})
    assert "The table is asked" not in judge.client.get("/judge").text


def test_undo_says_what_it_takes_back(judge: Page) -> None:
    content = judge.client.get("/judge").text
    assert "slap" in content.split('class="box undo"')[1].split("</section>")[0]


def test_struck_slap_cannot_be_struck_again(judge: Page) -> None:
    slap = _slap(judge)
    link = f"ref_t_ns={slap['t_ns']}"
    assert link in judge.client.get("/judge").text
    ruling = {"kind": "judge", "ruling": "void_slap", "t_ns": 10**15}
    record = ruling | {"player": slap["player"], "ref_t_ns": slap["t_ns"]}
    judge.hub.receive({"type": "seen", "record": record})
    assert link not in judge.client.get("/judge").text


def test_without_a_game_there_is_nothing_to_correct(page: Page) -> None:
    page.unlock()
    content = page.client.get("/judge").text
    assert "No game is being played." in content
    assert "/judge/rule" not in content


def test_spit_has_its_own_buttons(page: Page) -> None:
    for message in messages("spit", steps=600):
        page.hub.receive(message)
    page.unlock()
    content = page.client.get("/judge").text
    assert 'value="stuck"' in content
    assert 'value="choose"' in content
    assert 'value="award"' not in content


def test_game_can_be_ended(judge: Page) -> None:
    judge.client.post("/judge/end")
    assert [asked["ask"] for asked in judge.asked] == ["end_game"]
