"""Pages of the cards of a deal: written down card by card, replayed, beside the sheet."""

from scorer.web.tricks import beside, entry
from scorer.web.tricks.pages import pages

__all__ = ["beside", "entry", "pages"]
