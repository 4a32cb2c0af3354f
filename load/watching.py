"""Phones that lie on the table and watch a session, as the page's script does."""

import os
import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from load.browsers import PATIENCE, Browser

#: Seconds between two looks, as in `static/live/session.js`.
EVERY = 8.0


@dataclass(slots=True)
class Watcher:
    """A phone that asks for the version of a session, and loads the page when it has changed."""

    browser: Browser
    version: bytes = b""
    looks: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    errors: int = 0
    connection: HTTPConnection | None = None

    def watch(self, seconds: float) -> None:
        """Look again and again, over a connection that is kept open."""
        until = time.monotonic() + seconds
        time.sleep(random.uniform(0, EVERY))
        while time.monotonic() < until:
            self._look()
            time.sleep(EVERY)
        if self.connection:
            self.connection.close()

    def _look(self) -> None:
        version = self._get("version", self.looks)
        if version != self.version:
            self._get("", self.pages)
            self.version = version

    def _get(self, path: str, taken: list[float]) -> bytes:
        """Get something; a connection that was closed meanwhile is made anew, as browsers do."""
        began = time.perf_counter()
        try:
            body = self._ask(path)
        except (OSError, HTTPException):
            self.connection = None
            try:
                body = self._ask(path)
            except (OSError, HTTPException):
                self.connection, body = None, b""
                self.errors += 1
        taken.append(time.perf_counter() - began)
        return body

    def _ask(self, path: str) -> bytes:
        if self.connection is None:
            netloc = urlsplit(self.browser.site).netloc
            self.connection = HTTPConnection(netloc, timeout=PATIENCE)
        cookies = "; ".join(f"{name}={value}" for name, value in self.browser.cookies.items())
        headers = {"Cookie": cookies, "Accept-Encoding": "gzip"}
        self.connection.request("GET", self.browser.url + path, headers=headers)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise HTTPException(answer.status)
        return body


def watch(browser: Browser, count: int, seconds: float) -> list[Watcher]:
    """Let so many phones watch the session of a browser for a while."""
    watchers = [Watcher(browser) for _ in range(count)]
    with ThreadPoolExecutor(count) as threads:
        list(threads.map(lambda watcher: watcher.watch(seconds), watchers))
    return watchers


def memory(processes: Sequence[int]) -> list[int]:
    """Give the memory of processes in MB, what they share divided among them."""
    rollups = [Path(f"/proc/{process}/smaps_rollup").read_text("ascii") for process in processes]
    found = [line for text in rollups for line in text.splitlines() if line.startswith("Pss:")]
    return [int(line.split()[1]) // 1024 for line in found]


def processor_seconds(processes: Sequence[int]) -> float:
    """Give the seconds of processor time that processes have taken, together."""
    stats = [Path(f"/proc/{process}/stat").read_text("ascii") for process in processes]
    ticks = [text.rpartition(")")[2].split()[11:13] for text in stats]
    return sum(int(one) for pair in ticks for one in pair) / os.sysconf("SC_CLK_TCK")
