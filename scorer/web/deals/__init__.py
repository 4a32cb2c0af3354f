"""Pages of deals: the form that people live in, a deal's own page, and what is done to a deal."""

from scorer.web.deals import entry, report, reviews
from scorer.web.deals.pages import pages

__all__ = ["entry", "pages", "report", "reviews"]
