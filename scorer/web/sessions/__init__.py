"""Pages of card sessions: a new one, and the one being played."""

from scorer.web.sessions import ending
from scorer.web.sessions import files
from scorer.web.sessions import foreseen
from scorer.web.sessions import new
from scorer.web.sessions import rules
from scorer.web.sessions import seating
from scorer.web.sessions import show
from scorer.web.sessions import sitting_out
from scorer.web.sessions import watching
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
