"""Who may change something: code, session, tries."""

from __future__ import annotations

from page_at_hand import CODE, Page

from referee.service.web import sessions


def test_everybody_may_look(page: Page) -> None:
    assert page.client.get("/").status_code == 200


def test_right_code_gives_a_session_that_scripts_cannot_read(page: Page) -> None:
    answer = page.client.post("/code", data={"code": "483 920"}, follow_redirects=False)
    cookie = answer.headers["set-cookie"]
    assert answer.status_code == 303
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Lock again" in page.client.get("/code").text


def test_wrong_code_gives_no_session_and_says_what_to_do(page: Page) -> None:
    answer = page.client.post("/code", data={"code": "000000"})
    assert answer.status_code == 403
    assert "not the code of this box" in answer.text
    assert not page.client.cookies.get(sessions.COOKIE)


def test_sixth_wrong_code_is_not_looked_at_even_if_right(page: Page) -> None:
    for _ in range(sessions.TRIES_EACH):
        page.client.post("/code", data={"code": "000000"})
    assert page.client.post("/code", data={"code": CODE}).status_code == 429


def test_forged_session_is_worth_nothing(page: Page) -> None:
    page.unlock()
    cookie = page.client.cookies[sessions.COOKIE]
    page.client.cookies.clear()
    page.client.cookies.set(sessions.COOKIE, cookie[:-2] + ("AA" if cookie[-2:] != "AA" else "BB"))
    assert "Lock again" not in page.client.get("/code").text


def test_new_code_ends_every_session(page: Page) -> None:
    page.unlock()
    page.hub.receive(page.hub.box | {"code": "111111"})
    assert "Lock again" not in page.client.get("/code").text


def test_box_without_a_code_lets_nobody_in(page: Page) -> None:
    page.hub.receive(page.hub.box | {"code": ""})
    assert page.client.post("/code", data={"code": ""}).status_code == 403


def test_way_back_never_leads_to_another_site(page: Page) -> None:
    for elsewhere in ("//evil.example", "https://evil.example", "/\\evil.example", "evil"):
        answer = page.client.post(
            "/code", data={"code": CODE, "next": elsewhere}, follow_redirects=False
        )
        assert answer.headers["location"] == "/"


def test_invitation_is_drawn_only_for_those_who_know_the_code(page: Page) -> None:
    box = {"host": "referee.local:8080", "origin": "http://referee.local:8080"}
    assert "invitation" not in page.client.get("/code", headers=box).text
    page.unlock()
    assert '<figure class="invitation">' in page.client.get("/code", headers=box).text
    assert "invitation" not in page.client.get("/code").text, "nobody else reaches localhost"
