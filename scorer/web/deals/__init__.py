"""Pages of deals: the entry form, a deal's own page, and what is done to a deal there."""

from scorer.web.deals import by_tricks, entry, report, reviews
from scorer.web.deals.pages import pages
