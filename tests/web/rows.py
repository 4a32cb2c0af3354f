"""What is stored, to compare before and after."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any
from uuid import UUID

from flask import Flask

from scorer.services.deals.score_sheet import score_sheet
from scorer.services.journal.verify import circle_findings
from scorer.services.session.state import SessionState, load_state
from scorer.storage import db, queries
from scorer.storage.models import Base
from scorer.storage.queries.base import NO_END
from tests.web.phones import Phone


def rows(app: Flask) -> dict[str, list[tuple[Any, ...]]]:
    """Give every row of every table but the throttle's."""
    with app.app_context():
        return every_row()


def every_row() -> dict[str, list[tuple[Any, ...]]]:
    """Give every row of every table of the application at hand, but the throttle's.

    They are as the database has them: what they mean takes much longer to find out.
    Requests that write nothing else are counted there, too.
    """
    with closing(db.engine.raw_connection()) as connection, closing(connection.cursor()) as cursor:
        found: dict[str, list[tuple[Any, ...]]] = {}
        for table in Base.metadata.tables.keys() - {"throttle"}:
            cursor.execute(f"SELECT * FROM {table}")  # noqa: S608  # names of ours
            found[table] = [*cursor.fetchall()]
        return found


@contextmanager
def rows_put_back(app: Flask) -> Iterator[None]:
    """Give every row again, after the block, as it was before."""
    with _database_of(app) as file:
        copy = type(file)(":memory:")
        file.backup(copy)
    yield
    with _database_of(app) as file, closing(copy):
        copy.backup(file)


@contextmanager
def _database_of(app: Flask) -> Iterator[Any]:
    """Open the app's database by a connection of the app's own, to be copied or written over."""
    with app.app_context(), closing(db.engine.raw_connection()) as connection:
        yield connection.driver_connection


def state_of(phone: Phone) -> SessionState:
    """Load the session that a phone has open."""
    with phone.app.app_context():
        return load_state(*phone.keys)


def findings(phone: Phone) -> list[str]:
    """Verify the circle of a phone."""
    with phone.app.app_context():
        return [str(finding) for finding in circle_findings(phone.keys[0])]


def balances(phone: Phone) -> list[int]:
    """Give the balance of each side of the phone's session."""
    with phone.app.app_context():
        sheet = score_sheet(load_state(*phone.keys))
        found = queries.session.balances(*phone.keys, until=NO_END)
        return [found[side[0]] for side in sheet.state.sides] if sheet.rows else []


def deal_count(phone: Phone) -> int:
    """Count the deals of the phone's session."""
    with phone.app.app_context():
        return score_sheet(load_state(*phone.keys)).deal_count


def link_ids(phone: Phone) -> list[UUID]:
    """Give the keys of the links into the circle."""
    with phone.app.app_context():
        return [link.link_id for link in queries.circle.links(phone.keys[0])]


def phone_ids(phone: Phone) -> list[UUID]:
    """Give the keys of the phones of the circle, in the order they joined."""
    with phone.app.app_context():
        return [one.phone_id for one in queries.circle.phones(phone.keys[0])]


def player_ids(phone: Phone) -> list[UUID]:
    """Give the keys of the players of the circle, by name."""
    with phone.app.app_context():
        return [one.player_id for one in queries.circle.players(phone.keys[0])]
