"""Plain rows: most questions are answered by columns, which need no entities made of them."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import and_

from scorer.storage.database import db

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, CursorResult, Select

Columns = TypeVar("Columns", bound=tuple[Any, ...])


def rows(statement: Select[Columns], **asked: object) -> CursorResult[Columns]:
    """Ask for columns in the transaction of the session, whose own changes are written first.

    It takes half the time that the session itself takes: 10,000 rows 9 ms instead of 28.
    """
    session = db.session()
    session.flush()
    return session.connection().execute(statement, asked)


def columns(row: type, of: Any, **others: Any) -> list[Any]:
    """List the columns that the fields of a dataclass are named after; ``others`` are elsewhere."""
    return [
        others[one.name] if one.name in others else getattr(of, one.name) for one in fields(row)
    ]


def same(one: Any, other: Any, *columns: str) -> ColumnElement[bool]:
    """Make the condition that two rows are of one circle, and have the same in these columns."""
    return and_(*(getattr(one, name) == getattr(other, name) for name in ("circle_id", *columns)))
