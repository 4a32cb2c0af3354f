"""Queries of `scorer verify`: rows as they are stored, and dangling references."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from sqlalchemy import Column, Row, Select, Table, exists, func, select

from scorer.storage.columns import Base
from scorer.storage.database import db
from scorer.storage.models import Deal, DealVersion, LinkSecret, Payout, Review, TrickRecord
from scorer.storage.queries.rows import same

Naming = tuple[Table, Table, list[tuple[Column[object], Column[object]]]]

T = TypeVar("T", DealVersion, Review)
Own = TypeVar("Own", Deal, Payout, TrickRecord)


class Stray(NamedTuple):
    """How many rows of a table name a row of another one that is not there."""

    table: str
    named: str
    rows: int


def stored_deals(circle_id: UUID, session_id: UUID) -> list[Deal]:
    """List the rows of a session's deals by number, whatever their versions say."""
    return _of_session(circle_id, session_id, Deal, Deal.number)


def _of_session(circle_id: UUID, session_id: UUID, of: type[Own], *order: Any) -> list[Own]:
    of_session = select(of).where(of.circle_id == circle_id, of.session_id == session_id)
    return list(db.session.scalars(of_session.order_by(*order)))


def stored_versions(circle_id: UUID, session_id: UUID) -> defaultdict[UUID, list[DealVersion]]:
    """List the rows of all versions of a session's deals, oldest first, by the deal's key."""
    return _by_deal(circle_id, session_id, DealVersion, DealVersion.version)


def stored_reviews(circle_id: UUID, session_id: UUID) -> defaultdict[UUID, list[Review]]:
    """List the rows of all that was said of a session's deals, oldest first, by the deal's key."""
    return _by_deal(circle_id, session_id, Review, Review.serial)


def _by_deal(
    circle_id: UUID, session_id: UUID, of: type[T], order: Any
) -> defaultdict[UUID, list[T]]:
    found = db.session.scalars(
        select(of)
        .join(Deal, same(Deal, of, "deal_id"))
        .where(Deal.circle_id == circle_id, Deal.session_id == session_id)
        .order_by(order)
    )
    rows: defaultdict[UUID, list[T]] = defaultdict(list)
    for row in found:
        rows[row.deal_id].append(row)
    return rows


def stored_tricks(circle_id: UUID, session_id: UUID) -> list[TrickRecord]:
    """List all that was written down of the cards of a session's deals, oldest first."""
    order = TrickRecord.deal_id, TrickRecord.version
    return _of_session(circle_id, session_id, TrickRecord, *order)


def said_beside(circle_id: UUID, session_id: UUID, after: int, before: int) -> int:
    """Count the reviews and cards that were written in a session between two others."""
    reviews = select(func.count()).select_from(Review).join(Deal, same(Deal, Review, "deal_id"))
    reviews = reviews.where(Deal.circle_id == circle_id, Deal.session_id == session_id)
    cards = select(func.count()).select_from(TrickRecord)
    cards = cards.where(TrickRecord.circle_id == circle_id, TrickRecord.session_id == session_id)
    return sum(
        db.session.scalars(counted.where(table.chained > after, table.chained < before)).one()
        for counted, table in ((reviews, Review), (cards, TrickRecord))
    )


def stored_rows(circle_id: UUID, name: str) -> Sequence[Row[Any]]:
    """List the rows of a table that a circle has, by their keys."""
    table = Base.metadata.tables[name]
    of_circle = select(table).where(table.c.circle_id == circle_id)
    return db.session.execute(of_circle.order_by(*table.primary_key)).all()


def secret_hashes(circle_id: UUID) -> dict[UUID, list[str]]:
    """Give the hashes of the secrets of each link of a circle that has any."""
    found: defaultdict[UUID, list[str]] = defaultdict(list)
    for row in db.session.scalars(select(LinkSecret).where(LinkSecret.circle_id == circle_id)):
        found[row.link_id].append(row.secret_hash)
    return dict(found)


def stored_payouts(circle_id: UUID, session_id: UUID) -> list[Payout]:
    """List what counts in a session, deal by deal."""
    return _of_session(circle_id, session_id, Payout, Payout.number, Payout.seat)


def strays() -> list[Stray]:
    """List the dangling references over all circles; a sound database has none."""
    counted = (
        Stray(table, named, db.session.scalars(count).one()) for table, named, count in _counts()
    )
    return [stray for stray in counted if stray.rows]


@cache
def _counts() -> list[tuple[str, str, Select[tuple[int]]]]:
    """List which table references which, and the query that counts the dangling references."""
    return [
        (table.name, other.name, _nowhere(table, other, pairs))
        for table, other, pairs in _namings()
    ]


def _namings() -> Iterator[Naming]:
    """List which table references which, by which columns."""
    for table in Base.metadata.sorted_tables:
        for key in sorted(table.foreign_key_constraints, key=lambda one: str(one.name)):
            pairs = [(element.parent, element.column) for element in key.elements]
            yield table, key.referred_table, pairs
    secrets, circles = Base.metadata.tables["link_secret"], Base.metadata.tables["circle"]
    yield secrets, circles, [(secrets.c.circle_id, circles.c.circle_id)]


def _nowhere(
    table: Table, other: Table, pairs: list[tuple[Column[object], Column[object]]]
) -> Select[tuple[int]]:
    """Count the rows that name a row of the other table which is not there."""
    there = exists().where(*(column == named for column, named in pairs)).select_from(other)
    named = (column.is_not(None) for column, _ in pairs)
    return select(func.count()).select_from(table).where(*named, ~there.correlate(table))
