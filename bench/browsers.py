"""Browsers for a real server: forms with their tokens, cookies, streams, from many threads."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlencode, urlsplit

from tests.web.pages import Page
from tests.web.phones import NEIGHBOURS

PATIENCE = 60.0
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


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
    body: bytes
    location: str
    cookies: dict[str, str]

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")


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
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": cookies, "X-Forwarded-For": self.address, **more}

    def request(
        self, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send one request over a connection of its own; the cookies are left as they are."""
        address = path if path.startswith("/") else self.url + path
        connection = HTTPConnection(urlsplit(self.site).netloc, timeout=PATIENCE)
        with closing(connection):
            method = "GET" if body is None else "POST"
            connection.request(method, address, body, self.headers(**headers or {}))
            response = connection.getresponse()
            content = response.read()
        made: SimpleCookie = SimpleCookie()
        for line in response.headers.get_all("Set-Cookie", []):
            made.load(line)
        cookies = {name: morsel.value for name, morsel in made.items()}
        return Answer(response.status, content, response.headers.get("Location", ""), cookies)

    def seconds(self, path: str = "") -> float:
        """Return how long a page takes, compressed as for a phone."""
        began = time.perf_counter()
        answer = self.request(path, headers={"Accept-Encoding": "gzip"})
        seconds = time.perf_counter() - began
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        return seconds

    def send(self, form: Mapping[str, object], path: str) -> Answer:
        """Send a form from one of many threads."""
        return self.request(path, urlencode(form, doseq=True).encode(), FORM)

    def go(self, path: str, form: Mapping[str, object] | None = None) -> Answer:
        """Open a page or send a form, and keep the cookies that come back."""
        answer = self.request(path) if form is None else self.send(form, path)
        self.cookies |= answer.cookies
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
        self.socket = self._connection.sock
        self.answer = self._connection.getresponse()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
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
