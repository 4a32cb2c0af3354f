"""Pages of deals: the entry form, a deal's own page, and what is done to a deal there."""

from scorer.web.deals import acts, by_tricks, entry, report
from scorer.web.deals.pages import pages
