"""A phone without scripts: it opens pages, fills in forms and sends them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from typing import Any
from uuid import UUID, uuid4

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import Headers
from werkzeug.test import TestResponse

from scorer.roles import Role
from scorer.services.circle import circles
from tests.services.evenings import FIVE, players_of
from tests.web.pages import Page

#: Every phone is in a network of its own, so that nobody waits for others to have joined.
NEIGHBOURS = count(1)
TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
JSON = {"Accept": "application/json"}
#: The answers of an ordinary deal at a table where points are bid: 61, made with 70.
PLAYED = {"caller": "0", "bid_points": "61", "partner": "1", "card_points": "70"}


class Browser(FlaskClient):
    """A client that sends with each form the token of its cookie, as the pages do."""

    tokens = True
    #: Where the app is mounted.
    below = ""

    def __init__(self, *args: Any, **how: Any) -> None:
        super().__init__(*args, **how)
        #: The token of each host, as long as its cookie is there.
        self.given: dict[str, str] = {}

    def open(self, *args: Any, **how: Any) -> TestResponse:
        for_programs = str(args[0]).startswith(f"{self.below}/api/")
        if self.tokens and how.get("method") == "POST" and not for_programs:
            headers = how["headers"] = Headers(how.get("headers"))
            headers.setdefault("X-CSRFToken", self._token(headers.get("Host", "localhost")))
        return super().open(*args, **how)

    def _token(self, host: str) -> str:
        """Give the token that belongs to the cookie for a host, from a page of this app."""
        own = self.application.config["SESSION_COOKIE_NAME"]
        if host not in self.given or own not in {
            kept.key for kept in (self._cookies or {}).values()
        }:
            found = TOKEN.search(super().open(f"{self.below}/join", headers={"Host": host}).text)
            assert found
            self.given[host] = found[1]
        return self.given[host]


class Phone:
    """A browser with its cookies, and the session that it has open."""

    def __init__(self, app: Flask, **headers: str) -> None:
        self.app = app
        self.client = Browser(app, app.response_class)
        self.client.environ_base["REMOTE_ADDR"] = f"2001:db8:0:{next(NEIGHBOURS):x}::1"
        self.headers = headers
        self.url = ""

    @property
    def keys(self) -> tuple[UUID, UUID]:
        """The keys of the circle and of the session that is open."""
        _, _, circle, _, session, _ = self.url.split("/")
        return UUID(circle), UUID(session)

    @property
    def circle_url(self) -> str:
        """The address of the circle's page."""
        return self.url.partition("sessions")[0]

    def get(self, path: str = "", **more: Any) -> TestResponse:
        """Open a page of the session, or whatever address begins with a slash."""
        where = path if path.startswith("/") else self.url + path
        return self.client.get(where, headers={**self.headers, **more.pop("headers", {})}, **more)

    def post(self, path: str, data: Any = None, **more: Any) -> TestResponse:
        """Send a form."""
        where = path if path.startswith("/") else self.url + path
        headers = {**self.headers, **more.pop("headers", {})}
        return self.client.post(where, data=data or {}, headers=headers, **more)

    def page(self, path: str = "") -> Page:
        """Read a page."""
        return Page(self.get(path))

    def sent(self, path: str, data: Any = None) -> Page:
        """Send a form and read the page that comes back."""
        return Page(self.post(path, data))

    def agreed(self, players: Sequence[str] = FIVE, **other: Any) -> dict[str, Any]:
        """Fill in the form of a new session."""
        return {
            "key": str(uuid4()),
            "circle": "",
            "game": "briscola-chiamata",
            "title": "Friday",
            "player": list(players),
            "place": [str(n + 1) for n in range(len(players))],
            "first_dealer": "4",
            "rules": "classic",
            "end": "rules",
            "stake": "",
            **other,
        }

    def start(self, players: Sequence[str] = FIVE, **other: Any) -> Phone:
        """Start a session and stay on its page."""
        answer = self.post("/sessions/new", self.agreed(players, **other))
        assert answer.status_code == 303, Page(answer).problems
        self.url = answer.headers["Location"]
        return self

    def deal(self, number: int = 1, **other: str) -> dict[str, str]:
        """Fill in the form of a deal at which points are bid."""
        return {"key": str(uuid4()), "number": str(number), **PLAYED, **other}

    def record(self, number: int = 1, **other: str) -> TestResponse:
        """Record such a deal."""
        return self.enter(number, **PLAYED | other)

    def enter(self, number: int, **answers: str) -> TestResponse:
        """Record a deal of any game by its answers."""
        return self.post("record", {"key": str(uuid4()), "number": str(number), **answers})

    def outcome(self, number: int, what: str, **other: str) -> TestResponse:
        """Tap an outcome."""
        key = str(uuid4())
        return self.post("outcome", {"key": key, "number": str(number), "outcome": what, **other})

    def hold(self, name: str) -> Phone:
        """Say which player holds this phone."""
        answer = self.post(f"{self.circle_url}hold", {"player_id": self.player(name)})
        assert answer.status_code == 303
        return self

    def player(self, name: str) -> str:
        """Give the key of a player of the circle."""
        with self.app.app_context():
            return str(players_of(self.keys[0])[name])

    def moved(self, app: Flask) -> Phone:
        """Come to another app with the cookie of this one."""
        other, kept = Phone(app), self.client.get_cookie("scorer")
        assert kept is not None
        other.url = self.url
        other.client.set_cookie("scorer", kept.value)
        return other

    def let_in(self, other: Phone, role: str = "scorekeeper") -> Phone:
        """Let another phone into the circle; it opens the same session."""
        code = self.secret(role)
        assert other.post("/join", {"code": code}).status_code == 303
        other.url = self.url
        return other

    def secret(self, role: str) -> str:
        """Make a link by the circle's first phone, without its page, and give its secret."""
        circle_id, _ = self.keys
        with self.app.app_context():
            first, *_ = circles.phones(circle_id)
            return circles.make_link(circle_id, "Another phone", Role(role), by=first)

    def link(self, name: str = "Another phone", role: str = "scorekeeper", **other: str) -> str:
        """Make a link into the circle."""
        made = {"name": name, "role": role, **other}
        shown = self.post(f"{self.circle_url}links", made, follow_redirects=True).text
        found = re.search(r'https?://[^"]+/join#[\w-]+', shown)
        assert found
        return found[0]
