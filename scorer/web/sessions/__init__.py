"""Pages of card sessions: a new one, and the one being played."""

from scorer.web.sessions import files, last_page, new, presence, rules, seating, show
from scorer.web.sessions.pages import pages
