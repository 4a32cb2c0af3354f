"""Pages of card sessions: a new one, and the one being played."""

from scorer.web.sessions import (
    ending,
    files,
    foreseen,
    new,
    rules,
    seating,
    show,
    sitting_out,
    watching,
)
from scorer.web.sessions.pages import pages

__all__ = [
    "ending",
    "files",
    "foreseen",
    "new",
    "pages",
    "rules",
    "seating",
    "show",
    "sitting_out",
    "watching",
]
