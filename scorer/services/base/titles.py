"""What a session is called: the title that somebody gave it, or its day."""

import re
from datetime import UTC, datetime, tzinfo
from typing import Protocol

from scorer.services.base import clock
from scorer.texts import Day, Text

#: What is stored of the second match of an evening that nobody gave a title.
UNTITLED = re.compile(r"· \d{1,3}")


class Titled(Protocol):
    """A session with what its title needs."""

    @property
    def title(self) -> str:
        """Return the title that somebody gave it, or ""."""

    @property
    def started_at(self) -> datetime | None:
        """Return when it began; None means now."""


def title_of(session: Titled, zone: tzinfo = UTC) -> Text | str:
    """Return the title of a session, or its day; a second session of a day is stored as ``· 2``."""
    if title := given_title(session.title):
        return title
    day = Day((session.started_at or clock.now()).astimezone(zone).date())
    return Text(f"%(day)s {session.title}".rstrip(), {"day": day})


def given_title(title: str) -> str:
    """Return the title that somebody gave a session; "" for the stored number of an untitled one.

    >>> given_title("Friday · 2"), given_title("· 2")
    ('Friday · 2', '')
    """
    return "" if UNTITLED.fullmatch(title) else title
