"""Write transactions: everything that changes a row runs inside `in_transaction`."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial, wraps
from itertools import groupby
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import Connection, delete, event, insert, or_, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.orm import ORMExecuteState, Session
from sqlalchemy.orm.exc import StaleDataError

from scorer.storage import changes
from scorer.storage.database import check_tables, db
from scorer.storage.engine import Trouble, begin_writing, has_same_file, trouble
from scorer.storage.models import Base, Throttle

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

#: Seconds until a transaction that is aborted again and again fails, and bounds of the random
#: pause between two tries, which doubles.
PATIENCE = 15.0
FIRST_PAUSE, LONGEST_PAUSE = 0.01, 0.5

_WRITING = "scorer.writing"
_dry: ContextVar[bool] = ContextVar("dry", default=False)


def in_transaction(act: Callable[[], Answer]) -> Answer:
    """Run the work in one write transaction and commit it; an exception rolls back all of it.

    SQLite takes its write lock before the work begins. If the engine aborts the transaction in
    favour of another one, the work runs again from the start, so it must have no effect outside the
    database. It also runs again, once, if a constraint failed: then it finds the row that has the
    same unique key; or if a row is gone that was read before the transaction.
    """
    try:
        return _in_transaction(act)
    except (IntegrityError, StaleDataError):
        return _in_transaction(act)


def transaction(act: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Decorate a function that is one write transaction, as `in_transaction` runs it."""

    @wraps(act)
    def run(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        return in_transaction(partial(act, *args, **kwargs))

    return run


@contextmanager
def dry_run() -> Iterator[None]:
    """Roll back each transaction of the block at its end."""
    before = _dry.set(True)
    try:
        yield
    finally:
        _dry.reset(before)


def _in_transaction(act: Callable[[], Answer]) -> Answer:
    if db.session.info.get(_WRITING):  # its commit would be half of the outer transaction
        raise RuntimeError("in_transaction was called inside in_transaction")
    deadline = time.monotonic() + PATIENCE
    pause = FIRST_PAUSE
    while True:
        try:
            return _once(act)
        except DBAPIError as error:
            if trouble(error) is not Trouble.BUSY or time.monotonic() > deadline:
                raise
        pause = min(2 * pause, LONGEST_PAUSE)
        time.sleep(random.uniform(0, pause))  # noqa: S311  # a pause needs no secrecy


def write(*rows: Base) -> None:
    """Insert rows in the order given, so that a row may refer to those before it.

    The session does not track them: to change a row later, query it.
    """
    connection = _writing_connection(db.session())
    for table, alike in groupby(rows, lambda row: row.metadata.tables[row.__tablename__]):
        columns = table.columns.keys()
        values = [{name: getattr(row, name) for name in columns} for row in alike]
        connection.execute(insert(table), values)


def _once(act: Callable[[], Answer]) -> Answer:
    """Run the work once, with an empty session, on tables of this version."""
    session = db.session()
    if db.engine.dialect.name == "sqlite" and has_same_file(session.connection()):
        session.expunge_all()  # it writes on the connection that has read
    else:
        session.close()
    try:
        session.info[_WRITING] = connection = session.connection()
        begin_writing(connection)
        check_tables(connection)
        answer = act()
        if not _dry.get():
            changes.commit(session)
    finally:
        session.info.clear()
        session.close()
    return answer


def _writing_connection(session: Session) -> Connection:
    connection: Connection | None = session.info.get(_WRITING)
    if connection is None:
        raise RuntimeError("rows are written inside in_transaction only")
    return connection


@event.listens_for(db.session, "before_flush")
def _guard_flush(session: Session, *_: Any) -> None:
    _writing_connection(session)


@event.listens_for(db.session, "do_orm_execute")
def _guard_statement(state: ORMExecuteState) -> None:
    if state.is_insert or state.is_update or state.is_delete:
        _writing_connection(state.session)


_COUNT_REQUEST = text(
    "INSERT INTO throttle (address_hash, minute, requests) VALUES (:address_hash, :minute, 1) "
    "ON CONFLICT (address_hash, minute) DO UPDATE SET requests = throttle.requests + 1 "
    "RETURNING requests"
)


def count_request(address_hash: str, minute: int) -> int:
    """Count a request from an address; return how many there were in that minute, with this one.

    One statement counts and answers, so that it is exact with any number of workers.
    """
    parameters = {"address_hash": address_hash, "minute": minute}
    return int(db.session.execute(_COUNT_REQUEST, parameters).scalar_one())


def uncount_request(address_hash: str, minute: int) -> None:
    """Take a request off the count of its minute again; a count of none is no row."""
    counted = {"address_hash": address_hash, "minute": minute}
    db.session.execute(delete(Throttle).filter_by(**counted, requests=1))
    several = update(Throttle).filter_by(**counted).where(Throttle.requests > 1)
    db.session.execute(several.values(requests=Throttle.requests - 1))


def forget_requests(first: int, last: int) -> None:
    """Delete the counts of all other minutes, also of minutes in the future."""
    other = or_(Throttle.minute < first, Throttle.minute > last)
    db.session.execute(delete(Throttle).where(other))
