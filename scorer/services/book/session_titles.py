"""What a session is called, and the hash and the eight letters that witness it."""

import re
from datetime import UTC, datetime, tzinfo
from typing import Protocol

from scorer.services.base.caching import LRUCache
from scorer.services.base.clock import now
from scorer.storage import chain, models, queries
from scorer.texts import Day, Text

#: What is stored of the second match of an evening that nobody gave a title.
UNTITLED = re.compile(r"· \d{1,3}")
_last: LRUCache[str] = LRUCache(256)


class Titled(Protocol):
    """A session with what its title needs."""

    @property
    def title(self) -> str:
        """Return the title that somebody gave it, or ""."""

    @property
    def started_at(self) -> datetime | None:
        """Return when it began; None means now."""


def title_of(session: Titled, zone: tzinfo = UTC) -> Text | str:
    """Return the title of a session, or its day, of which a second one is stored as ``· 2``."""
    if session.title and not UNTITLED.fullmatch(session.title):
        return session.title
    day = Day((session.started_at or now()).astimezone(zone).date())
    return Text(f"%(day)s {session.title}".rstrip(), {"day": day})


def witness(row: models.CardSession, journal: str = "") -> str:
    """Return the hash of all that decided a session.

    The chain has the deals; the journal has the title, the stake, the end, and what guests brought:
    that is cached by the hash of the ``journal``, if it is given.
    """

    def read() -> str:
        return queries.record.deciding_chain(row.circle_id, row.session_id) or ""

    last = _last.get((row.circle_id, row.session_id, journal), read) if journal else read()
    return chain.link(row.chain, last) if last else row.chain


def letters(row: models.CardSession, journal: str = "") -> str:
    return chain.short(witness(row, journal))
