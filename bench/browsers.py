"""Browsers for a real server: forms with their tokens, cookies, streams, from many threads."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode, urlsplit

from werkzeug.datastructures import FileStorage
from werkzeug.test import encode_multipart

from tests.web.pages import Page
from tests.web.phones import NEIGHBOURS

PATIENCE = 60.0
FORM = "application/x-www-form-urlencoded"


def believe_phones(instance: Path) -> None:
    """Let a server believe where a phone says it comes from: each from a network of its own.

    A phone here writes more often than a thumb can.
    """
    settings = 'PROXY_HOPS = 1\nLIMITS = {"write": 1_000_000}\n'
    (instance / "config.py").write_text(settings, encoding="ascii")


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server answered."""

    status_code: int
    text: str
    location: str


class Browser:
    """A browser that is in a session."""

    def __init__(self, site: str, address: str = "") -> None:
        self.site = site
        self.address = address or f"2001:db8:1:{next(NEIGHBOURS):x}::1"
        self.cookies: dict[str, str] = {}
        self.url = ""

    def at(self, url: str) -> Browser:
        """Return the same browser at another session."""
        other = copy.copy(self)
        other.url = url
        return other

    def headers(self, **more: str) -> dict[str, str]:
        """Return the headers of a request."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": cookies, "X-Forwarded-For": self.address, **more}

    def ask(
        self, method: str, path: str, form: Mapping[str, object] | None = None
    ) -> tuple[Answer, SimpleCookie]:
        """Send one request over a connection of its own; the cookies are left as they are."""
        body = None if form is None else urlencode(form, doseq=True).encode()
        return self._ask(method, path, body, FORM)

    def _ask(
        self, method: str, path: str, body: bytes | None, content_type: str
    ) -> tuple[Answer, SimpleCookie]:
        address = path if path.startswith("/") else self.url + path
        headers = self.headers() if body is None else self.headers(**{"Content-Type": content_type})
        connection = HTTPConnection(urlsplit(self.site).netloc, timeout=PATIENCE)
        try:
            connection.request(method, address, body, headers)
            response = connection.getresponse()
            text = response.read().decode(errors="replace")
        finally:
            connection.close()
        made: SimpleCookie = SimpleCookie()
        for line in response.headers.get_all("Set-Cookie", []):
            made.load(line)
        return Answer(response.status, text, response.headers.get("Location", "")), made

    def seconds(self, path: str = "") -> float:
        """Return how long a page takes, compressed as for a phone."""
        address = path if path.startswith("/") else self.url + path
        connection = HTTPConnection(urlsplit(self.site).netloc, timeout=PATIENCE)
        began = time.perf_counter()
        connection.request("GET", address, headers=self.headers(**{"Accept-Encoding": "gzip"}))
        response = connection.getresponse()
        response.read()
        seconds = time.perf_counter() - began
        connection.close()
        assert response.status == 200, f"{address}: {response.status}"
        return seconds

    def send(self, form: Mapping[str, object], path: str) -> Answer:
        """Send a form from one of many threads."""
        return self.ask("POST", path, form)[0]

    def upload(self, path: str, form: Mapping[str, object]) -> Answer:
        """Send a form whose bytes are files, from one of many threads."""
        fields = {
            name: FileStorage(BytesIO(value), name) if isinstance(value, bytes) else value
            for name, value in form.items()
        }
        boundary, body = encode_multipart(fields)
        return self._ask("POST", path, body, f"multipart/form-data; boundary={boundary}")[0]

    def go(self, path: str, form: Mapping[str, object] | None = None) -> Answer:
        """Open a page or send a form, and keep the cookies that come back."""
        answer, made = self.ask("GET" if form is None else "POST", path, form)
        self.cookies |= {name: morsel.value for name, morsel in made.items()}
        return answer

    def filled_in(self, path: str, ending: str, **answers: str) -> dict[str, str]:
        """Open a page and fill in its form."""
        return Page(self.go(path)).form(ending).sends(**answers)

    def start(self, players: Sequence[str], rules: str = "classic", **agreed: str) -> Browser:
        """Start a session, in a circle of its own if none is given."""
        form: dict[str, object] = dict(self.filled_in("/sessions/new", "/sessions/new"))
        form |= {"player": players, "place": range(1, len(players) + 1), "rules": rules, **agreed}
        self.url = self.go("/sessions/new", form).location
        assert self.url
        return self

    def join(self, link: str) -> None:
        """Come into a circle by a link."""
        joined = self.go("/join", self.filled_in("/join", "/join", code=link))
        assert joined.status_code == 303

    def let_in(self, other: Browser) -> Browser:
        """Let another browser into the circle, and into the session."""
        return self.let_in_all([other])[0]

    def let_in_all(self, others: list[Browser], role: str = "scorekeeper") -> list[Browser]:
        """Let other browsers in by one link."""
        circle = self.url.partition("sessions")[0]
        link_form = self.filled_in(f"{circle}links", "/links", role=role)
        self.go(f"{circle}links", link_form)
        shown = self.go(f"{circle}links")
        (link,) = {word for word in shown.text.split('"') if "/join#" in word}
        for other in others:
            other.join(link)
            other.url = self.url
        return others


class Listener:
    """A browser that listens to its session."""

    def __init__(self, browser: Browser, *, writes: str = "", **headers: str) -> None:
        self._connection = HTTPConnection(urlsplit(browser.site).netloc, timeout=PATIENCE)
        path = f"{browser.url}events?presence&writes={writes}"
        self._connection.request("GET", path, headers=browser.headers(**headers))
        self.answer = self._connection.getresponse()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self.answer.close()
        self._connection.close()

    def next(self, event: str = "change") -> dict[str, Any] | None:
        """Wait for the next event of a name and return its data; None at the end of the stream."""
        name = ""
        while line := self.answer.readline().decode():
            if line.startswith("event: "):
                name = line.removeprefix("event: ").strip()
            if line.startswith("data: ") and name == event:
                data: dict[str, Any] = json.loads(line.removeprefix("data: "))
                return data
        return None
