"""Writing: everything that changes a row happens inside `in_transaction`."""

from __future__ import annotations

import random
import time
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import event, insert
from sqlalchemy.exc import DBAPIError, IntegrityError

from scorer.storage import changes
from scorer.storage.database import db

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy import Insert
    from sqlalchemy.orm import ORMExecuteState, Session

    from scorer.storage.columns import Base

Answer = TypeVar("Answer")

PATIENCE = 15.0
FIRST_PAUSE = 0.01
LONGEST_PAUSE = 0.5

_SERIALIZATION_FAILURES = {"40001", "40P01"}
_SQLITE_BUSY = 5
_WRITING = "scorer.writing"


def in_transaction(work: Callable[[], Answer], *, again_if_taken: bool = False) -> Answer:
    """Do the work in one write transaction and commit it; whatever it raises undoes all of it.

    SQLite takes its write lock before the work begins. Where the engine gives up one of two
    transactions that got in each other's way, the work is done again from the start, so it must
    have no effect outside the database. With ``again_if_taken`` it is also done again, once, where
    a constraint failed: the row with the same unique key is there by now, and the work finds it.
    """
    try:
        return _in_transaction(work, keep=True)
    except IntegrityError:
        if not again_if_taken:
            raise
    return _in_transaction(work, keep=True)


def rolled_back(work: Callable[[], Answer]) -> Answer:
    """Do the work as `in_transaction` does, and then undo all of it: what would come of it."""
    return _in_transaction(work, keep=False)


def _in_transaction(work: Callable[[], Answer], *, keep: bool) -> Answer:
    _refuse_nesting()
    deadline = time.monotonic() + PATIENCE
    attempt = 0
    while True:
        try:
            return _once(work, keep=keep)
        except DBAPIError as error:
            if not worth_another_try(error) or time.monotonic() > deadline:
                raise
        attempt += 1
        time.sleep(_pause(attempt))


def write(*rows: Base) -> None:
    """Write new rows in the order given, so that a row may name those before it.

    The session does not follow them: to change a row later, ask for it.
    """
    for kind, alike in groupby(rows, type):
        _, columns = _insert(kind)
        write_plain(kind, [{name: getattr(row, name) for name in columns} for row in alike])


def write_plain(kind: type[Base], values: Sequence[Mapping[str, Any]]) -> None:
    """Write new rows of one table, each as its values, where there are many of them."""
    session = db.session()
    _refuse(session)
    if values:
        statement, _ = _insert(kind)
        session.connection().execute(statement, values)


@cache
def _insert(kind: type[Base]) -> tuple[Insert, tuple[str, ...]]:
    """Make the statement that inserts rows of a table, once."""
    table = kind.metadata.tables[kind.__tablename__]
    return insert(table), tuple(table.columns.keys())


def worth_another_try(error: DBAPIError) -> bool:
    """Say whether a transaction failed only because of another one at the same moment."""
    fault = error.orig
    sqlstate = getattr(fault, "sqlstate", None)
    busy = getattr(fault, "sqlite_errorcode", 0) & 0xFF == _SQLITE_BUSY
    return sqlstate in _SERIALIZATION_FAILURES or busy


def _refuse_nesting() -> None:
    """Stop here: a transaction in a transaction would commit half of the outer one."""
    if db.session.info.get(_WRITING):
        raise RuntimeError("in_transaction was called inside in_transaction")


def _once(work: Callable[[], Answer], *, keep: bool) -> Answer:
    """Try the work once, with a session that knows nothing from before."""
    db.session.close()
    db.session.info[_WRITING] = True
    try:
        db.session.connection(execution_options={"sqlite_begin": "IMMEDIATE"})
        answer = work()
        if keep:
            changes.announce(db.session())
            db.session.commit()
    finally:
        changes.forget(db.session())
        db.session.close()
        db.session.info.pop(_WRITING, None)
    return answer


def _pause(attempt: int) -> float:
    """Say how long to wait after a failed attempt: longer each time and never alike."""
    longest = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempt, 10))
    return random.uniform(0, longest)  # noqa: S311  # a pause needs no secrecy


def _refuse(session: Session) -> None:
    if not session.info.get(_WRITING):
        raise RuntimeError("rows are written inside in_transaction only")


@event.listens_for(db.session, "before_flush")
def _guard_flush(session: Session, *_: Any) -> None:
    """Refuse to write rows where no write transaction was opened."""
    _refuse(session)


@event.listens_for(db.session, "do_orm_execute")
def _guard_statement(state: ORMExecuteState) -> None:
    """Refuse a statement that writes where no write transaction was opened."""
    if state.is_insert or state.is_update or state.is_delete:
        _refuse(state.session)
