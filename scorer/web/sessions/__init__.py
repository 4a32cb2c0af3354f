"""Pages of card sessions: a new one, and the one being played."""

from scorer.web.sessions import (
    big_screen,
    ending,
    files,
    last_page,
    new,
    presence,
    rules,
    seating,
    show,
    sitting_out,
    what_if,
)
from scorer.web.sessions.pages import pages
