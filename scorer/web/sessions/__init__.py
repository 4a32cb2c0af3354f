"""Pages of card sessions: a new one, and the one being played."""

from scorer.web.sessions import (
    ending,
    files,
    new,
    rules,
    seating,
    show,
    sitting_out,
    what_if,
)
from scorer.web.sessions.pages import pages

__all__ = [
    "ending",
    "files",
    "new",
    "pages",
    "rules",
    "seating",
    "show",
    "sitting_out",
    "what_if",
]
