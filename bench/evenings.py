"""Sessions to measure with: of 20 and of 2,000 deals, each deal recorded as people do it."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol
from uuid import UUID, uuid4

from flask import Flask
from sqlalchemy import delete, update

from scorer.services.circle import circles
from scorer.services.deals import deals
from scorer.services.deals.deals import DealEntry
from scorer.services.files.demo import invented
from scorer.services.journal.verify import verify
from scorer.services.session import sessions
from scorer.services.session.sessions import NewSession
from scorer.services.session.state import load_state
from scorer.storage import db, in_transaction
from scorer.storage.models import CardSession, Deal

SIZES = (20, 2_000)
PLAYERS = ("Ada", "Bea", "Ciro", "Dora", "Ezio")
RULES = "ladder-bands"


@dataclass(frozen=True, slots=True)
class Evening:
    """A session with so many deals, and the phone that recorded them."""

    size: int
    circle_id: UUID
    session_id: UUID
    phone_id: UUID

    @property
    def path(self) -> str:
        """Where its page is."""
        return f"/circles/{self.circle_id}/sessions/{self.session_id}/"


def fill() -> list[Evening]:
    """Record the evenings and look at them as `scorer verify` does."""
    evenings = [_record(size) for size in SIZES]
    findings = list[str]()
    if verify(findings.append).findings:
        raise RuntimeError("\n".join(findings))
    return evenings


def _record(size: int) -> Evening:
    new = NewSession(
        key=uuid4(),
        game="briscola-chiamata",
        rules=RULES,
        players=PLAYERS,
        first_dealer=0,
        title=f"An evening of {size:,}",
    )
    started = sessions.start_session(new)
    if started.phone_id is None:
        raise RuntimeError("a circle begins with a phone")
    by = circles.holder(started.circle_id, started.phone_id)
    table = load_state(started.circle_id, started.session_id).table()
    random = Random(size)
    for number in range(1, size + 1):
        state = load_state(started.circle_id, started.session_id)
        deals.record_deal(state, DealEntry(uuid4(), number, invented(table, random)), by)
    return Evening(size, started.circle_id, started.session_id, started.phone_id)


def take_back(evening: Evening) -> None:
    """Delete what was recorded beyond the size, so that the next deal finds as many as this one.

    The session gets a version of its own for that, so that no process takes it for another one.
    """
    session = (
        CardSession.circle_id == evening.circle_id,
        CardSession.session_id == evening.session_id,
    )
    surplus = (
        Deal.circle_id == evening.circle_id,
        Deal.session_id == evening.session_id,
        Deal.number > evening.size,
    )

    def work() -> None:
        db.session.execute(delete(Deal).where(*surplus))
        back = {"next_number": evening.size + 1, "version": CardSession.version + 1}
        db.session.execute(update(CardSession).where(*session).values(back))

    in_transaction(work)


class Known(Protocol):
    """A circle, and the phone that belongs to it."""

    @property
    def circle_id(self) -> UUID:
        """The circle."""

    @property
    def phone_id(self) -> UUID:
        """The phone."""


def cookies(app: Flask, evenings: Sequence[Known]) -> dict[str, str]:
    """Give what the browser keeps whose phone belongs to all these circles."""
    client = app.test_client()
    with client.session_transaction() as kept:
        kept["phones"] = {one.circle_id.hex: one.phone_id.hex for one in evenings}
    name = app.config["SESSION_COOKIE_NAME"]
    cookie = client.get_cookie(name)
    if cookie is None:
        raise RuntimeError("the app sets no cookie")
    return {name: cookie.value}
