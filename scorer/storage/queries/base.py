"""What every query uses: its parameters, and how its rows become values.

Statements are built once, at import, as building one takes longer than running it.
"""

from dataclasses import fields
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    CursorResult,
    Integer,
    Select,
    String,
    Uuid,
    and_,
    bindparam,
    delete,
    select,
)

from scorer.storage.database import db
from scorer.storage.models import OfCircle, Phone

#: Above the number of every deal: no upper bound.
NO_END = 2**31 - 1

CIRCLE = bindparam("circle_id", type_=Uuid())
CIRCLES = bindparam("circle_ids", type_=Uuid(), expanding=True)
SESSION = bindparam("session_id", type_=Uuid())
SESSIONS = bindparam("session_ids", type_=Uuid(), expanding=True)
DEAL = bindparam("deal_id", type_=Uuid())
DEALS = bindparam("deal_ids", type_=Uuid(), expanding=True)
LINK = bindparam("link_id", type_=Uuid())
PHONE = bindparam("phone_id", type_=Uuid())
RULE_SET = bindparam("rule_set_id", type_=Uuid())
PLAYER = bindparam("player_id", type_=Uuid())
SECRET = bindparam("secret_hash", type_=String())
NUMBER = bindparam("number", type_=Integer())
NUMBERS = bindparam("numbers", type_=Integer(), expanding=True)
UNTIL = bindparam("until", type_=Integer())
BEFORE = bindparam("before", type_=Integer())
LIMIT = bindparam("limit", type_=Integer())


Kind = TypeVar("Kind", bound=OfCircle)
Columns = TypeVar("Columns", bound=tuple[Any, ...])


def find(kind: type[Kind], *key: UUID) -> Kind | None:
    """Find a row by its key, which begins with the circle."""
    return db.session.get(kind, key)


def drop(kind: type[OfCircle], *key: UUID) -> None:
    """Delete the row of a key, if there is one, with what is within it."""
    table = kind.metadata.tables[kind.__tablename__]
    of_key = (column == part for column, part in zip(table.primary_key, key, strict=True))
    db.session.execute(delete(table).where(*of_key))


def rows(statement: Select[Columns], **parameters: object) -> CursorResult[Columns]:
    """Select columns in the transaction of the session, after flushing it.

    For 10,000 rows this takes 9 ms, and the session itself 28.
    """
    session = db.session()
    session.flush()
    return session.connection().execute(statement, parameters)


def columns(row: type, of: Any, **others: Any) -> list[Any]:
    """List the columns that the fields of a dataclass are named after; ``others`` are elsewhere."""
    return [
        others[column.name] if column.name in others else getattr(of, column.name)
        for column in fields(row)
    ]


def with_phone(row: type, table: Any) -> Select[Any]:
    """Select the fields of a dataclass from a table; ``phone`` is the name of its phone."""
    selected = select(*columns(row, table, phone=Phone.name))
    return selected.outerjoin(Phone, same(Phone, table, "phone_id"))


def same(table: Any, other: Any, *columns: str) -> ColumnElement[bool]:
    """Make the condition that two tables agree in `circle_id` and these columns."""
    return and_(*(getattr(table, name) == getattr(other, name) for name in ("circle_id", *columns)))
