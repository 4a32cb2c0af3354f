"""Phones that record deals into a session, all at one time.

A phone does what the page's script does: it sends a deal again, with the same key, until there is
an answer; where another phone has taken the number it looks for a moment at what is written there,
and sends its own as the next one.
"""

import random
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any, Self
from uuid import UUID, uuid4

from bench.browsers import Browser
from scorer.evening.deal import Deal
from scorer.services.journal.verify import verify
from scorer.services.session.state import load_state
from tests.services.evenings import FIVE
from tests.storage.conftest import opened
from tests.web.phones import PLAYED

AGAIN = 0.05
LOOKING = 0.2
PATIENCE = 300.0
NEXT = re.compile(r'name="number" value="(\d+)"')


@dataclass(slots=True)
class Phone:
    """A browser in a session, and what it was told about the deals that it sent."""

    browser: Browser
    form: dict[str, str]
    number: int = 1
    acknowledged: dict[UUID, int] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    conflicts: int = 0
    #: Requests without an answer, those of them that the server broke off, and answers of 503.
    unanswered: int = 0
    dropped: int = 0
    put_off: int = 0

    def answers(self, points: int) -> dict[str, str]:
        return {"card_points": str(points)}

    def counted(self, stored: Mapping[str, Any]) -> int | None:
        """Read on a stored sheet by how many points it differs from others."""
        return stored.get("card_points")

    def record(self, points: int, *, patient: bool = False) -> None:
        """Record a deal, however often it has to be sent; also to a server without a database."""
        key = uuid4()
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            status = self._send(key, points)
            if status == 303:
                self.acknowledged[key] = points
                self.number += 1
                return
            if status == 503 and patient:
                self.put_off += 1
                time.sleep(LOOKING)
            elif status not in {0, 409}:
                self.refused.append(status)
                return
        self.refused.append(0)

    def _send(self, key: UUID, points: int) -> int:
        """Send a deal once; give the status, or 0 when there is no answer."""
        sent = {"key": str(key), "number": str(self.number), **self.answers(points)}
        began = time.perf_counter()
        try:
            answer = self.browser.send(self.form | sent, "record")
        except (OSError, HTTPException) as error:
            self.unanswered += 1
            self.dropped += not isinstance(error, ConnectionRefusedError)
            time.sleep(AGAIN)
            return 0
        self.seconds.append(time.perf_counter() - began)
        if answer.status_code == 409:
            self.conflicts += 1
            self.number = int(NEXT.findall(answer.text)[-1])
            time.sleep(random.uniform(0, LOOKING))
        return answer.status_code


class BurracoPhone(Phone):
    """A phone that writes down burraco: what is melded is always a multiple of five."""

    @classmethod
    def of(cls, browser: Browser) -> Self:
        """Open the form of the next deal."""
        sheet = {"closed": "nobody", "melded-1": "60", "in_hand-0": "0", "in_hand-1": "0"}
        return cls(browser, browser.filled_in("record", "/record", **sheet))

    def answers(self, points: int) -> dict[str, str]:
        """Say what the first side has melded."""
        return {"melded-0": str(5 * points)}

    def counted(self, stored: Mapping[str, Any]) -> int | None:
        """Read what the first side has melded."""
        return int(stored["melded"][0]) // 5


def in_one_session(site: str, count: int) -> list[Phone]:
    """Let so many phones into a session of their own."""
    first, others = Browser(site).start(FIVE), [Browser(site) for _ in range(count - 1)]
    browsers = [first, *(first.let_in_all(others) if others else [])]
    return [Phone(one, one.filled_in("record", "/record", **PLAYED)) for one in browsers]


def acknowledged(phones: Sequence[Phone]) -> int:
    """Count the deals that the phones were told are written."""
    return sum(len(phone.acknowledged) for phone in phones)


def record_at_once(phones: Sequence[Phone], deals: int, *, patient: bool = False) -> float:
    """Let every phone record so many deals, all at one time; give how many seconds it took."""

    def play(number: int) -> None:
        for deal in range(deals):
            if not phones[number].refused:
                phones[number].record(2 + (number * deals + deal) % 117, patient=patient)

    began = time.monotonic()
    with ThreadPoolExecutor(len(phones)) as threads:
        list(threads.map(play, range(len(phones))))
    return time.monotonic() - began


@contextmanager
def recording(phones: Sequence[Phone], deals: int, *, patient: bool = False) -> Iterator[None]:
    """Let every phone record so many deals; begin the block when a quarter is acknowledged."""
    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(record_at_once, phones, deals, patient=patient)
        while acknowledged(phones) < len(phones) * deals // 4:
            time.sleep(AGAIN)
        yield
        done.result()


def faults(phones: Sequence[Phone], database_url: str) -> list[str]:
    """Say what is lost, doubled, misnumbered or changed of what the phones were told is written.

    Whatever `scorer verify` finds is a fault, too.
    """
    sessions, found = defaultdict[str, list[Phone]](list), list[str]()
    for phone in phones:
        sessions[phone.browser.url].append(phone)
    with opened(database_url):
        for url, there in sessions.items():
            _, _, circle, _, session, _ = url.split("/")
            found += _differences(there, load_state(UUID(circle), UUID(session)).deals)
        verify(found.append)
    return found


def _differences(phones: Sequence[Phone], stored: Sequence[Deal]) -> list[str]:
    """Compare what the phones of a session were told with its deals."""
    sent = {key: points for phone in phones for key, points in phone.acknowledged.items()}
    kept = {deal.deal_id: phones[0].counted(deal.entry.stored or {}) for deal in stored}
    found = [f"a phone was answered {status}" for phone in phones for status in phone.refused]
    found += [
        f"{key} is lost or changed" for key, points in sent.items() if kept.get(key) != points
    ]
    if len(kept) != len(sent):
        found.append(f"{len(kept)} deals are stored, {len(sent)} were acknowledged")
    if [deal.number for deal in stored] != list(range(1, len(stored) + 1)):
        found.append("the numbers have gaps")
    return found
