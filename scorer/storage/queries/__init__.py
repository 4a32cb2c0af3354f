"""The queries: one function each, and each scoped by circle; a module for each subject."""

from scorer.storage.queries import circle, deals, journal, live, money, session, tournament
from scorer.storage.queries.base import NO_END, drop, find
