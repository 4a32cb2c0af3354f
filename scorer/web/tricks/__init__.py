"""Pages of the cards of a deal: written down card by card, replayed, sent as text."""

from scorer.web.tricks import bringing, entry
from scorer.web.tricks.pages import pages
