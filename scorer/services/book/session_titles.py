"""What a session is called, and the hash and the eight letters that witness it."""

import re
from datetime import UTC, datetime, tzinfo
from typing import Protocol

from scorer.services.base.clock import now
from scorer.storage import chain, models, queries
from scorer.texts import Day, Text

#: What is stored of the second match of an evening that nobody gave a title.
UNTITLED = re.compile(r"· \d{1,3}")


class Titled(Protocol):
    """A session, as far as its title goes."""

    @property
    def title(self) -> str:
        """What somebody called it, or nothing."""

    @property
    def started_at(self) -> datetime | None:
        """When it began, or is to begin if not now."""


def title_of(session: Titled, zone: tzinfo = UTC) -> Text | str:
    """Give the title of a session: its day, where nobody gave it another.

    Of sessions of a day that nobody gave a title, the second is stored as ``· 2``.
    """
    if session.title and not UNTITLED.fullmatch(session.title):
        return session.title
    day = Day((session.started_at or now()).astimezone(zone).date())
    return Text(f"%(day)s {session.title}".rstrip(), {"day": day})


def witness(row: models.CardSession) -> str:
    """Give the hash of all that decided a session, which changes with whatever decides it anew.

    The chain has the deals; the journal has the title, the stake, the end, and what guests brought.
    """
    last = queries.record.deciding_chain(row.circle_id, row.session_id)
    return chain.link(row.chain, last) if last else row.chain


def letters(row: models.CardSession) -> str:
    """Give the first eight letters of what a session is witnessed by."""
    return chain.short(witness(row))
