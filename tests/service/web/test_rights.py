"""Who may do what, for every page that there is: also for those that come later."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from fake_box import FakeBox
from page_at_hand import Browser, Page
from starlette.routing import Route

from referee.service.web import sessions
from referee.service.web.app import create_app
from referee.service.web.guard import Limits
from referee.service.web.limits import ADDRESSES_KEPT, NS_PER_S, Bucket, Seats
from referee.service.web.pages import FOLDER

OPEN = {"/code", "/code/leave", "/code/show", "/language", "/touch", "/flip", "/use"}
"""What everybody may send: the way in, his own language, and the pads of a drawn table."""
FORBIDDEN = {"subprocess", "shutil", "pty", "ctypes", "pickle", "marshal", "importlib"}
WITH_FILES = {"__main__.py"}
"""The process needs its descriptor and its address."""


def _posts(page: Page) -> list[str]:
    return [
        route.path
        for route in page.client.app.routes
        if isinstance(route, Route) and "POST" in (route.methods or ())
    ]


def test_every_change_needs_the_code(page: Page) -> None:
    FakeBox(page.hub.receive, interactive=True)
    closed = [path for path in _posts(page) if path not in OPEN]
    assert closed, "no page changes anything?"
    for path in closed:
        number = path.replace("{number:int}", "1").replace("{name}", "camera")
        answer = page.client.post(number, data={}, follow_redirects=False)
        assert answer.status_code in (303, 403), path
        if answer.status_code == 303:
            assert answer.headers["location"].startswith("/code"), path
    assert not page.asked


def test_every_change_refuses_another_origin_even_with_the_code(page: Page) -> None:
    page.unlock()
    for path in _posts(page):
        number = path.replace("{number:int}", "1").replace("{name}", "camera")
        answer = page.client.post(number, headers={"origin": "http://evil.example"})
        assert answer.status_code == 403, path
    assert not page.asked


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_no_page_can_reach_a_shell(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
        )
    }
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not imported & FORBIDDEN
    assert not called & {"eval", "exec", "open", "compile", "__import__"}
    if path.name not in WITH_FILES:
        assert "os" not in imported


@pytest.mark.parametrize(
    "path", sorted((FOLDER / "templates").glob("*.html")), ids=lambda p: p.stem
)
def test_no_template_has_a_script_a_style_or_unescaped_text(path: Path) -> None:
    content = path.read_text(encoding="utf-8")
    for part in ("|safe", "| safe", "<style", " style=", " onclick=", " onload=", "javascript:"):
        assert part not in content
    assert content.count("<script") == content.count('<script src="/page.js?')


def test_wrong_codes_from_many_addresses_are_counted_together(page: Page) -> None:
    answers = [
        Browser(page.client.app, f"192.0.2.{number}").post("/code", data={"code": "1"}).status_code
        for number in range(sessions.TRIES_ALL + 1)
    ]
    assert answers == [403] * sessions.TRIES_ALL + [429]


def test_right_codes_are_never_too_many(page: Page) -> None:
    for _ in range(2 * sessions.TRIES_ALL):
        page.unlock()


def test_code_is_shown_on_the_matrix_only_now_and_then(page: Page) -> None:
    for _ in range(10):
        page.client.post("/code/show", follow_redirects=False)
    assert [ask["ask"] for ask in page.asked] == ["show_code"] * 3


def test_session_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = sessions.Sessions("key")
    cookie = kept.enter("123456", "123456", "192.0.2.1", 0)
    assert cookie is not None
    assert kept.name(cookie, "123456") is not None
    monkeypatch.setattr(sessions, "LASTS_S", -1)
    assert kept.name(cookie, "123456") is None


def test_streams_are_counted_an_address_and_in_all() -> None:
    seats = Seats(each=2, in_all=3)
    assert [seats.enter("a") for _ in range(3)] == [True, True, False]
    assert [seats.enter("b") for _ in range(2)] == [True, False]
    seats.leave("a")
    assert seats.enter("b")
    for who in ("a", "b", "b", "b"):
        seats.leave(who)
    assert not seats.taken


def test_bucket_fills_again_with_time_and_not_before() -> None:
    bucket = Bucket(2, NS_PER_S)
    assert [bucket.take("a", 0) for _ in range(3)] == [True, True, False]
    assert not bucket.take("a", NS_PER_S - 1)
    assert bucket.take("a", NS_PER_S)
    assert bucket.take("b", NS_PER_S)


def test_bucket_remembers_only_so_many_addresses() -> None:
    bucket = Bucket(1, NS_PER_S)
    for number in range(2 * ADDRESSES_KEPT):
        bucket.take(str(number), 0)
    assert len(bucket._left) == ADDRESSES_KEPT


def test_household_with_ipv6_counts_as_one(page: Page) -> None:
    app = create_app(page.hub, page.asks, limits=Limits(posts=1, post_ns=3600 * NS_PER_S))
    form = {"data": {"language": "de"}, "follow_redirects": False}
    answers = [
        Browser(app, address).post("/language", **form).status_code
        for address in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1")
    ]
    assert answers == [303, 429, 303]
