"""What stands before every page."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from page_at_hand import Browser, Page

from referee.service.web.app import create_app
from referee.service.web.guard import Limits
from referee.service.web.limits import NS_PER_S


@pytest.mark.parametrize("path", ["/", "/code", "/style.css", "/nothing"])
def test_every_answer_has_the_headers_of_a_careful_page(page: Page, path: str) -> None:
    headers = page.client.get(path).headers
    assert "'unsafe-inline'" not in headers["content-security-policy"]
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert not [name for name in headers if name.startswith("access-control-")]


@pytest.mark.parametrize(
    "host", ["evil.example", "192.168.1.77", "localhost.evil.example", "", "["]
)
def test_name_that_is_not_the_box_is_refused(page: Page, host: str) -> None:
    assert page.client.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:8080", "referee.local", "127.0.0.1:80", "[::1]:8080"])
def test_own_names_are_let_in(page: Page, host: str) -> None:
    assert page.client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:9999"},
        {"origin": "http://localhost", "sec-fetch-site": "cross-site"},
        {"origin": "http://localhost", "sec-fetch-site": "same-site"},
    ],
)
def test_change_from_another_page_is_refused(page: Page, headers: dict[str, str]) -> None:
    answer = page.client.post("/code", data={"code": "1"}, headers=headers)
    assert answer.status_code == 403
    assert "Only this page" in answer.text


def test_change_without_any_origin_is_refused(page: Page) -> None:
    del page.client.headers["origin"]
    assert page.client.post("/code", data={"code": "1"}).status_code == 403


async def _pieces() -> AsyncIterator[bytes]:
    for _ in range(7):
        yield b"x" * 10_000


def test_long_body_is_refused_with_and_without_its_length(page: Page) -> None:
    assert page.client.post("/code", content=b"x" * 70_000).status_code == 413
    assert page.client.post("/code", content=_pieces()).status_code == 413


def test_long_address_is_refused(page: Page) -> None:
    assert page.client.get("/?" + "x" * 3000).status_code == 414


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_other_methods_are_refused(page: Page, method: str) -> None:
    assert page.client.request(method, "/").status_code == 405


def test_too_many_looks_of_one_address_are_refused(page: Page) -> None:
    app = create_app(page.hub, page.asks, limits=Limits(gets=3, get_ns=3600 * NS_PER_S))
    one, other = Browser(app, "192.0.2.1"), Browser(app, "192.0.2.2")
    assert [one.get("/page.js").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert other.get("/page.js").status_code == 200


def test_too_many_changes_of_one_address_are_refused_others_are_not(page: Page) -> None:
    strict = Limits(posts=3, post_ns=3600 * NS_PER_S)
    app = create_app(page.hub, page.asks, limits=strict)
    one, other = Browser(app, "192.0.2.1"), Browser(app, "192.0.2.2")
    form = {"data": {"language": "de"}, "follow_redirects": False}
    answers = [one.post("/language", **form).status_code for _ in range(4)]
    assert answers == [303, 303, 303, 429]
    assert other.post("/language", **form).status_code == 303


@pytest.mark.parametrize(
    "path", ["/../pyproject.toml", "/static/../app.py", "/%2e%2e/app.py", "/etc/passwd", "/app.py"]
)
def test_no_path_leads_to_a_file(page: Page, path: str) -> None:
    assert page.client.get(path).status_code == 404
