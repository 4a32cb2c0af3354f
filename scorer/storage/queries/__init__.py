"""The queries: one function each, and each scoped by circle; a module for each subject."""

from scorer.storage.queries import (
    album,
    book,
    cards,
    circle,
    deals,
    live,
    money,
    record,
    table,
)
from scorer.storage.queries.base import NO_END, drop, find
