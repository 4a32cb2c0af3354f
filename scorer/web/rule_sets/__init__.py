"""Pages of house rules: a circle's own tables, the screen that edits one, and how they travel."""

from scorer.web.rule_sets import bringing, editing
from scorer.web.rule_sets.showing import pages
