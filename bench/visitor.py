"""A browser of the plainest kind: one connection kept open, its cookies, and a stopwatch."""

from collections.abc import Mapping
from http.client import HTTPConnection, HTTPMessage
from http.cookies import SimpleCookie
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

FORM = "application/x-www-form-urlencoded"


class Answer(NamedTuple):
    """What came back, and after how many seconds."""

    headers: HTTPMessage
    body: bytes
    seconds: float


class Visitor:
    """Asks one server, one question at a time."""

    def __init__(self, address: str, cookies: Mapping[str, str]) -> None:
        self._connection = HTTPConnection(urlsplit(address).netloc)
        self._cookies = dict(cookies)

    def get(self, path: str, expected: int = 200, **headers: str) -> Answer:
        """Get a page; header names are written with underscores."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self._ask("GET", path, None, named, expected)

    def post(self, path: str, form: Mapping[str, str], expected: int) -> Answer:
        """Send a form."""
        return self._ask("POST", path, urlencode(form), {"Content-Type": FORM}, expected)

    def cookies(self) -> str:
        """Give the cookies as a browser sends them."""
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    def _ask(
        self, method: str, path: str, body: str | None, headers: dict[str, str], expected: int
    ) -> Answer:
        sent = {"Accept-Encoding": "gzip", "Cookie": self.cookies(), **headers}
        began = perf_counter()
        self._connection.request(method, path, body, sent)
        response = self._connection.getresponse()
        read = response.read()
        seconds = perf_counter() - began
        if response.status != expected:
            raise RuntimeError(f"{method} {path} gave {response.status}: {read[:2000]!r}")
        self._keep(response.headers)
        return Answer(response.headers, read, seconds)

    def _keep(self, headers: HTTPMessage) -> None:
        for line in headers.get_all("Set-Cookie", []):
            kept = SimpleCookie(line)
            self._cookies |= {name: morsel.value for name, morsel in kept.items()}
