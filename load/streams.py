"""Phones that hold a stream of events open, and note when they heard of what."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from threading import Thread
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from load.browsers import PATIENCE, Browser
from load.phones import Phone


class Listener:
    """A browser that listens to its session."""

    def __init__(self, browser: Browser, *, writes: str = "", **headers: str) -> None:
        self._connection = HTTPConnection(urlsplit(browser.site).netloc, timeout=PATIENCE)
        cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        sent = {"Cookie": cookies, "X-Forwarded-For": browser.address, **headers}
        self._connection.request(
            "GET", f"{browser.url}events?presence&writes={writes}", headers=sent
        )
        self.answer = self._connection.getresponse()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self.answer.close()
        self._connection.close()

    def next(self, event: str = "change") -> dict[str, Any] | None:
        """Wait for the next event of a name and give its data; None at the end of the stream."""
        name = ""
        while line := self.answer.readline().decode():
            if line.startswith("event: "):
                name = line.removeprefix("event: ").strip()
            if line.startswith("data: ") and name == event:
                found: dict[str, Any] = json.loads(line.removeprefix("data: "))
                return found
        return None


@dataclass(slots=True)
class Hearing:
    """When each phone heard of each deal, and how often its stream broke off."""

    heard: list[dict[int, float]] = field(default_factory=list)
    errors: int = 0

    def listen(self, browser: Browser, last: int) -> None:
        """Listen until the last deal was heard of."""
        moments: dict[int, float] = {}
        self.heard.append(moments)
        try:
            with Listener(browser) as stream:
                while last not in moments and (told := stream.next()):
                    moments[told["number"]] = time.perf_counter()
        except (OSError, HTTPException):
            self.errors += 1


def heard_while_recorded(
    phones: Sequence[Phone], deals: int, pause: float
) -> tuple[Hearing, list[float], int]:
    """Let the first phone record while the others listen.

    Give what they heard, how long after each deal was sent each phone heard of it, and how many
    deals phones did not hear of.
    """
    hearing, sent = Hearing(), {}
    threads = [Thread(target=hearing.listen, args=(one.browser, deals)) for one in phones[1:]]
    for thread in threads:
        thread.start()
    time.sleep(2.0)
    for number in range(1, deals + 1):
        sent[number] = time.perf_counter()
        phones[0].record(2 + number % 117)
        time.sleep(pause)
    for thread in threads:
        thread.join(PATIENCE)
    waited = [
        one[number] - at for one in hearing.heard for number, at in sent.items() if number in one
    ]
    return hearing, waited, len(threads) * deals - len(waited)
