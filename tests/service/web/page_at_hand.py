"""What tests of the page hold in their hands: the application, a browser, and the box's ear."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import httpx
from starlette.applications import Starlette

from referee.service.web.asks import Asks
from referee.service.web.hub import Hub

CODE = "483920"
BOX = {
    "type": "box",
    "demo": True,
    "stamp": "demo",
    "state": "idle",
    "language": "en",
    "code": CODE,
    "version": "0.1.0",
    "journal": "",
    "width": 32,
    "interactive": False,
    "keep_pictures": False,
    "reason": "",
}


class Browser:
    """A polite browser without a network: it speaks to the application itself."""

    def __init__(self, app: Starlette, address: str = "127.0.0.1") -> None:
        self.app, self.address = app, address
        self.headers = {"origin": "http://localhost", "accept": "text/html"}
        self.cookies = httpx.Cookies()

    def get(self, path: str, **asked: Any) -> httpx.Response:
        """Look at a page."""
        return self.request("GET", path, **asked)

    def post(self, path: str, **asked: Any) -> httpx.Response:
        """Send a form (`data`) or a record (`json`); redirects are followed."""
        return self.request("POST", path, **asked)

    def request(self, method: str, path: str, **asked: Any) -> httpx.Response:
        """Ask for anything."""
        return asyncio.run(self._request(method, path, **asked))

    async def _request(
        self, method: str, path: str, *, follow_redirects: bool = True, **asked: Any
    ) -> httpx.Response:
        transport = httpx.ASGITransport(self.app, client=(self.address, 50_000))
        asked["headers"] = self.headers | asked.get("headers", {})
        async with httpx.AsyncClient(
            transport=transport,
            base_url="http://localhost",
            cookies=self.cookies,
            follow_redirects=follow_redirects,
        ) as client:
            answer = await client.request(method, path, **asked)
            self.cookies = client.cookies
            return answer


@dataclass
class Page:
    """A page, what it knows, and what it asked the box."""

    hub: Hub
    asks: Asks
    client: Browser
    asked: list[dict[str, Any]] = field(default_factory=list)

    def unlock(self) -> None:
        """Come in with the code."""
        answer = self.client.post("/code", data={"code": CODE}, follow_redirects=False)
        assert answer.status_code == 303
